// A Wishbone slave under a monitor: the master is assumed to keep the rules, the slave must. It answers a request that was
// taken back.
module wishbone_monitor (
  input clk, input rst, input cyc, input stb, input we, input [3:0] addr, output reg ack
);
  reg [1:0] delay = 0;
  reg busy = 0;
  initial ack = 0;
  always @(posedge clk)
    if (rst) begin
      ack <= 0; busy <= 0; delay <= 0;
    end else begin
      ack <= 0;
      if (busy) begin
        delay <= delay - 1;
        if (delay == 1) begin ack <= 1; busy <= 0; end  // it should look at cyc
      end else if (cyc && stb && !ack) begin
        busy <= 1; delay <= 2;
      end
    end

  reg started = 0, cyc_before = 0, stb_before = 0, ack_before = 0, rst_before = 1;
  reg [3:0] addr_before = 0;
  always @(posedge clk) begin
    started <= 1;
    cyc_before <= cyc; stb_before <= stb; ack_before <= ack; addr_before <= addr; rst_before <= rst;
`ifdef FORMAL
    if (!started) assume (rst);
    assume (!stb || cyc);
    if (!rst_before && cyc && cyc_before && stb_before && !ack_before) assume (stb && addr == addr_before);
`endif
    in_cycle: assert (rst || !ack || cyc_before);
    one_cycle: assert (!(ack && ack_before));
  end
endmodule
