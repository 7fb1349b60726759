// The reason for which the Verilog ended a simulation. Verilator's runtime throws it (see runtime.cpp); no exception leaves the library.
#pragma once
#include <cstdio>
#include <exception>

using mn_text = char[1024];

// Empty while no simulation of this thread has ended itself.
inline thread_local mn_text mn_reason;

// Runs a part of a simulation; false if it has ended itself.
template <class Part>
bool mn_guarded(mn_text& reason, Part part) {
    try {
        part();
        return true;
    } catch (const std::exception& error) {
        std::snprintf(reason, sizeof reason, "%s", error.what());
        return false;
    }
}

extern "C" __attribute__((visibility("default"))) const char* mn_stopped() { return mn_reason; }
