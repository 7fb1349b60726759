// Properties of mn_sv_router, for any traffic on the wrapper's inputs and any use of the reset.
//
// The reference goes through the packets of one cycle, each with its header as a number, and puts each where its header says; the router goes
// through its outputs and ANDs header bits with data. What the reference finds is held back XBAR_STAGES cycles, which is when the outputs
// must show it. Nothing is assumed of how often an output is asked for: with two requests or more that one output may show anything, all
// others must still be right, and conflict_o must say so.
//
// The comment above an assumption or an assertion is its text: metronoc shows it in its list and when the assertion fails.
//
// Clock, reset: clk_i, rst_i
// Traffic:      tx_local_pi_i, tx_local_gamma_i, tx_local_data_i, tx_global_pi_i, tx_global_data_i, local_i, global_i
`default_nettype none

module mn_prove_sv_router #(
    parameter K = 2,  // as in mn_sv_router
    parameter M = 3,  // as in mn_sv_router
    parameter W = 3,  // payload width in bits; no bit of it is a header, so a few stand for all
    parameter XBAR_STAGES = 1,  // as in mn_sv_router
    parameter STICKY = 0,  // as in mn_sv_router
    parameter COUNT = 1,  // whether packets are counted; counts of many ports take long to reason about
    parameter LW = M - 1,  // derived, do not set: local ports
    parameter LCW = 1 + M + K + W,  // derived, do not set: width of a local channel
    parameter GCW = M + W,  // derived, do not set: width of a global channel
    parameter OUTS = LW + K,  // derived, do not set: outputs of the router
    parameter CW = 8  // width of a count of packets
) (
    input wire              clk_i,
    input wire              rst_i,
    input wire [  LW*M-1:0] tx_local_pi_i,
    input wire [  LW*K-1:0] tx_local_gamma_i,
    input wire [  LW*W-1:0] tx_local_data_i,
    input wire [   K*M-1:0] tx_global_pi_i,
    input wire [   K*W-1:0] tx_global_data_i,
    input wire [LW*LCW-1:0] local_i,
    input wire [ K*GCW-1:0] global_i
);

  wire [LW*LCW-1:0] local_o;
  wire [ K*GCW-1:0] global_o;
  wire [    LW-1:0] rx_local_valid;
  wire [  LW*W-1:0] rx_local_data;
  wire [     K-1:0] rx_global_valid;
  wire [   K*W-1:0] rx_global_data;
  wire [  OUTS-1:0] conflict;

  mn_sv_router #(
      .K          (K),
      .M          (M),
      .W          (W),
      .XBAR_STAGES(XBAR_STAGES),
      .STICKY     (STICKY)
  ) u_router (
      .clk_i            (clk_i),
      .rst_i            (rst_i),
      .tx_local_pi_i    (tx_local_pi_i),
      .tx_local_gamma_i (tx_local_gamma_i),
      .tx_local_data_i  (tx_local_data_i),
      .tx_global_pi_i   (tx_global_pi_i),
      .tx_global_data_i (tx_global_data_i),
      .local_i          (local_i),
      .global_i         (global_i),
      .local_o          (local_o),
      .global_o         (global_o),
      .rx_local_valid_o (rx_local_valid),
      .rx_local_data_o  (rx_local_data),
      .rx_global_valid_o(rx_global_valid),
      .rx_global_data_o (rx_global_data),
      .conflict_o       (conflict)
  );

  // The place of the only one in a field of pi; M if there is none.
  function integer pi_of(input [M-1:0] field);
    integer n;
    begin
      pi_of = M;
      for (n = M - 1; n >= 0; n = n - 1) if (field[n]) pi_of = n;
    end
  endfunction

  // The place of the only one in a field of gamma; K if there is none.
  function integer gamma_of(input [K-1:0] field);
    integer n;
    begin
      gamma_of = K;
      for (n = K - 1; n >= 0; n = n - 1) if (field[n]) gamma_of = n;
    end
  endfunction

  // Contract of a local channel or a local send bank: nothing at all, the payload of a last hop, or a first hop
  // with one gamma and one pi.
  function legal_local(input [LCW-1:0] flit);
    reg last;
    reg [M-1:0] pi;
    reg [K-1:0] gamma;
    reg [W-1:0] data;
    begin
      {last, pi, gamma, data} = flit;
      if (last) legal_local = pi == 0 && gamma == 0;
      else if (pi == 0 && gamma == 0) legal_local = data == 0;
      else legal_local = pi_of(pi) < M && pi == 1 << pi_of(pi) && gamma_of(gamma) < K && gamma == 1 << gamma_of(gamma);
    end
  endfunction

  // Contract of a global channel or a global send bank: nothing at all, or one pi.
  function legal_global(input [GCW-1:0] flit);
    reg [M-1:0] pi;
    reg [W-1:0] data;
    begin
      {pi, data} = flit;
      if (pi == 0) legal_global = data == 0;
      else legal_global = pi == 1 << pi_of(pi);
    end
  endfunction

  // The reference: where the packets of this cycle go.
  reg [LW*LCW-1:0] to_local;
  reg [K*GCW-1:0] to_global;
  reg [OUTS*CW-1:0] asked;  // requests of each output
  reg [LW-1:0] end_local;
  reg [K-1:0] end_global;
  reg last;
  reg [M-1:0] pi;
  reg [K-1:0] gamma;
  reg [W-1:0] data;
  integer i, to;
  always @* begin
    to_local   = 0;
    to_global  = 0;
    asked      = 0;
    end_local  = 0;
    end_global = 0;
    // A packet in a send bank leaves by the bank's own port, as it is.
    for (i = 0; i < LW; i = i + 1) begin
      pi = tx_local_pi_i[i*M+:M];
      gamma = tx_local_gamma_i[i*K+:K];
      if (pi_of(pi) < M) begin
        to_local[i*LCW+:LCW] = {1'b0, pi, gamma, tx_local_data_i[i*W+:W]};
        asked[i*CW+:CW] = asked[i*CW+:CW] + 1;
      end
    end
    for (i = 0; i < K; i = i + 1) begin
      pi = tx_global_pi_i[i*M+:M];
      if (pi_of(pi) < M) begin
        to_global[i*GCW+:GCW] = {pi, tx_global_data_i[i*W+:W]};
        asked[(LW+i)*CW+:CW]  = asked[(LW+i)*CW+:CW] + 1;
      end
    end
    // One from a local channel has ended, or goes on by the global port gamma and sheds gamma.
    for (i = 0; i < LW; i = i + 1) begin
      {last, pi, gamma, data} = local_i[i*LCW+:LCW];
      to = gamma_of(gamma);
      if (last) begin
        end_local[i] = 1;
      end else if (to < K) begin
        to_global[to*GCW+:GCW] = {pi, data};
        asked[(LW+to)*CW+:CW]  = asked[(LW+to)*CW+:CW] + 1;
      end
    end
    // One from a global channel has ended if pi is 0, or else goes on by the local port pi for its last hop and sheds pi.
    for (i = 0; i < K; i = i + 1) begin
      {pi, data} = global_i[i*GCW+:GCW];
      to = pi_of(pi);
      if (to == 0) begin
        end_global[i] = 1;
      end else if (to < M) begin
        to_local[(to-1)*LCW+:LCW] = {1'b1, {M{1'b0}}, {K{1'b0}}, data};
        asked[(to-1)*CW+:CW] = asked[(to-1)*CW+:CW] + 1;
      end
    end
  end

  // Packets that are here and do not end here, by header bits alone.
  reg [CW-1:0] staying;
  integer s;
  always @* begin
    staying = 0;
    for (s = 0; s < LW; s = s + 1) begin
      if (tx_local_gamma_i[s*K+:K] != 0) staying = staying + 1;
      if (local_i[s*LCW+W+:1+M+K] != 0 && !rx_local_valid[s]) staying = staying + 1;
    end
    for (s = 0; s < K; s = s + 1) begin
      if (tx_global_pi_i[s*M+:M] != 0) staying = staying + 1;
      if (global_i[s*GCW+W+:M] != 0 && !rx_global_valid[s]) staying = staying + 1;
    end
  end

  // Packets in the channel registers.
  reg [CW-1:0] leaving;
  integer l;
  always @* begin
    leaving = 0;
    for (l = 0; l < LW; l = l + 1) if (local_o[l*LCW+W+:1+M+K] != 0) leaving = leaving + 1;
    for (l = 0; l < K; l = l + 1) if (global_o[l*GCW+W+:M] != 0) leaving = leaving + 1;
  end

  wire quiet = {tx_local_pi_i, tx_local_gamma_i, tx_local_data_i, tx_global_pi_i, tx_global_data_i, local_i, global_i} == 0;
  reg [OUTS-1:0] clash;
  integer c;
  always @* for (c = 0; c < OUTS; c = c + 1) clash[c] = asked[c*CW+:CW] > 1;

  // History: what the reference found one and two cycles ago, and the resets since then.
  localparam HW = LW * LCW + K * GCW + OUTS + CW + 1;
  reg [HW-1:0] one_ago, two_ago;
  reg rst_one_ago, rst_two_ago;
  reg [1:0] age = 0;  // cycles since the start, 2 for more
  always @(posedge clk_i) begin
    one_ago <= {to_local, to_global, clash, staying, quiet};
    two_ago <= one_ago;
    rst_one_ago <= rst_i;
    rst_two_ago <= rst_one_ago;
    if (age < 2) age <= age + 1;
  end
  wire [LW*LCW-1:0] was_to_local;
  wire [K*GCW-1:0] was_to_global;
  wire [OUTS-1:0] was_clash;
  wire [CW-1:0] was_staying;
  wire was_quiet;
  assign {was_to_local, was_to_global, was_clash, was_staying, was_quiet} = XBAR_STAGES == 1 ? one_ago : two_ago;
  wire known = age >= XBAR_STAGES;
  wire undisturbed = known && !rst_one_ago && (XBAR_STAGES == 1 || !rst_two_ago);

  // Expected conflict_o.
  reg [OUTS-1:0] alarm;
  wire [OUTS-1:0] clash_one_ago = one_ago[1+CW+:OUTS];
  always @(posedge clk_i) begin
    alarm <= (STICKY != 0 ? alarm : 0) | clash_one_ago;
    if (rst_i) alarm <= 0;
  end

  // The first cycle is one of reset.
  always @* if (age == 0) assume (rst_i);

  // In each block `found` must equal `expected` wherever `checked` is true; the report of a failure shows those that differ.
  genvar o;
  generate
    for (o = 0; o < LW; o = o + 1) begin : gen_local
      wire [LCW-1:0] found = local_o[o*LCW+:LCW];
      wire [LCW-1:0] expected = was_to_local[o*LCW+:LCW];
      wire checked = undisturbed && !was_clash[o];
      always @* begin
        // A local channel that comes in is idle and zero, or carries a first hop with one gamma and one pi, or a last hop with neither.
        assume (legal_local(local_i[o*LCW+:LCW]));
        // A local send bank is idle and zero, or offers a first hop with one gamma and one pi.
        assume (legal_local({1'b0, tx_local_pi_i[o*M+:M], tx_local_gamma_i[o*K+:K], tx_local_data_i[o*W+:W]}));
        // A local channel shows exactly the one packet that asked for it XBAR_STAGES cycles ago, header shed, or zero if none did.
        if (checked) assert (found == expected);
        // A local channel keeps the contract that its other end assumes.
        if (checked) assert (legal_local(found));
        // A cycle after reset there is no header on a local channel.
        if (known && rst_one_ago) assert (found[LCW-1:W] == 0);
        // Quiet inputs make a quiet local channel XBAR_STAGES cycles later, reset or not.
        if (known && was_quiet) assert (found == 0);
      end
    end
    for (o = 0; o < K; o = o + 1) begin : gen_global
      wire [GCW-1:0] found = global_o[o*GCW+:GCW];
      wire [GCW-1:0] expected = was_to_global[o*GCW+:GCW];
      wire checked = undisturbed && !was_clash[LW+o];
      always @* begin
        // A global channel that comes in is idle and zero, or carries one pi.
        assume (legal_global(global_i[o*GCW+:GCW]));
        // A global send bank is idle and zero, or offers one pi.
        assume (legal_global({tx_global_pi_i[o*M+:M], tx_global_data_i[o*W+:W]}));
        // A global channel shows exactly the one packet that asked for it XBAR_STAGES cycles ago, header shed, or zero if none did.
        if (checked) assert (found == expected);
        // A global channel keeps the contract that its other end assumes.
        if (checked) assert (legal_global(found));
        // A cycle after reset there is no header on a global channel.
        if (known && rst_one_ago) assert (found[GCW-1:W] == 0);
        // Quiet inputs make a quiet global channel XBAR_STAGES cycles later, reset or not.
        if (known && was_quiet) assert (found == 0);
      end
    end
    for (o = 0; o < LW; o = o + 1) begin : gen_local_end
      wire [W:0] found = rx_local_valid[o] ? {1'b1, rx_local_data[o*W+:W]} : 0;
      wire [W:0] expected = end_local[o] ? {1'b1, local_i[o*LCW+:W]} : 0;
      wire checked = 1'b1;
      // A packet ends at a local channel exactly if it is marked as being on its last hop, and its payload is received.
      always @* assert (found == expected);
    end
    for (o = 0; o < K; o = o + 1) begin : gen_global_end
      wire [W:0] found = rx_global_valid[o] ? {1'b1, rx_global_data[o*W+:W]} : 0;
      wire [W:0] expected = end_global[o] ? {1'b1, global_i[o*GCW+:W]} : 0;
      wire checked = 1'b1;
      // A packet ends at a global channel exactly if its pi is 0, and its payload is received.
      always @* assert (found == expected);
    end
    for (o = 0; o < OUTS; o = o + 1) begin : gen_conflict
      wire found = conflict[o];
      wire expected = alarm[o];
      wire checked = age != 0;
      // conflict_o of an output rises two cycles after two packets or more asked for it, and then only; a reset clears it, not what is on its way.
      always @* if (checked) assert (found == expected);
    end
    if (COUNT != 0) begin : gen_count
      wire [CW-1:0] found = leaving;
      wire [CW-1:0] expected = was_staying;
      wire checked = undisturbed && was_clash == 0;
      // As many packets leave as were here and did not end there: none is lost and none is doubled.
      always @* if (checked) assert (found == expected);
    end
  endgenerate

endmodule

`default_nettype wire
