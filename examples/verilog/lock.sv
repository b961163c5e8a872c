// A combination lock, asked with covers: it opens for who knows the digits, and not without them.
module lock (input clk, input [3:0] digit, output open);
  reg [1:0] state = 0;
  assign open = state == 3;
  always @(posedge clk)
    case (state)
      0: state <= digit == 4 ? 1 : 0;
      1: state <= digit == 2 ? 2 : 0;
      2: state <= digit == 7 ? 3 : 0;
      3: state <= digit == 0 ? 0 : 3;
    endcase
  always @(posedge clk) begin
    opens: cover (open);
    closes: cover (open && digit == 0);
  end
endmodule
