// Four registers behind an AXI-lite slave: answers come once per request, stay until they are taken, and tell the truth.
module axi_lite_regs (
  input clk, input resetn,
  input awvalid, output awready, input [3:0] awaddr,
  input wvalid, output wready, input [31:0] wdata, input [3:0] wstrb,
  output reg bvalid, input bready,
  input arvalid, output arready, input [3:0] araddr,
  output reg rvalid, input rready, output reg [31:0] rdata
);
  reg [31:0] r0 = 0, r1 = 0, r2 = 0, r3 = 0;
  initial begin bvalid = 0; rvalid = 0; rdata = 0; end
  wire write = awvalid && wvalid && (!bvalid || bready);
  wire read = arvalid && (!rvalid || rready);
  assign awready = write, wready = write, arready = read;

  function [31:0] merged(input [31:0] old);
    merged = {wstrb[3] ? wdata[31:24] : old[31:24], wstrb[2] ? wdata[23:16] : old[23:16],
              wstrb[1] ? wdata[15:8] : old[15:8], wstrb[0] ? wdata[7:0] : old[7:0]};
  endfunction

  always @(posedge clk)
    if (!resetn) begin
      bvalid <= 0; rvalid <= 0;
      r0 <= 0; r1 <= 0; r2 <= 0; r3 <= 0;
    end else begin
      if (write) begin
        bvalid <= 1;
        case (awaddr[3:2])
          0: r0 <= merged(r0);
          1: r1 <= merged(r1);
          2: r2 <= merged(r2);
          3: r3 <= merged(r3);
        endcase
      end else if (bready) bvalid <= 0;
      if (read) begin
        rvalid <= 1;
        rdata <= araddr[3:2] == 0 ? r0 : araddr[3:2] == 1 ? r1 : araddr[3:2] == 2 ? r2 : r3;
      end else if (rready) rvalid <= 0;
    end

`ifdef FORMAL
  reg past = 0;
  reg [3:0] pending = 0;  // writes without an answer
  reg [31:0] shadow = 0;  // register 2 again
  always @(posedge clk) begin
    past <= 1;
    if (!past) assume (!resetn);
    if (past && $past(resetn) && $past(awvalid && !awready)) assume (awvalid && awaddr == $past(awaddr));
    if (past && $past(resetn) && $past(arvalid && !arready)) assume (arvalid && araddr == $past(araddr));
    pending <= !resetn ? 0 : pending + write - (bvalid && bready);
    if (!resetn) shadow <= 0;
    else if (write && awaddr[3:2] == 2) begin
      if (wstrb[0]) shadow[7:0] <= wdata[7:0];
      if (wstrb[1]) shadow[15:8] <= wdata[15:8];
      if (wstrb[2]) shadow[23:16] <= wdata[23:16];
      if (wstrb[3]) shadow[31:24] <= wdata[31:24];
    end
    if (past) begin
      answered: assert (pending == bvalid);
      kept: assert (shadow == r2);
      if ($past(resetn) && $past(rvalid && !rready)) stable: assert (rvalid && rdata == $past(rdata));
      if ($past(resetn) && $past(read) && $past(araddr[3:2]) == 2) told: assert (rdata == $past(shadow));
    end
  end
`endif
endmodule
