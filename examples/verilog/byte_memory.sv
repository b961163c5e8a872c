// A memory with byte enables: a word of it, whichever, holds what was last written to each of its bytes.
module byte_memory #(parameter BITS = 2) (
  input clk, input write, input [1:0] enable, input [BITS-1:0] address, input [15:0] data, output [15:0] read
);
  reg [15:0] mem [0:(1 << BITS) - 1];
  assign read = mem[address];
  always @(posedge clk) if (write) begin
    if (enable[0]) mem[address][7:0] <= data[7:0];
    if (enable[1]) mem[address][15:8] <= data[15:8];
  end

`ifdef FORMAL
  wire [BITS-1:0] watched = $anyconst;
  reg [15:0] shadow;
  reg [1:0] known = 0;
  always @(posedge clk) if (write && address == watched) begin
    if (enable[0]) begin shadow[7:0] <= data[7:0]; known[0] <= 1; end
    if (enable[1]) begin shadow[15:8] <= data[15:8]; known[1] <= 1; end
  end
  always @* if (address == watched) begin
    if (known[0]) low: assert (read[7:0] == shadow[7:0]);
    if (known[1]) high: assert (read[15:8] == shadow[15:8]);
  end
`endif
endmodule
