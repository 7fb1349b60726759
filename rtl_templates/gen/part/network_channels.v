    assign ring[0+:FW] = ring_i;
    assign ring_o = ring[TILES*FW+:FW];
<% for t in tiles %>
    wire [${ p.local_bits() - 1 }$:0] local_${ t.name }$;
    wire [${ p.global_bits() - 1 }$:0] global_${ t.name }$;
<% endfor %>
