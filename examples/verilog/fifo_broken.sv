// The same FIFO with a mistake: it takes a word when it is full, and the counter runs over.
module fifo_broken #(parameter WIDTH = 4, parameter BITS = 2) (
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
  wire put = push, take = pop && !empty;  // put should look at full

  always @(posedge clk)
    if (rst) begin
      head <= 0; tail <= 0; count <= 0;
    end else begin
      if (put) begin mem[tail] <= data_in; tail <= tail + 1; end
      if (take) head <= head + 1;
      count <= count + put - take;
    end

  always @(posedge clk) begin
    counted: assert (count <= 1 << BITS);
  end
endmodule
