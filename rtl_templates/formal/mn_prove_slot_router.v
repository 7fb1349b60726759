// Properties of mn_slot_router, for any rows, any words at its inputs and banks, and any use of the reset.
//
// The comment above an assumption or an assertion is its text: metronoc shows it in its list and when the assertion fails.
//
// Clock, reset: clk_i, rst_i
// Row:          select_i, write_i
// Words:        in_i, bank_i
`default_nettype none

module mn_prove_slot_router #(
    parameter W = 2,  // bits of a word; one is like any other, so a few stand for all
    parameter PARITY = 0,  // as in mn_slot_router
    parameter INPUTS = 2,
    parameter BANKS = 1,
    parameter OUTPUTS = 2,
    parameter USED = 63,  // crosspoints
    // derived, not to be set
    parameter CW = 1 + W,
    parameter SOURCES = INPUTS + BANKS
) (
    input wire                       clk_i,
    input wire                       rst_i,
    input wire [OUTPUTS*SOURCES-1:0] select_i,
    input wire [         INPUTS-1:0] write_i,
    input wire [      INPUTS*CW-1:0] in_i,
    input wire [        BANKS*W-1:0] bank_i
);
  localparam [OUTPUTS*SOURCES-1:0] BUILT = USED;

  wire [OUTPUTS*CW-1:0] out;
  wire [OUTPUTS-1:0] conflict;
  wire [INPUTS-1:0] missing, unexpected, parity;

  mn_slot_router #(
      .W(W),
      .PARITY(PARITY),
      .INPUTS(INPUTS),
      .BANKS(BANKS),
      .OUTPUTS(OUTPUTS),
      .USED(BUILT)
  ) u_router (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .select_i(select_i),
      .write_i(write_i),
      .in_i(in_i),
      .bank_i(bank_i),
      .out_o(out),
      .conflict_o(conflict),
      .missing_o(missing),
      .unexpected_o(unexpected),
      .parity_o(parity)
  );

  // The row of the cycle before, as it counts now; none after reset.
  reg [OUTPUTS*SOURCES-1:0] row;
  reg [INPUTS-1:0] written;
  reg known = 0;
  always @(posedge clk_i) begin
    row     <= rst_i ? 0 : select_i & BUILT;
    written <= rst_i ? 0 : write_i;
    known   <= 1;
  end

  // The first cycle is one of reset.
  always @* if (!known) assume (rst_i);

  genvar i, o, s;
  generate
    for (o = 0; o < OUTPUTS; o = o + 1) begin : gen_output
      wire [SOURCES-1:0] selects = row[o*SOURCES+:SOURCES];
      wire one = (selects & (selects - 1'b1)) == 0;

      // The word of the one source that is selected, or zero.
      reg [CW-1:0] word;
      integer n;
      always @* begin
        word = 0;
        for (n = 0; n < INPUTS; n = n + 1) if (selects[n]) word = in_i[n*CW+:CW];
        for (n = 0; n < BANKS; n = n + 1) if (selects[INPUTS+n]) word = {1'b1, bank_i[n*W+:W]};
      end
      reg [CW-1:0] was_word;
      reg was_one, was_none;
      reg was_known = 0;
      always @(posedge clk_i) begin
        was_word  <= word;
        was_one   <= one && selects != 0;
        was_none  <= selects == 0;
        was_known <= known;
      end
      wire [CW-1:0] now = out[o*CW+:CW];

      always @* begin
        // An output with one source carries the word that this source had a cycle ago.
        if (was_known && was_one) assert (now == was_word);
        // An output without a source is idle and zero.
        if (was_known && was_none) assert (now == 0);
        // conflict_o rises exactly for an output that is to take two sources or more.
        if (known) assert (conflict[o] == !one);
      end
    end

    for (i = 0; i < INPUTS; i = i + 1) begin : gen_input
      wire [OUTPUTS-1:0] takes;
      for (o = 0; o < OUTPUTS; o = o + 1) begin : gen_take
        assign takes[o] = row[o*SOURCES+i];
      end
      wire expected = written[i] || takes != 0;
      wire valid = in_i[i*CW+W];
      always @* begin
        // missing_o rises exactly for an input whose word is wanted and does not come.
        if (known) assert (missing[i] == (expected && !valid));
        // unexpected_o rises exactly for an input whose word nobody wants.
        if (known) assert (unexpected[i] == (valid && !expected));
        // parity_o rises exactly for a word with an odd number of ones, where there is parity.
        assert (parity[i] == (PARITY != 0 && valid && ^in_i[i*CW+:W]));
      end
    end
  endgenerate

endmodule

`default_nettype wire
