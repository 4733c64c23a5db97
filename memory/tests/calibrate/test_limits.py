"""Which models have a measured limit."""

import pytest
from cortex_memory.calibrate.limits import (
    StoredLimit,
    limit_of,
    limits_from_toml,
    limits_toml,
    read_limits,
    without_limit,
)
from cortex_memory.calibrate.shipped import shipped_data
from cortex_memory.embed.bundled import BundledEmbedder
from cortex_memory.embed.fastembed import DEFAULT_MODEL
from cortex_memory.retain.match_names import ModelLimit

ROW = StoredLimit(name="small", digest="d1", limit=0.05, precision=0.99, accepted=120)
CITED = StoredLimit(name="large", limit=0.28, source="elsewhere")


def test_a_model_has_the_limit_of_its_own_file() -> None:
    assert limit_of("small", "d1", [CITED, ROW]) == ModelLimit("small", "d1", 0.05)
    assert limit_of("small", "d2", [CITED, ROW]) is None
    assert limit_of("other", "d1", [CITED, ROW]) is None


def test_a_cited_limit_is_no_measurement() -> None:
    assert limit_of("large", "d3", [CITED]) is None


def test_what_is_written_is_read() -> None:
    assert limits_from_toml(limits_toml([ROW, CITED])) == (CITED, ROW)


def test_other_files_of_a_model_keep_their_limit() -> None:
    other = ROW.model_copy(update={"digest": "d2"})
    assert without_limit("small", "d1", [ROW, CITED, other]) == [CITED, other]


def test_a_broken_file_is_refused() -> None:
    with pytest.raises(ValueError, match="limit"):
        limits_from_toml('[[model]]\nname = "small"\nlimit = 3.0')


def test_the_bundled_model_was_measured_and_the_published_limit_is_cited(
    bundled: BundledEmbedder,
) -> None:
    stored = read_limits(shipped_data())
    assert limit_of(bundled.name, bundled.digest, stored) is not None
    cited = [row for row in stored if row.name == DEFAULT_MODEL]
    assert [(row.limit, row.digest) for row in cited] == [(0.28, None)]
