"""Shared libraries that travel with a program: which it needs, and how it finds them beside itself. For tools/release."""

import pathlib
import re
import shutil
import subprocess

# glibc is what a Linux has, and what a program must not bring along.
of_glibc = re.compile(r"^(lib(c|m|dl|rt|pthread|util|resolv|anl|mvec|nsl|BrokenLocale)\.so|ld-linux|linux-vdso)")
# Where a compiler on Debian looks for libraries.
system = pathlib.Path("/usr/lib/x86_64-linux-gnu")


def output(*words):
    return subprocess.run(list(map(str, words)), check=True, text=True, stdout=subprocess.PIPE).stdout


def needed_by(file):
    return output("patchelf", "--print-needed", file).split()


def closure(files, folders):
    """The libraries that files need, and those need in turn: paths by name; those in folders come before the system's."""
    found = {}
    waiting = list(files)
    while waiting:
        for name in needed_by(waiting.pop()):
            if name in found or of_glibc.match(name):
                continue
            places = [folder / name for folder in [*folders, system] if (folder / name).exists()]
            if not places:
                raise SystemExit(f"release: {name} is needed and not found")
            found[name] = places[0].resolve()
            waiting.append(found[name])
    return dict(sorted(found.items()))


def look_beside(file, where):
    subprocess.run(["patchelf", "--set-rpath", where, str(file)], check=True)


def copy_beside(found, folder):
    folder.mkdir()
    for name, path in found.items():
        shutil.copyfile(path, folder / name)
        look_beside(folder / name, "$ORIGIN")


def newer_than(version, files):
    """What of glibc files ask for that came after a version."""
    asked = set()
    for file in files:
        for name, numbers in re.findall(r"\b(GLIBC_([0-9.]+))\b", output("objdump", "-p", file)):
            if tuple(map(int, numbers.split("."))) > version:
                asked.add(f"{file.name} needs {name}")
    return sorted(asked)


def package_of(path):
    # Debian's list of files has those from before /lib and /usr/lib were one.
    for name in (path, pathlib.Path("/") / path.relative_to("/usr")):
        said = subprocess.run(["dpkg-query", "--search", str(name)], text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if said.returncode == 0:
            return said.stdout.split(":")[0]
    raise SystemExit(f"release: no package has {path}")


def copy_licences(names, folder):
    """What Debian's packages say about the licences of libraries, a file for each package."""
    folder.mkdir()
    for package in sorted({package_of((system / name).resolve()) for name in names}):
        shutil.copyfile(f"/usr/share/doc/{package}/copyright", folder / package)


def symbols(file, which):
    """Dynamic symbols: names, with their types and versions."""
    lines = output("nm", "-D", which, file).splitlines()
    for *_, kind, name in (line.split() for line in lines):
        bare, _, version = name.replace("@@", "@").partition("@")
        yield bare, kind, version


def copy_without(library, keep, folder):
    """Copies a library of the system so that it needs only what is kept, and a small library beside it with the
    names of all else. Functions there end the program: they are for what we never ask of the library."""
    copy = folder / library
    shutil.copyfile((system / library).resolve(), copy)
    kept = re.compile(rf"^lib({'|'.join(map(re.escape, keep))})[-0-9.]*\.so")
    dropped = [name for name in needed_by(copy) if not of_glibc.match(name) and not kept.match(name)]
    offered = {name: kind for other in dropped for name, kind, _ in symbols((system / other).resolve(), "--defined-only")}
    missing = sorted({(name, version) for name, _, version in symbols(copy, "--undefined-only") if name in offered})
    stem = library.split(".")[0].removeprefix("lib")
    name = f"libknossos-no-{stem}-extras.so.0"
    code = "".join(f"void {symbol}(void) {{ __builtin_trap(); }}\n" if offered[symbol] in "TWi" else f"char {symbol}[256];\n"
                   for symbol, _ in missing)
    versions = sorted({version for _, version in missing if version})
    script = "".join(f"{version} {{ global: {' '.join(f'{symbol};' for symbol, of in missing if of == version)} }};\n" for version in versions)
    (folder / "versions").write_text(script or "{ global: *; };\n")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-nostdlib", "-fno-builtin", "-w", f"-Wl,-soname,{name}", "-Wl,-z,now",
                    f"-Wl,--version-script,{folder / 'versions'}", "-o", str(folder / name), "-x", "c", "-"],
                   check=True, text=True, input=code)
    (folder / "versions").unlink()
    # The versions of symbols name the library that they are of, so one is renamed; the others just go.
    subprocess.run(["patchelf", "--replace-needed", versioned(copy, dropped), name, str(copy)], check=True)
    for other in set(dropped) & set(needed_by(copy)):
        subprocess.run(["patchelf", "--remove-needed", other, str(copy)], check=True)


def versioned(file, names):
    """The one of some libraries that symbols of a file have versions of, or the first."""
    of = [name for name in re.findall(r"required from (\S+):", output("objdump", "-p", file)) if name in names]
    if len(of) > 1:
        raise SystemExit(f"release: {file.name} has versions of {', '.join(of)}")
    return [*of, *names][0]
