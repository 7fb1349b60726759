// Proof of mn_pops_queue_port with two groups of two processors: no word is lost or doubled, whatever streams and couplers do.
//
// The reference keeps, for each group, the words that came and have not gone in one list, the oldest first: it knows no entry, no ring of
// slots and no register at the end. The port's own are strung together and must be that list. Attribute hierconn is Yosys' way to name a
// signal inside an instance; memories are read as registers.
`default_nettype none

module mn_prove_pops_queue_port #(
    parameter L = 1,  // words a packet
    parameter DEPTH = 2,  // packets a queue; L * DEPTH is 1 or 2
    parameter W = 2  // bits of a word
) (
    input wire         clk_i,
    input wire         rst_i,
    input wire         s_axis_tvalid_i,
    input wire [W-1:0] s_axis_tdata_i,
    input wire [  1:0] s_axis_tdest_i,
    input wire         s_axis_tlast_i,
    input wire         m_axis_tready_i,
    input wire         taken_i,
    input wire         index_i,
    input wire [  1:0] valid_i,
    input wire [  1:0] dest_i,
    input wire [  1:0] source_i,
    input wire [  1:0] last_i,
    input wire [2*W-1:0] data_i
);

  localparam QW = 2 + W;  // {last, processor, data}
  localparam Q = DEPTH * L;  // words of a queue
  localparam C = Q + 2;  // words of a list
  localparam LW = C * QW;
  localparam [31:0] LAST = L - 1;

  wire s_axis_tready, m_axis_tvalid, m_axis_tlast, dest, first, last, fault;
  wire [W-1:0] m_axis_tdata, data;
  wire [1:0] m_axis_tid, request, free;
  mn_pops_queue_port #(
      .D    (2),
      .G    (2),
      .W    (W),
      .L    (L),
      .DEPTH(DEPTH)
  ) u_port (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .s_axis_tvalid(s_axis_tvalid_i),
      .s_axis_tready(s_axis_tready),
      .s_axis_tdata (s_axis_tdata_i),
      .s_axis_tdest (s_axis_tdest_i),
      .s_axis_tlast (s_axis_tlast_i),
      .m_axis_tvalid(m_axis_tvalid),
      .m_axis_tready(m_axis_tready_i),
      .m_axis_tdata (m_axis_tdata),
      .m_axis_tid   (m_axis_tid),
      .m_axis_tlast (m_axis_tlast),
      .request_o    (request),
      .dest_o       (dest),
      .first_o      (first),
      .last_o       (last),
      .data_o       (data),
      .taken_i      (taken_i),
      .index_i      (index_i),
      .valid_i      (valid_i),
      .dest_i       (dest_i),
      .source_i     (source_i),
      .last_i       (last_i),
      .data_i       (data_i),
      .free_o       (free),
      .fault_o      (fault)
  );

  // Inside the port.
  (* hierconn *) wire \u_port.in_valid_q ;
  (* hierconn *) wire \u_port.in_last_q ;
  (* hierconn *) wire [W-1:0] \u_port.in_data_q ;
  (* hierconn *) wire \u_port.in_group_q ;
  (* hierconn *) wire \u_port.in_dest_q ;
  (* hierconn *) wire \u_port.beat_q ;
  (* hierconn *) wire \u_port.drop_q ;
  (* hierconn *) wire \u_port.gen_send[0].u_queue.head_q ;
  (* hierconn *) wire \u_port.gen_send[0].u_queue.tail_q ;
  (* hierconn *) wire [1:0] \u_port.gen_send[0].u_queue.stored_q ;
  (* hierconn *) wire [QW-1:0] \u_port.gen_send[0].u_queue.mem[0] ;
  (* hierconn *) wire [QW-1:0] \u_port.gen_send[0].u_queue.mem[1] ;
  (* hierconn *) wire \u_port.gen_send[1].u_queue.head_q ;
  (* hierconn *) wire \u_port.gen_send[1].u_queue.tail_q ;
  (* hierconn *) wire [1:0] \u_port.gen_send[1].u_queue.stored_q ;
  (* hierconn *) wire [QW-1:0] \u_port.gen_send[1].u_queue.mem[0] ;
  (* hierconn *) wire [QW-1:0] \u_port.gen_send[1].u_queue.mem[1] ;
  (* hierconn *) wire \u_port.u_send.valid_q ;
  (* hierconn *) wire \u_port.u_send.open_q ;
  (* hierconn *) wire [1:0] \u_port.u_send.from_q ;
  (* hierconn *) wire \u_port.gen_hear[0].u_queue.head_q ;
  (* hierconn *) wire \u_port.gen_hear[0].u_queue.tail_q ;
  (* hierconn *) wire [1:0] \u_port.gen_hear[0].u_queue.stored_q ;
  (* hierconn *) wire [QW-1:0] \u_port.gen_hear[0].u_queue.mem[0] ;
  (* hierconn *) wire [QW-1:0] \u_port.gen_hear[0].u_queue.mem[1] ;
  (* hierconn *) wire \u_port.gen_hear[1].u_queue.head_q ;
  (* hierconn *) wire \u_port.gen_hear[1].u_queue.tail_q ;
  (* hierconn *) wire [1:0] \u_port.gen_hear[1].u_queue.stored_q ;
  (* hierconn *) wire [QW-1:0] \u_port.gen_hear[1].u_queue.mem[0] ;
  (* hierconn *) wire [QW-1:0] \u_port.gen_hear[1].u_queue.mem[1] ;
  (* hierconn *) wire \u_port.u_hear.valid_q ;
  (* hierconn *) wire \u_port.u_hear.open_q ;
  (* hierconn *) wire [1:0] \u_port.u_hear.from_q ;

  // A queue's words, the oldest first, and whether its numbers agree with each other.
  wire [1:0] head, tail, hear_head, hear_tail;
  wire [3:0] stored, hear_stored;
  wire [4*QW-1:0] slots, hear_slots;
  assign head = {\u_port.gen_send[1].u_queue.head_q , \u_port.gen_send[0].u_queue.head_q };
  assign tail = {\u_port.gen_send[1].u_queue.tail_q , \u_port.gen_send[0].u_queue.tail_q };
  assign stored = {\u_port.gen_send[1].u_queue.stored_q , \u_port.gen_send[0].u_queue.stored_q };
  assign slots = {\u_port.gen_send[1].u_queue.mem[1] , \u_port.gen_send[1].u_queue.mem[0] ,
                  \u_port.gen_send[0].u_queue.mem[1] , \u_port.gen_send[0].u_queue.mem[0] };
  assign hear_head = {\u_port.gen_hear[1].u_queue.head_q , \u_port.gen_hear[0].u_queue.head_q };
  assign hear_tail = {\u_port.gen_hear[1].u_queue.tail_q , \u_port.gen_hear[0].u_queue.tail_q };
  assign hear_stored = {\u_port.gen_hear[1].u_queue.stored_q , \u_port.gen_hear[0].u_queue.stored_q };
  assign hear_slots = {\u_port.gen_hear[1].u_queue.mem[1] , \u_port.gen_hear[1].u_queue.mem[0] ,
                       \u_port.gen_hear[0].u_queue.mem[1] , \u_port.gen_hear[0].u_queue.mem[0] };

  // A list, the oldest word lowest, with zero behind the youngest, and a word more.
  function [LW-1:0] longer(input [LW-1:0] list, input [2:0] count, input [QW-1:0] word);
    longer = list | ({{LW - QW{1'b0}}, word} << (count * QW));
  endfunction

  reg begun = 0;
  always @(posedge clk_i) begun <= 1;
  // The first cycle is one of reset.
  always @* if (!begun) assume (rst_i);
  // The port is one processor's for ever.
  always @(posedge clk_i) if (begun) assume (index_i == $past(index_i));

  // Words from the stream: the destination is that of the packet's first word.
  wire take = s_axis_tvalid_i && s_axis_tready;
  reg beat;
  reg [1:0] name;
  wire [1:0] to = beat == 0 ? s_axis_tdest_i : name;
  wire ends = beat == LAST[0];
  always @(posedge clk_i) begin
    if (rst_i) beat <= 0;
    else if (take) beat <= !ends;
    if (take) name <= to;
  end
  wire aligned = \u_port.beat_q == beat && !(beat != 0 && \u_port.drop_q ) &&
      (beat == 0 || {\u_port.in_group_q , \u_port.in_dest_q } == name);

  // What is requested: whether the next word is a packet's first; the stream's mark of the last word has been at another.
  reg opens, faulty;
  always @(posedge clk_i) begin
    if (request != 0 && taken_i) opens <= last;
    if (take && s_axis_tlast_i != ends) faulty <= 1;
    if (rst_i) {opens, faulty} <= 2'b10;
  end
  wire tied = \u_port.u_send.open_q == (request != 0 ? !last : !opens);
  wire checked = begun;
  // The first word of a packet that is offered has the mark of it.
  always @* if (checked) assert (tied && !(request != 0 && first != opens));
  // The port reports a mark of the last word at another word, and nothing else.
  always @* if (checked) assert (fault == faulty);

  genvar b;
  generate
    for (b = 0; b < 2; b = b + 1) begin : gen_send
      reg [LW-1:0] list;
      reg [2:0] count;
      wire comes = take && to[1] == b;
      wire goes = request[b] && taken_i;
      wire [LW-1:0] rest = goes ? list >> QW : list;
      wire [2:0] left = count - goes;
      always @(posedge clk_i) begin
        list  <= comes ? longer(rest, left, {ends, to[0], s_axis_tdata_i}) : rest;
        count <= left + comes;
        if (rst_i) {list, count} <= 0;
      end

      // the port's own: register, queue, entry
      reg [LW-1:0] own;
      reg [2:0] owned;
      always @* begin
        own   = 0;
        owned = 0;
        if (request[b]) begin
          own   = longer(own, owned, {last, dest, data});
          owned = owned + 1;
        end
        if (stored[2*b+:2] > 0) own = longer(own, owned, slots[(2*b+head[b])*QW+:QW]);
        if (stored[2*b+:2] > 1) own = longer(own, owned + 1, slots[(2*b+!head[b])*QW+:QW]);
        owned = owned + stored[2*b+:2];
        if (\u_port.in_valid_q && \u_port.in_group_q == b) begin
          own   = longer(own, owned, {\u_port.in_last_q , \u_port.in_dest_q , \u_port.in_data_q });
          owned = owned + 1;
        end
      end
      wire sound = stored[2*b+:2] <= Q && tail[b] == head[b] + stored[2*b] &&
          (^\u_port.u_send.from_q || !(\u_port.u_send.valid_q || \u_port.u_send.open_q ));
      wire [LW+4:0] found = {own, owned, sound, aligned};
      wire [LW+4:0] expected = {list, count, 2'b11};
      wire checked = begun;
      // A port holds for a group the words that came for it and have not left, once each and in order; the oldest is offered first.
      always @* if (checked) assert (found == expected);
    end

    for (b = 0; b < 2; b = b + 1) begin : gen_hear
      reg [LW-1:0] list;
      reg [2:0] count;
      wire comes = valid_i[b] && dest_i[b] == index_i;
      wire out = m_axis_tvalid && m_axis_tid[1] == b;
      wire goes = out && m_axis_tready_i;
      wire [LW-1:0] rest = goes ? list >> QW : list;
      wire [2:0] left = count - goes;
      always @(posedge clk_i) begin
        list  <= comes ? longer(rest, left, {last_i[b], source_i[b], data_i[b*W+:W]}) : rest;
        count <= left + comes;
        if (rst_i) {list, count} <= 0;
      end
      // A word comes only if there is room for it behind those that wait; one stands at the output.
      always @* assume (!(comes && count - out >= Q));

      reg [LW-1:0] own;
      reg [2:0] owned;
      always @* begin
        own   = 0;
        owned = 0;
        if (out) begin
          own   = longer(own, owned, {m_axis_tlast, m_axis_tid[0], m_axis_tdata});
          owned = owned + 1;
        end
        if (hear_stored[2*b+:2] > 0) own = longer(own, owned, hear_slots[(2*b+hear_head[b])*QW+:QW]);
        if (hear_stored[2*b+:2] > 1) own = longer(own, owned + 1, hear_slots[(2*b+!hear_head[b])*QW+:QW]);
        owned = owned + hear_stored[2*b+:2];
      end
      wire sound = hear_stored[2*b+:2] <= Q && hear_tail[b] == hear_head[b] + hear_stored[2*b] &&
          (^\u_port.u_hear.from_q || !(\u_port.u_hear.valid_q || \u_port.u_hear.open_q ));
      wire [LW+3:0] found = {own, owned, sound};
      wire [LW+3:0] expected = {list, count, 1'b1};
      wire checked = begun;
      // A port holds of a group the words that were heard of it and have not come out, once each and in order; the oldest comes out first.
      always @* if (checked) assert (found == expected);
    end

    for (b = 0; b < 2; b = b + 1) begin : gen_free
      // the output takes a word that has waited
      reg loads, freed;
      always @(posedge clk_i) begin
        loads <= !rst_i && (!m_axis_tvalid || m_axis_tready_i);
        freed <= !rst_i && free[b];
      end
      wire found = freed;
      wire expected = loads && m_axis_tvalid && m_axis_tid[1] == b && m_axis_tlast;
      wire checked = begun;
      // Room is given back once for each packet, when its last word leaves its queue for the output.
      always @* if (checked) assert (found == expected);
    end
  endgenerate

endmodule

`default_nettype wire
