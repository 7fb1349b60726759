//! The static modules, built into the program.

/// A static Verilog module.
pub struct Module {
    /// File name; the module's name with `.v`.
    pub file: &'static str,
    /// The text.
    pub text: &'static str,
}

macro_rules! modules {
    ($($file:literal),* $(,)?) => {
        /// The parameterised modules of a network, in order of their names.
        pub const LIBRARY: &[Module] = &[
            $(Module { file: $file, text: include_str!(concat!("../../rtl_templates/lib/", $file)) }),*
        ];
    };
}

modules![
    "mn_address_counter.v",
    "mn_and_or.v",
    "mn_arbiter_fixed.v",
    "mn_arbiter_round_robin.v",
    "mn_bank.v",
    "mn_bank_address.v",
    "mn_conflict.v",
    "mn_crossbar.v",
    "mn_exchange_counter.v",
    "mn_exchange_endpoint.v",
    "mn_exchange_ports.v",
    "mn_exchange_program.v",
    "mn_exchange_tile.v",
    "mn_fanin.v",
    "mn_fanout.v",
    "mn_fault_log.v",
    "mn_fifo.v",
    "mn_fifo_async.v",
    "mn_gated_bank.v",
    "mn_guard.v",
    "mn_guarded_stages.v",
    "mn_host.v",
    "mn_lane_counter.v",
    "mn_late_reset.v",
    "mn_local_set.v",
    "mn_message_address.v",
    "mn_or_tree.v",
    "mn_pops_coupler.v",
    "mn_pops_dynamic.v",
    "mn_pops_processor.v",
    "mn_pops_program.v",
    "mn_pops_queue.v",
    "mn_pops_queue_coupler.v",
    "mn_pops_queue_port.v",
    "mn_pops_reader.v",
    "mn_port_clock.v",
    "mn_port_in.v",
    "mn_port_out.v",
    "mn_product_endpoint.v",
    "mn_product_extend.v",
    "mn_product_field.v",
    "mn_product_group.v",
    "mn_product_load.v",
    "mn_product_multiply.v",
    "mn_product_program.v",
    "mn_product_receive.v",
    "mn_product_send.v",
    "mn_product_sum.v",
    "mn_product_tile.v",
    "mn_product_train.v",
    "mn_program_loader.v",
    "mn_program_table.v",
    "mn_program_taps.v",
    "mn_receive_port.v",
    "mn_register.v",
    "mn_ring_stop.v",
    "mn_row_expand.v",
    "mn_send_port.v",
    "mn_sh_router.v",
    "mn_slice.v",
    "mn_slot_bank.v",
    "mn_slot_counter.v",
    "mn_slot_endpoint.v",
    "mn_slot_loader.v",
    "mn_slot_loops.v",
    "mn_slot_operator.v",
    "mn_slot_output.v",
    "mn_slot_program.v",
    "mn_slot_router.v",
    "mn_slot_stride.v",
    "mn_slot_uses.v",
    "mn_spread.v",
    "mn_stages.v",
    "mn_stream_endpoint.v",
    "mn_stream_program.v",
    "mn_stream_relay.v",
    "mn_stream_send.v",
    "mn_stream_tile.v",
    "mn_subtract.v",
    "mn_sv_endpoint.v",
    "mn_sv_router.v",
    "mn_sv_tile.v",
    "mn_sync.v",
    "mn_table_check.v",
    "mn_table_ram.v",
    "mn_table_rom.v",
    "mn_tile_port.v",
    "mn_tile_start.v",
    "mn_train.v",
];

/// The static modules that these texts instantiate, and those that they need in turn.
pub fn needed<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'static Module> {
    let mut open: Vec<&str> = texts.collect();
    let mut found: Vec<&'static Module> = Vec::new();
    while let Some(text) = open.pop() {
        for word in first_words(text).filter(|word| word.starts_with("mn_")) {
            let module = LIBRARY.iter().find(|module| module.file.strip_suffix(".v") == Some(word));
            if let Some(module) = module.filter(|module| found.iter().all(|known| known.file != module.file)) {
                found.push(module);
                open.push(module.text);
            }
        }
    }
    found
}

/// True if a line of the text, comments aside, begins with the module's name.
pub(super) fn instantiates(text: &str, module: &str) -> bool {
    first_words(text).any(|word| word == module)
}

fn first_words(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.split_whitespace().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/rtl_templates/lib");
        let mut names: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, LIBRARY.iter().map(|m| m.file).collect::<Vec<_>>());
    }

    #[test]
    fn a_file_holds_the_module_of_its_name() {
        for m in LIBRARY {
            let name = m.file.strip_suffix(".v").unwrap();
            assert!(m.text.contains(&format!("\nmodule {name} ")), "{name}");
            assert!(m.text.ends_with("`default_nettype wire\n"), "{name}");
        }
    }
}
