${ header }$
`default_nettype none
// Test bench of mn_top: loads a pattern, runs the collective ${ sets }$ times, drains and compares every word.
// Prints one line and ends; run it in the folder that holds rom/ and tb/.
module mn_tb;
    localparam DW = ${ p.data_bits }$;
    localparam TB = ${ p.tile_bits }$;
    localparam TILES = ${ p.tiles }$;
    localparam WORDS = ${ p.words }$;
    localparam SETS = ${ sets }$;
    localparam SET = TILES * TILES * WORDS;
    localparam TIMEOUT = ${ timeout }$;
${ bench.networks }$

<% include "gen/part/bench_top.v" %>

<% include "gen/part/bench_hash.v" %>

    // a word of the message of a tile to another in a set: a hash, so that a misplaced word is seen
    function [DW-1:0] pattern(input integer set, input integer sender, input integer receiver, input integer word);
        reg [63:0] x;
        begin
            x = hash(set * SET + (sender * TILES + receiver) * WORDS + word + 1);
            pattern = x[DW-1:0];
        end
    endfunction

<% include "gen/part/bench_send.v" %>

    integer s, i, j, w, errors, seen;
    integer rs, ri, rj, rw;
    initial begin
<% include "gen/part/bench_reset.v" %>
        for (s = 0; s < SETS; s = s + 1) begin
            for (i = 0; i < TILES; i = i + 1)
                for (j = 0; j < TILES; j = j + 1)
                    for (w = 0; w < WORDS; w = w + 1) send(3'd0, i, pattern(s, i, j, w));
<% include "gen/part/bench_launch.v" %>
        end
    end

    // the receive banks come tile after tile, in source order
    initial begin
        seen = 0;
        rs = 0; ri = 0; rj = 0; rw = 0;
        while (rs < SETS) begin
            @(posedge clk);
            if (m_tvalid && m_tready) begin
                if (m_tid !== ri[TB-1:0] || (${ bench.wanted }$m_tdata !== pattern(rs, rj, ri, rw))) begin
                    errors = errors + 1;
                    if (errors < 10)
                        $display("set %0d, tile %0d, from %0d, word %0d: %h, not %h", rs, ri, rj, rw, m_tdata, pattern(rs, rj, ri, rw));
                end
                seen = seen + 1;
                rw = rw + 1;
                if (rw == WORDS) begin rw = 0; rj = rj + 1; end
                if (rj == TILES) begin rj = 0; ri = ri + 1; end
                if (ri == TILES) begin ri = 0; rs = rs + 1; end
            end
        end
<% include "gen/part/bench_end.v" %>
