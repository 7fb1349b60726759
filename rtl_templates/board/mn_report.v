`default_nettype none
// Sends the result of a self-test as one line of text. TEXT is the line, in which each `$` stands for the next letter of
// PASS or FAIL, each `#` for the next decimal digit of the cycles (leading zeros are left out), and each `%` for the
// next hexadecimal digit of the faults.
module mn_report #(
    parameter CB    = 16,  // bits of the cycle count
    parameter CHARS = 4,   // characters of TEXT
    parameter [8*CHARS-1:0] TEXT = "$$$$"
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // the result, which stands from done_i on
    input  wire          done_i,
    input  wire          pass_i,
    input  wire [   7:0] faults_i,
    input  wire [CB-1:0] cycles_i,
    // bytes
    output wire          valid_o,
    input  wire          ready_i,
    output wire [   7:0] data_o
);
    localparam DIGITS = 5;
    localparam IB = $clog2(CHARS + 1);
    localparam CTB = $clog2(CB + 1);
    localparam [31:0] CHARS_END = CHARS, BITS = CB;

    // ---- binary to decimal, a bit a cycle: digits of five and more get three, then all move up by one ----
    reg  [CB-1:0]       binary_q;
    reg  [4*DIGITS-1:0] decimal_q;
    reg  [CTB-1:0]      bits_q;    // bits still to convert
    reg                 begun_q, ready_q;
    wire [4*DIGITS-1:0] adjusted;
    genvar d;
    generate
        for (d = 0; d < DIGITS; d = d + 1) begin : gen_digit
            wire [3:0] digit = decimal_q[4*d+:4];
            assign adjusted[4*d+:4] = digit >= 4'd5 ? digit + 4'd3 : digit;
        end
    endgenerate

    // ---- the line: a character is fetched, replaced, and offered ----
    reg [IB-1:0] index_q;
    reg [   1:0] stage_q;   // 0 fetch, 1 replace, 2 offer
    reg [   7:0] char_q, byte_q;
    reg          valid_q, leading_q;
    reg [  31:0] verdict_q;
    reg [   7:0] faults_q;
    wire         is_digit = char_q == "#";
    wire [   3:0] digit = decimal_q[4*DIGITS-1-:4];
    wire [   3:0] nibble = faults_q[7:4];
    // a leading zero is left out unless it is the last digit
    reg  [   2:0] digits_q;
    wire          skip = is_digit && leading_q && digit == 4'd0 && digits_q != 3'd1;

    always @(posedge clk_i) begin
        if (rst_i) begin
            begun_q   <= 1'b0;
            ready_q   <= 1'b0;
            index_q   <= {IB{1'b0}};
            stage_q   <= 2'd0;
            valid_q   <= 1'b0;
            leading_q <= 1'b1;
            digits_q  <= 3'd5;
        end else if (!ready_q) begin
            begun_q <= done_i;
            ready_q <= begun_q && bits_q == {CTB{1'b0}};
        end else if (valid_q) begin
            if (ready_i) valid_q <= 1'b0;
        end else if (index_q != CHARS_END[IB-1:0]) begin
            stage_q <= stage_q == 2'd2 ? 2'd0 : stage_q + 2'd1;
            if (stage_q == 2'd1 && is_digit) begin
                digits_q  <= digits_q - 3'd1;
                leading_q <= leading_q && digit == 4'd0;
            end
            if (stage_q == 2'd1) valid_q <= !skip;
            if (stage_q == 2'd2) index_q <= index_q + 1'b1;
        end

        if (!begun_q) begin
            binary_q  <= cycles_i;
            decimal_q <= {4 * DIGITS{1'b0}};
            bits_q    <= BITS[CTB-1:0];
            verdict_q <= pass_i ? "PASS" : "FAIL";
            faults_q  <= faults_i;
        end else if (bits_q != {CTB{1'b0}}) begin
            {decimal_q, binary_q} <= {adjusted[4*DIGITS-2:0], binary_q, 1'b0};
            bits_q <= bits_q - 1'b1;
        end else if (ready_q && !valid_q && stage_q == 2'd1) begin
            byte_q <= char_q;
            if (char_q == "$") begin
                byte_q    <= verdict_q[31:24];
                verdict_q <= {verdict_q[23:0], 8'd0};
            end
            if (is_digit) begin
                byte_q    <= {4'h3, digit};
                decimal_q <= {decimal_q[4*DIGITS-5:0], 4'd0};
            end
            if (char_q == "%") begin
                byte_q   <= nibble > 4'd9 ? {4'h6, nibble - 4'd9} : {4'h3, nibble};
                faults_q <= {faults_q[3:0], 4'd0};
            end
        end
        // The last character of TEXT is its lowest byte.
        if (stage_q == 2'd0) char_q <= text[{index_q, 3'd0}+:8];
    end

    // TEXT turned round, so that the first character has index 0
    wire [8*(1<<IB)-1:0] text;
    genvar c;
    generate
        for (c = 0; c < 1 << IB; c = c + 1) begin : gen_char
            if (c < CHARS) begin : gen_used
                assign text[8*c+:8] = TEXT[8*(CHARS-1-c)+:8];
            end else begin : gen_spare
                assign text[8*c+:8] = 8'd0;
            end
        end
    endgenerate

    assign valid_o = valid_q;
    assign data_o  = byte_q;
    wire unused = adjusted[4*DIGITS-1];
endmodule
`default_nettype wire
