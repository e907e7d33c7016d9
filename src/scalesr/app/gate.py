"""Gate: who may talk to the page. It stands before everything else and knows nothing of it.

A request is answered where it names this server as its host, comes from its own pages where it comes from a page,
and brings the token: first in the address, then in a cookie. So other users of the machine, other sites in the same
browser and names that an attacker has pointed at this machine are refused.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlencode

from scalesr.app import sign_in
from scalesr.app.sign_in import Password

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOCAL_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")
HTTP_PORT: Final = 80  # which browsers leave out of the address
MAX_BODY: Final = 2**29  # bytes that are taken from one request: a table of half a gigabyte
_HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[^:\[\]@]+)(?::([0-9]{1,5}))?")
_READING: Final = ("GET", "HEAD")
_STATIC: Final = re.compile(r"/_nicegui/[^/]+/|/static/")  # files of the framework and our own, which never change


@dataclass(frozen=True, slots=True)
class Keys:
    """What a request has to bring."""

    token: str = field(repr=False)
    names: frozenset[str]  # by which this server is called
    port: int
    password: Password | None = None  # for people on other machines, who do not know the token

    @property
    def cookie(self) -> str:
        """The name of the cookie that holds the token."""
        return f"scalesr-{self.port}"

    @classmethod
    def local(cls, token: str, port: int) -> Keys:
        """Those of a server for this machine alone."""
        return cls(token, frozenset(LOCAL_NAMES), port)

    @classmethod
    def shared(cls, token: str, port: int, names: Iterable[str], password: str) -> Keys:
        """Those of a server that listens under other names, too."""
        return cls(token, frozenset((*LOCAL_NAMES, *(name.lower() for name in names))), port, Password(password))

    def are_called(self, host: str) -> bool:
        """Whether a Host header means this server.

        A name that somebody has pointed at this machine is none of its own. An address of numbers cannot be pointed
        anywhere, so that any will do where other machines are let in.
        """
        found = _HOST.fullmatch(host.lower())
        if found is None or int(found[2] or HTTP_PORT) != self.port:
            return False
        return found[1] in self.names or (self.password is not None and _is_address(found[1]))

    def fits(self, token: str) -> bool:
        """Whether a token is the right one, in a time that tells nothing about it."""
        return hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode())


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


class RequestTooLarge(Exception):
    """A request brings more than is taken."""


class Gate:
    """An ASGI application that lets through what may pass to another one."""

    def __init__(self, inner: App, keys: Keys, *, max_body: int = MAX_BODY) -> None:
        self._inner, self._keys, self._max_body = inner, keys, max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
            return
        headers = _headers(scope)
        why = self._refusal(scope, headers)
        if why is not None:
            await _refuse(scope, send, *why)
        elif scope["type"] == "http" and scope["method"] in _READING and self._token_in_address(scope) is not None:
            await self._let_in(scope, send)
        elif self._has_cookie(headers):
            await self._pass(scope, receive, send)
        elif self._keys.password is not None and scope["type"] == "http":
            await self._sign_in(self._keys.password, scope, receive, send)
        else:
            await _refuse(
                scope, send, 403, "Open the page by the address that `scalesr app` has printed: it holds a token."
            )

    def _refusal(self, scope: Scope, headers: dict[str, list[str]]) -> tuple[int, str] | None:
        """Why a request is not looked at any further, whatever it brings."""
        host, origin = headers.get("host", []), headers.get("origin", [])
        if len(host) != 1 or not self._keys.are_called(host[0]):
            return 400, "This server does not go by that name."
        is_changing = scope["type"] == "websocket" or scope["method"] not in _READING
        if origin != [f"http://{host[0].lower()}"] and (origin or is_changing):
            return 403, "Requests from other pages are refused."
        length = headers.get("content-length", ["0"])[-1]
        if not length.isdecimal() or int(length) > self._max_body:
            return 413, f"Tables are taken up to {self._max_body // 2**20} MiB; give a part of the rows."
        token = self._token_in_address(scope)
        if token is not None and not self._keys.fits(token):
            return 403, "The token in the address is not the one that `scalesr app` has printed."
        return None

    def _token_in_address(self, scope: Scope) -> str | None:
        query = scope.get("query_string", b"").decode("latin-1")
        return next((value for name, value in parse_qsl(query, keep_blank_values=True) if name == "token"), None)

    def _has_cookie(self, headers: dict[str, list[str]]) -> bool:
        for line in headers.get("cookie", []):
            try:
                found = SimpleCookie(line).get(self._keys.cookie)
            except CookieError:
                continue
            if found is not None and self._keys.fits(found.value):
                return True
        return False

    async def _sign_in(self, password: Password, scope: Scope, receive: Receive, send: Send) -> None:
        """Ask for the password, and let in who gives it."""
        if scope["path"] != sign_in.PATH or scope["method"] != "POST":
            if scope["method"] in _READING and not _STATIC.match(scope["path"]):
                await _answer(send, 401, sign_in.form().decode(), _HTML)
            else:
                await _answer(send, 403, "Sign in first.")
            return
        body, more = b"", True
        while more and len(body) <= sign_in.LONGEST:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        if len(body) <= sign_in.LONGEST and await password.fits(body):
            await self._welcome("/", send)
        else:
            await _answer(send, 401, sign_in.form("That is not the password; try again.").decode(), _HTML)

    async def _let_in(self, scope: Scope, send: Send) -> None:
        """Answer with the cookie and the same address without the token, which so stays out of the history."""
        rest = [pair for pair in parse_qsl(scope["query_string"].decode("latin-1")) if pair[0] != "token"]
        path = "/" + quote(scope["path"].lstrip("/"))  # one slash: two would name another server
        await self._welcome(path + (f"?{urlencode(rest)}" if rest else ""), send)

    async def _welcome(self, where: str, send: Send) -> None:
        cookie = f"{self._keys.cookie}={self._keys.token}; HttpOnly; SameSite=Strict; Path=/"
        headers = [(b"location", where.encode("ascii")), (b"set-cookie", cookie.encode("ascii"))]
        await _answer(send, 303, "", headers)

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        taken, has_begun = 0, False

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._max_body:
                raise RequestTooLarge
            return message

        async def protected(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                is_static = _STATIC.match(scope["path"]) is not None
                message["headers"] = [*_kept(message.get("headers", ()), is_static), *_protection(is_static)]
            await send(message)

        if scope["type"] == "websocket":
            await self._inner(scope, receive, send)
            return
        try:
            await self._inner(scope, counted, protected)
        except RequestTooLarge:
            if not has_begun:
                await _answer(
                    send, 413, f"Tables are taken up to {self._max_body // 2**20} MiB; give a part of the rows."
                )


# The framework's page compiles its templates in the browser and begins with a script of its own, so scripts in the
# page are not forbidden; that nothing of the user's becomes one is kept by escaping. Nothing is loaded from, sent to
# or framed by anybody else.
_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)


def _protection(is_static: bool) -> list[tuple[bytes, bytes]]:
    headers = {
        "content-security-policy": _POLICY,
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
    }
    if not is_static:
        headers["cache-control"] = "no-store"
    return [(name.encode(), value.encode()) for name, value in headers.items()]


def _kept(headers: Iterable[tuple[bytes, bytes]], is_static: bool) -> list[tuple[bytes, bytes]]:
    """What the inner application says, without what the gate says itself."""
    ours = {name for name, _ in _protection(is_static)}
    return [(name, value) for name, value in headers if name.lower() not in ours]


def _headers(scope: Scope) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


_HTML: Final = ((b"content-type", b"text/html; charset=utf-8"),)


async def _refuse(scope: Scope, send: Send, status: int, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": why[:100]})
    else:
        await _answer(send, status, why)


async def _answer(send: Send, status: int, text: str, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    body, given = text.encode(), dict(headers)
    said = {b"content-type": b"text/plain; charset=utf-8", b"content-length": str(len(body)).encode()} | given
    start = {"type": "http.response.start", "status": status, "headers": [*said.items(), *_protection(False)]}
    await send(start)
    await send({"type": "http.response.body", "body": body})
