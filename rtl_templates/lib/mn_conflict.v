// Detects two or more requests for one crossbar output in one cycle: N one-bit requests and a bank whose request is any bit of its header.
//
// First stage: groups of four requests are counted (one, or more than one), and groups of four header bits are
// tested, each in one LUT4. conflict_o is two clocks after the cycle of the conflict. Only conflict_o is reset: hold
// rst_i for two cycles or more with idle requests.
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
  localparam HEADS = (HEAD + 3) / 4;

  // Of each group: an odd number of requests, or any; two or more. With `any` synthesis shares LUTs with the crossbar, which a single group
  // has the time for: both are two deep then. The bank never asks twice.
  reg [GROUPS-1:0] odd_q, two_q;
  reg [HEADS-1:0] bank_q;
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
        odd_q[g] <= GROUPS > 1 ? ^r : |r;
        two_q[g] <= (r[0] & r[1]) | (r[2] & r[3]) | ((r[0] | r[1]) & (r[2] | r[3]));
      end
    end
    for (g = 0; g < HEADS; g = g + 1) begin : gen_head
      always @(posedge clk_i) bank_q[g] <= |head_i[4*g+:(HEAD-4*g<4?HEAD-4*g:4)];
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

  // A clash: a group counts two, or one with an odd number follows an earlier one or the bank.
  integer i;
  reg seen;
  always @* begin
    clash = |two_q;
    seen  = |bank_q;
    for (i = 0; i < GROUPS; i = i + 1) begin
      clash = clash | (seen & odd_q[i]);
      seen  = seen | odd_q[i];
    end
  end

endmodule

`default_nettype wire
