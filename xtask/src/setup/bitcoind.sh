# bitcoind for the tests of the chains: Bitcoin Knots, which Debian packages in its suite sid only. Its packages are unpacked into
# the folder $1, which is renamed to $2, with the libraries of sid and their loader, so that nothing of the system changes.
set -eu
package=bitcoin-knots
# The tested version. sid moves on; a later version is taken then, and named.
version=29.4.knots20260508.3-1
sha256=33649ca0ff563b2276b0c13cf11e8b1f87b2a977bb3f91d86fdee569d8568cc1
# Of the package debian-archive-keyring, which every Debian has.
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

archive=$(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' | sed -n 's/^Debian Debian //p' | head -n 1)
[ -n "$archive" ] || { echo "No archive of Debian is among the apt sources of this machine."; exit 1; }
[ -f "$keyring" ] && signed="[signed-by=$keyring]" || signed=

apt=$1/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/state" "$apt/packages"
: >"$apt/state/status"
echo "deb $signed $archive sid main" >"$apt/sources.list"
# The folder may be readable by its owner only.
cat >"$apt/apt.conf" <<END
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "-";
Dir::State "$apt/state";
Dir::State::lists "$apt/lists";
Dir::State::status "$apt/state/status";
Dir::Cache "$apt/cache";
APT::Sandbox::User "root";
END
export APT_CONFIG="$apt/apt.conf"
cd "$apt/packages"
apt-get update --quiet
apt-get download "$package=$version" || apt-get download "$package"

# apt checked the signatures; another version than the pinned one is only named.
echo "$sha256  $(ls)" | sha256sum --check --quiet || echo "setup: NOT THE PINNED bitcoind: $(ls) instead of $package $version"

# The libraries that the program needs, with those that they need.
libraries=
next=$package
while [ -n "$next" ]; do
    needed=$(apt-cache depends $next | sed -n 's/^[ |]*Depends: \(lib.*\|zlib.*\)$/\1/p' | sort -u)
    next=$(for library in $needed; do case " $libraries " in *" $library "*) ;; *) echo "$library" ;; esac; done)
    libraries="$libraries $(echo $next)"
done
apt-get download $libraries
for file in *.deb; do dpkg -x "$file" "$1"; done
cd "$1"
rm -r "$apt"

# A script starts the program with the libraries of its own suite.
loader=$(find -L usr/lib -maxdepth 2 -name 'ld-linux*' | head -n 1)
"./$loader" --library-path "${loader%/*}" usr/bin/bitcoind --version | head -n 1
cat >bitcoind <<END
#!/bin/sh
exec '$2/$loader' --library-path '$2/${loader%/*}' '$2/usr/bin/bitcoind' "\$@"
END
chmod 755 bitcoind
