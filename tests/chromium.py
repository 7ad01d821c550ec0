"""The system's Chromium for tests of the page: every page it opens is watched for errors and requests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Route, sync_playwright

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


def executable() -> str:
    """Where Chromium is; skips the test where there is none, unless CI says that there has to be one."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not found:
        if os.environ.get("CI"):
            pytest.fail("no Chromium found; CI must install it")
        pytest.skip("no Chromium found on this machine; install it or name it in CHROMIUM")
    return found


@contextmanager
def browser() -> Iterator[Browser]:
    path = executable()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield started
        started.close()


class Watched:
    """A page with what went wrong on it; `errors` and `requests` must stay empty."""

    def __init__(self, page: Page, path: Path) -> None:
        self.page = page
        self.url = path.as_uri()
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.dialogs: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("dialog", self._dialog)
        page.route("**/*", self._route)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _dialog(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def _route(self, route: Route) -> None:
        if route.request.url.split("#")[0] == self.url:
            route.continue_()
        else:
            self.requests.append(route.request.url)
            route.abort()

    def open(self, fragment: str = "") -> Watched:
        self.page.goto("about:blank")
        self.page.goto(self.url + fragment)
        self.page.wait_for_selector("html[data-ready]", state="attached")
        return self

    def drawn(self) -> Watched:
        self.page.wait_for_selector("html[data-drawn]", state="attached")
        return self

    def state(self, key: str) -> str:
        return str(self.page.evaluate("key => sotagraph.state()[key]", key))

    def click_node(self, node: str, *, times: int = 1) -> None:
        """Click on a node of the canvas, where it is drawn."""
        self.page.wait_for_timeout(450)  # a running animation would move it away
        at = self.page.evaluate("id => sotagraph.where(id)", node)
        self.page.locator("#canvas canvas").click(position={"x": at["x"], "y": at["y"]}, click_count=times)

    def clean(self) -> None:
        assert self.errors == []
        assert self.requests == []
        assert self.dialogs == []


@contextmanager
def opened(started: Browser, html: str, folder: Path, *, width: int = 1280, height: int = 820) -> Iterator[Watched]:
    """The page from a file, with no network, ready to be used; at the end it must be clean."""
    path = folder / "index.html"
    path.write_text(html, encoding="utf-8", newline="\n")
    context = started.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    watched = Watched(context.new_page(), path)
    yield watched
    context.close()
    watched.clean()
