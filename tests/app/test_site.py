"""What all pages share."""

import pytest

from scalesr.app.site import MOST_READ, Busy, Site


def test_a_run_that_cannot_be_read_hinders_no_other_from_beginning(tmp_path):
    site = Site.of(tmp_path)
    broken = site.begin("a.csv")
    (broken.path / "state.json").write_text("{")
    begun = [site.begin(f"{place}.csv") for place in range(MOST_READ)]
    assert len({run.key for run in begun}) == MOST_READ
    with pytest.raises(Busy, match=f"{MOST_READ} tables are being read"):
        site.begin("one more.csv")
