`default_nettype none
// Sticky fault bits of a router, and, with LOG = 1, where and when each kind happened first.
// Kinds: 0 conflict (an output was wanted twice), 1 unexpected arrival, 2 missing arrival, 3 parity.
// status_o, byte k < 4: {seen, port} of kind k (the lowest port of the first cycle; 127 without log);
// bytes 4, 5: the cycle of the first fault of any kind, counted from the last go_i, modulo 2**16 (0 without log).
// program_o: {a program was asked for that was not loaded, a row of a slot table was none of the network's}, sticky too.
module mn_fault_log #(
    parameter PORTS = 4,  // ports of each kind; outputs or banks, local ports first
    parameter LOG   = 1   // 1: keep the port and the cycle of the first fault
) (
    input  wire             clk_i,
    input  wire             rst_i,
    input  wire             clear_i,
    input  wire             go_i,
    input  wire [PORTS-1:0] conflict_i,
    input  wire [PORTS-1:0] unexpected_i,
    input  wire [PORTS-1:0] missing_i,
    input  wire [PORTS-1:0] parity_i,
    input  wire             refused_i,
    input  wire             wrong_row_i,
    output wire             fault_o,
    output wire [     47:0] status_o,
    output wire [      1:0] program_o
);
    // inputs of the log are registered once more, so that wide reductions do not limit the clock
    wire [4*PORTS-1:0] fault = {parity_i, missing_i, unexpected_i, conflict_i};
    wire [4*PORTS-1:0] late;
    reg  [        3:0] seen_q;
    reg  [        3:0] now_q;

    mn_stages #(.W(4 * PORTS), .N(LOG), .HEAD(1)) u_late (.clk_i(clk_i), .rst_i(rst_i), .d_i(fault), .q_o(late));

    genvar k;
    generate
        for (k = 0; k < 4; k = k + 1) begin : gen_kind
            always @(posedge clk_i) begin
                now_q[k]  <= |late[k*PORTS+:PORTS];
                seen_q[k] <= !rst_i && !clear_i && (seen_q[k] || now_q[k]);
            end
        end
        if (LOG != 0) begin : gen_log
            reg        go_q;  // as late as the faults
            reg [15:0] cycle_q, first_q;
            always @(posedge clk_i) begin
                go_q    <= go_i;
                cycle_q <= go_q ? 16'd0 : cycle_q + 16'd1;
                if (rst_i || clear_i) first_q <= 16'd0;
                else if (seen_q == 4'd0 && now_q != 4'd0) first_q <= cycle_q;
            end
            assign status_o[47:32] = first_q;
            for (k = 0; k < 4; k = k + 1) begin : gen_port
                reg [6:0] lowest, lowest_q, port_q;
                integer i;
                always @* begin
                    lowest = 7'd0;
                    for (i = PORTS - 1; i >= 0; i = i - 1) if (late[k*PORTS+i]) lowest = i[6:0];
                end
                always @(posedge clk_i) begin
                    lowest_q <= lowest;
                    if (rst_i || clear_i) port_q <= 7'd0;
                    else if (!seen_q[k] && now_q[k]) port_q <= lowest_q;
                end
                assign status_o[8*k+:8] = {seen_q[k], port_q};
            end
        end else begin : gen_no_log
            assign status_o[47:32] = 16'd0;
            for (k = 0; k < 4; k = k + 1) begin : gen_port
                assign status_o[8*k+:8] = {seen_q[k], 7'd127};
            end
            wire unused = go_i;
        end
    endgenerate

    reg [1:0] program_q;
    always @(posedge clk_i) program_q <= rst_i || clear_i ? 2'd0 : program_q | {refused_i, wrong_row_i};

    assign program_o = program_q;
    assign fault_o   = |seen_q || |program_q;
endmodule
`default_nettype wire
