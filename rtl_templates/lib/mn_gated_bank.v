`default_nettype none
// A bank of words like mn_bank, whose output is zero unless a word is read: the output can be ORed with others.
//
// A register held at zero by a reset of its own would do that in one line. But the registers of a logic block share
// their reset, so each such bank would need logic blocks of its own. Up to 8 words, the memory has as many rows
// again, which stay zero, and what is not asked for is read there: a LUT RAM has 16 rows anyway. With 16 words the
// gate follows the register, where it often fits into the LUTs behind.
//
// Up to 16 words the register can lie before the memory instead of behind it, at the address: WIDTH registers less, for an answer
// that comes later in its cycle.
module mn_gated_bank #(
    parameter WIDTH = 32,  // bits of a word
    parameter AB    = 4,   // address bits; the bank holds 2**AB words
    parameter LATE  = 0    // 1: up to 16 words the register is at the address
) (
    input  wire             clk_i,
    // write port
    input  wire             we_i,
    input  wire [   AB-1:0] waddr_i,
    input  wire [WIDTH-1:0] wdata_i,
    // read port: rdata_o is the word at raddr_i one cycle earlier if read_i was high then, and zero if not
    input  wire             read_i,
    input  wire [   AB-1:0] raddr_i,
    output wire [WIDTH-1:0] rdata_o
);
    generate
        if (AB <= 3) begin : gen_zero_rows
            reg [WIDTH-1:0] mem [0:(2<<AB)-1];
            wire [AB:0] row = {!read_i, raddr_i};
            integer i;
            initial for (i = 0; i < 2 << AB; i = i + 1) mem[i] = {WIDTH{1'b0}};
            always @(posedge clk_i) if (we_i) mem[{1'b0, waddr_i}] <= wdata_i;
            if (LATE != 0) begin : gen_late
                reg [AB:0] row_q;
                always @(posedge clk_i) row_q <= row;
                assign rdata_o = mem[row_q];
            end else begin : gen_early
                reg [WIDTH-1:0] rdata_q;
                always @(posedge clk_i) rdata_q <= mem[row];
                assign rdata_o = rdata_q;
            end
        end else if (AB == 4) begin : gen_gate
            reg [WIDTH-1:0] mem [0:(1<<AB)-1];
            wire [WIDTH-1:0] rdata;
            reg             read_q;
            always @(posedge clk_i) begin
                if (we_i) mem[waddr_i] <= wdata_i;
                read_q <= read_i;
            end
            if (LATE != 0) begin : gen_late
                reg [AB-1:0] raddr_q;
                always @(posedge clk_i) raddr_q <= raddr_i;
                assign rdata = mem[raddr_q];
            end else begin : gen_early
                reg [WIDTH-1:0] rdata_q;
                always @(posedge clk_i) rdata_q <= mem[raddr_i];
                assign rdata = rdata_q;
            end
            assign rdata_o = {WIDTH{read_q}} & rdata;
        end else begin : gen_reset
            reg [WIDTH-1:0] mem [0:(1<<AB)-1];
            reg [WIDTH-1:0] rdata_q;
            always @(posedge clk_i) begin
                if (we_i) mem[waddr_i] <= wdata_i;
                if (!read_i) rdata_q <= {WIDTH{1'b0}};
                else rdata_q <= mem[raddr_i];
            end
            assign rdata_o = rdata_q;
        end
    endgenerate
endmodule
`default_nettype wire
