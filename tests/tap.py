# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TAP output for unittest: a test file ends in `if __name__ == '__main__': tap.main()`."""
import sys
import unittest


class TapResult(unittest.TestResult):
    """Prints one TAP line per test as soon as it has ended."""

    def __init__(self):
        super().__init__()
        self.number = 0

    def line(self, good, test, directive=''):
        self.number += 1
        name = test.id().removeprefix('__main__.')
        print(f'{"" if good else "not "}ok {self.number} - {name}{directive}', flush=True)

    def diagnose(self, test, error):
        for line in self._exc_info_to_string(error, test).splitlines():
            print(f'# {line}')

    def addSuccess(self, test):
        super().addSuccess(test)
        self.line(True, test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.line(True, test, f' # SKIP {reason}')

    def addFailure(self, test, err):
        self.failures.append((test, ''))
        self.diagnose(test, err)
        self.line(False, test)

    def addError(self, test, err):
        self.errors.append((test, ''))
        self.diagnose(test, err)
        self.line(False, test)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.diagnose(subtest, err)
            self.line(False, subtest)


def main():
    """Runs the test cases of __main__; exit status 1 if one fails."""
    loader = unittest.TestLoader()
    module = sys.modules['__main__']
    names = [a for a in sys.argv[1:] if not a.startswith('-')]
    if names:
        suite = loader.loadTestsFromNames(names, module)
    else:
        suite = loader.loadTestsFromModule(module)
    result = TapResult()
    suite.run(result)
    print(f'1..{result.number}')
    sys.exit(0 if result.wasSuccessful() else 1)
