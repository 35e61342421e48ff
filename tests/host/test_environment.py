# SPDX-License-Identifier: MIT
"""Each command installs only the packages that it uses; a missing one is named with the command that installs it."""

import contextlib
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from shutil import copy, copytree, ignore_patterns

import pytest
from packaging.specifiers import SpecifierSet

from whit.setup import environment, packages
from whit_lab.registry import NAMES
from whit_testbed import testing

from .conftest import ROOT

ASK = """
import sys
sys.path.insert(0, sys.argv[1])
from whit.setup import environment, packages
absent = [packages.Package(name, lambda: False) for name in ("libabsent-dev", "absent")]
present = packages.Package("gcc", lambda: True)
needed = (present, *absent) if sys.argv[2] == "needed" else (present,)
environment._install_packages(packages.Wanted(needed, tuple(absent)))
print("goes on")
"""
INSTALL = "apt-get install -y --no-install-recommends libabsent-dev absent"


def ask(kind: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Runs as a user who may not install packages."""
    assert PYTHON is not None
    return run_as_nobody(PYTHON, "-I", "-c", ASK, str(ROOT / "tools"), kind, path=path)


@pytest.fixture
def machine() -> Iterator[Callable[..., Path]]:
    """A directory for PATH that such a user may read, with programs of these names."""
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o755)

        def make(*names: str) -> Path:
            for name in names:
                (Path(made) / name).symlink_to("/bin/true")
            return Path(made)

        yield make


def run_as_nobody(*command: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    user = 65534 if os.geteuid() == 0 else None
    environment = os.environ | ({"PATH": str(path)} if path else {})
    return subprocess.run(command, capture_output=True, text=True, user=user, cwd="/", env=environment)


def find_python() -> str | None:
    """A Python that such a user may start, and that may read this tree."""
    for python in (sys.executable, "/usr/bin/python3"):
        with contextlib.suppress(OSError):
            if run_as_nobody(python, "-c", f"open({environment.__file__!r})").returncode == 0:
                return python
    return None


PYTHON = find_python()
readable = pytest.mark.skipif(PYTHON is None, reason="a user without privileges cannot read this tree, or start Python")


@readable
@pytest.mark.parametrize("sudo", [True, False])
def test_missing_packages_are_named_in_one_line_with_their_command(machine: Callable[..., Path], sudo: bool) -> None:
    done = ask("needed", machine("apt-get", *["sudo"] * sudo))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"sudo {INSTALL}{'' if sudo else '  # '}" in done.stderr  # what follows is a comment to the shell
    assert done.stderr.endswith(INSTALL + "\n") == sudo
    assert ("no sudo: become root" in done.stderr) != sudo


@readable
def test_another_system_is_told_of_the_container(machine: Callable[..., Path]) -> None:
    done = ask("needed", machine("sudo"))
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "container (Dockerfile)" in done.stderr and "apt-get" not in done.stderr


@readable
def test_missing_packages_that_are_only_useful_do_not_stop(machine: Callable[..., Path]) -> None:
    done = ask("useful", machine("apt-get"))
    assert done.returncode == 0 and "goes on" in done.stdout
    assert "skipped" in done.stderr and f"sudo {INSTALL}" in done.stderr


HOLD = """
import fcntl, sys, time
held = open(sys.argv[1], "w")
fcntl.lockf(held, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""
LOCKS = ("var/lib/dpkg/lock-frontend", "var/lib/dpkg/lock", "var/lib/apt/lists/lock", "var/cache/apt/archives/lock")


@pytest.fixture
def apt_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A system of apt's in a directory, with one package to install. Its dpkg does nothing."""
    for name in (
        "var/lib/dpkg/updates",
        "etc/apt.conf.d",
        "var/lib/apt/lists/partial",
        "var/cache/apt/archives/partial",
        "repo",
    ):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "var/lib/dpkg/status").touch()
    (tmp_path / "etc/sources.list").write_text(f"deb [trusted=yes] copy:{tmp_path}/repo ./\n")
    (tmp_path / "apt.conf").write_text(
        f"""Dir "{tmp_path}"; Dir::State "{tmp_path}/var/lib/apt"; Dir::State::status "{tmp_path}/var/lib/dpkg/status";
Dir::Cache "{tmp_path}/var/cache/apt"; Dir::Etc "{tmp_path}/etc"; Dir::Etc::sourcelist "{tmp_path}/etc/sources.list";
Dir::Bin::dpkg "/bin/true"; Dir::Log "{tmp_path}"; APT::Sandbox::User ""; APT::Architecture "all";
"""
    )
    package = tmp_path / "package"
    (package / "DEBIAN").mkdir(parents=True)
    control = "Package: whit-absent\nVersion: 1\nArchitecture: all\nMaintainer: w <w@example.org>\nDescription: w\n"
    (package / "DEBIAN/control").write_text(control)
    deb = tmp_path / "repo" / "whit-absent_1_all.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", package, deb], check=True, capture_output=True)
    digest = hashlib.sha256(deb.read_bytes()).hexdigest()
    (tmp_path / "repo" / "Packages").write_text(
        f"{control}Filename: ./{deb.name}\nSize: {deb.stat().st_size}\nSHA256: {digest}\n"
    )
    monkeypatch.setenv("APT_CONFIG", str(tmp_path / "apt.conf"))
    return tmp_path


@contextlib.contextmanager
def held(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Runs another program that holds the lock until its standard input closes."""
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        yield other


@pytest.mark.parametrize("lock", LOCKS)
def test_set_up_waits_for_the_locks_of_others(
    apt_root: Path, lock: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line names the locked file and the process that holds it; then the package is installed."""
    pauses: list[float] = []
    monkeypatch.setattr(environment, "_has_lists", lambda: False)
    with held(apt_root / lock) as other:

        def pause(seconds: float) -> None:
            pauses.append(seconds)
            if len(pauses) == 2:
                other.communicate()  # gives the lock back

        monkeypatch.setattr(environment.time, "sleep", pause)
        installed = environment._apt_install(["whit-absent"])
    said = capsys.readouterr().err
    assert installed, said
    assert len(pauses) == 2 and said.count("\n") == 2, said
    assert f"another program that installs packages. Could not get lock {apt_root / lock}" in said
    assert f"process {other.pid}" in said


def test_set_up_does_not_wait_for_ever(
    apt_root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(environment, "LOCK_PATIENCE_S", 0.0)
    with held(apt_root / LOCKS[0]):
        assert not environment._apt_install(["whit-absent"])
    assert "Could not get lock" in capsys.readouterr().err


def test_set_up_waits_for_nothing_else(apt_root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A package that is not there."""
    assert not environment._apt_install(["whit-nowhere"])
    said = capsys.readouterr().err
    assert "waiting" not in said and "Unable to locate package whit-nowhere" in said


def names(*arguments: str) -> set[str]:
    wanted = packages.wanted(arguments)
    return {package.name for package in wanted.needed + wanted.useful}


HOST = {package.name for package in packages.HOST}


@pytest.mark.parametrize(
    "line", ["", "--version", "--help", "new x", "model --link 1kB/s", "ladder a.pcap", "export a b --format cmake"]
)
def test_commands_that_build_nothing_need_no_package(line: str) -> None:
    assert names(*line.split()) == set()


@pytest.mark.parametrize("line", ["lab", "lab --help", "lab render", "lab nonsense", "run --help", "test --help"])
def test_what_only_lists_or_draws_needs_no_package(line: str) -> None:
    assert names(*line.split()) == set() and packages.wanted(line.split()).peers == ()


@pytest.mark.parametrize(
    "line",
    [
        "test --quik",
        "test --mutant 5",
        "run apps/nowhere",
        "build nowhere --target avr",
        "report apps/contacts/app.toml",
    ],
)
def test_what_is_refused_at_once_needs_no_package(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mistake is reported before Firefox and Go are installed."""
    monkeypatch.chdir(ROOT)
    assert names(*line.split()) == set() and packages.wanted(line.split()).peers == ()


def test_options_that_are_known_or_pytests_are_no_mistake() -> None:
    for line in ("test --quick", "test --pdb -x --quiet", "test --durations=3 -k quick", "test --mutants 5 --seed 3"):
        assert names(*line.split()) >= HOST


def test_run_needs_what_its_target_uses() -> None:
    assert names("run", "apps/contacts") == HOST
    assert names("run", "apps/contacts", "--target", "avr") == HOST | {
        "gcc-avr", "binutils-avr", "avr-libc", "libsimavr-dev", "libelf-dev"
    }  # fmt: skip
    arm = {"cmake", "ninja-build", "gcc-arm-none-eabi", "libnewlib-arm-none-eabi"}
    assert names("build", "apps/contacts", "--target=cortex-m") == arm
    assert names("report", "apps/contacts", "--target", "cortex-m", "--measure") == arm | {"qemu-system-arm"}


def test_experiment_needs_what_it_uses() -> None:
    assert set(packages.EXPERIMENTS) == set(NAMES)
    assert names("lab", "functions") == HOST
    assert names("lab", "--json", "-", "engine") >= {"valgrind"} | HOST
    assert not names("lab", "engine") & {"chromium", "gcc-avr"}
    assert packages.wanted(["lab", "loss"]).peers == (packages.LWIP,)
    for line in ("lab all", "lab publish", "lab check"):
        assert names(*line.split()) >= {"chromium", "valgrind", "gcc-avr"} | HOST


def test_tests_need_what_they_use() -> None:
    assert set(packages.TESTS) <= {path.name for path in (ROOT / "tests").iterdir() if path.is_dir()}
    assert names("test", "--quick") == HOST == names("test", "tests/http/test_cut.py::test_x", "-x")
    quick = [packages.TESTS[name] for name in testing.QUICK if name in packages.TESTS]
    assert all(wanted == packages.OF_QUICK for wanted in quick)
    assert "chromium" not in names("test", "tests/host") and "chromium" in names("test", "tests/browser")
    assert names("test", "tests/lab/test_loss.py") == HOST
    usual, everything = names("test"), names("test", "--all")
    assert usual >= {"chromium", "gcc-avr", "qemu-system-arm", "mariadb-server-core"} | HOST
    assert not usual & {"golang-go", "default-jdk-headless", "valgrind", "clang", "arduino-builder"}
    assert everything >= {"chromium", "valgrind", "clang", "make", "netbase", "wrk", "arduino-builder"} | HOST
    assert names("test", "-k", "window") == everything == names("test", "tests") == names("test", "--rest")


def test_useful_packages_stop_no_test() -> None:
    assert {package.name for package in packages.wanted(["test"]).needed} == HOST


def test_version_needs_no_environment(tmp_path: Path) -> None:
    for name in ("whit", "pyproject.toml"):
        copy(ROOT / name, tmp_path)
    copytree(ROOT / "tools", tmp_path / "tools", ignore=ignore_patterns("__pycache__"))
    done = subprocess.run([tmp_path / "whit", "--version"], capture_output=True, text=True, env={"PATH": "/usr/bin"})
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (done.returncode, done.stdout, done.stderr) == (0, f"whit {project['version']}\n", "")
    assert not (tmp_path / ".venv").exists()


def pins(text: str) -> list[str]:
    """Each requirement of a lock, with its digests."""
    joined = text.replace("\\\n", " ").splitlines()
    return [line for line in joined if line and not line.startswith("#")]


def packages_of(text: str) -> list[str]:
    """Returns the names that a lock pins."""
    return [line.partition("==")[0].lower().replace("_", "-") for line in pins(text)]


@pytest.mark.parametrize("name", sorted(path.stem for path in environment.LOCKS.glob("*.lock")))
def test_every_requirement_is_pinned_with_digests(name: str) -> None:
    lines = pins(environment.lock_of(name).read_text())
    digests = r"( +--hash=sha256:[0-9a-f]{64})+"
    assert lines and all(re.fullmatch(rf"[A-Za-z0-9_.-]+==[\w.]+{digests}", line) for line in lines)


def test_no_package_is_pinned_twice() -> None:
    """Several locks are installed together. Those of docs and release are also installed without the tests' locks, so
    they may pin what these pin."""
    named = [one for name in packages.LOCKS_OF_LAB for one in packages_of(environment.lock_of(name).read_text())]
    assert len(named) == len(set(named)) > 50
    product = set(packages_of(environment.lock_of("product").read_text()))
    for name in ("docs", "release"):
        assert not product & set(packages_of(environment.lock_of(name).read_text()))


def test_pinned_versions_run_on_the_python_of_debian_12() -> None:
    """Compares what each installed package says of itself; a newer Python would install it all the same."""
    wrong = []
    for path in environment.LOCKS.glob("*.lock"):
        for name in packages_of(path.read_text()):
            with contextlib.suppress(metadata.PackageNotFoundError):
                needs = metadata.metadata(name)["Requires-Python"]
                if needs and not SpecifierSet(needs).contains("3.11.2"):
                    wrong.append(f"{path.name}: {name} needs Python {needs}")
    assert not wrong


def test_a_package_with_another_digest_is_not_installed(tmp_path: Path) -> None:
    """The lock as set-up gives it to pip, one digest changed: pip refuses the file before anything of it runs."""
    wheel = tmp_path / "absent-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as made:
        made.writestr("absent.py", "")
        made.writestr("absent-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: absent\nVersion: 1\n")
        made.writestr("absent-1.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        made.writestr("absent-1.dist-info/RECORD", "")
    right = hashlib.sha256(wheel.read_bytes()).hexdigest()
    lock = tmp_path / "requirements.lock"
    pip = [
        sys.executable,
        "-m",
        "pip",
        *environment.INSTALL,
        "--requirement",
        str(lock),
        "--no-index",
        "--target",
        str(tmp_path / "to"),
    ]
    for digest, installed in (("0" * 64, False), (right, True)):
        lock.write_text(f"absent==1 --hash=sha256:{digest}\n")
        done = subprocess.run([*pip, "--find-links", str(tmp_path)], capture_output=True, text=True)
        assert (done.returncode == 0, (tmp_path / "to" / "absent.py").exists()) == (installed, installed), done.stderr


FIRST_PART = """
import sys
from importlib import metadata
from pathlib import Path
root, made = Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(root / "tools"))
others = [path for path in (root / "requirements").glob("*.lock") if path.stem != "product"]
lines = [line for path in others for line in path.read_text().splitlines()]
rest = {line.partition("==")[0].lower().replace("_", "-") for line in lines if "==" in line}
assert len(rest) > 20
for name in ("whit_testbed", "whit_lab"):
    sys.modules[name] = None
owners = metadata.packages_distributions()
for module, names in owners.items():
    if {name.lower().replace("_", "-") for name in names} <= rest:
        sys.modules[module] = None  # an import of it fails
from whit.cli import main
app = str(root / "apps" / "contacts")
for command in (
    ["--help"], ["new", f"{made}/doorbell"], ["build", app], ["report", app], ["report", app, "--link", "10kB/s,50ms"],
    ["export", app, f"{made}/out", "--format", "cmake"],
):
    sys.argv[1:] = command
    try:
        main()
    except SystemExit as end:
        assert not end.code, (command, end.code)
"""


def test_what_serves_and_reports_needs_the_product_alone(tmp_path: Path) -> None:
    command = [sys.executable, "-I", "-c", FIRST_PART, str(ROOT), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_each_command_installs_the_locks_that_it_uses(tmp_path: Path) -> None:
    capture = tmp_path / "a.pcap"
    capture.write_bytes(bytes.fromhex("d4c3b2a1"))
    expected = {
        ("product",): ("run apps/contacts --live", "model --help", "run app --ladder x.gif", "ladder no.pcap",
                       f"ladder {ROOT}/README.md", f"ladder {capture} --svg=x.gif"),
        ("product", "capture"): (f"ladder {capture}", "run app --ladder=x.svg"),
        ("product", "docs"): ("docs", "docs --build site"),
        ("product", "release"): ("sbom", "sbom whit.json"),
        packages.LOCKS_OF_TESTS: ("test", "test --quick", "test tests/http -x"),
        packages.LOCKS_OF_LAB: ("lab ping", "model --link 1kB/s", "test tests/lab",
                                "test tests/lab/test_plot.py::test_x"),
        (*packages.LOCKS_OF_TESTS, "docs"): ("test tests/browser", "test tests/browser/test_site.py -x"),
        (*packages.LOCKS_OF_TESTS, "release"): ("test tests/host/test_sbom.py",),
        (*packages.LOCKS_OF_LAB, "docs", "release"): (
            *("test --all", "test --changed", "test --rest", "test --mutants 5", "test tests"),
        ),
    }  # fmt: skip
    assert {line: packages.locks(line.split()) for lines in expected.values() for line in lines} == {
        line: names for names, lines in expected.items() for line in lines
    }


def test_locks_agree() -> None:
    """A package has one version in all of them. Otherwise commands in turn would install one and the other."""
    versions: dict[str, set[str]] = {}
    for lock in environment.LOCKS.glob("*.lock"):
        for line in pins(lock.read_text()):
            name, _, version = line.split()[0].partition("==")
            versions.setdefault(name.lower().replace("_", "-"), set()).add(version)
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


def test_locks_hold_what_the_project_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for name, wanted in {"product": project["dependencies"], **project["optional-dependencies"]}.items():
        named = {re.split("[<>=]", one.lower())[0] for one in wanted}
        assert named <= set(packages_of(environment.lock_of(name).read_text())), name


def test_container_installs_by_the_project_itself() -> None:
    """The container's packages are listed in one place only: tools/whit/setup/packages.py. `.ci/bare -f` prints the
    same."""
    lines = [line.partition(" ") for line in (ROOT / "Dockerfile").read_text().splitlines()]
    runs = [words for instruction, _, words in lines if instruction == "RUN"]
    assert runs[0].endswith("install --yes --no-install-recommends ca-certificates git python3")
    assert runs[1:] == ["./whit build apps/contacts"]
    command = json.loads(next(words for instruction, _, words in lines if instruction == "CMD"))
    assert command[:3] == ["./whit", "run", "apps/contacts"]
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    assert (ROOT / ".devcontainer" / container["build"]["dockerfile"]).resolve() == ROOT / "Dockerfile"
    left_out = (ROOT / ".dockerignore").read_text().splitlines()
    assert {".venv", "build", ".whit"} <= set(left_out)


@pytest.mark.parametrize("command", [".ci/bare", ".ci/run"])
def test_scripts_of_ci_are_valid(command: str) -> None:
    assert subprocess.run(["bash", "-n", ROOT / command]).returncode == 0


@readable
def test_bare_machine_says_why_there_is_none() -> None:
    done = run_as_nobody("bash", str(ROOT / ".ci" / "bare"))
    assert done.returncode == 77
    assert re.fullmatch(r"bare: no machine: a chroot needs root \(\d+ s\)\n", done.stdout)
