"""The gate by itself, before an application that answers everything."""

import asyncio

import pytest

from scalesr.app.gate import Gate, Keys

KEYS = Keys.local("secret", 8123)
HOST, ORIGIN, COOKIE = (
    ("host", "127.0.0.1:8123"),
    ("origin", "http://127.0.0.1:8123"),
    ("cookie", "scalesr-8123=secret"),
)


async def everything(scope, receive, send):
    """Reads the whole body and says yes."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    while (await receive()).get("more_body"):
        pass
    headers = [(b"x-frame-options", b"ALLOWALL"), (b"x-own", b"1")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"yes"})


def answered(*headers, method="GET", path="/", query="", kind="http", body=(b"",), max_body=100):
    """The first message of the answer to a request."""
    parts = list(body)

    async def receive():
        part = parts.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    sent = []

    async def send(message):
        sent.append(message)

    scope = {
        "type": kind, "method": method, "path": path, "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers],
    }  # fmt: skip
    asyncio.run(Gate(everything, KEYS, max_body=max_body)(scope, receive, send))
    return sent[0]


def status(*headers, **request):
    return answered(*headers, **request)["status"]


@pytest.mark.parametrize("host", ["127.0.0.1:8123", "localhost:8123", "LOCALHOST:8123", "[::1]:8123"])
def test_this_machine_has_several_names(host):
    assert status(("host", host), COOKIE) == 200


@pytest.mark.parametrize(
    "hosts",
    [
        [],
        ["evil.example:8123"],
        ["127.0.0.1"],
        ["127.0.0.1:80"],
        ["127.0.0.1:8123.evil.example"],
        ["localhost:8123"] * 2,
    ],
)
def test_other_names_are_refused_also_with_the_cookie(hosts):
    assert status(*(("host", host) for host in hosts), COOKIE) == 400


SHARED = Keys.shared("secret", 8123, ("lab.example",), "a password")


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("lab.example:8123", True),
        ("192.168.1.7:8123", True),
        ("[fe80::1]:8123", True),
        ("evil.example:8123", False),
        ("192.168.1.7.evil.example:8123", False),
        ("192.168.1.7:8124", False),
    ],
)
def test_a_shared_server_is_called_by_its_names_and_by_addresses(host, is_own):
    assert SHARED.are_called(host) is is_own


def test_a_server_for_this_machine_is_called_by_no_other_address():
    assert not KEYS.are_called("192.168.1.7:8123")


def test_keys_are_not_printed():
    assert "secret" not in repr(SHARED)
    assert "a password" not in repr(SHARED)


@pytest.mark.parametrize("cookie", ["", "scalesr-8123=wrong", "scalesr-8123=", "scalesr-9999=secret", "scalesr-8123"])
def test_without_the_token_nothing_is_shown(cookie):
    assert status(HOST, ("cookie", cookie)) == 403


def test_the_token_in_the_address_becomes_a_cookie_and_leaves_the_address():
    first = answered(HOST, path="/runs/1", query="token=secret&x=a%20b")
    headers = {name.decode(): value.decode() for name, value in first["headers"]}
    assert first["status"] == 303
    assert headers["location"] == "/runs/1?x=a+b"
    assert headers["set-cookie"] == "scalesr-8123=secret; HttpOnly; SameSite=Strict; Path=/"


@pytest.mark.parametrize("path", ["//evil.example/", "/\\evil.example", "/\r\nx: y"])
def test_the_way_back_leads_to_this_server(path):
    headers = dict(answered(HOST, path=path, query="token=secret")["headers"])
    where = headers[b"location"].decode()
    assert where.startswith("/")
    assert not where.startswith(("//", "/\\"))
    assert where.isprintable()


def test_a_wrong_token_is_refused_also_with_the_cookie():
    assert status(HOST, COOKIE, query="token=wrong") == 403
    assert status(HOST, COOKIE, query="token=") == 403


def test_a_change_needs_the_own_page():
    assert status(HOST, COOKIE, ORIGIN, method="POST") == 200
    assert status(HOST, COOKIE, method="POST") == 403
    for other in ("http://evil.example", "null", "http://127.0.0.1:9999", "https://127.0.0.1:8123"):
        assert status(HOST, COOKIE, ("origin", other), method="POST") == 403
        assert status(HOST, COOKIE, ("origin", other)) == 403


def test_a_token_does_not_let_a_post_in():
    assert status(HOST, ORIGIN, method="POST", query="token=secret") == 403


def test_sockets_of_other_pages_are_closed():
    assert answered(HOST, COOKIE, ORIGIN, kind="websocket")["type"] == "websocket.accept"
    for headers in ([HOST, COOKIE], [HOST, ORIGIN], [HOST, COOKIE, ("origin", "http://evil.example")]):
        assert answered(*headers, kind="websocket")["type"] == "websocket.close"


def test_what_is_too_large_is_refused_before_and_while_it_comes():
    assert status(HOST, COOKIE, ORIGIN, ("content-length", "101"), method="POST") == 413
    assert status(HOST, COOKIE, ORIGIN, ("content-length", "-1"), method="POST") == 413
    assert status(HOST, COOKIE, ORIGIN, method="POST", body=[b"x" * 60] * 2) == 413
    assert status(HOST, COOKIE, ORIGIN, method="POST", body=[b"x" * 50] * 2) == 200


def test_answers_are_protected_whatever_the_inner_application_says():
    headers = answered(HOST, COOKIE)["headers"]
    assert [value for name, value in headers if name == b"x-frame-options"] == [b"DENY"]
    found = dict(headers)
    assert found[b"x-own"] == b"1"
    assert found[b"x-content-type-options"] == b"nosniff"
    assert b"frame-ancestors 'none'" in found[b"content-security-policy"]
    assert found[b"cache-control"] == b"no-store"
