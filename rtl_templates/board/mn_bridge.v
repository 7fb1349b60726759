`default_nettype none
// Brings the streams of a network to a byte line. Both directions speak in frames, numbers with the lowest byte first:
//   kind (1 byte), tile (2), count (2), then count words of DW / 8 bytes.
// In: every word is a beat of this kind to this tile, as mn_host takes them; a frame without words does nothing, and
// one of kind 7 resets the network. A line that is silent for 2**IDLE cycles ends an unfinished frame.
// Out: a frame for each tile of a drain (kind 3) or status (kind 4). Bit 7 of the kind: the network reports a fault.
// Bit 6: bytes came faster than the network took them, and were lost. The other side may be ahead by 2**FB bytes of
// what the network takes: while it drains, that is all it may send.
module mn_bridge #(
    parameter DW    = 32,  // bits of a word
    parameter TB    = 5,   // bits of a tile number, at most 16
    parameter SET   = 18,  // words that a tile gives after a collective
    parameter FB    = 4,   // address bits of the byte queue
    parameter IDLE  = 18   // see above
) (
    input  wire          clk_i,
    input  wire          rst_i,
    output wire          network_rst_o,
    // the line
    input  wire          rx_valid_i,
    input  wire [   7:0] rx_data_i,
    output wire          tx_valid_o,
    input  wire          tx_ready_i,
    output wire [   7:0] tx_data_o,
    // to the network
    output wire          s_axis_tvalid,
    input  wire          s_axis_tready,
    output wire [DW-1:0] s_axis_tdata,
    output wire [TB+2:0] s_axis_tdest,
    // from the network
    input  wire          m_axis_tvalid,
    output wire          m_axis_tready,
    input  wire [DW-1:0] m_axis_tdata,
    input  wire [TB-1:0] m_axis_tid,
    input  wire          m_axis_tuser,
    input  wire          m_axis_tlast,
    input  wire          fault_i
);
    localparam BYTES  = DW / 8;
    localparam BB     = BYTES > 1 ? $clog2(BYTES) : 1;
    localparam PIECES = (64 + DW - 1) / DW;
    localparam [31:0] BYTE_LAST = BYTES - 1, SET_COUNT = SET, PIECE_COUNT = PIECES, ROOM = 1 << FB;
    localparam [2:0] RESET = 3'd7;

    // ---- bytes that wait ----
    reg        lost_q;
    reg [FB:0] room_q;   // free places of the queue
    wire       byte_valid, byte_ready;
    wire [7:0] byte_data;
    wire       push = rx_valid_i && room_q != {FB + 1{1'b0}};
    wire       pop  = byte_valid && byte_ready;

    wire unused_wrong;
    mn_fifo #(.W(8), .AB(FB)) u_bytes (
        .clk_i(clk_i), .rst_i(rst_i), .push_i(push), .data_i(rx_data_i),
        .valid_o(byte_valid), .ready_i(byte_ready), .data_o(byte_data), .wrong_o(unused_wrong)
    );

    // ---- frames in ----
    reg  [   2:0] field_q;     // 0 kind, 1 and 2 tile, 3 and 4 count, 5 words
    reg  [   2:0] kind_q;
    reg  [  15:0] tile_q, count_q;
    reg  [BB-1:0] byte_q;      // of the word
    reg  [DW-1:0] word_q;
    reg           valid_q;     // a whole word is in word_q
    wire [DW+7:0] word_next = {byte_data, word_q};  // lowest byte first: bytes enter from above
    reg  [IDLE:0] idle_q;
    reg  [   4:0] reset_q;     // cycles of reset still to come
    wire          word_end = byte_q == BYTE_LAST[BB-1:0];
    wire          silent   = idle_q[IDLE] && !byte_valid && !valid_q;
    wire [  15:0] count    = {byte_data, count_q[15:8]};

    assign byte_ready = !valid_q;

    always @(posedge clk_i) begin
        if (rst_i) begin
            lost_q  <= 1'b0;
            room_q  <= ROOM[FB:0];
            field_q <= 3'd0;
            byte_q  <= {BB{1'b0}};
            valid_q <= 1'b0;
            idle_q  <= {IDLE + 1{1'b0}};
            reset_q <= 5'd31;
        end else begin
            room_q <= room_q - {{FB{1'b0}}, push} + {{FB{1'b0}}, pop};
            if (rx_valid_i) idle_q <= {IDLE + 1{1'b0}};
            else if (!idle_q[IDLE]) idle_q <= idle_q + 1'b1;
            if (rx_valid_i && !push) lost_q <= 1'b1;
            else if (reset_q != 5'd0) lost_q <= 1'b0;
            if (reset_q != 5'd0) reset_q <= reset_q - 5'd1;

            if (valid_q && s_axis_tready) begin
                valid_q <= 1'b0;
                count_q <= count_q - 16'd1;
                if (count_q == 16'd1) field_q <= 3'd0;
            end else if (silent) begin
                field_q <= 3'd0;
                byte_q  <= {BB{1'b0}};
            end else if (pop) begin
                case (field_q)
                    3'd0: kind_q <= byte_data[2:0];
                    3'd1, 3'd2: tile_q <= {byte_data, tile_q[15:8]};
                    3'd3, 3'd4: count_q <= count;
                    default: ;
                endcase
                if (field_q < 3'd4) field_q <= field_q + 3'd1;
                if (field_q == 3'd4) field_q <= count == 16'd0 ? 3'd0 : 3'd5;
                if (field_q == 3'd4 && kind_q == RESET) begin
                    reset_q <= 5'd31;
                    field_q <= 3'd0;
                end
                if (field_q == 3'd5) begin
                    byte_q  <= word_end ? {BB{1'b0}} : byte_q + 1'b1;
                    valid_q <= word_end;
                end
            end
        end
        if (pop && field_q == 3'd5) word_q <= word_next[DW+7:8];
    end

    assign s_axis_tvalid = valid_q;
    assign s_axis_tdata  = word_q;
    assign s_axis_tdest  = {kind_q, tile_q[TB-1:0]};
    assign network_rst_o = reset_q != 5'd0;

    // ---- frames out: five bytes before the first word of a tile ----
    reg  [  15:0] left_q;      // words of the frame still to come
    reg  [DW+39:0] out_q;      // what is still to be sent of header and word, next byte lowest
    reg  [   3:0] bytes_q;     // how many bytes that is
    localparam [31:0] HEADED = BYTES + 5, BARE = BYTES;
    wire          first = left_q == 16'd0;
    wire          take  = m_axis_tvalid && bytes_q == 4'd0;
    wire [  15:0] tid   = {{16 - TB{1'b0}}, m_axis_tid};
    wire [  15:0] words = m_axis_tuser ? PIECE_COUNT[15:0] : SET_COUNT[15:0];

    always @(posedge clk_i) begin
        if (network_rst_o) begin
            left_q  <= 16'd0;
            bytes_q <= 4'd0;
        end else if (take) begin
            left_q  <= (first ? words : left_q) - 16'd1;
            bytes_q <= first ? HEADED[3:0] : BARE[3:0];
        end else if (tx_valid_o && tx_ready_i) bytes_q <= bytes_q - 4'd1;
        if (take && first) begin
            out_q <= {m_axis_tdata, words, tid, fault_i, lost_q, 3'd0, m_axis_tuser ? 3'd4 : 3'd3};
        end else if (take) out_q <= {40'd0, m_axis_tdata};
        else if (tx_valid_o && tx_ready_i) out_q <= {8'd0, out_q[DW+39:8]};
    end

    assign m_axis_tready = bytes_q == 4'd0;
    assign tx_valid_o    = bytes_q != 4'd0;
    assign tx_data_o     = out_q[7:0];

    wire unused = &{m_axis_tlast, word_next[7:0], tile_q[15:TB]};
endmodule
`default_nettype wire
