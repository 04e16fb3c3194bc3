// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stages/switches.h"

#include "breaks/breaks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdlib>

namespace weft {

namespace {

constexpr llvm::StringLiteral stages[] = {
#define WEFT_STAGE(name, Class, doc) name,
#include "stages/passes.def"
};

bool isWidth(llvm::StringRef text, unsigned &width) {
    return !text.getAsInteger(10, width) && width >= 1 && width <= 64 && (width & (width - 1)) == 0;
}

/** None in builds without option breakable, nor a misspelt one. */
bool areBreaks(llvm::StringRef text) {
    return llvm::all_of(llvm::split(text, ','), isBreak);
}

} // namespace

std::string testSwitches() {
#ifdef WEFT_BREAKABLE
    if (const char *breaks = getenv("WEFT_BREAK"))
        return std::string(" break=") + breaks;
#endif
    return "";
}

llvm::Expected<Switches> parseSwitches(llvm::StringRef text) {
    Switches switches;
    llvm::SmallVector<llvm::StringRef, 4> words;
    llvm::SplitString(text, words);
    for (llvm::StringRef word : words) {
        llvm::StringRef value = word;
        if (word == "reference")
            switches.reference = true;
        else if (word == "linear")
            switches.linear = true;
        else if (word == "narrow")
            switches.narrow = true;
        else if (word == "single")
            switches.single = true;
        else if (word == "turned")
            switches.turned = true;
        else if (word == "lone")
            switches.lone = true;
        else if (word == "remarks")
            switches.remarks = true;
        else if (word == "functions")
            switches.functions = true;
        else if (word == "checks")
            switches.checks = true;
        else if (value.consume_front("width=") && isWidth(value, switches.width))
            continue;
        else if (value.consume_front("oracle=") && llvm::is_contained(stages, value))
            switches.oracle = value.str();
        else if (value.consume_front("break=") && areBreaks(value))
            switches.breaks = value.str();
        else
            return llvm::createStringError("this compiler has no switch '" + word + "'");
    }
    return switches;
}

} // namespace weft
