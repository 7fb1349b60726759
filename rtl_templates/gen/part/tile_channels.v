        .local_i({
<% for i in t.local_inputs %>
            local_${ i.from }$[${ i.port }$*LCW+:LCW]<% if !loop.last %>,<% endif %>
<% endfor %>
        }),
        .global_i({
<% for i in t.global_inputs %>
            global_${ i.from }$[${ i.port }$*GCW+:GCW]<% if !loop.last %>,<% endif %>
<% endfor %>
        }),
        .local_o(local_${ t.name }$), .global_o(global_${ t.name }$), .fault_o(fault[${ t.index }$])
