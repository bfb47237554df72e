"""Runs the tests, and prints their number as `cargo test` does."""

import pathlib
import sys
import unittest

tests = unittest.defaultTestLoader.discover(str(pathlib.Path(__file__).parent))
result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
failed = len(result.failures) + len(result.errors)
word = "ok" if result.wasSuccessful() else "FAILED"
print(f"test result: {word}. {result.testsRun - failed} passed; {failed} failed;")
sys.exit(not result.wasSuccessful() or result.testsRun == 0)
