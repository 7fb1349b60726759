`default_nettype none
// Output of a slot-table router: the source that is selected, or zero, one cycle later. Crosspoints are built where USED has a bit.
//
// With three sources or more each crosspoint has a register, which drop_i holds in reset. This needs no LUT if drop_i
// comes directly from a register. The output is the OR of these registers: ceil((n-1)/3) LUT4 a bit for n sources.
// With one or two the AND-OR lies before the one register: at most one LUT4 a bit. If two sources are selected at
// once the output is the OR of both.
module mn_slot_output #(
    parameter CW      = 33,  // bits of a channel: {valid, word}
    parameter SOURCES = 4,   // sources, at least 1
    parameter [SOURCES-1:0] USED = {SOURCES{1'b1}}  // those that can be selected
) (
    input  wire                  clk_i,
    input  wire [   SOURCES-1:0] drop_i,    // sources that are not selected: all but one, or all
    input  wire [SOURCES*CW-1:0] sources_i, // source n at [n*CW +: CW]
    output wire [        CW-1:0] out_o
);
    function integer count(input [SOURCES-1:0] bits);
        integer source;
        begin
            count = 0;
            for (source = 0; source < SOURCES; source = source + 1) if (bits[source]) count = count + 1;
        end
    endfunction
    localparam EARLY = count(USED) < 3 ? 1 : 0;  // the AND-OR lies before the register

    wire [SOURCES*CW-1:0] terms;
    wire [CW-1:0] any;

    genvar n;
    generate
        for (n = 0; n < SOURCES; n = n + 1) begin : gen_source
            if (!USED[n]) begin : gen_none
                assign terms[n*CW+:CW] = {CW{1'b0}};
                wire unused = &{drop_i[n], sources_i[n*CW+:CW]};
            end else if (EARLY != 0) begin : gen_early
                assign terms[n*CW+:CW] = {CW{!drop_i[n]}} & sources_i[n*CW+:CW];
            end else begin : gen_late
                reg [CW-1:0] term_q;
                always @(posedge clk_i) begin
                    if (drop_i[n]) term_q <= {CW{1'b0}};
                    else term_q <= sources_i[n*CW+:CW];
                end
                assign terms[n*CW+:CW] = term_q;
            end
        end
    endgenerate

    mn_or_tree #(.W(CW), .N(SOURCES)) u_any (.terms_i(terms), .any_o(any));

    generate
        if (EARLY != 0) begin : gen_register
            reg [CW-1:0] out_q;
            always @(posedge clk_i) out_q <= any;
            assign out_o = out_q;
        end else begin : gen_through
            assign out_o = any;
        end
    endgenerate
endmodule
`default_nettype wire
