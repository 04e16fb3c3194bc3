// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What stage regions tells stage group-loops: what is written is read, and what is wrong is
// reported.

#include "compiler/group/facts.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <cstdio>
#include <string>

using namespace llvm;
using namespace weft;

static int number, failed;

static void check(bool good, const char *what) {
    failed += !good;
    printf("%sok %d - %s\n", good ? "" : "not ", ++number, what);
}

/** A dispatcher of one region; `region` and `items` are attributes. */
static std::unique_ptr<Module> parse(LLVMContext &context, const std::string &region,
                                     const std::string &items,
                                     const std::string &parameters = "i64, ptr, ptr, ptr") {
    std::string text =
        "define i32 @r(i64, i64, i64, i64, i64, i64, i64, i64, i64, ptr, ptr, ptr) " + region +
        " {\n  ret i32 0\n}\ndeclare i32 @i(" + parameters + ") " + items +
        "\ndefine void @k(i64 %a, ptr %p) {\n  %n = call i32 @i(" +
        (parameters[0] == 'i' ? "i64 %a, ptr %p, ptr %p, ptr %p" : "ptr %p, ptr %p, ptr %p") +
        ")\n  ret void\n}\n";
    SMDiagnostic problem;
    auto module = parseAssemblyString(text, problem, context);
    if (!module)
        fprintf(stderr, "%s\n%s", problem.getMessage().str().c_str(), text.c_str());
    return module;
}

/** "" or the error. */
static std::string errorOf(const std::string &region, const std::string &items,
                           const std::string &parameters = "i64, ptr, ptr, ptr") {
    LLVMContext context;
    auto module = parse(context, region, items, parameters);
    Expected<ItemsFacts> facts = itemsFacts(*module->getFunction("i"));
    return facts ? "" : toString(facts.takeError());
}

static void readsWhatIsWritten() {
    LLVMContext context;
    auto module = parse(context, "", "");
    Function &region = *module->getFunction("r"), &items = *module->getFunction("i");
    check(!isRegion(region) && !isItems(items), "functions are nothing by themselves");
    check(itemsCalls(*module->getFunction("k")).empty(), "no calls of items functions");
    setRegionNumber(region, 7);
    ItemsFacts facts;
    facts.region = &region;
    facts.checks = true;
    facts.stateOffset = 24;
    setItemsFacts(items, facts);
    Expected<ItemsFacts> read = itemsFacts(items);
    check(isRegion(region) && isItems(items) && read && read->region == &region &&
              read->number == 7 && read->checks && read->stateOffset == uint64_t{24},
          "all facts are read as they were written");
    check(itemsCalls(*module->getFunction("k")).size() == 1, "the call is found");
    facts.checks = false;
    facts.stateOffset.reset();
    setItemsFacts(items, facts);
    read = itemsFacts(items);
    check(read && !read->checks && !read->stateOffset, "what is written again replaces it");
}

static void reports(const char *what, const std::string &error, const char *part) {
    if (error.find(part) == std::string::npos)
        printf("# said: '%s'\n", error.c_str());
    check(error.find("function '") == 0 && error.find(part) != std::string::npos, what);
}

int main() {
    readsWhatIsWritten();
    const std::string good = "\"weft-region\"=\"1\"", items = "\"weft-items\"=\"r\"";
    check(errorOf(good, items).empty(), "good facts");
    reports("no such region", errorOf(good, "\"weft-items\"=\"nowhere\""),
            "region 'nowhere', which is not there");
    reports("a region that is none", errorOf("", items), "which is not there");
    reports("a region without a body", errorOf(good, "\"weft-items\"=\"i\" \"weft-region\"=\"1\""),
            "which is not there");
    reports("no name", errorOf(good, "\"weft-items\""), "region ''");
    reports("an empty number", errorOf("\"weft-region\"", items), "weft-region=\"\"");
    reports("no number", errorOf("\"weft-region\"=\"one\"", items), "weft-region=\"one\"");
    reports("a negative number", errorOf("\"weft-region\"=\"-1\"", items), "weft-region=\"-1\"");
    reports("too large a number", errorOf("\"weft-region\"=\"2147483648\"", items),
            "no number up to 2147483647");
    reports("a number and more", errorOf("\"weft-region\"=\"1 2\"", items), "weft-region=\"1 2\"");
    reports("no offset", errorOf(good, items + " \"weft-state\"=\"0x10\""), "weft-state=\"0x10\"");
    reports("a far offset", errorOf(good, items + " \"weft-state\"=\"18446744073709551615\""),
            "no number up to 4294967295");
    reports("checks without state", errorOf(good, items + " \"weft-check\""), "nobody keeps it");
    reports("other parameters", errorOf(good, items, "ptr, ptr, ptr"), "other parameters");
    printf("1..%d\n", number);
    return failed != 0;
}
