// Partitioned optical passive stars network POPS(D,G) without a schedule: D*G processors with queues, G*G couplers that arbitrate. Processor p
// is processor p%D of group p/D; coupler b*G + a leads from group a to group b.
//
// Clock, reset: clk_i, rst_i
// Streams:      s_axis_*, m_axis_*, a pair for every processor, processor 0 lowest; tdest and tid are {group, processor in the group}
// Error:        fault_o, see mn_pops_queue_port
`default_nettype none

module mn_pops_dynamic #(
    parameter D = 4,  // processors a group
    parameter G = 4,  // groups
    parameter W = 32,  // bits of a word
    parameter L = 1,  // words a packet
    parameter DEPTH = 4,  // packets a queue
    parameter MODE = 2,  // 1 fixed priority, 2 round-robin
    parameter N = D * G,  // derived, do not set: processors
    parameter DB = D > 2 ? $clog2(D) : 1,  // derived, do not set: bits of a processor in its group
    parameter GB = G > 2 ? $clog2(G) : 1,  // derived, do not set: bits of a group
    parameter PB = GB + DB  // derived, do not set: bits of a processor's name
) (
    input  wire            clk_i,
    input  wire            rst_i,
    // Streams in.
    input  wire [   N-1:0] s_axis_tvalid,
    output wire [   N-1:0] s_axis_tready,
    input  wire [ N*W-1:0] s_axis_tdata,
    input  wire [N*PB-1:0] s_axis_tdest,
    input  wire [   N-1:0] s_axis_tlast,
    // Streams out.
    output wire [   N-1:0] m_axis_tvalid,
    input  wire [   N-1:0] m_axis_tready,
    output wire [ N*W-1:0] m_axis_tdata,
    output wire [N*PB-1:0] m_axis_tid,
    output wire [   N-1:0] m_axis_tlast,
    // A processor's stream broke its contract (sticky).
    output wire            fault_o
);

  // Requests of senders: processor p to all its couplers.
  wire [N*G-1:0] request;  // [p*G + b]
  wire [N*DB-1:0] dest;
  wire [N-1:0] first, last;
  wire [N*W-1:0] data;
  // Grants of couplers, and their words at the receiving groups: [b*G + a].
  wire [G*N-1:0] taken;  // [(b*G + a)*D + sender]
  wire [G*G-1:0] heard_valid, heard_last;
  wire [G*G*DB-1:0] heard_dest, heard_source;
  wire [G*G*W-1:0] heard_data;
  wire [N*G-1:0] free;  // [p*G + a]
  wire [N-1:0] fault;

  genvar a, b, i;
  generate
    for (b = 0; b < G; b = b + 1) begin : gen_to
      for (a = 0; a < G; a = a + 1) begin : gen_from
        wire [D-1:0] asked, given;
        for (i = 0; i < D; i = i + 1) begin : gen_processor
          assign asked[i] = request[(a*D+i)*G+b];
          assign given[i] = free[(b*D+i)*G+a];
        end
        mn_pops_queue_coupler #(
            .D   (D),
            .W   (W),
            .MODE(MODE),
            .ROOM(DEPTH)
        ) u_coupler (
            .clk_i    (clk_i),
            .rst_i    (rst_i),
            .request_i(asked),
            .dest_i   (dest[a*D*DB+:D*DB]),
            .first_i  (first[a*D+:D]),
            .last_i   (last[a*D+:D]),
            .data_i   (data[a*D*W+:D*W]),
            .taken_o  (taken[(b*G+a)*D+:D]),
            .valid_o  (heard_valid[b*G+a]),
            .dest_o   (heard_dest[(b*G+a)*DB+:DB]),
            .source_o (heard_source[(b*G+a)*DB+:DB]),
            .last_o   (heard_last[b*G+a]),
            .data_o   (heard_data[(b*G+a)*W+:W]),
            .free_i   (given)
        );
      end
    end
    for (a = 0; a < G; a = a + 1) begin : gen_group
      for (i = 0; i < D; i = i + 1) begin : gen_processor
        localparam [31:0] INDEX = i;
        wire [G-1:0] mine;
        for (b = 0; b < G; b = b + 1) begin : gen_taken
          assign mine[b] = taken[(b*G+a)*D+i];
        end
        mn_pops_queue_port #(
            .D    (D),
            .G    (G),
            .W    (W),
            .L    (L),
            .DEPTH(DEPTH)
        ) u_port (
            .clk_i        (clk_i),
            .rst_i        (rst_i),
            .s_axis_tvalid(s_axis_tvalid[a*D+i]),
            .s_axis_tready(s_axis_tready[a*D+i]),
            .s_axis_tdata (s_axis_tdata[(a*D+i)*W+:W]),
            .s_axis_tdest (s_axis_tdest[(a*D+i)*PB+:PB]),
            .s_axis_tlast (s_axis_tlast[a*D+i]),
            .m_axis_tvalid(m_axis_tvalid[a*D+i]),
            .m_axis_tready(m_axis_tready[a*D+i]),
            .m_axis_tdata (m_axis_tdata[(a*D+i)*W+:W]),
            .m_axis_tid   (m_axis_tid[(a*D+i)*PB+:PB]),
            .m_axis_tlast (m_axis_tlast[a*D+i]),
            .request_o    (request[(a*D+i)*G+:G]),
            .dest_o       (dest[(a*D+i)*DB+:DB]),
            .first_o      (first[a*D+i]),
            .last_o       (last[a*D+i]),
            .data_o       (data[(a*D+i)*W+:W]),
            .taken_i      (mine != {G{1'b0}}),
            .index_i      (INDEX[DB-1:0]),
            .valid_i      (heard_valid[a*G+:G]),
            .dest_i       (heard_dest[a*G*DB+:G*DB]),
            .source_i     (heard_source[a*G*DB+:G*DB]),
            .last_i       (heard_last[a*G+:G]),
            .data_i       (heard_data[a*G*W+:G*W]),
            .free_o       (free[(a*D+i)*G+:G]),
            .fault_o      (fault[a*D+i])
        );
      end
    end
  endgenerate

  reg fault_q;
  always @(posedge clk_i) fault_q <= !rst_i && fault != {N{1'b0}};
  assign fault_o = fault_q;

endmodule

`default_nettype wire
