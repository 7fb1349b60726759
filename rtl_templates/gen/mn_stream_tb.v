${ header }$
`default_nettype none
// Test bench of mn_top: loads words into the source, runs the collective ${ sets }$ times, drains and compares what every router has.
// Prints one line and ends; run it in the folder that holds rom/ and tb/.
module mn_tb;
    localparam DW = ${ p.data_bits }$;
    localparam TB = ${ p.tile_bits }$;
    localparam TILES = ${ p.tiles }$;
    localparam COUNT = ${ count }$;
    localparam SETS = ${ sets }$;
    localparam NODES = ${ nodes }$;  // tiles of a network
    localparam SOURCE = ${ source }$;  // the tile of a network that has words
    localparam TIMEOUT = ${ timeout }$;

<% include "gen/part/bench_top.v" %>

<% include "gen/part/bench_hash.v" %>

    // a word of a set, sets of networks after each other: a hash, so that a misplaced word is seen
    function [DW-1:0] pattern(input integer set, input integer word);
        reg [63:0] x;
        begin
            x = hash(set * COUNT + word + 1);
            pattern = x[DW-1:0];
        end
    endfunction

<% include "gen/part/bench_send.v" %>

    integer s, i, n, errors, seen;
    integer rs, ri, rn;
    wire [DW-1:0] wanted = pattern(rs * (TILES / NODES) + ri / NODES, rn);
    initial begin
<% include "gen/part/bench_reset.v" %>
        for (s = 0; s < SETS; s = s + 1) begin
            for (i = 0; i < TILES / NODES; i = i + 1)
                for (n = 0; n < COUNT; n = n + 1) send(3'd0, i * NODES + SOURCE, pattern(s * (TILES / NODES) + i, n));
<% include "gen/part/bench_launch.v" %>
        end
    end

    // the receive banks come tile after tile
    initial begin
        seen = 0;
        rs = 0; ri = 0; rn = 0;
        while (rs < SETS) begin
            @(posedge clk);
            if (m_tvalid && m_tready) begin
                if (m_tid !== ri[TB-1:0] || m_tdata !== wanted) begin
                    errors = errors + 1;
                    if (errors < 10)
                        $display("set %0d, tile %0d, word %0d: %h, not %h", rs, ri, rn, m_tdata, wanted);
                end
                seen = seen + 1;
                rn = rn + 1;
                if (rn == COUNT) begin rn = 0; ri = ri + 1; end
                if (ri == TILES) begin ri = 0; rs = rs + 1; end
            end
        end
<% include "gen/part/bench_end.v" %>
