from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import birdpapers
from sotagraph.errors import ConfigError, QueryError, QueryTimeoutError
from sotagraph.graph import to_graph
from sotagraph.limited import BusyError, Workers, run
from sotagraph.rdf import to_ntriples
from sotagraph.store import Store

DATA = to_ntriples(to_graph(birdpapers.birds())).encode()
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
SRC = Path(__file__).parent.parent / "src"


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers(DATA, count=2) as made:
        yield made


def test_answers_are_those_of_the_store(workers: Workers) -> None:
    store = Store.of_ntriples(DATA)
    for sparql in (
        "SELECT ?x ?v { ?x sg:value ?v } ORDER BY ?v",
        "ASK { ?x a sg:Paper }",
        "CONSTRUCT WHERE { ?x sg:uses ?y }",
    ):
        assert workers.query(sparql, seconds=60) == store.query(sparql)
    types = ("text/csv", "text/turtle")
    expected = store.serialized("SELECT ?n { ?x skos:prefLabel ?n } ORDER BY ?n", *types)
    assert workers.serialized("SELECT ?n { ?x skos:prefLabel ?n } ORDER BY ?n", *types, seconds=60) == expected


def test_mistakes_come_back_as_errors_with_their_place(workers: Workers) -> None:
    with pytest.raises(QueryError, match="never closed") as caught:
        workers.query("SELECT * {\n ?s ?p ?o ", seconds=60)
    assert (caught.value.line, caught.value.column) == (1, 10)
    with pytest.raises(QueryError, match="SERVICE is refused"):
        workers.query("ASK { SERVICE <http://127.0.0.1/> {} }", seconds=60)


def test_a_query_is_cut_at_its_limit_while_others_are_served(workers: Workers) -> None:
    cut: list[float] = []

    def endless() -> None:
        began = time.monotonic()
        with pytest.raises(QueryTimeoutError, match="cut after"):
            workers.query(ENDLESS, seconds=2)
        cut.append(time.monotonic() - began)

    thread = threading.Thread(target=endless)
    thread.start()
    answered = 0
    while thread.is_alive():
        assert workers.query("ASK { ?x a sg:Paper }", seconds=60) is True
        answered += 1
    thread.join()
    assert answered > 5
    assert 1.9 < cut[0] < 10
    # The worker that was killed has a successor.
    assert workers.query("ASK { ?x a sg:Paper }", seconds=60) is True


def test_when_all_are_at_work_a_query_waits_no_longer_than_its_limit() -> None:
    with Workers(DATA, count=1) as one:
        assert one.query("ASK {}", seconds=60) is True

        def endless() -> None:
            with pytest.raises(QueryTimeoutError):
                one.query(ENDLESS, seconds=3)

        thread = threading.Thread(target=endless)
        thread.start()
        time.sleep(0.5)
        with pytest.raises(BusyError, match="every worker was busy"):
            one.query("ASK {}", seconds=0.3)
        thread.join()


def test_a_worker_that_dies_is_replaced(workers: Workers) -> None:
    with Workers(DATA, count=1) as one:
        assert one.query("ASK {}", seconds=60) is True
        (worker,) = one._all
        worker._process.kill()
        worker._process.wait()
        with pytest.raises(QueryError, match=r"gone|died"):
            one.query("ASK {}", seconds=60)
        assert one.query("ASK {}", seconds=60) is True


def test_nothing_is_left_behind() -> None:
    with Workers(DATA, count=2) as made:
        path = made._path
        processes = [worker._process for worker in made._all]
        assert path.read_bytes() == DATA
    assert not path.exists()
    assert all(process.poll() is not None for process in processes)


def test_one_query_alone() -> None:
    assert run(DATA, "ASK { ?x a sg:Paper }", seconds=60) is True
    with pytest.raises(QueryTimeoutError):
        run(DATA, ENDLESS, seconds=1.5)


def test_no_workers_are_refused() -> None:
    with pytest.raises(ConfigError, match="give 1 or more"):
        Workers(DATA, count=0)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_ctrl_c_and_a_killed_parent_end_the_query(tmp_path: Path, how: signal.Signals) -> None:
    data = tmp_path / "data.nt"
    data.write_bytes(DATA)
    code = (
        "from sotagraph.limited import Workers\n"
        f"workers = Workers(open({str(data)!r}, 'rb').read(), count=1)\n"
        "workers.query('ASK {}', seconds=60)\n"
        "print(next(iter(workers._all))._process.pid, flush=True)\n"
        "try:\n"
        f"    workers.query({ENDLESS!r}, seconds=600)\n"
        "finally:\n"
        "    workers.close()\n"
    )
    program = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": str(SRC)},
    )
    assert program.stdout is not None
    worker = int(program.stdout.readline())
    time.sleep(0.5)
    program.send_signal(how)
    assert program.wait(timeout=20) != 0
    program.stdout.close()
    until = time.monotonic() + 20
    while Path(f"/proc/{worker}").exists() or _alive(worker):
        assert time.monotonic() < until, "the worker outlived its parent"
        time.sleep(0.1)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
