// Detects two or more requests for one crossbar output in one cycle: N one-bit requests and a bank whose request is any bit of its header.
//
// Groups of four requests, and the bank, are first counted to 0, 1 or more; conflict_o follows the offending cycle by two clocks.
// Only conflict_o is reset: hold rst_i for two cycles or more with idle requests.
//
// Clock, reset: clk_i, rst_i
// Requests:     sel_i, head_i
// Error:        conflict_o
`default_nettype none

module mn_conflict #(
    parameter N = 4,  // number of one-bit requests, at least 1
    parameter HEAD = 4,  // width of the bank's header, at least 1
    parameter STICKY = 0  // 0: conflict_o is high for one cycle per conflict; 1: it stays high until reset
) (
    input  wire            clk_i,
    input  wire            rst_i,
    input  wire [   N-1:0] sel_i,
    input  wire [HEAD-1:0] head_i,     // all zero when the bank is idle
    output reg             conflict_o
);

  localparam GROUPS = (N + 3) / 4;

  // Of each group: any request; two or more. The bank is the last group and never asks twice.
  reg [  GROUPS:0] any_q;
  reg [GROUPS-1:0] two_q;
  reg clash;

  genvar g, n;
  generate
    for (g = 0; g < GROUPS; g = g + 1) begin : gen_group
      wire [3:0] r;
      for (n = 0; n < 4; n = n + 1) begin : gen_request
        if (4 * g + n < N) begin : gen_used
          assign r[n] = sel_i[4*g+n];
        end else begin : gen_spare
          assign r[n] = 1'b0;
        end
      end
      always @(posedge clk_i) begin
        any_q[g] <= |r;
        two_q[g] <= (r[0] & r[1]) | (r[2] & r[3]) | ((r[0] | r[1]) & (r[2] | r[3]));
      end
    end
    always @(posedge clk_i) begin
      any_q[GROUPS] <= |head_i;
    end

    if (STICKY != 0) begin : gen_sticky
      always @(posedge clk_i) begin
        if (rst_i) conflict_o <= 1'b0;
        else if (clash) conflict_o <= 1'b1;
      end
    end else begin : gen_pulse
      always @(posedge clk_i) begin
        if (rst_i) conflict_o <= 1'b0;
        else conflict_o <= clash;
      end
    end
  endgenerate

  // A clash: a group counts two, or a group with a request follows an earlier one.
  integer i;
  reg seen;
  always @* begin
    clash = |two_q;
    seen  = any_q[0];
    for (i = 1; i <= GROUPS; i = i + 1) begin
      clash = clash | (seen & any_q[i]);
      seen  = seen | any_q[i];
    end
  end

endmodule

`default_nettype wire
