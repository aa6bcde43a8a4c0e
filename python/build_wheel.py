# SPDX-License-Identifier: Apache-2.0
"""The back end of `pip install .` (PEP 517): CMake builds the module for the interpreter that asks."""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def _version():
    return re.search(r"project\(heddle VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def _metadata():
    return (f"Metadata-Version: 2.1\nName: heddle\nVersion: {_version()}\n"
            "Summary: Collective communication on an emulated fabric, in one process\n"
            "License: Apache-2.0\nRequires-Python: >=3.9\nRequires-Dist: numpy\n")


def _tag():
    """Of this interpreter on this machine."""
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _build(folder):
    """Builds the module below `folder`; where HEDDLE_WHEEL_BUILD names a folder, there, to build less the next time."""
    build = os.environ.get("HEDDLE_WHEEL_BUILD", folder)
    options = [f"-DHEDDLE_SYSTEM_PYTHON={sys.executable}", "-DHEDDLE_BUILD_PYTHON=ON", "-DCMAKE_BUILD_TYPE=Release",
               "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG", "-DCMAKE_UNITY_BUILD=ON"]
    options += [f"-DHEDDLE_BUILD_{part}=OFF" for part in ("COMMAND", "CLAIMS", "TESTS", "BENCH", "EXAMPLES")]
    subprocess.run(["cmake", "-S", str(ROOT), "-B", build, "-G", "Ninja", *options], check=True, stdout=sys.stderr)
    built = subprocess.run(["cmake", "--build", build, "--target", "heddle_python"], stdout=sys.stderr)
    if built.returncode != 0:
        raise SystemExit("heddle: the module was not built; it needs what tools/setup lists, with python3-dev and pybind11-dev")
    return pathlib.Path(build) / "python" / "heddle"


def _info():
    """The files of the wheel's dist-info but its list."""
    wheel = f"Wheel-Version: 1.0\nGenerator: heddle\nRoot-Is-Purelib: false\nTag: {_tag()}\n"
    return {"METADATA": _metadata().encode(), "WHEEL": wheel.encode(), "LICENSE": (ROOT / "LICENSE").read_bytes()}


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """So that nothing is built to be asked for its name."""
    name = f"heddle-{_version()}.dist-info"
    folder = pathlib.Path(metadata_directory) / name
    folder.mkdir()
    for file, content in _info().items():
        (folder / file).write_bytes(content)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel and returns its name."""
    name = f"heddle-{_version()}-{_tag()}.whl"
    info = f"heddle-{_version()}.dist-info"
    with tempfile.TemporaryDirectory() as folder:
        files = {f"heddle/{file.name}": file.read_bytes() for file in sorted(_build(folder).iterdir()) if file.is_file()}
    files.update({f"{info}/{file}": content for file, content in _info().items()})
    record = ""
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            wheel.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return name


def build_sdist(sdist_directory, config_settings=None):
    """The sources that git knows."""
    top = f"heddle-{_version()}"
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], check=True, capture_output=True, text=True).stdout
    with tarfile.open(pathlib.Path(sdist_directory) / f"{top}.tar.gz", "w:gz") as archive:
        for path in filter(None, listed.split("\0")):
            archive.add(ROOT / path, f"{top}/{path}")
        with tempfile.NamedTemporaryFile("w") as info:
            info.write(_metadata())
            info.flush()
            archive.add(info.name, f"{top}/PKG-INFO")
    return f"{top}.tar.gz"
