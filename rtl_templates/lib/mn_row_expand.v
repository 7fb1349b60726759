`default_nettype none
// A row of a counter program as the slot table would hold it. The row is vectors i = 0..length-1 of (gamma+i, key+i,
// other+i), each sum wrapping inside the aligned block that its start lies in. Local entries are for ports key = 1..M-1:
// {valid, gamma, other}; global entries are for ports gamma = 0..K-1, of vectors with key = 0: {valid, other}.
// Send rows have key = delta and other = pi, receive rows key = pi and other = delta. row_o comes one cycle later.
module mn_row_expand #(
    parameter K = 2,             // cabinets: global ports
    parameter M = 3,             // routers a drawer: local ports + 1
    parameter GLOBAL_BLOCK = 2,  // gamma wraps in blocks of this size; divides K
    parameter LOCAL_BLOCK  = 3,  // key and other wrap in blocks of this size; divides M
    parameter LOCAL = 1,         // 1: local entries, 0: global entries
    parameter NB    = 2,         // bits of the length
    parameter GUARD = 0,         // 1: a bit that flips is reported
    // derived, not to be set
    parameter GB = K > 1 ? $clog2(K) : 1,
    parameter PB = $clog2(M),
    parameter RW = LOCAL != 0 ? (M - 1) * (1 + GB + PB) : K * (1 + PB)
) (
    input  wire          clk_i,
    input  wire          rst_i,
    input  wire [GB-1:0] gamma_i,
    input  wire [PB-1:0] key_i,
    input  wire [PB-1:0] other_i,
    input  wire [NB-1:0] length_i,
    output wire [RW-1:0] row_o,
    output wire          wrong_o
);
    localparam IB = (GB > PB ? GB : PB) + 1;  // bits that hold any number here, and twice a block

    wire [RW-1:0] row_d;
    reg  [RW-1:0] row_q;
    always @(posedge clk_i) row_q <= row_d;
    assign row_o = row_q;
    mn_guard #(.ON(GUARD)) u_guard (.clk_i(clk_i), .rst_i(rst_i), .given_i(^row_d), .kept_i(^row_q), .wrong_o(wrong_o));

    // start + i inside the aligned block of start
    function [IB-1:0] wrapped(input [IB-1:0] start, input [IB-1:0] i, input [31:0] block, input [31:0] size);
        reg [IB-1:0] base, sum;
        begin
            base = block == size ? {IB{1'b0}} : start / block[IB-1:0] * block[IB-1:0];
            sum  = start - base + i;
            if (sum >= block[IB-1:0]) sum = sum - block[IB-1:0];
            wrapped = base + sum;
        end
    endfunction

    // which vector has value `at` if vector 0 has value `start`; block (no vector) if `at` lies in another block
    function [IB-1:0] vector_at(input [IB-1:0] at, input [IB-1:0] start, input [31:0] block, input [31:0] size);
        reg same;
        begin
            same = block == size || at / block[IB-1:0] == start / block[IB-1:0];
            vector_at = !same ? block[IB-1:0] : at >= start ? at - start : at + block[IB-1:0] - start;
        end
    endfunction

    wire [IB-1:0] gamma  = {{IB - GB{1'b0}}, gamma_i};
    wire [IB-1:0] key    = {{IB - PB{1'b0}}, key_i};
    wire [IB-1:0] other  = {{IB - PB{1'b0}}, other_i};
    wire [IB:0]   length = {{IB + 1 - NB{1'b0}}, length_i};

    genvar e;
    generate
        if (LOCAL != 0) begin : gen_local
            for (e = 1; e < M; e = e + 1) begin : gen_entry
                localparam [31:0] PORT = e;
                wire [IB-1:0] i = vector_at(PORT[IB-1:0], key, LOCAL_BLOCK, M);
                wire [IB-1:0] g = wrapped(gamma, i, GLOBAL_BLOCK, K);
                wire [IB-1:0] o = wrapped(other, i, LOCAL_BLOCK, M);
                assign row_d[(e-1)*(1+GB+PB)+:1+GB+PB] = {{1'b0, i} < length, g[GB-1:0], o[PB-1:0]};
                wire unused = ^{g[IB-1:GB], o[IB-1:PB]};
            end
        end else begin : gen_global
            for (e = 0; e < K; e = e + 1) begin : gen_entry
                localparam [31:0] PORT = e;
                wire [IB-1:0] i = vector_at(PORT[IB-1:0], gamma, GLOBAL_BLOCK, K);
                wire [IB-1:0] k = wrapped(key, i, LOCAL_BLOCK, M);
                wire [IB-1:0] o = wrapped(other, i, LOCAL_BLOCK, M);
                assign row_d[e*(1+PB)+:1+PB] = {{1'b0, i} < length && k == {IB{1'b0}}, o[PB-1:0]};
                wire unused = ^o[IB-1:PB];
            end
        end
    endgenerate
endmodule
`default_nettype wire
