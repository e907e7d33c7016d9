"""Sign-in: a page for people on other machines, who give a password and get the token in a cookie."""

from __future__ import annotations

import asyncio
import hmac
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs

PATH: Final = "/sign-in"
LEAST: Final = 10  # characters of a password: with the pause below, guessing takes longer than anybody lives
PAUSE: Final = 1.0  # seconds after a wrong one, in which nobody else may try either
LONGEST: Final = 4096  # bytes of what is sent

_FORM: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in - ScaleSR</title><style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 12vh auto; padding: 0 1rem; }
input, button { font: inherit; padding: 0.5rem 0.8rem; width: 100%; box-sizing: border-box; margin: 0.3rem 0 0.8rem; }
</style></head><body><main><h1>ScaleSR</h1>
<p role="status">WHY</p>
<form method="post" action="/sign-in">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
<button>Sign in</button></form></main></body></html>
"""


@dataclass(frozen=True, slots=True)
class Password:
    """A password, and one try at a time."""

    text: str = field(repr=False)
    tries: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    async def fits(self, body: bytes) -> bool:
        """Whether a form holds the password; after a wrong one nobody is answered for a moment."""
        given = parse_qs(body.decode("utf-8", "replace")).get("password", [""])[0]
        async with self.tries:
            if hmac.compare_digest(given.encode("utf-8", "replace"), self.text.encode()):
                return True
            await asyncio.sleep(PAUSE)
            return False


def form(why: str = "This page asks for the password that was chosen when it was started.") -> bytes:
    """The page with a sentence of ours."""
    return _FORM.replace("WHY", why).encode()
