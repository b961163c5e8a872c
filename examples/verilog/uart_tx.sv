// A UART transmitter: a start bit, eight data bits, a stop bit, each for a few clock cycles.
module uart_tx #(parameter CYCLES = 3) (input clk, input start, input [7:0] data, output reg line, output busy);
  reg [3:0] bits = 0;   // that are left
  reg [1:0] wait_ = 0;  // cycles that are left of the present one
  reg [8:0] shift = 0;
  initial line = 1;
  assign busy = bits != 0 || wait_ != 0;

  always @(posedge clk)
    if (wait_ != 0) wait_ <= wait_ - 1;
    else if (bits != 0) begin
      {shift, line} <= {1'b1, shift};
      bits <= bits - 1;
      wait_ <= CYCLES - 1;
    end else if (start) begin
      shift <= {data, 1'b0};
      bits <= 10;
    end

  reg [7:0] sent = 0;
  always @(posedge clk) begin
    if (!busy && start) sent <= data;
    at_most: assert (bits <= 10 && wait_ < CYCLES);
    idle: assert (busy || line);
    if (bits == 9 ) start_bit: assert (line == 0);
    if (bits == 8) first: assert (line == sent[0]);
    if (bits == 1) last: assert (line == sent[7]);
    whole_byte: cover (bits == 1 && sent == 8'h5a);
  end
endmodule
