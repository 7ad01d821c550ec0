"""Apache Jena's ``riot``, where this machine has it: on the path, or as Debian's package of Jena's libraries.

Debian ships the classes without the command. Their XML part looks for its messages where Debian's jar does not have
them, so they are laid out once more in a directory that stands first on the class path.
"""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path

__all__ = ["riot", "riot_command"]

_JARS = Path("/usr/share/java")
_NEEDED = (
    "jena-*", "commons-cli", "commons-codec", "commons-compress", "commons-csv", "commons-io", "commons-lang3",
    "dexx.collection", "gson", "guava", "httpclient", "httpclient-cache", "httpcore", "jackson-annotations",
    "jackson-core", "jackson-databind", "jakarta.json-api", "jsonld-java", "jcl-over-slf4j", "protobuf", "slf4j-api",
    "slf4j-simple", "thrift", "titanium-json-ld",
)  # fmt: skip
_MISPLACED = "org/apache/jena/ext/"


def riot_command(scratch: Path) -> list[str] | None:
    """How ``riot`` is started here, or None where there is no Jena; `scratch` is a directory that may be written."""
    if found := shutil.which("riot"):
        return [found]
    java, core = shutil.which("java"), _JARS / "jena-core.jar"
    if java is None or not (_JARS / "jena-cmds.jar").exists() or not core.exists():
        return None
    with zipfile.ZipFile(core) as jar:
        for name in jar.namelist():
            if name.startswith(_MISPLACED) and name.endswith(".properties"):
                target = scratch / name.removeprefix(_MISPLACED)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(jar.read(name))
    jars = sorted(str(jar) for pattern in _NEEDED for jar in _JARS.glob(f"{pattern}.jar"))
    return [java, "-cp", ":".join([str(scratch), *jars]), "riotcmd.riot"]


def riot(command: list[str], *arguments: str) -> str:
    """What ``riot`` prints; its warnings, such as of U+FFFD in a text, are passed over, and all else is a failure."""
    ran = subprocess.run([*command, *arguments], capture_output=True, encoding="utf-8", timeout=120, check=False)
    worse = [line for line in ran.stderr.splitlines() if " WARN " not in line]
    assert not worse, worse[:10]
    return ran.stdout
