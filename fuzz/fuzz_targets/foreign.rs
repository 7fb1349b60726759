#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| metronoc_fuzz::foreign(data));
