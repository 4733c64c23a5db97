"""Where Postgres lives and which account it runs as: it refuses to run as root.

An ordinary user keeps everything in the stack folder. Root copies the binaries to a system cache
and drops to an unprivileged account; where no system folder is writable, a user namespace stands
in for the account. The mode of a folder that was there is never changed.
"""

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from cortex_local.binaries import PostgresBinaries, copy_to_cache
from cortex_local.errors import StackError
from cortex_local.files import private_folder
from cortex_local.layout import StackLayout

SOCKET_NAME = ".s.PGSQL.5432"
LONGEST_SOCKET_PATH = 103 if os.uname().sysname == "Darwin" else 107
ACCOUNTS = ("cortex", "postgres", "nobody")


class Identity(TypedDict, total=False):
    """Arguments of subprocess.Popen that change the account."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True)
class Account:
    """An unprivileged account of the system."""

    uid: int
    gid: int


@dataclass(frozen=True)
class SystemFolders:
    """Folders outside any home that root may write."""

    cache: Path = Path("/var/cache/cortex")
    state: Path = Path("/var/lib/cortex")
    run: Path = Path("/run/cortex")

    def writable(self) -> bool:
        """Whether each of them exists or can be made."""
        nearest = [_nearest(folder) for folder in (self.cache, self.state, self.run)]
        return all(folder.is_dir() and os.access(folder, os.W_OK) for folder in nearest)


@dataclass(frozen=True)
class PostgresHome:
    """Everything needed to start one cluster: binaries, folders, command prefix, identity."""

    binaries: PostgresBinaries
    data: Path
    sockets: Path
    prefix: tuple[str, ...] = ()
    identity: Identity = field(default_factory=Identity)
    account: Account | None = None

    def command(self, tool: str, *arguments: str) -> list[str]:
        return [*self.prefix, self.binaries.tool(tool), *arguments]


def plan_home(
    layout: StackLayout,
    binaries: PostgresBinaries,
    *,
    root: bool,
    system: SystemFolders,
) -> PostgresHome:
    """Choose and create the folders of the cluster for this user on this machine."""
    sockets = socket_folder(layout.folder, layout.identity, root=root, system=system)
    data = layout.folder / "postgres" / "data"
    check_socket_path(sockets)
    if not root:
        home = PostgresHome(binaries, data, sockets)
    elif system.writable():
        home = _dropped_home(layout, binaries, sockets, system)
    elif user_namespaces_work():
        home = PostgresHome(binaries, data, sockets, prefix=_namespace_prefix())
    else:
        raise StackError(
            "Postgres does not run as root, and this machine offers neither writable system "
            "folders nor user namespaces to run it as someone else.",
            "Run cortex as an ordinary user, or set CORTEX_POSTGRES_URL to a server of your own.",
        )
    for folder in (home.sockets, home.data):
        _owned_folder(folder, home.account)
    return home


def socket_folder(folder: Path, identity: str, *, root: bool, system: SystemFolders) -> Path:
    """Where the socket of the stack in that folder lies."""
    return system.run / identity if root and system.writable() else folder / "postgres"


def forget_home(layout: StackLayout, system: SystemFolders) -> None:
    """Remove what a stack of root keeps outside its folder."""
    for folder in (system.state / layout.identity, system.run / layout.identity):
        shutil.rmtree(folder, ignore_errors=True)


def check_socket_path(sockets: Path) -> None:
    """Raise StackError where the path of a socket in this folder would be too long."""
    length = len(os.fsencode(sockets / SOCKET_NAME))
    if length > LONGEST_SOCKET_PATH:
        raise StackError(
            f"The path of the Postgres socket would have {length} bytes, and the system allows "
            f"{LONGEST_SOCKET_PATH}: {sockets / SOCKET_NAME}",
            "Set CORTEX_HOME to a folder with a shorter path.",
        )


def _dropped_home(
    layout: StackLayout, binaries: PostgresBinaries, sockets: Path, system: SystemFolders
) -> PostgresHome:
    account = _unprivileged_account()
    for folder in (system.state, system.run, system.state / layout.identity):
        _passable_folder(folder)
    setpriv = shutil.which("setpriv")
    return PostgresHome(
        copy_to_cache(binaries, system.cache),
        system.state / layout.identity / "data",
        sockets,
        prefix=_setpriv_prefix(setpriv, account) if setpriv else (),
        identity={} if setpriv else {"user": account.uid, "group": account.gid, "extra_groups": []},
        account=account,
    )


def _unprivileged_account() -> Account:
    for name in ACCOUNTS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        if entry.pw_uid != 0:
            return Account(entry.pw_uid, entry.pw_gid)
    raise StackError(
        "Postgres does not run as root, and the system has no unprivileged account for it.",
        "Create one with `useradd --system cortex`.",
    )


def _setpriv_prefix(setpriv: str, account: Account) -> tuple[str, ...]:
    return (
        setpriv,
        f"--reuid={account.uid}",
        f"--regid={account.gid}",
        "--clear-groups",
        "--no-new-privs",
        "--inh-caps=-all",
        "--bounding-set=-all",
    )


def _namespace_prefix() -> tuple[str, ...]:
    account = _unprivileged_account()
    return (
        "unshare",
        "--user",
        f"--map-user={account.uid}",
        f"--map-group={account.gid}",
        "--",
    )


def user_namespaces_work() -> bool:
    """Whether root may run a program in a user namespace, as someone else."""
    if shutil.which("unshare") is None:
        return False
    trial = subprocess.run(  # noqa: S603 - a fixed program with fixed arguments
        [*_namespace_prefix(), "true"], check=False, capture_output=True
    )
    return trial.returncode == 0


def _owned_folder(folder: Path, account: Account | None) -> None:
    if folder.exists():
        return
    private_folder(folder)
    if account is not None:
        os.chown(folder, account.uid, account.gid)


def _passable_folder(folder: Path) -> None:
    if not folder.exists():
        folder.mkdir(parents=True)
        folder.chmod(0o711)  # mkdir's own mode would be cut by the umask


def _nearest(folder: Path) -> Path:
    return folder if folder.exists() else _nearest(folder.parent)
