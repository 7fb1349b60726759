// Port of a processor of a partitioned optical passive stars network without a schedule: packets of L words wait by destination group, and
// go over the couplers as these let them; what arrives waits by source group, and is read in turn.
//
//   stream in -> register -> G queues by destination group -> register that requests at a coupler -> G couplers
//   G couplers that are heard -> G queues by source group -> register -> stream out
//
// A processor sends one packet at a time. It takes the queues in turn, and requests at one coupler until all words of the packet are taken:
// it never gives a request up. The stream in waits (s_axis_tready low) while the queue of its oldest word is full. A receive queue never
// is: couplers count its room, and free_o gives room back, a packet at a time.
//
// The stream's contract: a packet has L beats, s_axis_tlast with the last; s_axis_tdest is {group, processor in the group} and is taken from
// the first beat. fault_o rises and stays if s_axis_tlast comes at another beat, which is then ignored, or if there is no such processor;
// the packet is then dropped.
//
// Clock, reset: clk_i, rst_i
// Streams:      s_axis_*, m_axis_*; m_axis_tid is {group, processor in the group} of the source
// Sending:      request_o one-hot, dest_o, first_o, last_o, data_o, from registers; taken_i: the word is taken
// Hearing:      index_i, valid_i, dest_i, source_i, last_i, data_i of all couplers that this group hears; free_o
// Error:        fault_o
`default_nettype none

module mn_pops_queue_port #(
    parameter D = 4,  // processors a group, at least 1
    parameter G = 4,  // groups, at least 1
    parameter W = 32,  // bits of a word
    parameter L = 1,  // words a packet, at least 1
    parameter DEPTH = 4,  // packets a queue, at least 1
    parameter DB = D > 2 ? $clog2(D) : 1,  // derived, do not set: bits of a processor in its group
    parameter GB = G > 2 ? $clog2(G) : 1  // derived, do not set: bits of a group
) (
    input  wire             clk_i,
    input  wire             rst_i,
    // Stream in.
    input  wire             s_axis_tvalid,
    output wire             s_axis_tready,
    input  wire [    W-1:0] s_axis_tdata,
    input  wire [GB+DB-1:0] s_axis_tdest,
    input  wire             s_axis_tlast,
    // Stream out.
    output wire             m_axis_tvalid,
    input  wire             m_axis_tready,
    output wire [    W-1:0] m_axis_tdata,
    output wire [GB+DB-1:0] m_axis_tid,
    output wire             m_axis_tlast,
    // To the couplers of this group: request_o[b] to that which group b hears.
    output wire [    G-1:0] request_o,
    output wire [   DB-1:0] dest_o,
    output wire             first_o,
    output wire             last_o,
    output wire [    W-1:0] data_o,
    input  wire             taken_i,
    // From the couplers that this group hears: index a is that of group a.
    input  wire [   DB-1:0] index_i,  // the processor in its group; a constant
    input  wire [    G-1:0] valid_i,
    input  wire [ G*DB-1:0] dest_i,
    input  wire [ G*DB-1:0] source_i,
    input  wire [    G-1:0] last_i,
    input  wire [  G*W-1:0] data_i,
    output wire [    G-1:0] free_o,   // room for a packet is given back
    output wire             fault_o
);

  localparam BB = L > 1 ? $clog2(L) : 1;  // bits of a beat's number
  localparam [31:0] LAST = L - 1;
  localparam [31:0] GROUPS = G;
  localparam [31:0] PROCESSORS = D;
  localparam QW = 1 + DB + W;  // a word in a queue: {last, processor, data}

  // The stream in: one register, which waits for its queue.
  reg in_valid_q, in_last_q, drop_q, fault_q;
  reg [ W-1:0] in_data_q;
  reg [GB-1:0] in_group_q;
  reg [DB-1:0] in_dest_q;
  reg [BB-1:0] beat_q;  // number of the next beat in its packet
  wire [G-1:0] room, push;

  wire in_move = !in_valid_q || push != {G{1'b0}};
  wire take = s_axis_tvalid && s_axis_tready;
  wire in_first = beat_q == {BB{1'b0}};
  wire in_last = beat_q == LAST[BB-1:0];
  wire [GB:0] group = {1'b0, s_axis_tdest[DB+:GB]};
  wire [DB:0] dest = {1'b0, s_axis_tdest[0+:DB]};
  wire nowhere = group >= GROUPS[GB:0] || dest >= PROCESSORS[DB:0];
  wire drop = in_first ? nowhere : drop_q;
  always @(posedge clk_i) begin
    if (in_move) in_data_q <= s_axis_tdata;
    if (take && in_first) {in_group_q, in_dest_q} <= s_axis_tdest;
    if (take) begin
      in_last_q <= in_last;
      drop_q    <= drop;
    end
    if (rst_i) begin
      in_valid_q <= 1'b0;
      beat_q     <= {BB{1'b0}};
      fault_q    <= 1'b0;
    end else begin
      if (in_move) in_valid_q <= take && !drop;
      if (take) beat_q <= in_last ? {BB{1'b0}} : beat_q + 1'b1;
      if (take && (drop || s_axis_tlast != in_last)) fault_q <= 1'b1;
    end
  end
  assign s_axis_tready = in_move;
  assign fault_o = fault_q;

  // The queues by destination group, and the register that requests.
  wire [G-1:0] send_packet, send_word, send_last, send_pop, send_from;
  wire [G*(DB+W)-1:0] send_data;
  wire send_valid;
  genvar b;
  generate
    for (b = 0; b < G; b = b + 1) begin : gen_send
      localparam [31:0] GROUP = b;
      assign push[b] = in_valid_q && in_group_q == GROUP[GB-1:0] && room[b];
      mn_pops_queue #(
          .W     (QW),
          .DEPTH (DEPTH * L),
          .PACKET(L)
      ) u_queue (
          .clk_i   (clk_i),
          .rst_i   (rst_i),
          .push_i  (push[b]),
          .data_i  ({in_last_q, in_dest_q, in_data_q}),
          .room_o  (room[b]),
          .packet_o(send_packet[b]),
          .word_o  (send_word[b]),
          .data_o  ({send_last[b], send_data[b*(DB+W)+:DB+W]}),
          .pop_i   (send_pop[b])
      );
    end
  endgenerate

  mn_pops_reader #(
      .N(G),
      .W(DB + W)
  ) u_send (
      .clk_i   (clk_i),
      .rst_i   (rst_i),
      .packet_i(send_packet),
      .word_i  (send_word),
      .last_i  (send_last),
      .data_i  (send_data),
      .pop_o   (send_pop),
      .valid_o (send_valid),
      .from_o  (send_from),
      .first_o (first_o),
      .last_o  (last_o),
      .data_o  ({dest_o, data_o}),
      .ready_i (taken_i)
  );
  assign request_o = send_from & {G{send_valid}};

  // The queues by source group, and the register of the stream out.
  wire [G-1:0] heard_packet, heard_word, heard_last, heard_pop, heard_from;
  wire [G-1:0] unused_room;
  wire [G*(DB+W)-1:0] heard_data;
  wire unused_first;
  genvar a;
  generate
    for (a = 0; a < G; a = a + 1) begin : gen_hear
      mn_pops_queue #(
          .W     (QW),
          .DEPTH (DEPTH * L),
          .PACKET(1)
      ) u_queue (
          .clk_i   (clk_i),
          .rst_i   (rst_i),
          .push_i  (valid_i[a] && dest_i[a*DB+:DB] == index_i),
          .data_i  ({last_i[a], source_i[a*DB+:DB], data_i[a*W+:W]}),
          .room_o  (unused_room[a]),
          .packet_o(heard_packet[a]),
          .word_o  (heard_word[a]),
          .data_o  ({heard_last[a], heard_data[a*(DB+W)+:DB+W]}),
          .pop_i   (heard_pop[a])
      );
    end
  endgenerate
  assign free_o = heard_pop & heard_last;

  wire [DB-1:0] heard_source;
  mn_pops_reader #(
      .N(G),
      .W(DB + W)
  ) u_hear (
      .clk_i   (clk_i),
      .rst_i   (rst_i),
      .packet_i(heard_packet),
      .word_i  (heard_word),
      .last_i  (heard_last),
      .data_i  (heard_data),
      .pop_o   (heard_pop),
      .valid_o (m_axis_tvalid),
      .from_o  (heard_from),
      .first_o (unused_first),
      .last_o  (m_axis_tlast),
      .data_o  ({heard_source, m_axis_tdata}),
      .ready_i (m_axis_tready)
  );

  reg [GB-1:0] heard_group;
  integer i;
  always @* begin
    heard_group = {GB{1'b0}};
    for (i = 0; i < G; i = i + 1) heard_group = heard_group | (i[GB-1:0] & {GB{heard_from[i]}});
  end
  assign m_axis_tid = {heard_group, heard_source};

endmodule

`default_nettype wire
