// Three stages that compute (a + b) ^ a, with a stall: what comes out belongs to what went in.
module pipeline #(parameter WIDTH = 8) (
  input clk, input rst, input stall,
  input in_valid, input [WIDTH-1:0] a, input [WIDTH-1:0] b,
  output reg out_valid, output reg [WIDTH-1:0] out
);
  reg v1 = 0, v2 = 0;
  reg [WIDTH-1:0] a1, b1, a2, sum;
  initial out_valid = 0;

  always @(posedge clk)
    if (rst) begin
      v1 <= 0; v2 <= 0; out_valid <= 0;
    end else if (!stall) begin
      v1 <= in_valid; a1 <= a; b1 <= b;
      v2 <= v1; a2 <= a1; sum <= a1 + b1;
      out_valid <= v2; out <= sum ^ a2;
    end

  // The same in one step, delayed.
  reg [WIDTH-1:0] x1, x2, x3;
  always @(posedge clk)
    if (!stall && !rst) begin
      x1 <= (a + b) ^ a; x2 <= x1; x3 <= x2;
    end
  always @(posedge clk) if (out_valid) same: assert (out == x3);
endmodule
