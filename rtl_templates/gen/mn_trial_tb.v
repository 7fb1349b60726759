${ header }$
`default_nettype none
// Test bench of mn_top for ${ what }$: loads all tiles, runs the collective, drains and compares with the definition;
// ${ sets }$ times. Prints one line and ends; run it in the folder that holds rom/ and tb/.
module mn_tb;
    localparam DW = ${ p.data_bits }$;
    localparam TB = ${ p.tile_bits }$;
    localparam TILES = ${ p.tiles }$;
    localparam LOADS = ${ loads }$;
    localparam COUNT = ${ results }$;
    localparam SETS = ${ sets }$;
    localparam TIMEOUT = ${ timeout }$;

<% include "gen/part/bench_top.v" %>

    integer s, n, errors, seen;
    integer rs, ri, rn;

    // loaded words with their tiles; expected words below a mask of the compared bits
    reg [31+DW:0] loads [0:SETS*LOADS-1];
    reg [2*DW-1:0] expects [0:SETS*TILES*COUNT-1];
    wire [2*DW-1:0] expected = expects[(rs*TILES+ri)*COUNT+rn];
    wire [DW-1:0] found = m_tdata & expected[DW+:DW];
    initial begin
        $readmemh("tb/loads.hex", loads);
        $readmemh("tb/expects.hex", expects);
    end

<% include "gen/part/bench_send.v" %>

    initial begin
<% include "gen/part/bench_reset.v" %>
        for (s = 0; s < SETS; s = s + 1) begin
            for (n = 0; n < LOADS; n = n + 1) send(3'd0, loads[s*LOADS+n][DW+:32], loads[s*LOADS+n][DW-1:0]);
<% include "gen/part/bench_launch.v" %>
        end
    end

    // results come tile after tile
    initial begin
        seen = 0;
        rs = 0; ri = 0; rn = 0;
        while (rs < SETS) begin
            @(posedge clk);
            if (m_tvalid && m_tready) begin
                if (m_tid !== ri[TB-1:0] || found !== expected[DW-1:0]) begin
                    errors = errors + 1;
                    if (errors < 10)
                        $display("set %0d, tile %0d, word %0d: %h, not %h", rs, ri, rn, found, expected[DW-1:0]);
                end
                seen = seen + 1;
                rn = rn + 1;
                if (rn == COUNT) begin rn = 0; ri = ri + 1; end
                if (ri == TILES) begin ri = 0; rs = rs + 1; end
            end
        end
<% include "gen/part/bench_end.v" %>
