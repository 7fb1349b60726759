//! Routers and couplers of fixed sizes with nothing but ports around them, or with registers on all of them, to measure them by themselves.

use super::WIDTH;

/// Ports with their widths.
type Ports = Vec<(&'static str, u32)>;

/// A module `bench` around another.
pub struct Wrapped {
    module: &'static str,
    parameters: String,
    /// Ports that are constants, as Verilog connects them.
    constants: String,
    inputs: Ports,
    outputs: Ports,
}

impl Wrapped {
    /// `mn_sv_router`.
    pub fn source_vector(k: u32, m: u32, stages: u32) -> Self {
        let l = m - 1;
        let inputs = vec![
            ("rst_i", 1),
            ("tx_local_pi_i", l * m),
            ("tx_local_gamma_i", l * k),
            ("tx_local_data_i", l * WIDTH),
            ("tx_global_pi_i", k * m),
            ("tx_global_data_i", k * WIDTH),
        ];
        let router = Self {
            module: "mn_sv_router",
            parameters: parameters(k, m, stages),
            constants: String::new(),
            inputs,
            outputs: Vec::new(),
        };
        router.with_channels((k, l), 1 + m + k + WIDTH, m + WIDTH)
    }

    /// `mn_sh_router`, with d = p or not, as every tile has it: without, one of its neighbours has.
    pub fn synchronizing(k: u32, m: u32, stages: u32, diagonal: bool) -> Self {
        let l = m - 1;
        let (local, global, stay) = (5 + m + k + WIDTH, 2 + m + WIDTH, 4 + WIDTH);
        let router = Self {
            module: "mn_sh_router",
            parameters: parameters(k, m, stages),
            constants: format!(", .diagonal_i({m}'d{})", if diagonal { 1 } else { 2 }),
            inputs: vec![("rst_i", 1), ("tx_local_i", l * local), ("tx_global_i", k * global), ("stay_i", stay)],
            outputs: vec![("stay_o", stay)],
        };
        router.with_channels((k, l), local, global)
    }

    /// `mn_pops_coupler` of `d` senders.
    pub fn coupler(d: u32, mode: u32) -> Self {
        Self {
            module: "mn_pops_coupler",
            parameters: format!(".D({d}), .W({WIDTH}), .MODE({mode})"),
            constants: String::new(),
            inputs: vec![("rst_i", 1), ("request_i", d), ("data_i", d * WIDTH), ("hold_i", 1)],
            outputs: vec![("grant_o", d), ("valid_o", 1), ("data_o", WIDTH), ("collision_o", 1)],
        }
    }

    /// `mn_slot_router` of so many inputs, banks and outputs, with these crosspoints.
    pub fn slot_router([inputs, banks, outputs]: [u32; 3], built: &str) -> Self {
        let crosspoints = outputs * (inputs + banks);
        Self {
            module: "mn_slot_router",
            parameters: format!(
                ".W({WIDTH}), .INPUTS({inputs}), .BANKS({banks}), .OUTPUTS({outputs}), .USED({crosspoints}'b{built})"
            ),
            constants: String::new(),
            inputs: vec![
                ("rst_i", 1),
                ("select_i", crosspoints),
                ("write_i", inputs),
                ("in_i", inputs * (WIDTH + 1)),
                ("bank_i", banks * WIDTH),
            ],
            outputs: vec![
                ("out_o", outputs * (WIDTH + 1)),
                ("conflict_o", outputs),
                ("missing_o", inputs),
                ("unexpected_o", inputs),
                ("parity_o", inputs),
            ],
        }
    }

    /// With what all routers have, k global and l local channels of these bits.
    fn with_channels(mut self, (k, l): (u32, u32), local: u32, global: u32) -> Self {
        self.inputs.extend([("local_i", l * local), ("global_i", k * global)]);
        self.outputs.extend([
            ("local_o", l * local),
            ("global_o", k * global),
            ("rx_local_valid_o", l),
            ("rx_local_data_o", l * WIDTH),
            ("rx_global_valid_o", k),
            ("rx_global_data_o", k * WIDTH),
            ("conflict_o", l + k),
        ]);
        self
    }

    /// The module alone.
    pub fn alone(&self) -> String {
        self.text(true, "wire [A:0] a; wire [B:0] b; assign a = in_i; assign out_o = b;")
    }

    /// The module with vectors `a` and `b` on its ports, and what is between them and `in_i` and `out_o`, each a vector or one bit. A and B
    /// are the highest bits.
    pub fn text(&self, vectors: bool, around: &str) -> String {
        let slices = |ports: &Ports, vector: &str| {
            let mut at = 0;
            let mut text = String::new();
            for (name, width) in ports {
                text += &format!(", .{name}({vector}[{at} +: {width}])");
                at += width;
            }
            (text, at - 1)
        };
        let ((ins, a), (outs, b)) = (slices(&self.inputs, "a"), slices(&self.outputs, "b"));
        let [input, output] = if vectors { ["[A:0]", "[B:0]"] } else { ["", ""] };
        let Self { module, parameters, constants, .. } = self;
        format!(
            "module bench #(parameter A = {a}, B = {b}) (input clk_i, input {input} in_i, output {output} out_o);\n\
             {around}\n\
             {module} #({parameters}) u_module (.clk_i(clk_i){constants}{ins}{outs});\n\
             endmodule\n"
        )
    }
}

/// The parameters of a router.
fn parameters(k: u32, m: u32, stages: u32) -> String {
    format!(".K({k}), .M({m}), .W({WIDTH}), .XBAR_STAGES({stages})")
}
