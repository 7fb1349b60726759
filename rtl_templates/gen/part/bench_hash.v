    function [63:0] hash(input [31:0] place);
        begin
            hash = 64'h9e3779b97f4a7c15 * {32'd0, place};
            hash = hash ^ (hash >> 29);
        end
    endfunction
