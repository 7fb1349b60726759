    input  wire        clk_i,
    input  wire        rst_i,
    // the host ring: into the first tile, out of the last
    input  wire [${ p.flit_bits - 1 }$:0] ring_i,
    output wire [${ p.flit_bits - 1 }$:0] ring_o,
    // ${ start }$
    input  wire        go_i,
    input  wire        go_buffer_i,
    input  wire        go_swap_i,
    input  wire [ 7:0] go_version_i,
    // its end in all tiles, in any tile; a fault in any tile
    output wire        done_all_o,
    output wire        done_any_o,
    output wire        fault_o,
    // a register of the start tree has flipped
    output wire        upset_o
);
    localparam TILES = ${ p.tiles }$;
    localparam FW = ${ p.flit_bits }$;    // a flit of the host ring
