#!/bin/sh
# @NAME@ @VERSION@ (@TARGET@): unpacks its runtime and itself into the cache once; what is packed follows this text.
set -u
die() { echo "@NAME@: $*" >&2; exit 126; }
self=$0
[ -f "$self" ] || self=$(command -v -- "$0") || die "cannot find myself ($0)"
pick() { # takes a private folder that is ours and writable; no fork when it is there already
  [ -d "$1" ] || { mkdir -p "$1" && chmod 700 "$1"; } 2>/dev/null
  [ -w "$1" ] && [ -O "$1" ] && base=$1
}
if [ -n "${IDEA_CACHE:-}" ]; then pick "$IDEA_CACHE" || die "cannot write IDEA_CACHE, $IDEA_CACHE"
else
  { [ -n "${XDG_CACHE_HOME:-}" ] && pick "$XDG_CACHE_HOME/@NAME@"; } ||
  { [ -n "${HOME:-}" ] && pick "$HOME/@CACHE@/@NAME@"; } ||
  pick "${TMPDIR:-/tmp}/@NAME@-$(id -u)" || die "no writable cache folder; set IDEA_CACHE to one"
fi
unpack() { # folder, offset, size, a file that must be in it
  if [ -d "$1" ]; then # it came by one rename, so it is whole unless a cleaner damaged it
    [ -f "$1/.whole" ] && [ -f "$1/$4" ] && return 0
    rm -rf "$1"
  fi
  [ "$(uname -s)-$(uname -m)" = "@UNAME@" ] || die "built for @UNAME@, this is $(uname -s)-$(uname -m)"
  @LIBC@
  [ -t 2 ] && echo "@NAME@: unpacking $4 (first start)" >&2
  draft=$(mktemp -d "$1.tmp.XXXXXX") || die "cannot make $1.tmp"
  trap 'rm -rf "$draft"' EXIT; trap 'exit 143' HUP INT TERM
  tail -c +"$2" <"$self" 2>/dev/null | head -c "$3" | tar -xzf - -C "$draft" ||
    die "unpacking failed: the disk is full, or the download is not whole ($self)"
  [ -f "$draft/.whole" ] && [ -f "$draft/$4" ] || die "the download is not whole ($self)"
  mv "$draft" "$1" 2>/dev/null # atomic; when another start was first, it lands inside
  rm -rf "$1/${draft##*/}" "$draft"
  trap - EXIT HUP INT TERM
}
runtime=$base/deno-@RUNTIMEHASH@ app=$base/app-@APPHASH@
unpack "$runtime" @RUNTIMEAT@ @RUNTIMESIZE@ deno
unpack "$app" @APPAT@ @APPSIZE@ main.js
# The code cache is ours; whoever starts a program gives it back the person's DENO_DIR.
[ -n "${DENO_DIR+x}" ] && export IDEA_USER_DENO_DIR="$DENO_DIR"
case $self in /*) ;; *) self=$PWD/$self ;; esac
export IDEA_SELF="$self" DENO_DIR="$base/code-cache" DENO_NO_UPDATE_CHECK=1
# IDEA_NET: one more address that the server may use, when it was told to listen there.
exec "$runtime/deno" run @FLAGS@ ${IDEA_NET:+"--allow-net=$IDEA_NET"} "$app/main.js" "$@"
