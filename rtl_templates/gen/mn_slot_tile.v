${ header }$
`default_nettype none
// Tile of a slot-table network: ${ t.channels }$ channels to it, ${ t.ports }$ from it, ${ t.operators }$ operators, ${ t.banks.len() }$ banks; ${ t.used }$ of ${ t.inputs + t.banks.len() }$ x ${ t.outputs }$
// crosspoints. A row of the table is registered twice: its addresses are at the banks in cycle 2, its words at the crossbar in cycle 3.
module mn_slot_tile_${ t.class }$ #(
    parameter LOADS  = 1,   // words that are loaded
<%- if port.is_some() %>
    parameter GIVEN  = 1,   // words that the core sends for a collective
    parameter RESULTS = 1,  // words that it gets
    parameter DEST   = "",  // image of the destinations
    parameter SOURCE = "",  // image of the sources
<%- endif %>
<%- if t.counters.is_some() %>
    parameter ROWS   = 4,   // stored rows
    parameter LOOPS  = 1,   // loops
    parameter LOOP   = "",  // image of the loops
    parameter TABLE  = "",  // image of the stored rows
<%- else %>
    parameter TABLE  = "",  // image of the slot table
<%- endif %>
    parameter PLACES = ""   // image of the places
) (
    input  wire        clk_i,
    input  wire        rst_i,
<%- if let Some(port) = port %>
    // the core's words, and its results, see mn_tile_port
    input  wire        s_valid_i,
    output wire        s_ready_o,
    input  wire [${ port.send_bits(p) - 1 }$:0] s_beat_i,
    output wire        m_valid_o,
    input  wire        m_ready_i,
    output wire [${ port.result_bits(p) - 1 }$:0] m_beat_o,
    // ready for a start; start<% if port.period.is_some() %>, and time of a start,<% endif %> of a collective; its end
    output wire        ready_o,
    input  wire        go_i,
<%- if port.period.is_some() %>
    input  wire        tick_i,
<%- endif %>
    output wire        done_o,
<%- else %>
    // who this is
    input  wire [${ p.tile_bits - 1 }$:0] tile_i,
    // the host ring
    input  wire [${ p.flit_bits - 1 }$:0] ring_i,
    output wire [${ p.flit_bits - 1 }$:0] ring_o,
    // start and end of a collective
    input  wire        go_i,
    input  wire        go_swap_i,
<% if ram %>
    input  wire [ 7:0] go_version_i,
<% endif %>
    output wire        done_o,
<%- endif %>
    // channels, {valid, word} each: those that end here, those that begin here
    input  wire [${ t.in_bits - 1 }$:0] in_i,
    output wire [${ t.out_bits - 1 }$:0] out_o,
<%- if port.is_some() %>
    // faults so far by name, see mn_tile_port
    output wire [ 7:0] fault_o
<%- else %>
    // faults so far
    output wire        fault_o
<%- endif %>
);
    localparam W = ${ p.payload_bits() }$;         // bits of a word${ parity }$
    localparam CW = 1 + W;  // a channel's {valid, word}
    localparam INPUTS = ${ t.inputs }$, OUTPUTS = ${ t.outputs }$, BANKS = ${ t.banks.len() }$;

    wire rst, row_valid, load, upset;
    wire [${ t.row_bits - 1 }$:0] row;
<%- if let Some(c) = t.counters %>
    wire [${ c.stored_bits - 1 }$:0] stored;
    wire [${ c.stride_bits - 1 }$:0] strides;
    wire [${ c.strided.len() }$:0] wrong_stride;  // and one that is never wrong, as below
    wire [${ c.counted.len() }$:0] wrong_uses;
    assign wrong_stride[${ c.strided.len() }$] = 1'b0;
    assign wrong_uses[${ c.counted.len() }$]   = 1'b0;
    wire wrong_address = |wrong_stride || |wrong_uses;
<%- else %>
    wire [2:0] unused_strides;
<%- endif %>
    wire [${ t.place_bits - 1 }$:0] place;
    wire [W-1:0] load_word;
    wire [BANKS*W-1:0] words;
    wire [${ t.outputs - 1 }$:0] conflict;
    wire [${ t.inputs - 1 }$:0] missing, unexpected, parity;

    wire load_next, read_next;
    wire [${ p.data_bits - 1 }$:0] load_data, answer;
<%- if let Some(port) = port %>
    wire network_fault;
    mn_tile_port #(
        .DW(${ p.data_bits }$), .TB(${ p.tile_bits }$), .LOADS(GIVEN), .RESULTS(RESULTS), .DOUBLE(${ u32::from(*port.double_buffer) }$),
        .DESTS(${ u32::from(port.has_dests()) }$), .SOURCES(${ u32::from(port.has_sources()) }$), .DEST(DEST), .SOURCE(SOURCE), .DELAY(${ port.delay }$)
    ) u_port (
        .clk_i(clk_i), .rst_i(rst),
        .s_valid_i(s_valid_i), .s_ready_o(s_ready_o), .s_beat_i(s_beat_i), .m_valid_o(m_valid_o), .m_ready_i(m_ready_i), .m_beat_o(m_beat_o),
        .ready_o(ready_o), .go_i(go_i), .tick_i(<% if port.period.is_some() %>tick_i<% else %>1'b0<% endif %>), .done_i(done_o),
        .load_next_o(load_next), .load_o(load), .load_data_o(load_data), .read_next_o(read_next), .result_i(answer),
        .network_fault_i(network_fault), .fault_o(fault_o)
    );
<% else %>
    wire unused_read, status, clear, program_piece, wrong_flit;
    wire [2:0] piece;
    wire [${ p.data_bits - 1 }$:0] program_data;
    mn_ring_stop #(.DW(${ p.data_bits }$), .TB(${ p.tile_bits }$), .GUARD(${ u32::from(*p.parity) }$)) u_stop (
        .clk_i(clk_i), .rst_i(rst), .tile_i(tile_i), .ring_i(ring_i), .ring_o(ring_o),
        .load_next_o(load_next), .load_o(load), .load_data_o(load_data),
        .read_next_o(read_next), .read_o(unused_read), .status_o(status), .piece_o(piece), .answer_i(answer),
        .program_o(program_piece), .program_data_o(program_data), .clear_o(clear), .wrong_o(wrong_flit)
    );
<% endif %>
    mn_slot_endpoint #(
        .DW(${ p.data_bits }$), .PARITY(${ u32::from(*p.parity) }$), .LOG(${ u32::from(*p.error_log) }$), .PORTS(${ t.faults }$), .BANKS(${ t.shown }$),
<%- if let Some(c) = t.counters %>
        .ROWS(ROWS), .RW(${ c.stored_bits }$), .TABLE(TABLE), .LOADS(LOADS), .SET(${ set }$), .PW(${ t.place_bits }$), .PLACES(PLACES), .RAM(0),
        .LOOPS(LOOPS), .LW(${ c.loop_bits }$), .EB(${ c.end_bits }$), .CB(${ c.turn_bits }$), .LOOP(LOOP)
<%- else %>
        .ROWS(${ rows }$), .RW(${ t.row_bits }$), .TABLE(TABLE), .LOADS(LOADS), .SET(${ set }$), .PW(${ t.place_bits }$), .PLACES(PLACES), .RAM(${ u32::from(*ram) }$)
<%- endif %>
    ) u_endpoint (
        .clk_i(clk_i), .rst_i(rst_i), .rst_o(rst),
        .load_next_i(load_next), .load_data_i(load_data), .read_next_i(read_next), .answer_o(answer),
<%- if port.is_some() %>
        .status_i(1'b0), .piece_i(3'd0), .program_i(1'b0), .program_data_i(${ p.data_bits }$'d0), .clear_i(1'b0),
        .go_i(go_i), .go_swap_i(1'b0), .go_version_i(8'd0),
<% else %>
        .status_i(status), .piece_i(piece), .program_i(program_piece), .program_data_i(program_data), .clear_i(clear),
        .go_i(go_i), .go_swap_i(go_swap_i), .go_version_i(<% if ram %>go_version_i<% else %>8'd0<% endif %>),
<% endif %>
        .done_o(done_o), .row_valid_o(row_valid), .row_o(<% if t.counters.is_some() %>stored<% else %>row<% endif %>), .place_o(place), .strides_o(<% if t.counters.is_none() %>unused_<% endif %>strides),
        .load_word_o(load_word), .words_i(${ t.shown_words }$),
        .conflict_i(${ t.conflict }$), .missing_i(${ t.missing }$),
        .unexpected_i(${ t.unexpected }$), .parity_i(${ t.parity }$), .upset_i(upset<% if t.counters.is_some() %> || wrong_address<% endif %><% if port.is_none() %> || wrong_flit<% endif %>), .fault_o(<% if port.is_some() %>network_fault<% else %>fault_o<% endif %>)
    );

<% if let Some(c) = t.counters %>
    // ---- the row: bits that are stored, and addresses that advance ----
<% for b in c.bits %>
    assign row[${ b.at }$+:${ b.width }$] = ${ b.value }$;
<% endfor %>
<% for a in c.strided %>
    wire [${ a.width - 1 }$:0] address_${ a.at }$ = {${ a.value }$};
    mn_slot_stride #(.W(${ a.width }$), .GUARD(${ u32::from(*p.parity) }$)) u_stride_${ a.at }$ (
        .clk_i(clk_i), .rst_i(rst), .wrong_o(wrong_stride[${ loop.index0 }$]), .loop_i(strides[1]), .turn_i(strides[2]), .stride_i(strides[${ a.stride }$+:${ a.width }$]),
        .stored_i(address_${ a.at }$), .address_o(row[${ a.at }$+:${ a.width }$])
    );
<% endfor %>
<% for a in c.counted %>
    mn_slot_uses #(.W(${ a.width }$), .DEPTH(${ a.depth }$), .GUARD(${ u32::from(*p.parity) }$)) u_uses_${ a.at }$ (
        .clk_i(clk_i), .rst_i(rst), .wrong_o(wrong_uses[${ loop.index0 }$]), .first_i(strides[0]), .use_i(row_valid && |{${ a.value }$}), .address_o(row[${ a.at }$+:${ a.width }$])
    );
<% endfor %>
    wire unused_counters = &{strides, stored};

<% endif %>
    // ---- cycle 2: the selects of the crosspoints ----
<% if t.used > 0 %>
    reg  [${ t.used - 1 }$:0] select_q;
    wire [${ t.used - 1 }$:0] select_d = rst || !row_valid ? ${ t.used }$'d0 : row[${ t.used - 1 }$:0];
    always @(posedge clk_i) select_q <= select_d;
<% endif %>
    wire [${ t.matrix_bits - 1 }$:0] select = {
<% for line in t.matrix %>
        ${ line }$
<% endfor %>
    };

    // ---- words of the host ----
<% if t.hosts > 0 %>
    reg  [${ t.hosts - 1 }$:0] load_q;
    wire [${ t.hosts - 1 }$:0] load_d = rst || !load ? ${ t.hosts }$'d0 : place[${ t.hosts - 1 }$:0];
    reg  [W-1:0] load_word_q;
    always @(posedge clk_i) begin
        load_q      <= load_d;
        load_word_q <= load_word;
    end
<% if t.load_bits > 0 %>
    reg  [${ t.load_bits - 1 }$:0] load_address_q;
    always @(posedge clk_i) load_address_q <= place[${ t.hosts }$+:${ t.load_bits }$];
<% endif %>
<% endif %>

    // ---- banks: read in cycle 2, written in cycle 3 ----
    wire [INPUTS*CW-1:0] arriving;
<% for b in t.banks %>
<% if b.bits > 0 %>
    reg  [${ b.bits - 1 }$:0] read_${ b.index }$_q;
    wire [${ b.bits - 1 }$:0] read_${ b.index }$_d = <% if b.shows %>row_valid ? row[${ b.read_at }$+:${ b.bits }$] : place[${ t.result_at }$+:${ b.bits }$]<% else %>row[${ b.read_at }$+:${ b.bits }$]<% endif %>;
    always @(posedge clk_i) read_${ b.index }$_q <= read_${ b.index }$_d;
<% endif %>
<% if let Some(at) = b.forward %>
    reg  forward_${ b.index }$_q;
    wire forward_${ b.index }$_d = !rst && row_valid && row[${ at }$];
    always @(posedge clk_i) forward_${ b.index }$_q <= forward_${ b.index }$_d;
<% endif %>
<% if let Some(at) = b.write %>
    reg  write_${ b.index }$_2q, write_${ b.index }$_3q;
    wire write_${ b.index }$_d = !rst && row_valid && row[${ at }$];
    always @(posedge clk_i) begin
        write_${ b.index }$_2q <= write_${ b.index }$_d;
        write_${ b.index }$_3q <= write_${ b.index }$_2q;
    end
<% if b.bits > 0 %>
    reg  [${ b.bits - 1 }$:0] address_${ b.index }$_2q, address_${ b.index }$_3q;
    always @(posedge clk_i) begin
        address_${ b.index }$_2q <= row[${ at + 1 }$+:${ b.bits }$];
        address_${ b.index }$_3q <= address_${ b.index }$_2q;
    end
<% endif %>
<% endif %>
    mn_slot_bank #(.W(W), .DEPTH(${ b.depth }$), .FORWARD(${ u32::from(b.forward.is_some()) }$)) u_bank_${ b.index }$ (
        .clk_i(clk_i), .write_i(${ b.write_enable }$), .waddr_i(${ b.write_address }$), .wdata_i(${ b.data }$),
        .forward_i(${ b.forward_signal }$), .raddr_i(${ b.read_signal }$), .word_o(words[${ b.index }$*W+:W])
    );
<% endfor %>

    // ---- the crossbar: channels' and operators' words and banks, to channels and operands ----
    wire [OUTPUTS*CW-1:0] leaving;
    mn_slot_router #(
        .W(W), .PARITY(${ u32::from(*p.parity) }$), .INPUTS(INPUTS), .BANKS(BANKS), .OUTPUTS(OUTPUTS),
        .USED(${ t.matrix_bits }$'b${ t.crosspoints }$)
    ) u_router (
        .clk_i(clk_i), .rst_i(rst), .select_i(select), .write_i(${ t.write }$),
        .in_i(arriving), .bank_i(words), .out_o(leaving),
        .conflict_o(conflict), .missing_o(missing), .unexpected_o(unexpected), .parity_o(parity)
    );
    assign out_o = leaving[0+:${ t.out_bits }$];
    assign arriving[0+:${ t.in_bits }$] = in_i;
<% for o in t.units %>
<% if o.kinds > 1 %>
    reg  [${ o.kinds - 1 }$:0] kind_${ o.index }$_2q, kind_${ o.index }$_3q, kind_${ o.index }$_4q;
    always @(posedge clk_i) begin
        kind_${ o.index }$_2q <= row[${ o.kind_at }$+:${ o.kinds }$];
        kind_${ o.index }$_3q <= kind_${ o.index }$_2q;
        kind_${ o.index }$_4q <= kind_${ o.index }$_3q;
    end
<% endif %>
    mn_slot_operator #(.DW(${ p.data_bits }$), .PARITY(${ u32::from(*p.parity) }$), .N(${ t.operands }$), .KINDS(4'b${ t.kinds }$)) u_operator_${ o.index }$ (
        .clk_i(clk_i), .operands_i(leaving[${ o.from }$*CW+:${ t.operands }$*CW]), .kind_i(${ o.kind }$), .result_o(arriving[${ o.to }$*CW+:CW])
    );
<% endfor %>

<% if p.parity %>
    // ---- registers between tables, banks and crossbar: what they take, and what they have ----
    mn_guard u_guard (
        .clk_i(clk_i), .rst_i(rst),
        .given_i(^{
            1'b0<% if t.used > 0 %>, select_d<% endif %><% if t.hosts > 0 %>, load_d, load_word<% if t.load_bits > 0 %>, place[${ t.hosts }$+:${ t.load_bits }$]<% endif %><% endif %>
<% for b in t.banks %>
<% if b.bits > 0 %>
            , read_${ b.index }$_d
<% endif %>
<% if b.forward.is_some() %>
            , forward_${ b.index }$_d
<% endif %>
<% if let Some(at) = b.write %>
            , write_${ b.index }$_d, write_${ b.index }$_2q<% if b.bits > 0 %>, row[${ at + 1 }$+:${ b.bits }$], address_${ b.index }$_2q<% endif %>
<% endif %>
<% endfor %>
<% for o in t.units %>
<% if o.kinds > 1 %>
            , row[${ o.kind_at }$+:${ o.kinds }$], kind_${ o.index }$_2q, kind_${ o.index }$_3q
<% endif %>
<% endfor %>
        }),
        .kept_i(^{
            1'b0<% if t.used > 0 %>, select_q<% endif %><% if t.hosts > 0 %>, load_q, load_word_q<% if t.load_bits > 0 %>, load_address_q<% endif %><% endif %>
<% for b in t.banks %>
<% if b.bits > 0 %>
            , read_${ b.index }$_q
<% endif %>
<% if b.forward.is_some() %>
            , forward_${ b.index }$_q
<% endif %>
<% if b.write.is_some() %>
            , write_${ b.index }$_2q, write_${ b.index }$_3q<% if b.bits > 0 %>, address_${ b.index }$_2q, address_${ b.index }$_3q<% endif %>
<% endif %>
<% endfor %>
<% for o in t.units %>
<% if o.kinds > 1 %>
            , kind_${ o.index }$_2q, kind_${ o.index }$_3q, kind_${ o.index }$_4q
<% endif %>
<% endfor %>
        }),
        .wrong_o(upset)
    );
<% else %>
    assign upset = 1'b0;
<% endif %>

    wire unused = &{row, row_valid, place, load, load_word<% if port.is_none() %>, unused_read<% endif %>};
endmodule
`default_nettype wire
