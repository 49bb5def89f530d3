"""What the programs of this folder share: steps that are checked one by one, and how they connect."""

import contextlib
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROTO = HERE.parents[2] / "Proto"


def fail(status, text):
    """Ends the program with one line that says why."""
    print(f"{pathlib.Path(sys.argv[0]).name}: {text}", file=sys.stderr)
    sys.exit(status)


class Steps:
    """Checks, told one by one."""

    def __init__(self):
        self.count = 0

    def check(self, name, condition, found=""):
        """Ends the program when a step isn't as it should be."""
        self.count += 1
        if not condition:
            fail(1, f"step {self.count}, {name}: found {found!r}")
        print(f"ok {self.count} {name}", flush=True)

    def refused(self, name, code, reason, call):
        """A call that has to fail with a code, and a reason unless that is None."""
        from onside_rpc import RPCError
        from rpc.v1 import errors_pb2
        try:
            found = call()
        except RPCError as error:
            info = error.detail(errors_pb2.ErrorInfo)
            given = info.reason if info else None
            right = error.name == code and (reason is None or reason == given)
            self.check(name, right, f"{error} {given}")
        else:
            self.check(name, False, found)

    def end(self):
        """Says that everything went right."""
        print(f"all {self.count} steps are as they should be")


def connection_arguments(parser):
    """Adds the flags that say how to connect."""
    parser.add_argument("--target", required=True, metavar="HOST:PORT")
    parser.add_argument("--ca", required=True, metavar="FILE")
    parser.add_argument("--certificate", metavar="FILE")
    parser.add_argument("--key", metavar="FILE")


@contextlib.contextmanager
def generated_code(*packages):
    """Makes the messages' code of some folders of Proto/, and lets it be imported."""
    if not shutil.which("protoc"):
        fail(2, "protoc is missing; install the Debian package protobuf-compiler")
    with tempfile.TemporaryDirectory(prefix="onside-interop-") as folder:
        files = [str(path.relative_to(PROTO))
                 for package in ("rpc/v1", *packages)
                 for path in sorted((PROTO / package).glob("*.proto"))]
        subprocess.run(
            ["protoc", f"-I{PROTO}", f"--python_out={folder}", *files], check=True)
        sys.path[:0] = [folder, str(HERE)]
        yield


@contextlib.contextmanager
def connect(options, steps, *packages):
    """A connection to the server that the flags name. An error that comes out of the steps ends the
    program with 1."""
    host, _, port = options.target.rpartition(":")
    certificate = (options.certificate, options.key) if options.certificate else None
    with generated_code(*packages):
        try:
            import onside_rpc
        except ImportError as error:
            fail(2, f"{error}; install the Debian package python3-protobuf")
        try:
            with onside_rpc.Connection(
                    host.strip("[]"), int(port), options.ca, certificate) as connection:
                yield connection
        except (onside_rpc.RPCError, onside_rpc.ConnectionClosed, OSError) as error:
            fail(1, f"after step {steps.count}: {type(error).__name__}: {error}")
