# Sourced by tools that build libraries from this Debian release's sources: source_of PACKAGE. The folder $base receives
# lists, archives and sources.
mkdir -p "$base"/{sources,lists/partial,archives/partial}

# The sources come from the origin of this machine's packages. A separate list leaves the machine's unchanged.
keys=/usr/share/keyrings/debian-archive-keyring.gpg
apt-get indextargets --format '$(ORIGIN) $(CREATED_BY) $(COMPONENT) $(REPO_URI) $(RELEASE)' |
    awk -v keys="$keys" '$1 $2 $3 == "DebianPackagesmain" {print "deb-src [signed-by=" keys "]", $4, $5, $3}' |
    sort -u > "$base/sources.list"
by_apt() { # by_apt get|cache ARGUMENT...
    "apt-$1" -qq -o Dir::Etc::sourcelist="$base/sources.list" -o Dir::Etc::sourceparts=/nowhere \
        -o Dir::State::lists="$base/lists" -o Dir::Cache="$base" -o APT::Sandbox::User=root "${@:2}"
}

# Downloads into the current folder. A mirror may not have the newest version that its list names; then the
# previous one is used.
fetch() {
    local version
    for version in $(by_apt cache showsrc "$1" | awk '$1 == "Version:" {print $2}' | sort -uVr); do
        if by_apt get source "$1=$version" >&2; then return; fi
        echo "$(basename "$0"): the sources of $1 $version cannot be fetched" >&2
    done
    echo "$(basename "$0"): no sources of $1: run this on Debian with a network connection" >&2
    return 1
}

# source_of PACKAGE: fetches and unpacks it, and prints its folder.
source_of() {
    local folder=$base/sources/$1
    if [ ! -d "$folder" ]; then
        ls "$base"/lists/*_Sources* > /dev/null 2>&1 || by_apt get update >&2
        rm -rf "$folder.new"
        mkdir -p "$folder.new"
        (cd "$folder.new" && fetch "$1")
        mv "$folder.new" "$folder"
    fi
    echo "$folder"/*/
}
