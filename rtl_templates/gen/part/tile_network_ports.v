    input  wire        clk_i,
    input  wire        rst_i,
    // streams of the tiles, tile 0 in the low position: words of the cores, and their results, see mn_tile_port
    input  wire [${ p.tiles - 1 }$:0] s_valid_i,
    output wire [${ p.tiles - 1 }$:0] s_ready_o,
    input  wire [${ p.tiles * port.send_bits(p) - 1 }$:0] s_beat_i,
    output wire [${ p.tiles - 1 }$:0] m_valid_o,
    input  wire [${ p.tiles - 1 }$:0] m_ready_i,
    output wire [${ p.tiles * port.result_bits(p) - 1 }$:0] m_beat_o,
    // faults of the tiles by name, eight bits each, see mn_tile_port
    output wire [${ 8 * p.tiles - 1 }$:0] tile_fault_o,
<%- if port.period.is_some() %>
    // start, and time of a start, of a collective
    input  wire        go_i,
    input  wire        tick_i,
<%- else %>
    // start of a collective
    input  wire        go_i,
<%- endif %>
    // all tiles are ready; the end in all tiles, in any tile; a fault in any tile
    output wire        ready_all_o,
    output wire        done_all_o,
    output wire        done_any_o,
    output wire        fault_o,
    // a register of the start tree has flipped
    output wire        upset_o
);
    localparam TILES = ${ p.tiles }$;
    localparam SW = ${ port.send_bits(p) }$, MW = ${ port.result_bits(p) }$;  // bits of a beat
