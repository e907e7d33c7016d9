"""Makes the pictures of the tutorial from the page as it is: python -m tests.app.pictures docs/pictures

The picture that moves is made of the same screenshots.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from tests.app import browsing
from tests.app.browsing import button
from tests.app.servers import Server, served

SIZE = {"width": 1180, "height": 760}
MOVING = 900  # pixels across the moving picture


def main(folder: Path) -> None:
    """Take a noisy table from the first page to its law, and keep what is seen on the way."""
    frames: list[tuple[Image.Image, int]] = []  # with milliseconds
    with tempfile.TemporaryDirectory() as runs, served(Path(runs)) as server, browsing.launched() as program:
        with browsing.opened(program, viewport=SIZE, color_scheme="light") as (page, _):
            page.goto(server.address)
            page.get_by_role("heading", name="An example").wait_for()
            page.add_style_tag(content="#runs { display: none }")  # it tells a folder of this machine
            _keep(page, folder / "app-start.png", height=450)
            frames.append((_seen(page), 1800))
            button(page, "Sinking balls, noisy").click()
            page.locator("figure svg").nth(4).wait_for()
            _keep(page, folder / "app-table.png")
            frames.append((_seen(page), 2200))
            button(page, "Find the law").click()
            page.locator(".law .formula").wait_for()
            page.locator("figure svg.main-svg").first.wait_for()
            frames += _watched(page, folder / "app-running.png")
            page.locator("figure svg.main-svg").nth(2).wait_for()
            _keep(page, folder / "app-law.png")
            frames.append((_seen(page), 4000))
            page.get_by_role("heading", name="Variable by variable").evaluate("heading => heading.scrollIntoView()")
            _keep(page, folder / "app-slices.png")
            frames.append((_seen(page), 2500))
            key = page.url.rsplit("/", 1)[-1]
            button(page, "Draw the surface").click()
            page.locator("figure canvas").first.wait_for()
            page.locator("figure", has_text="The law over").evaluate("figure => figure.scrollIntoView()")
            _keep(page, folder / "app-surface.png", height=440)
            _motion(server, page, folder / "app-motion.png")
        narrow = {"viewport": {"width": 390, "height": 760}, "color_scheme": "dark"}
        with browsing.opened(program, **narrow) as (page, _):
            page.goto(server.address.replace("/?", f"/runs/{key}?"))
            page.locator("figure svg.main-svg").first.wait_for()
            _keep(page, folder / "app-phone.png")
    pictures = [picture.resize((MOVING, MOVING * SIZE["height"] // SIZE["width"])) for picture, _ in frames]
    plain = [picture.quantize(64, dither=Image.Dither.NONE) for picture in pictures]
    times = [time for _, time in frames]
    plain[0].save(folder / "app.gif", save_all=True, append_images=plain[1:], duration=times, loop=0, optimize=True)


def _motion(server: Server, page: Any, path: Path) -> None:
    """Laws of motion, with their phase portrait."""
    page.goto(server.origin)
    button(page, "Hares and foxes").click()
    button(page, "Find the laws of motion").click()
    page.get_by_role("heading", name="Take it away").wait_for()
    page.get_by_role("heading", name="Phase portrait").evaluate("heading => heading.scrollIntoView()")
    _keep(page, path)


def _watched(page: Any, path: Path) -> list[tuple[Image.Image, int]]:
    """The search while it runs, in some pictures."""
    frames = []
    done = page.get_by_role("heading", name="Take it away")
    last = ""
    while done.count() == 0:
        page.wait_for_timeout(1500)
        law = page.locator(".law").first.inner_text()
        if law != last or not frames:
            last = law
            if done.count() == 0:
                _keep(page, path)
            frames.append((_seen(page), 1200))
    return frames[:6]


def _keep(page: Any, path: Path, height: int | None = None) -> None:
    """A picture with few colours, which is small."""
    seen = _seen(page)
    cut = seen if height is None else seen.crop((0, 0, seen.width, height))
    cut.quantize(64, dither=Image.Dither.NONE).save(path, optimize=True)


def _seen(page: Any) -> Image.Image:
    page.wait_for_timeout(1200)  # for the pictures to be drawn; nothing is decided by it
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
