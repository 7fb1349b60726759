`default_nettype none
// A tile of a product with its program, for the tile form of the co-simulation: constants of the tile come in by place_i.
module mn_node (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire [${ p.tile_bits - 1 }$:0] tile_i,
    input  wire [${ constant_bits - 1 }$:0] place_i,
    // the host ring
    input  wire [${ p.flit_bits - 1 }$:0] ring_i,
    output wire [${ p.flit_bits - 1 }$:0] ring_o,
    // start and end of the collective
    input  wire        go_i,
    input  wire        go_swap_i,
    output wire        done_o,
    // channels
    input  wire [${ p.local_bits() - 1 }$:0] local_i,
    input  wire [${ p.global_bits() - 1 }$:0] global_i,
    output wire [${ p.local_bits() - 1 }$:0] local_o,
    output wire [${ p.global_bits() - 1 }$:0] global_o,
    output wire        fault_o
);
    localparam WIDTH = ${ width }$;
    reg  rst_q, rst_program_q;
    wire [WIDTH-1:0] row;
    wire wrong_row;
    always @(posedge clk_i) begin
        rst_q         <= rst_i;
        rst_program_q <= rst_q;
    end
<% if counter %>
    mn_product_counter u_program (
        .clk_i(clk_i), .rst_i(rst_program_q), .go_i(go_i), .steps_i(place_i[${ constant_bits - 1 }$:${ steps_at }$]),
        .row_o(row), .done_o(done_o), .wrong_o(wrong_row)
    );
<% else %>
    mn_product_program #(.ROWS(${ rows }$), .WIDTH(WIDTH), .DRAIN(${ drain }$), .GUARD(${ u32::from(*p.parity) }$)) u_program (
        .clk_i(clk_i), .rst_i(rst_program_q), .go_i(go_i), .row_o(row), .done_o(done_o), .wrong_o(wrong_row)
    );
<% endif %>
    mn_product_tile #(
        ${ parameters }$
    ) u_tile (
        .clk_i(clk_i), .rst_i(rst_i), .tile_i(tile_i),
<% for c in constants %>
        .${ c.0 }$(place_i[${ c.1 }$+:${ c.2 }$]),
<% endfor %>
        .ring_i(ring_i), .ring_o(ring_o), .go_i(go_i), .go_swap_i(go_swap_i), .wrong_row_i(wrong_row), .row_i(row),
        .local_i(local_i), .global_i(global_i), .local_o(local_o), .global_o(global_o), .fault_o(fault_o)
    );
endmodule
`default_nettype wire
