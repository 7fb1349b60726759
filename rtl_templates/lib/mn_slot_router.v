`default_nettype none
// Slot-table router: a crossbar that follows the rows of a table. In the cycle after its row an output takes the word
// of one source. A source is an input, whose word arrives in that cycle, or a bank, which has the word that the row
// has read. Several outputs may take one word.
//
// Sources are the inputs and, behind them, the banks. A row selects the source of each output, one bit a crosspoint, and which inputs'
// words are written to banks. Its registers are here; a word selected in cycle t leaves in t + 1.
//
// Faults, one cycle after the row's: an output with two sources (conflict); an input whose word is selected or written, and does not come
// (missing); one whose word comes, and is neither (unexpected); a word with broken parity. With PARITY a select that flips here is a conflict.
module mn_slot_router #(
    parameter W       = 32,  // bits of a word, its parity bit included
    parameter PARITY  = 0,   // 1: the topmost bit is the parity of the others
    parameter INPUTS  = 4,   // inputs, at least 1
    parameter BANKS   = 1,   // banks, at least 1
    parameter OUTPUTS = 4,   // outputs, at least 1
    parameter [OUTPUTS*(INPUTS+BANKS)-1:0] USED = {OUTPUTS * (INPUTS + BANKS) {1'b1}},  // crosspoints: source s of output o at [o*SOURCES + s]
    // derived, not to be set
    parameter CW      = 1 + W,
    parameter SOURCES = INPUTS + BANKS
) (
    input  wire                       clk_i,
    input  wire                       rst_i,
    // the row, a cycle before its words: from registers, zero when there is none
    input  wire [OUTPUTS*SOURCES-1:0] select_i,
    input  wire [         INPUTS-1:0] write_i,
    // inputs, {valid, word} each, zero when idle; banks' words
    input  wire [      INPUTS*CW-1:0] in_i,
    input  wire [        BANKS*W-1:0] bank_i,
    // outputs, {valid, word} each, zero when idle
    output wire [     OUTPUTS*CW-1:0] out_o,
    // faults, for one cycle
    output wire [        OUTPUTS-1:0] conflict_o,
    output wire [         INPUTS-1:0] missing_o,
    output wire [         INPUTS-1:0] unexpected_o,
    output wire [         INPUTS-1:0] parity_o
);
    wire [SOURCES*CW-1:0] sources;

    localparam GROUPS = (SOURCES + 3) / 4;  // sources are looked at by four, one LUT4 each

    genvar b, g, i, o;
    generate
        for (i = 0; i < INPUTS; i = i + 1) begin : gen_input
            assign sources[i*CW+:CW] = in_i[i*CW+:CW];
        end
        for (b = 0; b < BANKS; b = b + 1) begin : gen_bank
            assign sources[(INPUTS+b)*CW+:CW] = {1'b1, bank_i[b*W+:W]};
        end

        for (o = 0; o < OUTPUTS; o = o + 1) begin : gen_output
            localparam [SOURCES-1:0] OWN = USED[o*SOURCES+:SOURCES];
            wire [SOURCES-1:0] select = select_i[o*SOURCES+:SOURCES] & OWN;
            reg  [SOURCES-1:0] drop_q;
            reg                conflict_q;

            // of each group: any source, two or more
            wire [GROUPS-1:0] any, two;
            for (g = 0; g < GROUPS; g = g + 1) begin : gen_group
                wire [3:0] r;
                for (i = 0; i < 4; i = i + 1) begin : gen_request
                    if (4 * g + i < SOURCES) begin : gen_source
                        assign r[i] = select[4*g+i];
                    end else begin : gen_spare
                        assign r[i] = 1'b0;
                    end
                end
                assign any[g] = |r;
                assign two[g] = (r[0] && r[1]) || (r[2] && r[3]) || ((r[0] || r[1]) && (r[2] || r[3]));
            end
            // two or more in a group, or in one and another before it
            reg clash, seen;
            integer n;
            always @* begin
                clash = |two;
                seen  = 1'b0;
                for (n = 0; n < GROUPS; n = n + 1) begin
                    clash = clash | (seen & any[n]);
                    seen  = seen | any[n];
                end
            end
            always @(posedge clk_i) begin
                if (rst_i) drop_q <= {SOURCES{1'b1}};
                else drop_q <= ~select;
                conflict_q <= !rst_i && clash;
            end
            mn_slot_output #(.CW(CW), .SOURCES(SOURCES), .USED(OWN)) u_output (
                .clk_i(clk_i), .drop_i(drop_q), .sources_i(sources), .out_o(out_o[o*CW+:CW])
            );
            wire wrong;
            mn_guard #(.ON(PARITY)) u_guard (.clk_i(clk_i), .rst_i(rst_i), .given_i(^{~select}), .kept_i(^drop_q), .wrong_o(wrong));
            assign conflict_o[o] = conflict_q || wrong;
        end

        for (i = 0; i < INPUTS; i = i + 1) begin : gen_fault
            wire [OUTPUTS-1:0] takes;
            for (o = 0; o < OUTPUTS; o = o + 1) begin : gen_take
                assign takes[o] = select_i[o*SOURCES+i] && USED[o*SOURCES+i];
            end
            reg  expected_q;
            wire valid = in_i[i*CW+W];
            always @(posedge clk_i) expected_q <= !rst_i && (write_i[i] || takes != {OUTPUTS{1'b0}});
            assign missing_o[i]    = expected_q && !valid;
            assign unexpected_o[i] = valid && !expected_q;
            if (PARITY != 0) begin : gen_parity
                assign parity_o[i] = valid && ^in_i[i*CW+:W];
            end else begin : gen_no_parity
                assign parity_o[i] = 1'b0;
            end
        end
    endgenerate
endmodule
`default_nettype wire
