#!/bin/bash
# A package as README.md and the pages of Sources have it, which depends on this one by path: it
# builds with flags of its own, and without the trait `Live` it has nothing of StateSurf but the
# public types and the store with its lock. TidyTests check that no public type depends on the trait.
# Usage: Tests/Network/consumer.sh .build/release; STATESURF_LONG=1 measures the page's sizes, too.
set -u
bin=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
. "$root/Tests/Network/lib/surf.sh"
alone "$(realpath "$0")" "$bin"
unset STATESURF

# Beside each other, as the README says; kept, so that a second run builds nothing.
place=$root/.build/consumer
rm -rf "$place/App/Sources" "$place/StateSurf"
mkdir -p "$place/App/Sources"/{Clicker,Thermostat,Surface,Logged,Within}
mkdir -p "$place/Logging/Sources/Logging"
ln -s ../.. "$place/StateSurf"
cd "$place/App" || exit 1

# block NUMBER WORDS PAGE: that of a page's Swift blocks with WORDS in it.
block() {
  awk -v number="$1" -v words="$2" '
    /^```swift$/ { inside = 1; text = ""; next }
    /^```$/ && inside { inside = 0; if (index(text, words) && ++count == number) printf "%s", text }
    inside { text = text $0 "\n" }' "$root/$3"
}
block 1 '.package(path: "../StateSurf")' README.md >"$surf_dir/live.swift"
block 1 'condition: .when(traits:' Sources/Configuring.md >"$surf_dir/traits"
block 1 'HistoryTransceiver<Clicker>' README.md >Sources/Clicker/main.swift
block 1 'Transceiver(name: "Thermostat")' Sources/Instrumenting.md >Sources/Thermostat/main.swift
cp "$root/Tests/Probes/Surface/main.swift" Sources/Surface/main.swift
cp "$root/Tests/Probes/Within/main.swift" Sources/Within/main.swift
# The page's lines for a logger, against a package of types of the shape that swift-log's have.
cp "$root/Tests/Support/LoggerShapes.swift" ../Logging/Sources/Logging/
cat >../Logging/Package.swift <<'END'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Logging", products: [.library(name: "Logging", targets: ["Logging"])],
  targets: [.target(name: "Logging")])
END
cp "$root/Tests/Probes/Logged/main.swift" Sources/Logged/main.swift
# The dependency with a trait in place of the one without, and four programs more.
sed -e "/\.package(path:/{r $surf_dir/traits
d}" -e 's/^  targets: \[$/&\
    .executableTarget(\
      name: "Thermostat", dependencies: [.product(name: "StateSurf", package: "StateSurf")]),\
    .executableTarget(\
      name: "Logged",\
      dependencies: [\
        .product(name: "Logging", package: "Logging"),\
        .product(name: "StateSurf", package: "StateSurf"),\
      ]),\
    .executableTarget(\
      name: "Within",\
      dependencies: [\
        .product(name: "StateSurf", package: "StateSurf"),\
        .product(name: "StateSurfDebugger", package: "StateSurf"),\
      ]),\
    .executableTarget(\
      name: "Surface", dependencies: [.product(name: "StateSurf", package: "StateSurf")]),/' \
  "$surf_dir/live.swift" | sed 's|^  dependencies: \[$|&\
    .package(path: "../Logging"),|' >"$surf_dir/Package.swift"
cmp -s "$surf_dir/Package.swift" Package.swift || cp "$surf_dir/Package.swift" Package.swift

for name in Clicker Thermostat; do
  check "$name is what its page shows, whole" \
    diff "Sources/$name/main.swift" "$root/Tests/Probes/$name/main.swift"
done
build() {
  timeout 600 swift build --disable-index-store -debug-info-format none "$@" \
    -Xswiftc -strict-memory-safety
}
check "a package may build with warnings that this one does not know" build --target SurfSockets
check "the same programs build without the trait Live" build --disable-default-traits
off=.build/debug

# Other systems: what an app imports, without glibc and without FoundationEssentials. No such
# compiler is here, so our C library takes the place of musl in a copy.
elsewhere=$place/Elsewhere
rm -rf "$elsewhere/Sources"
mkdir -p "$elsewhere/Sources/Clicker"
cp -r "$root"/Sources/{Values/SurfValues,Drivers/SurfThreads,Drivers/SurfStore,Features/StateSurf} \
  "$elsewhere/Sources"
cp Sources/Clicker/main.swift "$elsewhere/Sources/Clicker/"
find "$elsewhere/Sources" -name '*.swift' -exec sed -i -e 's/canImport(Glibc)/canImport(NoGlibc)/' \
  -e 's/canImport(Musl)/canImport(Glibc)/; s/import Musl$/import Glibc/' \
  -e 's/canImport(FoundationEssentials)/canImport(NoEssentials)/' \
  -e 's/UInt(bitPattern: pthread_self())/UInt(pthread_self())/' {} +
cat >"$elsewhere/Package.swift" <<'END'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Elsewhere",
  targets: [
    .target(name: "SurfValues"), .target(name: "SurfThreads"),
    .target(name: "SurfStore", dependencies: ["SurfThreads", "SurfValues"]),
    .target(name: "StateSurf", dependencies: ["SurfStore", "SurfThreads", "SurfValues"]),
    .executableTarget(name: "Clicker", dependencies: ["StateSurf", "SurfStore"]),
  ])
END
check "StateSurf and its store compile without glibc, inert" \
  build --package-path "$elsewhere" --scratch-path "$elsewhere/.build"
check "and the store works there" eval \
  "printf '\n\nundo\n' | '$elsewhere/.build/debug/Clicker' | xargs | grep -qx 'count 0 count 1 count 2 count 1'"

# A module's name stands in its symbols behind its length. Our own build shows that this finds them.
has_module() { grep -qaE "[^0-9]${#2}$2" "$1"; }
modules() {
  local module
  for module in "$root"/Sources/*/*; do
    has_module "$1" "$(basename "$module")" && basename "$module"
  done
}
check "a live program has the modules that record" has_module "$bin/SurfaceProbe" SurfNetwork
for name in SurfReceiving SurfObserver SurfStreams DebuggerDriver; do
  check "and not $name, which viewers alone need" eval '! has_module "$bin/SurfaceProbe" $name'
done
check "which is seen in theirs" has_module "$bin/statesurf" SurfObserver
check "and a debugger where a program imports it" has_module "$bin/WithinProbe" DebuggerDriver
check "which opens nowhere without the trait Live" \
  test "$("$off/Within" act 1 run say after)" = "error: the program records nothing
after"
for name in Clicker Thermostat Surface Logged; do
  check "$name has nothing but the public types, the store and its lock" \
    test "$(modules "$off/$name" | grep -vxE 'StateSurf|SurfStore|SurfThreads|SurfValues')" = ""
done
check "which are seen there" \
  test "$(modules "$off/Surface" | sort | xargs)" = "StateSurf SurfStore SurfThreads SurfValues"
check "it needs no library of Avahi's" eval '! ldd "$off/Surface" | grep -E "avahi|dns_sd|dbus"'

# What a process that uses all of it has of its own.
"$off/Surface" >"$surf_dir/off"
STATESURF=off "$bin/SurfaceProbe" >"$surf_dir/said.off"
"$bin/SurfaceProbe" >"$surf_dir/on"
for how in off said.off; do
  check "$how: it runs, and nothing is recorded" \
    grep -q 'on false, flushed true, count 1' "$surf_dir/$how"
  check "$how: no argument is evaluated" grep -q '^evaluated 0, recorded 0' "$surf_dir/$how"
  check "$how: nor is one in a task" grep -q '^in tasks: evaluated 0, recorded 0' "$surf_dir/$how"
  check "$how: no thread, no socket" grep -q 'threads 1, sockets 0' "$surf_dir/$how"
done
check "the same source live evaluates what it records" \
  grep -q '^evaluated 21, recorded 21' "$surf_dir/on"
check "and in tasks" grep -q '^in tasks: evaluated 3, recorded 7' "$surf_dir/on"
check "on threads of its own" grep -qE 'threads [3-9], sockets [2-9]' "$surf_dir/on"
printf '\n\nundo\n' | "$off/Clicker" >"$surf_dir/clicker"
# Of our own build: the package's debug build is live, its release is not, without a word to say so.
said=$("$bin/QuietProbe" | xargs)
case $bin in
  */release) check "a release that resumes for DEBUG alone has nothing" \
    test "$said" = "count 1, recorded 0 threads 1, sockets 0" ;;
  *) check "a debug build that resumes for DEBUG is live" grep -q 'count 1, recorded 1' <<<"$said" ;;
esac

check "the store works" test "$(xargs <"$surf_dir/clicker")" = "count 0 count 1 count 2 count 1"

# grown COMMAND: tenths of a megabyte by which the live program, as COMMAND leaves it, is larger.
grown() {
  local how sizes=()
  for how in live none; do
    "$@" "$surf_dir/Clicker.$how" >&2
    sizes+=("$(stat -c %s "$surf_dir/Clicker.$how")")
  done
  echo $(((sizes[0] - sizes[1]) / 100000))
}
# about TENTHS MEGABYTES: whether the page's figure is within a tenth of what was measured.
about() { awk -v is="$1" -v said="$2" 'BEGIN { exit !(is > said * 9 && is < said * 11) }'; }
if [ "${STATESURF_LONG:-0}" = 1 ]; then
  page=Sources/Configuring.md
  build -c release --product Clicker >&2 && cp .build/release/Clicker "$surf_dir/Clicker.live"
  build -c release --product Clicker --disable-default-traits >&2 &&
    cp .build/release/Clicker "$surf_dir/Clicker.none"
  # The calls about sockets are in the module of those about threads, which the store needs.
  calls_sockets() { nm "$surf_dir/Clicker.$1" | grep -q ' T surf_inbox_create$'; }
  check "the linker leaves out the calls that only a live program makes" eval '! calls_sockets none'
  check "which are seen there" calls_sockets live
  read -r whole stripped < <(sed -nE \
    's/.*StateSurf adds ([0-9.]+) MB .*, ([0-9.]+) MB remain.*/\1 \2/p' \
    "$root/$page")
  check "a live program is larger by what the page says" about "$(grown true)" "$whole"
  check "and when it is stripped" about "$(grown strip)" "$stripped"
fi
finish
