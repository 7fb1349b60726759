// Coupler of a partitioned optical passive stars network: D senders; all receivers get the word of one of them a cycle later.
//
// MODE 0, scheduled: all requests are granted; the word is the AND-OR of the data, zero when idle. With two senders or more in a cycle it is
// the OR of their words, and collision_o is high beside it. hold_i has no effect.
// MODE 1, fixed priority: of several requests the lowest index is granted.
// MODE 2, round-robin: the turn goes round, one on with every grant; a request waits for D-1 grants of others at most, holds aside.
//
// In modes 1 and 2 grant_o is combinational; the word of the sender that is granted in cycle t stands at the output in t + 1. While hold_i is
// high, only the last sender that was granted can be granted, and only if it requests: a packet of several words is not interrupted, with gaps
// or without. Before the first grant after reset there is no such sender. Data is meaningful only with valid_o.
//
// Mode 0 has its registers behind the AND-OR; in modes 1 and 2, where the grant is late, they lie before it: one a sender and bit. There,
// valid_o and data_o are an AND-OR of registers.
// Reset clears valid_o and collision_o, not data_o.
//
// Clock, reset: clk_i, rst_i
// Senders:      request_i, data_i, hold_i, grant_o
// Receivers:    valid_o, data_o
// Error:        collision_o
`default_nettype none

module mn_pops_coupler #(
    parameter D = 4,  // senders, at least 1
    parameter W = 32,  // bits of a word
    parameter MODE = 0  // 0 scheduled, 1 fixed priority, 2 round-robin
) (
    input  wire           clk_i,
    input  wire           rst_i,
    // Senders, from registers: sender n has data_i[n*W +: W].
    input  wire [  D-1:0] request_i,
    input  wire [D*W-1:0] data_i,
    input  wire           hold_i,
    output wire [  D-1:0] grant_o,
    // Receivers.
    output wire           valid_o,
    output wire [  W-1:0] data_o,
    // Two senders or more in scheduled mode, in the cycle of their word.
    output wire           collision_o
);

  genvar g;
  generate
    if (MODE == 0) begin : gen_scheduled
      localparam GROUPS = (D + 3) / 4;
      wire [W-1:0] any;
      reg  [W-1:0] data_q;
      reg valid_q, collision_q;

      mn_and_or #(
          .W(W),
          .N(D)
      ) u_word (
          .select_i(request_i),
          .data_i  (data_i),
          .data_o  (any)
      );

      // Of each group of four: a request; two or more, or one that follows a request of an earlier group.
      wire [4*GROUPS-1:0] request = {{4 * GROUPS - D{1'b0}}, request_i};
      wire [GROUPS-1:0] one, more;
      for (g = 0; g < GROUPS; g = g + 1) begin : gen_group
        wire [3:0] r = request[4*g+:4];
        wire two = (r[0] && r[1]) || (r[2] && r[3]) || ((r[0] || r[1]) && (r[2] || r[3]));
        assign one[g] = r != 4'd0;
        if (g == 0) begin : gen_first
          assign more[g] = two;
        end else begin : gen_later
          assign more[g] = two || (one[g] && one[g-1:0] != {g{1'b0}});
        end
      end

      always @(posedge clk_i) begin
        data_q      <= any;
        valid_q     <= !rst_i && one != {GROUPS{1'b0}};
        collision_q <= !rst_i && more != {GROUPS{1'b0}};
      end

      assign grant_o     = request_i;
      assign valid_o     = valid_q;
      assign data_o      = data_q;
      assign collision_o = collision_q;
      wire unused = hold_i;
    end else begin : gen_arbitrated
      wire [D-1:0] last;  // the last one granted
      reg [D-1:0] request_q;
      reg [D*W-1:0] data_q;

      if (MODE == 1) begin : gen_fixed
        mn_arbiter_fixed #(
            .N(D)
        ) u_arbiter (
            .clk_i    (clk_i),
            .rst_i    (rst_i),
            .request_i(request_i),
            .hold_i   (hold_i),
            .grant_o  (grant_o),
            .last_o   (last)
        );
      end else begin : gen_round_robin
        mn_arbiter_round_robin #(
            .N(D)
        ) u_arbiter (
            .clk_i    (clk_i),
            .rst_i    (rst_i),
            .request_i(request_i),
            .hold_i   (hold_i),
            .grant_o  (grant_o),
            .last_o   (last)
        );
      end

      always @(posedge clk_i) begin
        data_q <= data_i;
        if (rst_i) request_q <= {D{1'b0}};
        else request_q <= request_i;
      end

      mn_and_or #(
          .W(W),
          .N(D)
      ) u_word (
          .select_i(last),
          .data_i  (data_q),
          .data_o  (data_o)
      );
      // There is no word without a request of the last one granted: it was granted before, or nobody was.
      assign valid_o     = (request_q & last) != {D{1'b0}};
      assign collision_o = 1'b0;
    end
  endgenerate

endmodule

`default_nettype wire
