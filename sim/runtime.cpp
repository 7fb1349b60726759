// Verilator's runtime, for all simulators: nothing that the Verilog does writes to standard output or ends the process.
// What is printed goes to standard error; $stop, $fatal, $finish and the runtime's own errors are exceptions (see mn_guard.h).
#include <cstdio>
#include <stdexcept>
#include <string>

#undef stdout
#define stdout stderr
#define VL_PRINTF(...) std::fprintf(stderr, __VA_ARGS__)
#define VL_USER_FATAL
#define VL_USER_FINISH

#include "verilated.cpp"
#include "verilated_dpi.cpp"
#include "verilated_threads.cpp"

// $stop comes here, too.
void vl_fatal(const char* file, int line, const char*, const char* message) {
    const std::string at = file && *file ? std::string{file} + ":" + std::to_string(line) + ": " : "";
    throw std::runtime_error{at + message};
}

void vl_finish(const char* file, int line, const char* hier) { vl_fatal(file, line, hier, "Verilog $finish"); }
