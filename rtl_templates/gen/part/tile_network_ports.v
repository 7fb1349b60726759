    input  wire        clk_i,
    input  wire        rst_i,
    // streams of the tiles, tile 0 in the low position: words of the cores, and their results
    input  wire [${ p.tiles - 1 }$:0] s_axis_tvalid,
    output wire [${ p.tiles - 1 }$:0] s_axis_tready,
    input  wire [${ p.tiles * p.data_bits - 1 }$:0] s_axis_tdata,
    input  wire [${ p.tiles * p.data_bits / 8 - 1 }$:0] s_axis_tkeep,
    input  wire [${ p.tiles - 1 }$:0] s_axis_tlast,
    input  wire [${ p.tiles * p.tile_bits - 1 }$:0] s_axis_tdest,
    output wire [${ p.tiles - 1 }$:0] m_axis_tvalid,
    input  wire [${ p.tiles - 1 }$:0] m_axis_tready,
    output wire [${ p.tiles * p.data_bits - 1 }$:0] m_axis_tdata,
    output wire [${ p.tiles * p.data_bits / 8 - 1 }$:0] m_axis_tkeep,
    output wire [${ p.tiles - 1 }$:0] m_axis_tlast,
    output wire [${ p.tiles * p.tile_bits - 1 }$:0] m_axis_tid,
    // faults of the tiles by name, eight bits each, see mn_tile_port
    output wire [${ 8 * p.tiles - 1 }$:0] tile_fault_o,
    // start, and time of a start, of a collective
    input  wire        go_i,
    input  wire        tick_i,
    // all tiles are ready; the end in all tiles, in any tile; a fault in any tile
    output wire        ready_all_o,
    output wire        done_all_o,
    output wire        done_any_o,
    output wire        fault_o
);
    localparam TILES = ${ p.tiles }$;
    localparam DW = ${ p.data_bits }$;  // bits of a word
    localparam KW = ${ p.data_bits / 8 }$;   // bytes of a word
    localparam TB = ${ p.tile_bits }$;   // bits of a tile number
