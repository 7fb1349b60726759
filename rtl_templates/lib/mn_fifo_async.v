`default_nettype none
// A first-in first-out queue of 2**AB words from one clock to another. Each side tells the other how many words it has written or read: a
// number in Gray code, of which one bit changes at a time, over mn_sync. A word stands in the memory two cycles before the reader hears of it.
// All outputs are registers of their side's clock.
//
// Both resets are high together for three cycles of the slower clock at least; afterwards they may fall in any order.
module mn_fifo_async #(
    parameter W  = 8,  // bits of a word
    parameter AB = 4   // address bits, 2 or more
) (
    // write side: the word is taken where valid and ready are high
    input  wire         in_clk_i,
    input  wire         in_rst_i,
    input  wire         in_valid_i,
    output wire         in_ready_o,
    input  wire [W-1:0] in_data_i,
    // read side: likewise
    input  wire         out_clk_i,
    input  wire         out_rst_i,
    output wire         out_valid_o,
    input  wire         out_ready_i,
    output wire [W-1:0] out_data_o
);
    reg [W-1:0] mem [0:(1<<AB)-1];

    // words written and read modulo 2**(AB+1), in binary and in Gray code
    reg  [AB:0] written_q, written_gray_q, read_q, read_gray_q;
    wire [AB:0] written_seen, read_seen;  // the other side's number, some cycles old
    mn_sync #(.W(AB + 1)) u_written (.clk_i(out_clk_i), .d_i(written_gray_q), .q_o(written_seen));
    mn_sync #(.W(AB + 1)) u_read (.clk_i(in_clk_i), .d_i(read_gray_q), .q_o(read_seen));

    // ---- write side ----
    reg         ready_q;
    wire        push = in_valid_i && ready_q;
    wire [AB:0] written = written_q + {{AB{1'b0}}, push};
    wire [AB:0] written_gray = written ^ {1'b0, written[AB:1]};
    // 2**AB words more than were read: the first two bits of the Gray code differ, and no other
    wire [AB:0] full_gray = read_seen ^ {2'b11, {AB - 1{1'b0}}};
    always @(posedge in_clk_i) begin
        if (push) mem[written_q[AB-1:0]] <= in_data_i;
        if (in_rst_i) begin
            written_q      <= {AB + 1{1'b0}};
            written_gray_q <= {AB + 1{1'b0}};
            ready_q        <= 1'b0;
        end else begin
            written_q      <= written;
            written_gray_q <= written_gray;
            ready_q        <= written_gray != full_gray;
        end
    end
    assign in_ready_o = ready_q;

    // ---- read side ----
    reg         valid_q;
    reg [W-1:0] data_q;
    wire        pull = read_gray_q != written_seen && (!valid_q || out_ready_i);
    wire [AB:0] read = read_q + {{AB{1'b0}}, pull};
    always @(posedge out_clk_i) begin
        if (pull) data_q <= mem[read_q[AB-1:0]];
        if (out_rst_i) begin
            read_q      <= {AB + 1{1'b0}};
            read_gray_q <= {AB + 1{1'b0}};
            valid_q     <= 1'b0;
        end else begin
            read_q      <= read;
            read_gray_q <= read ^ {1'b0, read[AB:1]};
            valid_q     <= pull || (valid_q && !out_ready_i);
        end
    end
    assign out_valid_o = valid_q;
    assign out_data_o  = data_q;
endmodule
`default_nettype wire
