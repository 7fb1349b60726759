${ header }$
`default_nettype none
// The rows of ${ describe }$ from counters, one a cycle.
// State of a phase: {row form, counters and multiples of them}; ${ s.phases }$ phases take turns, each on its own stretch of the chain.
module mn_sequencer (
    input  wire       clk_i,
    input  wire       rst_i,
    // start of a collective, from buffer go_buffer_i
    input  wire       go_i,
    input  wire       go_buffer_i,
    // the row of this cycle: vectors (gamma+i, pi+i, delta+i) for i below the length
    output wire       last_o,    // the collective's last row
    output wire       buffer_o,
    output wire [${ p.word_bits - 1 }$:0] word_o,
    output wire [${ p.gamma_bits - 1 }$:0] gamma_o,
    output wire [${ p.pi_bits - 1 }$:0] pi_o,
    output wire [${ p.pi_bits - 1 }$:0] delta_o,
    output wire [${ s.length_bits - 1 }$:0] length_o,
    // a bit has flipped, or a start came before the end; where words have parity
    output wire       wrong_o
);
    localparam SW = ${ s.state_bits }$;
    localparam [${ s.phases * s.state_bits - 1 }$:0] STARTS = {
<% for start in s.starts %>
        {${ start.fields }$}<% if !loop.last %>,<% endif %> // phase ${ start.row }$
<% endfor %>
    };

    reg  [${ s.phases * s.state_bits - 1 }$:0] phases_q;
    wire [SW-1:0] state = phases_q[SW-1:0];
    reg           running_q, buffer_q;
    reg  [${ p.slot_bits - 1 }$:0] slot_q;
    reg  [${ p.word_bits - 1 }$:0] word_q;
<% if s.pause > 0 %>
    reg  [${ s.burst_bits - 1 }$:0] burst_q;  // rows of a burst, then idle cycles
<% endif %>

    wire slot_end = slot_q == ${ p.slot_bits }$'d${ p.rows - 1 }$;
    wire last     = slot_end && word_q == ${ p.word_bits }$'d${ p.words - 1 }$;
    wire live     = running_q<% if s.last_slot + 1 < p.rows %> && slot_q <= ${ p.slot_bits }$'d${ s.last_slot }$<% endif %><% if s.pause > 0 %> && burst_q < ${ s.burst_bits }$'d${ s.active }$<% endif %>;

    wire [${ s.leaf_bits - 1 }$:0] leaf = state[${ s.leaf_at }$+:${ s.leaf_bits }$];
<% for r in s.registers %>
    wire [${ r.bits - 1 }$:0] ${ r.name }$ = state[${ r.at }$+:${ r.bits }$];  // ${ r.meaning }$
<% endfor %>

    // the numbers of a row of each form, and where it leads
    reg [${ s.length_bits - 1 }$:0] length;
    reg [${ p.gamma_bits - 1 }$:0] gamma;
    reg [${ p.pi_bits - 1 }$:0] pi, delta;
    reg [${ s.leaf_bits - 1 }$:0] next_leaf;
<% for r in s.registers %>
    reg [${ r.bits - 1 }$:0] next_${ r.name }$;
<% endfor %>
    always @* begin
<% for r in s.registers %>
        next_${ r.name }$ = ${ r.name }$;
<% endfor %>
        case (leaf)
<% for leaf in s.leaves %>
            ${ leaf.label }$: begin
                length = ${ s.length_bits }$'d${ leaf.length }$;
                gamma  = ${ leaf.numbers[0] }$;
                pi     = ${ leaf.numbers[1] }$;
                delta  = ${ leaf.numbers[2] }$;
<% for way in leaf.ways %>
                ${ way.guard }$begin
                    next_leaf = ${ s.leaf_bits }$'d${ way.leaf }$;
<% for line in way.lines %>
                    ${ line }$
<% endfor %>
                end
<% endfor %>
            end
<% endfor %>
        endcase
    end

    // sums modulo the sizes
    function [${ p.gamma_bits - 1 }$:0] add_k(input [${ p.gamma_bits - 1 }$:0] a, input [${ p.gamma_bits - 1 }$:0] b);
        reg [${ p.gamma_bits }$:0] sum;
        begin
            sum = {1'b0, a} + {1'b0, b};
            if (sum >= ${ p.gamma_bits + 1 }$'d${ p.k }$) sum = sum - ${ p.gamma_bits + 1 }$'d${ p.k }$;
            add_k = sum[${ p.gamma_bits - 1 }$:0];
        end
    endfunction
    function [${ p.pi_bits - 1 }$:0] add_m(input [${ p.pi_bits - 1 }$:0] a, input [${ p.pi_bits - 1 }$:0] b);
        reg [${ p.pi_bits }$:0] sum;
        begin
            sum = {1'b0, a} + {1'b0, b};
            if (sum >= ${ p.pi_bits + 1 }$'d${ p.m }$) sum = sum - ${ p.pi_bits + 1 }$'d${ p.m }$;
            add_m = sum[${ p.pi_bits - 1 }$:0];
        end
    endfunction

    wire [SW-1:0] state_next = {next_leaf${ s.next_registers }$};

    wire [${ s.phases * s.state_bits - 1 }$:0] phases_next = <% if s.phases > 1 %>{state_next, phases_q[${ s.phases * s.state_bits - 1 }$:SW]}<% else %>state_next<% endif %>;
    wire begins = go_i || slot_end;
    wire running_d = go_i || (running_q && !last);
    wire buffer_d  = go_i ? go_buffer_i : buffer_q;
    wire [${ p.slot_bits - 1 }$:0] slot_d = begins ? ${ p.slot_bits }$'d0 : running_q ? slot_q + 1'b1 : slot_q;
    wire [${ p.word_bits - 1 }$:0] word_d = go_i ? ${ p.word_bits }$'d0 : running_q && slot_end ? word_q + 1'b1 : word_q;
    wire [${ s.phases * s.state_bits - 1 }$:0] phases_d = begins ? STARTS : live ? phases_next : phases_q;
<% if s.pause > 0 %>
    wire burst_end = burst_q == ${ s.burst_bits }$'d${ s.active + s.pause - 1 }$;
    wire [${ s.burst_bits - 1 }$:0] burst_d = begins || (running_q && burst_end) ? ${ s.burst_bits }$'d0 : running_q ? burst_q + 1'b1 : burst_q;
<% endif %>
    always @(posedge clk_i) begin
        running_q <= !rst_i && running_d;
        buffer_q  <= !rst_i && buffer_d;
        slot_q    <= rst_i ? ${ p.slot_bits }$'d0 : slot_d;
        word_q    <= rst_i ? ${ p.word_bits }$'d0 : word_d;
        phases_q  <= rst_i ? STARTS : phases_d;
<% if s.pause > 0 %>
        burst_q   <= rst_i ? ${ s.burst_bits }$'d0 : burst_d;
<% endif %>
    end
    mn_guard #(.ON(${ u32::from(*p.parity) }$)) u_guard (
        .clk_i(clk_i), .rst_i(rst_i), .wrong_o(wrong_o),
        .given_i(^{running_d, buffer_d, slot_d, word_d, phases_d<% if s.pause > 0 %>, burst_d<% endif %>} ^ (go_i && running_q && !last)),
        .kept_i(^{running_q, buffer_q, slot_q, word_q, phases_q<% if s.pause > 0 %>, burst_q<% endif %>})
    );

    assign last_o   = running_q && last;
    assign buffer_o = buffer_q;
    assign word_o   = word_q;
    assign gamma_o  = gamma;
    assign pi_o     = pi;
    assign delta_o  = delta;
    assign length_o = live ? length : ${ s.length_bits }$'d0;
endmodule
`default_nettype wire
