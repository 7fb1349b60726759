${ header }$
`default_nettype none
// Test bench of mn_top: every processor sends a packet to every processor, as fast as it is let, and each must come out once and whole.
// Prints one line and ends.
module mn_tb;
    localparam D  = ${ p.network.d() }$;
    localparam N  = ${ n }$;
    localparam W  = ${ p.data_bits }$;
    localparam L  = ${ p.words }$;
    localparam DB = ${ p.index_bits() }$;
    localparam PB = ${ name_bits }$;

    reg clk = 1'b0, rst = 1'b1;
    reg [N-1:0] s_tvalid = {N{1'b0}}, s_tlast;
    reg [N*W-1:0] s_tdata;
    reg [N*PB-1:0] s_tdest;
    wire [N-1:0] s_tready, m_tvalid, m_tlast;
    wire [N*W-1:0] m_tdata;
    wire [N*PB-1:0] m_tid;
    wire fault;

    mn_top u_top (
        .clk_i(clk), .rst_i(rst),
        .s_axis_tvalid(s_tvalid), .s_axis_tready(s_tready), .s_axis_tdata(s_tdata), .s_axis_tdest(s_tdest), .s_axis_tlast(s_tlast),
        .m_axis_tvalid(m_tvalid), .m_axis_tready({N{1'b1}}), .m_axis_tdata(m_tdata), .m_axis_tid(m_tid), .m_axis_tlast(m_tlast),
        .fault_o(fault)
    );

    always #5 clk = !clk;

<% include "gen/part/bench_hash.v" %>

    // a word of the packet of a processor to another
    function [W-1:0] pattern(input integer sender, input integer receiver, input integer word);
        reg [63:0] x;
        begin
            x = hash((sender * N + receiver) * L + word + 1);
            pattern = x[W-1:0];
        end
    endfunction

    // the processor of a name, {group, place in it}
    function integer processor(input integer of);
        processor = of / (1 << DB) * D + of % (1 << DB);
    endfunction

    integer at [0:N-1];     // words that a processor has sent
    integer next [0:N*N-1]; // words that came from i to j: [j*N + i]
    integer i, j, name, from, errors, seen;
    initial begin
        errors = 0;
        seen = 0;
        for (i = 0; i < N; i = i + 1) at[i] = 0;
        for (i = 0; i < N * N; i = i + 1) next[i] = 0;
        repeat (64) @(negedge clk);
        rst = 1'b0;
        while (seen < N * N * L && errors == 0) begin
            // inputs change at the falling edge and are taken at the rising one, in every simulator
            @(negedge clk);
            for (i = 0; i < N; i = i + 1) begin
                j = (i + at[i] / L) % N;
                s_tvalid[i] = at[i] < N * L;
                s_tlast[i] = at[i] % L == L - 1;
                name = ((j / D) << DB) + j % D;
                s_tdest[i*PB+:PB] = name[PB-1:0];
                s_tdata[i*W+:W] = pattern(i, j, at[i] % L);
            end
            @(posedge clk);
            for (i = 0; i < N; i = i + 1) begin
                // the offered word was taken
                if (s_tvalid[i] && s_tready[i]) at[i] = at[i] + 1;
                // arrived words
                if (m_tvalid[i]) begin
                    from = processor({{32 - PB{1'b0}}, m_tid[i*PB+:PB]});
                    if (m_tdata[i*W+:W] !== pattern(from, i, next[i*N+from]) || m_tlast[i] !== (next[i*N+from] == L - 1)) begin
                        errors = errors + 1;
                        $display("processor %0d, word %0d from %0d: %h", i, next[i*N+from], from, m_tdata[i*W+:W]);
                    end
                    next[i*N+from] = next[i*N+from] + 1;
                    seen = seen + 1;
                end
            end
        end
        if (fault) errors = errors + 1;
        if (errors == 0) $display("PASS: %0d words", seen);
        else $display("FAIL: %0d errors, fault %b", errors, fault);
        $finish;
    end

    initial begin
        repeat (${ timeout }$) @(posedge clk);
        $display("FAIL: %0d of %0d words after ${ timeout }$ cycles", seen, N * N * L);
        $finish;
    end
endmodule
`default_nettype wire
