"""An HTTP server for one graph: SPARQL 1.1 Protocol, an editor, the page of the graph, and every thing by its name.

It needs nothing beside Python and pyoxigraph. Threads read requests, and queries run in processes that are killed at
the time limit (`sotagraph.limited`), so that one endless query costs the others nothing.
"""

from __future__ import annotations

import contextlib
import re
import socket
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

from sotagraph.errors import ConfigError
from sotagraph.graph import Graph
from sotagraph.limited import Workers
from sotagraph.rdf import to_ntriples
from sotagraph.serve.app import Application
from sotagraph.serve.protocol import BODY_LIMIT, Request, Response

__all__ = ["Application", "Server", "serve"]

#: Names of this machine that a request may be addressed to while the server listens on it alone.
_LOOPBACK = frozenset(("localhost", "127.0.0.1", "[::1]", "::1"))
#: Connections that are held open at once; more are turned away.
_CONNECTIONS = 64
#: Most bytes of a refused body that are read and forgotten before the connection is closed.
_PASSED_OVER = 16 * BODY_LIMIT
#: Seconds that a client may take to send its request.
_PATIENCE = 20

Log = Callable[[str], None]


class Server:
    """A server that is ready to run; a context manager that ends its processes.

    >>> import networkx as nx
    >>> with Server(nx.MultiDiGraph(), port=0, workers=1) as server:
    ...     server.address.startswith("http://127.0.0.1:")
    True
    """

    def __init__(
        self,
        graph: Graph,
        *,
        page: bytes | None = None,
        host: str = "127.0.0.1",
        port: int = 7878,
        seconds: float = 30,
        workers: int = 2,
        origin: str | None = None,
        log: Log = lambda _: None,
    ) -> None:
        """Listen, and start the processes that answer.

        Args:
            graph: the graph.
            page: the page of the graph, where there is one.
            host: address to listen on.
            port: port to listen on; 0 takes a free one.
            seconds: time limit of a query.
            workers: how many queries run at once.
            origin: the origin whose pages may ask too (CORS), ``*`` for all, None for none.
            log: told each request, one line.

        Raises:
            ConfigError: the address cannot be listened on, or an option is out of its range.
        """
        if seconds <= 0:
            raise ConfigError(f"the time limit is {seconds} s; give more than 0")
        try:
            self._http = _Http((host, port), _Handler)
        except (OSError, OverflowError) as error:
            raise ConfigError(f"cannot listen on {host}:{port}: {error}; choose another port or host") from error
        self._workers = Workers(to_ntriples(graph).encode("utf-8"), count=workers)
        self._http.application = Application(graph, self._workers, page=page, seconds=seconds, origin=origin)
        self._http.loopback = host in _LOOPBACK
        self._http.log = log
        shown = f"[{host}]" if ":" in host else host
        self.address = f"http://{shown}:{self._http.server_port}/"

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self) -> None:
        """Answer requests until `stop` is called, or Ctrl-C is pressed."""
        self._http.serve_forever(poll_interval=0.2)

    def stop(self) -> None:
        """Let `run`, which is going on in another thread, come back."""
        self._http.shutdown()

    def close(self) -> None:
        """Give up the port and end the processes."""
        self._http.server_close()
        self._workers.close()


def serve(graph: Graph, *, ready: Log = lambda _: None, **options: Any) -> None:
    """Serve a graph until Ctrl-C; `options` are those of `Server`, and `ready` is told the address.

    Raises:
        ConfigError: the address cannot be listened on, or an option is out of its range.
    """
    with Server(graph, **options) as server:
        ready(server.address)
        try:
            server.run()
        except KeyboardInterrupt:
            return


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    application: Application
    loopback: bool
    log: Log

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._slots = threading.BoundedSemaphore(_CONNECTIONS)
        super().__init__(address, handler)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """One connection in its thread, unless too many are open."""
        if not self._slots.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._slots.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no error of ours; anything else is, and is told to the log too."""
        self.log(f"{client_address[0]} {request!r}: {sys.exc_info()[1]!r}")


class _Handler(BaseHTTPRequestHandler):
    """Between a socket and the application: reads one request, writes one response."""

    server: _Http
    protocol_version = "HTTP/1.1"
    server_version = "sotagraph"
    sys_version = ""
    timeout = _PATIENCE
    error_message_format = "%(code)d %(message)s\n"
    error_content_type = "text/plain; charset=utf-8"

    def __getattr__(self, name: str) -> Any:
        # Every method is answered by the application, which knows the status for those that it has no use for.
        if name.startswith("do_"):
            return self._answer
        raise AttributeError(name)

    def version_string(self) -> str:
        """The header ``Server``, which says nothing of the version."""
        return self.server_version

    def _answer(self) -> None:
        response = self._refusal()
        if response is None:
            length = int(self.headers.get("Content-Length", "0"))
            request = Request(
                method=self.command,
                path=_path(self.path),
                query=self.path.partition("?")[2].partition("#")[0],
                headers={name.lower(): value for name, value in self.headers.items()},
                body=self.rfile.read(length) if length else b"",
            )
            response = self.server.application.respond(request)
        else:
            self.close_connection = True  # what is left of the request is not read
        self._write(response)
        if self.close_connection and ("Content-Length" in self.headers or "Transfer-Encoding" in self.headers):
            self._linger()

    def _linger(self) -> None:
        """Pass over what is left of a body for a little: to close on it would reset the connection, answer and all."""
        left = _PASSED_OVER
        with contextlib.suppress(OSError):
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(1)
            while left > 0 and (part := self.rfile.read1(65536)):
                left -= len(part)

    def _refusal(self) -> Response | None:
        """What is wrong with a request before its body is read."""
        if self.server.loopback and _host(self.headers.get("Host", "")) not in _LOOPBACK:
            # A page elsewhere may have its name point at this machine; the browser then sends that name.
            return _plain(421, "this server answers to localhost alone")
        if self.headers.get("Transfer-Encoding"):
            return _plain(411, "send the body with its Content-Length")
        length = self.headers.get("Content-Length")
        if length is None:
            return _plain(411, "a POST needs its Content-Length") if self.command == "POST" else None
        if not re.fullmatch(r"[0-9]{1,12}", length):
            return _plain(400, "the Content-Length is no number")
        return _plain(413, f"the body is longer than {BODY_LIMIT} bytes") if int(length) > BODY_LIMIT else None

    def _write(self, response: Response) -> None:
        self.send_response(response.status)
        if response.status != 204:
            self.send_header("Content-Type", response.type)
            self.send_header("Content-Length", str(len(response.body)))
        for name, value in response.headers:
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD" and response.status != 204:
            self.wfile.write(response.body)

    def log_message(self, format: str, *args: Any) -> None:
        """Tell the log, without anything that a terminal would act on."""
        line = "".join(c if c.isprintable() else "?" for c in format % args)
        self.server.log(f"{self.address_string()} {line}")


def _path(target: str) -> str:
    path = target.partition("?")[0].partition("#")[0]
    if match := re.match(r"https?://[^/]*", path):
        path = path[match.end() :] or "/"
    return unquote(path, errors="replace")


def _host(header: str) -> str:
    return re.sub(r":[0-9]*$", "", header.strip().lower())


def _plain(status: int, message: str) -> Response:
    return Response(status=status, type="text/plain; charset=utf-8", body=f"{message}\n".encode())
