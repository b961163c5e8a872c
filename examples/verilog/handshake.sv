// A word goes from one clock to another by a four-phase handshake; check it with --multiclock.
module handshake (input clk_a, input clk_b, input send, input [3:0] data);
  reg request = 0, acknowledge = 0;
  reg [3:0] held = 0, received = 0;
  reg [1:0] request_b = 0, acknowledge_a = 0;  // synchronizers

  always @(posedge clk_a) begin
    acknowledge_a <= {acknowledge_a[0], acknowledge};
    if (!request && !acknowledge_a[1] && send) begin request <= 1; held <= data; end
    else if (request && acknowledge_a[1]) request <= 0;
  end

  always @(posedge clk_b) begin
    request_b <= {request_b[0], request};
    if (request_b[1] && !acknowledge) begin received <= held; acknowledge <= 1; end
    else if (!request_b[1]) acknowledge <= 0;
  end

  always @* begin
    if (acknowledge && request) arrived: assert (received == held);
    if (acknowledge_a[1] && request) seen: assert (received == held);
  end
endmodule
