# Shared by the scripts beside it: where things are, and builds that say one line at most.
# Sourced, never run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

die() {
  printf '%s\n' "$*" >&2
  exit 1
}

# Shows ninja's progress as one line on stderr. $1: what is being built.
show_progress() {
  local label=$1 line shown=0 counter='^\[([0-9]+/[0-9]+)\] '
  while IFS= read -r line; do
    [[ $line =~ $counter && $line != *"Re-checking"* ]] || continue
    if [[ -t 2 ]]; then
      printf '\rgpy: building %s %s ' "$label" "${BASH_REMATCH[1]}" >&2
    elif ((!shown)); then
      printf 'gpy: building %s (the first time takes some minutes)\n' "$label" >&2
    fi
    shown=1
  done
  if ((shown)) && [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
}

# configure FOLDER [CMAKE OPTION...]: once; again when the options change.
configure() {
  local folder=$1
  shift
  local stamp=$folder/configured-with
  if [[ -f $folder/build.ninja && -f $stamp && $(<"$stamp") == "$*" ]]; then return; fi
  mkdir -p "$folder"
  if ! cmake -S "$root" -B "$folder" -G Ninja "$@" >"$folder/configure.log" 2>&1; then
    cat "$folder/configure.log" >&2
    die "gpy: the build could not be configured"
  fi
  printf '%s' "$*" >"$stamp"
}

# build FOLDER LABEL [TARGET...]: silent when there is nothing to do; on failure the compiler's words.
build() {
  local folder=$1 label=$2
  shift 2
  if ! ninja -C "$folder" "$@" 2>&1 | tee "$folder/build.log" | show_progress "$label"; then
    grep -v '^\[[0-9]*/[0-9]*\] ' "$folder/build.log" | tail -n 60 >&2
    die "gpy: the build failed (all of it: $folder/build.log)"
  fi
}
