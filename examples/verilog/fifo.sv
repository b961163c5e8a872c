// A FIFO with a counter. Nothing is lost: what was written second to last is what is read second to last.
module fifo #(parameter WIDTH = 2, parameter BITS = 2) (
  input clk, input rst,
  input push, input [WIDTH-1:0] data_in,
  input pop, output [WIDTH-1:0] data_out,
  output full, output empty
);
  reg [WIDTH-1:0] mem [0:(1 << BITS) - 1];
  reg [BITS-1:0] head = 0, tail = 0;
  reg [BITS:0] count = 0;
  assign full = count == 1 << BITS;
  assign empty = count == 0;
  assign data_out = mem[head];
  wire put = push && !full, take = pop && !empty;

  always @(posedge clk)
    if (rst) begin
      head <= 0; tail <= 0; count <= 0;
    end else begin
      if (put) begin mem[tail] <= data_in; tail <= tail + 1; end
      if (take) head <= head + 1;
      count <= count + put - take;
    end

`ifdef FORMAL
  // One word is followed from its way in to its way out.
  reg [WIDTH-1:0] word;
  reg [BITS:0] ahead = 0;
  reg followed = 0;
  always @(posedge clk)
    if (rst) begin
      followed <= 0; ahead <= 0;
    end else if (!followed && put) begin
      followed <= 1; word <= data_in; ahead <= count - take;
    end else if (followed && take) begin
      if (ahead == 0) followed <= 0; else ahead <= ahead - 1;
    end

  always @(posedge clk) begin
    counted: assert (count <= 1 << BITS);
    pointers: assert (count[BITS-1:0] == BITS'(tail - head));
    if (followed && ahead == 0) unchanged: assert (data_out == word);
  end
`endif
endmodule
