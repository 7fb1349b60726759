`default_nettype none
// Sends the result of a self-test as one line of text. TEXT is the line. Each `$` stands for the next letter of PASS
// or FAIL, each `#` for the next decimal digit of the cycles (without leading zeros), each `%` for the next
// hexadecimal digit of the faults.
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
    localparam LEVELS = IB > 4 ? IB - 4 : 0;  // registers between the groups of 16 characters and the character
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
            wire [3:0] value = decimal_q[4*d+:4];
            assign adjusted[4*d+:4] = value >= 4'd5 ? value + 4'd3 : value;
        end
    endgenerate

    always @(posedge clk_i) begin
        binary_q  <= begun_q ? {binary_q[CB-2:0], 1'b0} : cycles_i;
        decimal_q <= begun_q ? {adjusted[4*DIGITS-2:0], binary_q[CB-1]} : {4 * DIGITS{1'b0}};
        bits_q    <= begun_q ? bits_q - 1'b1 : BITS[CTB-1:0];
    end

    // ---- the line, a character in sixteen cycles and until it is taken. Its way from TEXT is one small table or choice a register, with no
    // wide multiplexer that would need look-up tables side by side: in a chip that is full such a place is far away. ----
    reg  [     IB-1:0] index_q;
    reg  [        3:0] step_q;
    reg                end_q;                 // all characters have been offered
    reg                mark_q;                // the character may be one that is replaced
    reg                letter_q, digit_q, hex_q;  // it is `$`, `#`, `%`
    reg  [        7:0] letter_byte_q, digit_byte_q, hex_byte_q, byte_q;
    reg                skip_q, valid_q, over_q, leading_q;
    reg  [       31:0] verdict_q;
    reg  [4*DIGITS-1:0] digits_q;
    reg  [        2:0] count_q;               // digits still to come
    reg  [        7:0] faults_q;
    wire [        7:0] char;
    wire [        3:0] digit = digits_q[4*DIGITS-1-:4];
    wire [        3:0] nibble = faults_q[7:4];
    wire               step_end = step_q == 4'd15;
    wire               over = step_end && (skip_q || (valid_q && ready_i));

    always @(posedge clk_i) begin
        mark_q   <= char[7:3] == 5'h04;
        letter_q <= mark_q && char[2:0] == 3'd4;
        digit_q  <= mark_q && char[2:0] == 3'd3;
        hex_q    <= mark_q && char[2:0] == 3'd5;

        letter_byte_q <= letter_q ? verdict_q[31:24] : char;
        digit_byte_q  <= digit_q ? {4'h3, digit} : letter_byte_q;
        hex_byte_q    <= nibble > 4'd9 ? {4'h6, nibble - 4'd9} : {4'h3, nibble};
        byte_q        <= hex_q ? hex_byte_q : digit_byte_q;
        // a leading zero is left out unless it is the last digit
        skip_q        <= digit_q && leading_q && count_q != 3'd1 && digit == 4'd0;
        end_q         <= index_q == CHARS_END[IB-1:0];
        over_q        <= over;

        if (rst_i) begin
            begun_q   <= 1'b0;
            ready_q   <= 1'b0;
            index_q   <= {IB{1'b0}};
            step_q    <= 4'd0;
            valid_q   <= 1'b0;
        end else if (!ready_q) begin
            begun_q <= done_i;
            ready_q <= begun_q && bits_q == {CTB{1'b0}};
        end else if (!end_q) begin
            if (!step_end || over) step_q <= step_q + 4'd1;
            if (over) index_q <= index_q + 1'b1;
            valid_q <= step_end && !over;
        end

        if (!ready_q) begin
            verdict_q <= pass_i ? "PASS" : "FAIL";
            digits_q  <= decimal_q;
            count_q   <= 3'd5;
            leading_q <= 1'b1;
            faults_q  <= faults_i;
        end else if (over_q) begin
            if (letter_q) verdict_q <= {verdict_q[23:0], 8'd0};
            if (digit_q) begin
                digits_q  <= {digits_q[4*DIGITS-5:0], 4'd0};
                count_q   <= count_q - 3'd1;
                leading_q <= leading_q && digit == 4'd0;
            end
            if (hex_q) faults_q <= {faults_q[3:0], 4'd0};
        end
    end

    // TEXT turned round, so that the first character has index 0, and chosen from, a bit of the index a level
    wire [8*(1<<IB)-1:0] text;
    genvar c, level;
    generate
        for (c = 0; c < 1 << IB; c = c + 1) begin : gen_char
            if (c < CHARS) begin : gen_used
                assign text[8*c+:8] = TEXT[8*(CHARS-1-c)+:8];
            end else begin : gen_spare
                assign text[8*c+:8] = 8'd0;
            end
        end
        for (level = 0; level <= LEVELS; level = level + 1) begin : gen_level
            reg [8*(1<<(LEVELS-level))-1:0] chars_q;
            for (c = 0; c < 1 << (LEVELS - level); c = c + 1) begin : gen_choice
                if (level == 0) begin : gen_first
                    localparam LOW = IB - LEVELS;
                    wire [8*(1<<LOW)-1:0] group = text[8*(c<<LOW)+:8*(1<<LOW)];
                    always @(posedge clk_i) chars_q[8*c+:8] <= group[{index_q[LOW-1:0], 3'd0}+:8];
                end else begin : gen_next
                    always @(posedge clk_i)
                        chars_q[8*c+:8] <= gen_level[level-1].chars_q[16*c+8*index_q[IB-LEVELS+level-1]+:8];
                end
            end
        end
    endgenerate
    assign char = gen_level[LEVELS].chars_q;

    assign valid_o = valid_q;
    assign data_o  = byte_q;
    wire unused = adjusted[4*DIGITS-1];
endmodule
`default_nettype wire
