// Coupler of a partitioned optical passive stars network without a schedule, from D senders to D receivers: it grants one sender, and counts
// the room in the receivers' queues.
//
// The sender that is granted keeps the coupler until the last word of its packet. If there is no room at the packet's destination, the
// coupler waits for it and grants no other sender, so that round-robin serves every sender after at most D-1 packets of others.
//
// A word that is taken in cycle t is at the receivers in t + 1. Room that is given back in cycle t can be used in t + 1.
//
// Clock, reset: clk_i, rst_i
// Senders:      request_i, dest_i, first_i, last_i, data_i, from registers; taken_o
// Receivers:    valid_o, dest_o, source_o, last_o, data_o, from registers; free_i
`default_nettype none

module mn_pops_queue_coupler #(
    parameter D = 4,  // senders, and receivers
    parameter W = 32,  // bits of a word
    parameter MODE = 2,  // 1 fixed priority, 2 round-robin
    parameter ROOM = 4,  // packets that a receiver's queue has room for
    parameter DB = D > 2 ? $clog2(D) : 1  // derived, do not set: bits of a processor in its group
) (
    input  wire            clk_i,
    input  wire            rst_i,
    // Senders: sender n has dest_i[n*DB +: DB], data_i[n*W +: W].
    input  wire [   D-1:0] request_i,
    input  wire [D*DB-1:0] dest_i,
    input  wire [   D-1:0] first_i,
    input  wire [   D-1:0] last_i,
    input  wire [ D*W-1:0] data_i,
    output wire [   D-1:0] taken_o,
    // Receivers.
    output wire            valid_o,
    output wire [  DB-1:0] dest_o,
    output wire [  DB-1:0] source_o,
    output wire            last_o,
    output wire [   W-1:0] data_o,
    input  wire [   D-1:0] free_i
);

  localparam RB = ROOM > 1 ? $clog2(ROOM + 1) : 2;  // bits of a number of packets
  localparam [31:0] ALL = ROOM;
  localparam CW = 2 + 2 * DB + W;  // a word: {may go, last, destination, source, data}

  reg [D-1:0] some_q;  // receivers with room
  wire [D*D-1:0] is_for;  // sender n's word is for receiver r: [n*D + r]
  wire [D-1:0] may;  // senders whose word may go
  wire [D-1:0] grant;
  wire [D*CW-1:0] words;
  reg hold_q;  // the packet of the last one granted is not over

  genvar n;
  generate
    for (n = 0; n < D; n = n + 1) begin : gen_sender
      localparam [31:0] SENDER = n;
      wire [DB-1:0] dest = dest_i[n*DB+:DB];
      genvar r;
      for (r = 0; r < D; r = r + 1) begin : gen_for
        localparam [31:0] RECEIVER = r;
        assign is_for[n*D+r] = dest == RECEIVER[DB-1:0];
      end
      assign may[n] = !first_i[n] || (is_for[n*D+:D] & some_q) != {D{1'b0}};
      assign words[n*CW+:CW] = {may[n], last_i[n], dest, SENDER[DB-1:0], data_i[n*W+:W]};
    end
    for (n = 0; n < D; n = n + 1) begin : gen_receiver
      wire [D-1:0] begun;
      genvar s;
      for (s = 0; s < D; s = s + 1) begin : gen_begun
        assign begun[s] = taken_o[s] && first_i[s] && is_for[s*D+n];
      end
      reg [RB-1:0] room_q;
      wire [RB-1:0] room = room_q + {{RB - 1{1'b0}}, free_i[n]} - {{RB - 1{1'b0}}, begun != {D{1'b0}}};
      always @(posedge clk_i) begin
        if (rst_i) begin
          room_q    <= ALL[RB-1:0];
          some_q[n] <= 1'b1;
        end else begin
          room_q    <= room;
          some_q[n] <= room != {RB{1'b0}};
        end
      end
    end
  endgenerate

  assign taken_o = grant & may;
  always @(posedge clk_i) hold_q <= !rst_i && grant != {D{1'b0}} && (taken_o & last_i) == {D{1'b0}};

  wire valid, gone, unused_collision;
  mn_pops_coupler #(
      .D   (D),
      .W   (CW),
      .MODE(MODE)
  ) u_coupler (
      .clk_i      (clk_i),
      .rst_i      (rst_i),
      .request_i  (request_i),
      .data_i     (words),
      .hold_i     (hold_q),
      .grant_o    (grant),
      .valid_o    (valid),
      .data_o     ({gone, last_o, dest_o, source_o, data_o}),
      .collision_o(unused_collision)
  );
  assign valid_o = valid && gone;

endmodule

`default_nettype wire
