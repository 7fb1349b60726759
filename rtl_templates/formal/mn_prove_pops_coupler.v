// Properties of mn_pops_coupler, for any requests and data, any use of hold_i and of the reset.
//
// In modes 1 and 2 it is proved that the word follows the grant; whom the arbiters grant is a proof of their own.
//
// The comment above an assumption or an assertion is its text: metronoc shows it in its list and when the assertion fails.
//
// Clock, reset: clk_i, rst_i
// Senders:      request_i, data_i, hold_i
`default_nettype none

module mn_prove_pops_coupler #(
    parameter D = 4,  // as in mn_pops_coupler
    parameter W = 2,  // bits of a word; one is like any other, so a few stand for all
    parameter MODE = 0,  // as in mn_pops_coupler
    parameter CW = 5  // width of a number of senders
) (
    input wire           clk_i,
    input wire           rst_i,
    input wire [  D-1:0] request_i,
    input wire [D*W-1:0] data_i,
    input wire           hold_i
);

  wire [D-1:0] grant;
  wire valid, collision;
  wire [W-1:0] data;

  mn_pops_coupler #(
      .D   (D),
      .W   (W),
      .MODE(MODE)
  ) u_coupler (
      .clk_i      (clk_i),
      .rst_i      (rst_i),
      .request_i  (request_i),
      .data_i     (data_i),
      .hold_i     (hold_i),
      .grant_o    (grant),
      .valid_o    (valid),
      .data_o     (data),
      .collision_o(collision)
  );

  // Inside the coupler, in modes 1 and 2; joined by their names when the design is flattened.
  (* hierconn *)
  wire [D-1:0] \u_coupler.gen_arbitrated.last ;
  wire [D-1:0] selects = \u_coupler.gen_arbitrated.last ;

  // Senders of this cycle, and the word of the one with the lowest index.
  reg [CW-1:0] senders;
  reg [W-1:0] word;
  integer i;
  always @* begin
    senders = 0;
    word    = 0;
    for (i = D - 1; i >= 0; i = i - 1) begin
      if (grant[i]) begin
        senders = senders + 1;
        word    = data_i[i*W+:W];
      end
    end
  end

  // Inputs and outputs of the cycle before.
  reg [CW-1:0] were;
  reg [W-1:0] was_word;
  reg was_reset;
  reg known = 0;
  always @(posedge clk_i) begin
    were      <= senders;
    was_word  <= word;
    was_reset <= rst_i;
    known     <= 1;
  end

  // The first cycle is one of reset.
  always @* if (!known) assume (rst_i);

  always @* begin
    // A cycle after reset there is neither a word nor a collision.
    if (known && was_reset) assert (!valid && !collision);
    // There is a word exactly if somebody was granted a cycle ago.
    if (known && !was_reset) assert (valid == (were != 0));
    // The word is of the one that was granted alone a cycle ago.
    if (known && !was_reset && were == 1) assert (data == was_word);
  end

  generate
    if (MODE == 0) begin : gen_scheduled
      always @* begin
        // In scheduled mode every request is granted, and nothing else.
        assert (grant == request_i);
        // In scheduled mode an idle coupler shows zero.
        if (known && were == 0) assert (data == 0);
        // collision_o rises exactly for the word of two senders or more, in scheduled mode.
        if (known && !was_reset) assert (collision == (were > 1));
      end
    end else begin : gen_arbitrated
      // An arbiter never lets two words collide.
      always @* assert (!collision);

      // The last one granted, one-hot, by the grants themselves.
      reg [D-1:0] last;
      always @(posedge clk_i) begin
        if (rst_i) last <= 0;
        else if (grant != 0) last <= grant;
      end
      // The word is selected by the last one granted, which is one or nobody.
      always @* if (known) assert (selects == last && (last & (last - 1)) == 0);
      // Requests alone are granted: without hold somebody's, under hold that of the last one granted.
      always @* if (known) assert ((grant & ~request_i) == 0 && (hold_i ? grant == (request_i & last) : (grant != 0) == (request_i != 0)));
    end
  endgenerate

endmodule

`default_nettype wire
