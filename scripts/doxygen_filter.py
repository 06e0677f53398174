#!/usr/bin/env python3
"""A header as Doxygen should see it: the comment before `namespace uzawa {` is about the file, not the namespace."""
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
# The blank line above makes room: line numbers in warnings stay right.
print(re.sub(r"\n\n(///.*\n(?:///.*\n)*namespace uzawa)", r"\n/// @file\n\1", text, count=1), end="")
