`default_nettype none
// A stream's registers in both directions: a queue of two words that comes between, so that neither side waits for the
// other within a cycle. A word a cycle passes.
module mn_slice #(
    parameter W = 8  // bits of a word
) (
    input  wire         clk_i,
    input  wire         rst_i,
    // in: the word is taken where both are high
    input  wire         valid_i,
    output wire         ready_o,
    input  wire [W-1:0] data_i,
    // out: likewise
    output wire         valid_o,
    input  wire         ready_i,
    output wire [W-1:0] data_o
);
    reg         valid_q, spare_valid_q, ready_q;
    reg [W-1:0] data_q, spare_q;
    wire        move = !valid_q || ready_i;

    always @(posedge clk_i) begin
        if (ready_q) spare_q <= data_i;
        if (move) data_q <= spare_valid_q ? spare_q : data_i;
        if (rst_i) begin
            valid_q       <= 1'b0;
            spare_valid_q <= 1'b0;
            ready_q       <= 1'b0;
        end else begin
            if (move) valid_q <= spare_valid_q || (valid_i && ready_q);
            spare_valid_q <= !move && (spare_valid_q || (valid_i && ready_q));
            ready_q       <= move || (!spare_valid_q && !(valid_i && ready_q));
        end
    end

    assign ready_o = ready_q;
    assign valid_o = valid_q;
    assign data_o  = data_q;
endmodule
`default_nettype wire
