// Coupler of a partitioned optical passive stars network: D senders, one word a cycle, heard by all receivers in the next one.
//
// MODE 0, scheduled: all requests are granted; the word is the AND-OR of the data, zero when idle. With two senders or more in a cycle it is
// the OR of their words, and collision_o is high beside it. hold_i has no effect.
// MODE 1, fixed priority: of several requests the lowest index is granted.
// MODE 2, round-robin: the search begins behind the last one granted; a request waits for D-1 grants of others at most, holds aside.
//
// In modes 1 and 2 grant_o is combinational; the word of the sender that is granted in cycle t stands at the output in t + 1. While hold_i is
// high nobody but the last one granted is granted, and that only if it requests: a packet of several words goes through whole, with gaps
// or without. Before the first grant after reset that is nobody in mode 1 and D-1 in mode 2. Data is meaningful only with valid_o.
//
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
    // Receivers, from registers.
    output reg            valid_o,
    output reg  [  W-1:0] data_o,
    // Two senders or more in scheduled mode, in the cycle of their word.
    output wire           collision_o
);

  genvar n;
  generate
    if (MODE == 0) begin : gen_scheduled
      assign grant_o = request_i;

      // Whether a request follows an earlier one.
      wire [D-1:0] second;
      for (n = 0; n < D; n = n + 1) begin : gen_second
        if (n == 0) begin : gen_first
          assign second[n] = 1'b0;
        end else begin : gen_later
          assign second[n] = request_i[n] && request_i[n-1:0] != {n{1'b0}};
        end
      end
      reg collision_q;
      always @(posedge clk_i) collision_q <= !rst_i && second != {D{1'b0}};
      assign collision_o = collision_q;
      wire unused = hold_i;
    end else begin : gen_arbitrated
      wire [D-1:0] last;  // the last one granted
      wire [D-1:0] eligible = request_i & ({D{!hold_i}} | last);
      assign collision_o = 1'b0;

      if (MODE == 1) begin : gen_fixed
        mn_arbiter_fixed #(
            .N(D)
        ) u_arbiter (
            .request_i(eligible),
            .grant_o  (grant_o)
        );
        reg [D-1:0] last_q;
        always @(posedge clk_i) begin
          if (rst_i) last_q <= {D{1'b0}};
          else if (eligible != {D{1'b0}}) last_q <= grant_o;
        end
        assign last = last_q;
      end else begin : gen_round_robin
        mn_arbiter_round_robin #(
            .N(D)
        ) u_arbiter (
            .clk_i    (clk_i),
            .rst_i    (rst_i),
            .request_i(eligible),
            .grant_o  (grant_o),
            .last_o   (last)
        );
      end
    end
  endgenerate

  wire [D*W-1:0] terms;
  wire [  W-1:0] any;
  generate
    for (n = 0; n < D; n = n + 1) begin : gen_term
      assign terms[n*W+:W] = {W{grant_o[n]}} & data_i[n*W+:W];
    end
  endgenerate

  mn_or_tree #(
      .W(W),
      .N(D)
  ) u_or (
      .terms_i(terms),
      .any_o  (any)
  );

  always @(posedge clk_i) begin
    data_o  <= any;
    valid_o <= !rst_i && grant_o != {D{1'b0}};
  end

endmodule

`default_nettype wire
