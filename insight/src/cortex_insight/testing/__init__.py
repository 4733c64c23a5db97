"""What every parser must keep, as tests to inherit.

    from cortex_insight.testing import ParserConformance, SampleFile

    class TestMine(ParserConformance):
        parser = MyParser()
        files = (SampleFile("export/messages.json", b'[{"id": 1, ...}]'),)

Collected by pytest, it reads the files as the lake would, then reads them again in other pieces,
in another order, at another time, and broken in some hundred ways. The files are small, written
for the test, and hold every kind of record that the parser knows. Needs `cortex-insight[testing]`.
"""

from cortex_insight.testing.conformance import ParserConformance
from cortex_insight.testing.samples import SampleFile, read_files, readings_of

__all__ = ["ParserConformance", "SampleFile", "read_files", "readings_of"]
