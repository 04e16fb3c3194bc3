// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** How to compile, from settings that tests and the hunt for a wrong result need. */
#ifndef WEFT_SWITCHES_H
#define WEFT_SWITCHES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace weft {

struct Switches {
    bool reference = false; /* scalar, unoptimised, each item on a stack of its own */
    unsigned width = 0;     /* work-items per vector; 0: the compiler chooses */
    bool linear = false;    /* lanes are consecutive linear ids in all kernels that are wide */
    bool narrow = false;    /* kernels that are wide have a body of fewer lanes as well */
    bool single = false;    /* kernels that are wide have a body for one item at a time as well */
    bool turned = false;    /* kernels that are wide have a body along columns as well */
    bool lone = false;      /* kernels with barriers have a body for groups of one item */
    bool remarks = false;   /* say in the log how each kernel was compiled */
    bool functions = false; /* what asks for ids stays a function, also in small kernels */
    bool checks = false;    /* stages check what they claim, now and when kernels run */
    std::string oracle;     /* a stage: what it leaves is made executable in the plainest way */
    std::string breaks; /* words between commas: what is to be compiled wrongly (breaks/breaks.h) */
};

/** Words between spaces: `reference`, `width=N`, `linear`, `narrow`, `single`, `turned`, `lone`,
 * `functions`, `remarks`, `checks`, `oracle=stage`, `break=a,b`. An error names the word that is
 * none of them; `break` is known in builds of option breakable only. */
llvm::Expected<Switches> parseSwitches(llvm::StringRef text);

/** What the environment of this process asks for: " break=..." in builds of option breakable if
 * WEFT_BREAK is set, which no application can do (docs/compiler-process.md: its environment is not
 * the compiler's). Else "". */
std::string testSwitches();

} // namespace weft

#endif
