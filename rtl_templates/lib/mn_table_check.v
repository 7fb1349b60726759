`default_nettype none
// The check byte of a network's slot tables, which begins every row of their images. A row with another byte is from an image that
// was not found, or from another network's. metronoc writes CHECK, a hash of all images, into each network's copy of this file. Bit 1 of
// the hash is 1. Bit 0 is not the hash's: in a row's byte it is 1 if an even number of the row's bits are 1. Where words have parity,
// metronoc writes ROWS as 1, and a bit of a row that flips is found, too.
module mn_table_check #(
    parameter DIGITS = 8  // bits of a row, in whole hexadecimal digits
) (
    input  wire              clk_i,
    input  wire        [7:0] found_i,   // the byte of the row that is read
    input  wire [DIGITS-1:0] digits_i,  // that row
    output wire              wrong_o,   // they do not belong together, or not to the network; a cycle later, with ROWS two
    output wire        [7:0] check_o    // for rows that the host loads
);
    localparam [7:0] CHECK = 8'h00;
    localparam ROWS = 0;
    localparam GROUPS = (DIGITS + 15) / 16;  // of bits that one register counts
    wire same = found_i[7:1] == CHECK[7:1];
    wire even;  // the row of the cycle before has the parity that its byte says
    wire told;
    reg  wrong_q;

    generate
        if (ROWS != 0) begin : gen_rows
            wire [16*GROUPS-1:0] padded;
            if (16 * GROUPS > DIGITS) begin : gen_padding
                assign padded = {{16 * GROUPS - DIGITS{1'b0}}, digits_i};
            end else begin : gen_whole
                assign padded = digits_i;
            end
            reg [GROUPS-1:0] odd_q;
            reg even_q, same_q;
            integer i;
            always @(posedge clk_i) begin
                for (i = 0; i < GROUPS; i = i + 1) odd_q[i] <= ^padded[i*16+:16];
                even_q <= found_i[0];
                same_q <= same;
            end
            assign even = ^{odd_q, even_q};
            assign told = same_q;
        end else begin : gen_network
            assign even = 1'b1;
            assign told = same;
            wire unused = &{found_i[0], digits_i};
        end
    endgenerate

    // in a simulation, an unknown bit takes the second branch
    always @(posedge clk_i) begin
        if (told && even) wrong_q <= 1'b0;
        else wrong_q <= 1'b1;
    end

    assign wrong_o = wrong_q;
    assign check_o = CHECK;
endmodule
`default_nettype wire
