`default_nettype none
// A tile's stop on the host ring. A flit is {valid, kind, tile, data}; it moves by one register a cycle and leaves
// the stop four cycles after it came. So the answer to a read can replace the request. Kinds: 0 load a word into the
// next place of the memories, 1 load the next piece of the program, 2 read the next word of the receive banks, 3 read
// piece `data` of the status, 4 an answer on its way to the host, 5 clear faults. A flit for tile 2**TB - 1 is for
// every tile (kinds 1 and 5).
module mn_ring_stop #(
    parameter DW = 32,  // bits of a word
    parameter TB = 5,   // bits of a tile number
    parameter GUARD = 0,  // 1: a bit of it that flips is reported
    // derived, not to be set
    parameter FW = 4 + TB + DW
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // coordinates of this tile
    input  wire [TB-1:0] tile_i,
    // the ring
    input  wire [FW-1:0] ring_i,
    output wire [FW-1:0] ring_o,
    // load: load_next_o tells of a word that comes with load_o in the next cycle
    output wire          load_next_o,
    output wire          load_o,
    output wire [DW-1:0] load_data_o,
    // read: the address is wanted in the next cycle
    output wire          read_next_o,
    // a read, or a piece of the status, is wanted; the answer comes one cycle later
    output wire          read_o,
    output wire          status_o,
    output wire [   2:0] piece_o,
    input  wire [DW-1:0] answer_i,
    // program pieces, faults
    output wire          program_o,
    output wire [DW-1:0] program_data_o,
    output wire          clear_o,
    output wire          wrong_o
);
    localparam [2:0] LOAD = 3'd0, PROGRAM = 3'd1, READ = 3'd2, STATUS = 3'd3, ANSWER = 3'd4, CLEAR = 3'd5;

    // stage 1: the flit, decoded; it comes from a register of the previous tile, so there is time for the decoder.
    wire          valid_in = ring_i[FW-1];
    wire [   2:0] kind_in  = ring_i[FW-2-:3];
    wire [TB-1:0] tile_in  = ring_i[DW+:TB];
    wire          mine_in  = valid_in && tile_in == tile_i;
    wire          all_in   = valid_in && tile_in == {TB{1'b1}};
    reg  [FW-1:0] flit_1q;
    reg           load_1q, read_1q, status_1q, program_1q, clear_1q;

    wire          load_in    = mine_in && kind_in == LOAD;
    wire          read_in    = mine_in && kind_in == READ;
    wire          status_in  = mine_in && kind_in == STATUS;
    wire          program_in = (mine_in || all_in) && kind_in == PROGRAM;
    wire          clear_in   = (mine_in || all_in) && kind_in == CLEAR;

    always @(posedge clk_i) begin
        flit_1q    <= ring_i;
        load_1q    <= load_in;
        read_1q    <= read_in;
        status_1q  <= status_in;
        program_1q <= program_in;
        clear_1q   <= clear_in;
    end

    // stage 2: the tile's memories are addressed
    reg [FW-1:0] flit_2q;
    reg          load_2q, read_2q, status_2q, program_2q, clear_2q;

    always @(posedge clk_i) begin
        flit_2q    <= flit_1q;
        load_2q    <= load_1q;
        read_2q    <= read_1q;
        status_2q  <= status_1q;
        program_2q <= program_1q;
        clear_2q   <= clear_1q;
    end

    assign load_next_o    = load_1q;
    assign load_o         = load_2q;
    assign load_data_o    = flit_2q[DW-1:0];
    assign read_next_o    = read_1q;
    assign program_o      = program_2q;
    assign program_data_o = flit_2q[DW-1:0];
    assign clear_o        = clear_2q;

    // stage 3: the banks or the status answer; stage 4: the answer takes the flit's place, with the same tile
    reg [FW-1:0] flit_3q, flit_4q;
    reg          answer_3q;

    // No flit leaves in reset, so in as many cycles as a tile has stages the next tile has none.
    wire [FW-1:0] flit_out = {
        flit_3q[FW-1] && !rst_i, answer_3q ? ANSWER : flit_3q[FW-2-:3], flit_3q[DW+:TB], answer_3q ? answer_i : flit_3q[DW-1:0]
    };

    always @(posedge clk_i) begin
        flit_3q   <= flit_2q;
        answer_3q <= read_2q || status_2q;
        flit_4q   <= flit_out;
    end

    mn_guard #(.ON(GUARD)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i),
        .given_i(^{ring_i, load_in, read_in, status_in, program_in, clear_in, flit_1q, load_1q, read_1q, status_1q, program_1q, clear_1q,
                   flit_2q, read_2q || status_2q, flit_out}),
        .kept_i(^{flit_1q, load_1q, read_1q, status_1q, program_1q, clear_1q, flit_2q, load_2q, read_2q, status_2q, program_2q, clear_2q,
                  flit_3q, answer_3q, flit_4q}),
        .wrong_o(wrong_o)
    );

    assign read_o   = read_2q;
    assign status_o = status_2q;
    assign piece_o  = flit_2q[2:0];
    assign ring_o   = flit_4q;
endmodule
`default_nettype wire
