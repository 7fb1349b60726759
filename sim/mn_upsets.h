// Registers and memories of a verilated model that are public, by name, and upsets of single bits of them.
#include "verilated.h"
#include "verilated_syms.h"

#include <cstdint>
#include <string>
#include <vector>

// A register, or a memory of `elements` registers.
struct MnRegister {
    std::string name;  // instance and variable
    uint8_t* data;
    uint32_t bytes, bits, elements;
};

// All of a model, in the order of their names.
inline std::vector<MnRegister> mn_registers_of(VerilatedContext& context) {
    std::vector<MnRegister> found;
    for (const auto& [scope_name, scope] : *context.scopeNameMap()) {
        if (!scope->varsp()) continue;
        for (auto& [name, var] : *scope->varsp()) {
            if (!var.isPublicRW() || var.isParam()) continue;
            const uint32_t elements = var.udims() == 0 ? 1 : var.elements(1);
            // names of netlists may be escaped: \name, and a space
            const std::string escaped = name;
            const std::string plain = escaped[0] == '\\' ? escaped.substr(1, escaped.find(' ') - 1) : escaped;
            const std::string full = std::string(scope_name) + '.' + plain;
            found.push_back({full, static_cast<uint8_t*>(var.datap()), var.entSize(), var.entBits(), elements});
        }
    }
    return found;
}

// Flips bit `bit` of element `element`.
inline void mn_flip(const MnRegister& at, uint64_t element, uint64_t bit) {
    at.data[element * at.bytes + bit / 8] ^= uint8_t(1u << (bit % 8));
}
