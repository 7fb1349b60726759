${ header }$
`default_nettype none
// Test bench of mn_top for ${ title }$: a core at every tile sends its words and compares its results with
// the definition, ${ sets }$ times<% if port.period.is_none() %>, with random pauses<% endif %>. Then cores break each
// rule of their streams in turn, and the fault must have its name at their tiles alone.
// Prints one line and ends; run it in the folder that holds rom/ and tb/.
module mn_tb;
    localparam DW = ${ p.data_bits }$;
    localparam KW = ${ p.data_bits / 8 }$;
    localparam TB = ${ p.tile_bits }$;
    localparam TILES = ${ p.tiles }$;
    localparam SETS = ${ sets }$;
    localparam MOST_GIVEN = ${ most_given }$, MOST_RESULTS = ${ most_results }$;
    localparam DESTS = ${ u32::from(port.has_dests()) }$, SOURCES = ${ u32::from(port.has_sources()) }$;
    localparam PERIOD = ${ port.period.unwrap_or(0) }$;
    localparam LEAST = ${ port.least_period }$;  // cycles from start to start if no core pauses
    localparam SLOW = <% if port.own_clocks %>2<% else %>1<% endif %>;  // cycles of the network in a cycle of any core, or more
    localparam FILL = ${ fill }$;  // collectives after which a core that takes no results has no more room for them
    localparam TIMEOUT = ${ timeout }$;
    // words that each core sends and gets in a collective
    localparam [32*TILES-1:0] GIVEN = {
        ${ given }$
    };
    localparam [32*TILES-1:0] RESULTS = {
        ${ results }$
    };
    // faults by name
    localparam [3:0] SHORT = 4'd0, LONG = 4'd1, DEST = 4'd2, KEEP = 4'd3, LATE = 4'd4, FULL = 4'd5, EDGE = 4'd6, NONE = 4'd15;

    reg clk = 1'b0, rst = 1'b1;
<%- if port.own_clocks %>
    always #35 clk = !clk;
    // a clock for each core: faster ones and slower ones than the network's, faster ones alone with a period
    wire [TILES-1:0] core_clk, core_rst;
<%- else %>
    always #5 clk = !clk;
<%- endif %>

    wire [TILES-1:0] s_valid, s_ready, s_last, m_valid, m_ready, m_last;
    wire [TILES*DW-1:0] s_data, m_data;
    wire [TILES*KW-1:0] s_keep, m_keep;
    wire [TILES*TB-1:0] s_dest, m_id;
    wire [TILES*8-1:0] tile_fault;
    wire busy, order, fault;
    mn_top u_top (
        .clk_i(clk), .rst_i(rst),
<% for t in tiles %>
<%- if port.own_clocks %>
        .clk_${ t.index }$_i(core_clk[${ t.index }$]), .rst_${ t.index }$_o(core_rst[${ t.index }$]),
<%- endif %>
        .s_axis_${ t.index }$_tvalid(s_valid[${ t.index }$]), .s_axis_${ t.index }$_tready(s_ready[${ t.index }$]), .s_axis_${ t.index }$_tdata(s_data[${ t.index }$*DW+:DW]),
        .s_axis_${ t.index }$_tkeep(s_keep[${ t.index }$*KW+:KW]), .s_axis_${ t.index }$_tlast(s_last[${ t.index }$]),
<%- if port.has_dests() %>
        .s_axis_${ t.index }$_tdest(s_dest[${ t.index }$*TB+:TB]),
<%- endif %>
        .m_axis_${ t.index }$_tvalid(m_valid[${ t.index }$]), .m_axis_${ t.index }$_tready(m_ready[${ t.index }$]), .m_axis_${ t.index }$_tdata(m_data[${ t.index }$*DW+:DW]),
        .m_axis_${ t.index }$_tkeep(m_keep[${ t.index }$*KW+:KW]), .m_axis_${ t.index }$_tlast(m_last[${ t.index }$]),
<%- if port.has_sources() %>
        .m_axis_${ t.index }$_tid(m_id[${ t.index }$*TB+:TB]),
<%- endif %>
        .fault_${ t.index }$_o(tile_fault[${ t.index }$*8+:8]),
<% endfor %>
        .busy_o(busy), .fault_order_o(order), .fault_o(fault)
    );
<% if !port.has_sources() %>
    assign m_id = {TILES * TB{1'b0}};
<%- endif %>

    // words with their destinations, and results with their sources, by collective and tile
    reg [31+DW:0] loads [0:SETS*TILES*MOST_GIVEN-1];
    reg [31+DW:0] expects [0:SETS*TILES*MOST_RESULTS-1];
    initial begin
        $readmemh("tb/loads.hex", loads);
        $readmemh("tb/expects.hex", expects);
    end

    // the rule that is broken, and by which cores: those with a one in bit `part` of their number, or all; with EDGE one core alone, whose
    // words of the second collective come from cycle `hold` after the first start on
    reg [3:0] kind = NONE;
    reg held = 1'b0;
    integer part = 0, hold = 0, starts = 0, since = 0, uneven = 0;
    function breaks(input integer tile, input integer bits);
        breaks = kind == EDGE ? tile == bits : bits == TB || ((tile >>> bits) & 1) == 1;
    endfunction

    wire [TILES-1:0] wrong;
    wire [32*TILES-1:0] seen;
    genvar i;
    generate
        for (i = 0; i < TILES; i = i + 1) begin : gen_core
            localparam integer COUNT = GIVEN[32*i+:32], WANT = RESULTS[32*i+:32];
            reg valid = 1'b0, last = 1'b0, took = 1'b0, ready = 1'b0, bad = 1'b0;
            reg [KW-1:0] keep = {KW{1'b1}};
            reg [DW-1:0] data = {DW{1'b0}};
            reg [31:0] dest = 32'd0, random = 32'd${ seed }$ + 32'd7919 * i;
            reg [31+DW:0] load, want;
            integer set = 0, n = 0, got_set = 0, got = 0, total = 0;
<%- if port.own_clocks %>
            localparam integer HALF = PERIOD != 0 ? 17 + (5 * i) % 17 : 17 + (23 * i) % 46;
            reg own_clk = 1'b0;
            always #(HALF) own_clk = !own_clk;
            assign core_clk[i] = own_clk;
<%- endif %>
            wire guilty = kind != NONE && breaks(i, part);
            assign s_valid[i] = valid;
            assign s_last[i] = last;
            assign s_keep[i*KW+:KW] = keep;
            assign s_data[i*DW+:DW] = data;
            assign s_dest[i*TB+:TB] = dest[TB-1:0];
            assign m_ready[i] = ready;
            assign wrong[i] = bad;
            assign seen[32*i+:32] = total;

            // a pause before a word or a result: never, half of the time, nine times of ten, from collective to collective
            function pauses(input integer number, input [7:0] by);
                case (PERIOD != 0 || kind != NONE || number == 0 ? 0 : (number + i) % 3)
                    0:       pauses = 1'b0;
                    1:       pauses = by < 8'd128;
                    default: pauses = by < 8'd230;
                endcase
            endfunction

            // words of the second collective that do not come, or not yet
            function waits(input integer number, input integer at);
                waits = (kind == LATE && number > 0) || (kind == EDGE && number == 1 && at == 0 && starts < 2 && (starts == 0 || since < hold));
            endfunction

            always @(posedge ${ core }$clk${ bit }$) took <= valid && s_ready[i];
            always @(negedge ${ core }$clk${ bit }$) begin
                random = random ^ (random << 13);
                random = random ^ (random >> 17);
                random = random ^ (random << 5);
                if (took) begin
                    valid = 1'b0;
                    n = n + 1;
                    if (n >= COUNT) begin n = 0; set = set + 1; end
                end
                if (${ core }$rst${ bit }$) begin valid = 1'b0; n = 0; set = 0; end
                else if (!valid && !pauses(set, random[7:0]) && (kind == NONE ? set < SETS : !(guilty && waits(set, n)))
                         && (COUNT > 0 || (guilty && kind == LONG))) begin
                    load  = loads[(set%SETS*TILES+i)*MOST_GIVEN+n];
                    valid = 1'b1;
                    data  = load[DW-1:0];
                    dest  = load[DW+:32] ^ {31'd0, guilty && kind == DEST};
                    keep  = {KW{1'b1}};
                    if (guilty && kind == KEEP) keep[KW-1] = 1'b0;
                    last  = (n == COUNT - 1 && !(guilty && kind == LONG)) || (guilty && kind == SHORT);
                end
                ready = !${ core }$rst${ bit }$ && !pauses(got_set, random[15:8]) && !(guilty && held);
            end

            always @(posedge ${ core }$clk${ bit }$) begin
                want = expects[(got_set%SETS*TILES+i)*MOST_RESULTS+got];
                if (${ core }$rst${ bit }$) begin
                    got_set <= 0;
                    got     <= 0;
                    total   <= 0;
                end else if (m_valid[i] && ready) begin
                    if (got_set >= (kind == NONE ? SETS : TIMEOUT) || WANT == 0 || m_data[i*DW+:DW] !== want[DW-1:0]
                        || (SOURCES != 0 && m_id[i*TB+:TB] !== want[DW+:TB]) || m_keep[i*KW+:KW] !== {KW{1'b1}}
                        || m_last[i] !== (got == WANT - 1)) begin
                        if (!bad) $display("collective %0d, tile %0d, word %0d: %h, not %h", got_set, i, got, m_data[i*DW+:DW], want[DW-1:0]);
                        bad <= 1'b1;
                    end
                    total   <= total + 1;
                    got     <= got == WANT - 1 ? 0 : got + 1;
                    got_set <= got == WANT - 1 ? got_set + 1 : got_set;
                end
            end
        end
    endgenerate

    // starts, and their distance
    reg was_busy = 1'b0;
    always @(posedge clk) begin
        was_busy <= busy;
        since    <= since + 1;
        if (rst) starts <= 0;
        else if (busy && !was_busy) begin
            if (starts > 0 && kind == NONE && PERIOD != 0 && since != PERIOD) uneven <= uneven + 1;
            starts <= starts + 1;
            since  <= 1;
        end
    end

    task reset;
        begin
            rst = 1'b1;
            repeat (64) @(negedge clk);
            rst = 1'b0;
        end
    endtask

    integer t, k, words, faults, errors, cycles;
    reg [8*TILES-1:0] expected;
    reg any, done;

    // faults of all tiles
    task compare;
        integer c;
        begin
            for (c = 0; c < TILES; c = c + 1) begin
                if (expected[8*c+:8] != 8'd0) faults = faults + 1;
                if (tile_fault[8*c+:8] !== expected[8*c+:8]) begin
                    if (errors < 10)
                        $display("fault %0d of cores %0d: tile %0d has %b, not %b", kind, part, c, tile_fault[8*c+:8], expected[8*c+:8]);
                    errors = errors + 1;
                end
            end
            if (fault !== (expected != {8 * TILES{1'b0}}) || order !== 1'b0) errors = errors + 1;
        end
    endtask

    initial begin
        errors = 0;
        words  = 0;
        faults = 0;
        reset;
        done = 1'b0;
        for (cycles = 0; cycles < TIMEOUT && !done; cycles = cycles + 1) begin
            @(negedge clk);
            done = 1'b1;
            for (t = 0; t < TILES; t = t + 1) if (seen[32*t+:32] < SETS * RESULTS[32*t+:32]) done = 1'b0;
        end
        // with a period, tiles are late from here on, since the cores have sent all
        any = fault;
        repeat (SLOW * (LEAST + 64)) @(negedge clk);
        for (t = 0; t < TILES; t = t + 1) words = words + seen[32*t+:32];
        if (!done || any || (PERIOD == 0 && fault) || uneven != 0 || starts != SETS) errors = errors + 1;
        // every rule is broken by some of the cores, so that each tile's faults are told from the others'; cores that take no results for long
        // break one if there is a period, and lose none in any case
        for (k = 0; k[3:0] <= FULL; k = k + 1) begin
            for (part = 0; part <= TB && (k[3:0] != DEST || DESTS != 0) && (k[3:0] != LATE || PERIOD != 0); part = part + 1) begin
                kind = k[3:0];
                held = kind == FULL;
                reset;
                repeat (SLOW * (k[3:0] < LATE ? MOST_GIVEN + 64 : FILL * (PERIOD == 0 ? LEAST : PERIOD))) @(negedge clk);
                for (t = 0; t < TILES; t = t + 1) begin
                    expected[t*8+:8] = 8'd0;
                    if (breaks(t, part)) begin
                        case (kind)
                            SHORT:   expected[t*8] = GIVEN[32*t+:32] > 1;
                            LONG:    expected[t*8+1] = 1'b1;
                            DEST:    expected[t*8+2] = GIVEN[32*t+:32] > 0;
                            KEEP:    expected[t*8+3] = GIVEN[32*t+:32] > 0;
                            LATE:    expected[t*8+4] = GIVEN[32*t+:32] > 0;
                            default: expected[t*8+5] = PERIOD != 0 && RESULTS[32*t+:32] > 0;
                        endcase
                    end
                end
                compare;
                held = 1'b0;
                if (kind == FULL) repeat (SLOW * 4 * LEAST) @(negedge clk);
            end
        end
        // words that come a cycle too late are late, and a start is left out for them alone
        for (part = 0; part < TILES && part < 4 && PERIOD != 0; part = part + 1) begin
            for (k = 0; k < 32; k = k + 1) begin
                kind = EDGE;
                hold = PERIOD - GIVEN[32*part+:32] - 24 + k;
                reset;
                while (starts == 0) @(negedge clk);
                repeat (2 * PERIOD + 8) @(negedge clk);
                expected = {8 * TILES{1'b0}};
                expected[8*part+4] = starts != 3;
                if (GIVEN[32*part+:32] > 0 && (k == 0 ? starts != 3 : k == 31 && starts != 2)) errors = errors + 1;
                compare;
            end
        end
        for (t = 0; t < TILES; t = t + 1) if (wrong[t]) errors = errors + 1;
        if (errors == 0) $display("PASS: %0d words, %0d faults by name", words, faults);
        else $display("FAIL: %0d errors, fault %b", errors, any);
        $finish;
    end
endmodule
`default_nettype wire
