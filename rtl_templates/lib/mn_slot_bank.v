`default_nettype none
// A bank of a slot-table endpoint: words of one input, of an operator or of the host. One write port, one read port with a registered
// output. A word can be read from the cycle after the one that writes it; with FORWARD also in the very cycle, if the row says so.
module mn_slot_bank #(
    parameter W       = 32,  // bits of a word
    parameter DEPTH   = 4,   // words, at least 1
    parameter FORWARD = 0,   // 1: the word that is being written can be read
    // derived, not to be set
    parameter AB = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  wire          clk_i,
    // write port
    input  wire          write_i,
    input  wire [AB-1:0] waddr_i,
    input  wire [ W-1:0] wdata_i,
    // read port: word_o is, one cycle later, the word at raddr_i, or the one that is being written
    input  wire          forward_i,
    input  wire [AB-1:0] raddr_i,
    output wire [ W-1:0] word_o
);
    reg  [W-1:0] word_q;
    wire [W-1:0] read;

    generate
        if (DEPTH > 1) begin : gen_memory
            reg [W-1:0] mem [0:DEPTH-1];
            always @(posedge clk_i) if (write_i) mem[waddr_i] <= wdata_i;
            assign read = mem[raddr_i];
        end else begin : gen_one
            reg [W-1:0] one_q;
            always @(posedge clk_i) if (write_i) one_q <= wdata_i;
            assign read = one_q;
            wire unused = &{waddr_i, raddr_i};
        end
        if (FORWARD != 0) begin : gen_forward
            always @(posedge clk_i) word_q <= forward_i ? wdata_i : read;
        end else begin : gen_plain
            always @(posedge clk_i) word_q <= read;
            wire unused_forward = forward_i;
        end
    endgenerate

    assign word_o = word_q;
endmodule
`default_nettype wire
