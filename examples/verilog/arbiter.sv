// A round-robin arbiter for four clients: at most one grant, only to who asks, and nobody twice while another waits.
module arbiter (input clk, input rst, input [3:0] request, output reg [3:0] grant);
  reg [1:0] last = 3;
  initial grant = 0;

  wire [1:0] p1 = last + 2'd1, p2 = last + 2'd2, p3 = last + 2'd3;
  wire [1:0] chosen = request[p1] ? p1 : request[p2] ? p2 : request[p3] ? p3 : last;

  always @(posedge clk)
    if (rst) begin
      grant <= 0; last <= 3;
    end else begin
      grant <= 0;
      if (request != 0) begin grant <= 4'b0001 << chosen; last <= chosen; end
    end

  reg [3:0] asked = 0, before = 0;
  always @(posedge clk) begin
    asked <= rst ? 0 : request;
    before <= rst ? 0 : grant;
    exclusive: assert ((grant & (grant - 1)) == 0);
    wanted: assert ((grant & ~asked) == 0);
    fair: assert (grant == 0 || grant != before || asked == grant);
    held: assert (grant == 0 || grant[last]);
  end
endmodule
