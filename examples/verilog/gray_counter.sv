// A counter in Gray code: from one step to the next a single bit changes.
module gray_counter #(parameter WIDTH = 6) (input clk, input rst, input enable, output reg [WIDTH-1:0] gray);
  reg [WIDTH-1:0] binary = 0;
  wire [WIDTH-1:0] next = binary + enable;
  initial gray = 0;
  always @(posedge clk or posedge rst)
    if (rst) begin
      binary <= 0; gray <= 0;
    end else begin
      binary <= next; gray <= next ^ (next >> 1);
    end

  reg [WIDTH-1:0] before = 0;
  reg was_reset = 1;
  wire [WIDTH-1:0] change = gray ^ before;
  always @(posedge clk) begin
    before <= gray; was_reset <= rst;
    encoded: assert (gray == (binary ^ (binary >> 1)));
    if (!rst && !was_reset) one_bit: assert ((change & (change - 1)) == 0);
  end
endmodule
