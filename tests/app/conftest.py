"""One browser and one server for all tests of the page."""

import pytest

from tests.app import browsing
from tests.app.servers import served


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    with served(tmp_path_factory.mktemp("runs") / "project") as started:
        yield started


@pytest.fixture(scope="session")
def program():
    if browsing.browser() is None:
        pytest.skip("No Chromium here to open the page in: apt-get install chromium")
    with browsing.launched() as launched:
        yield launched
