#!/bin/sh
# Installs Recado on this machine, or upgrades it. Changes nothing before the signature of the release and the hash of
# each file are verified.
#   sh install.sh [--prefix DIR] [--service] [--from PLACE]
#   sh install.sh --uninstall [--prefix DIR]
# --prefix    the program goes to DIR/bin (default: /usr/local)
# --service   also makes a service of systemd, with the user recado and settings in /etc/recado/recado.env
# --from      where the files of the release are: an address, or a folder of this machine
# --uninstall removes the program and the service; settings and data stay
# It needs curl or wget, sha256sum, and minisign or OpenSSL 3.
set -eu

# npm run release fills these in
VERSION=''
KEY=''
FROM=''

say() { echo "install.sh: $*"; }
fail() {
  echo "install.sh: $*; nothing was changed" >&2
  exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }

read_arguments() {
  prefix=/usr/local is_service=no is_uninstall=no
  while [ $# -gt 0 ]; do
    case $1 in
    --prefix | --from)
      [ $# -gt 1 ] || fail "$1 needs a value"
      if [ "$1" = --prefix ]; then prefix=$2; else FROM=$2; fi
      shift
      ;;
    --service) is_service=yes ;;
    --uninstall) is_uninstall=yes ;;
    --help)
      sed -n '2,/^set -eu/s/^# \{0,1\}//p' "$0"
      exit 0
      ;;
    *) fail "unknown argument $1" ;;
    esac
    shift
  done
  case $prefix in
  *[!A-Za-z0-9/._-]*) fail "--prefix $prefix: only letters, digits and / . _ - are allowed" ;;
  /?*) prefix=${prefix%/} ;;
  *) fail "--prefix $prefix: it must be an absolute path" ;;
  esac
  program=$prefix/bin/recado
  library=$prefix/lib/recado
  unit=/etc/systemd/system/recado.service
  # an upgrade of a service is one without being asked
  if [ -e "$library/recado" ]; then is_service=yes; fi
}

check_writable() {
  folder=$1
  until [ -e "$folder" ]; do folder=$(dirname "$folder"); done
  [ -w "$folder" ] || fail "$folder cannot be written to: run this as root, or give --prefix a folder of yours"
}

check_machine() {
  if dpkg-query --show --showformat='${Status}' recado 2>/dev/null | grep -q 'install ok installed'; then
    fail "the Debian package recado is installed: apt upgrades and removes it"
  fi
  check_writable "$prefix/bin"
  if [ $is_service = yes ]; then
    [ "$(id -u)" -eq 0 ] || fail "a service is made by root"
    for name in systemctl useradd; do has $name || fail "--service needs $name"; done
    check_writable "$(dirname "$unit")"
  fi
}

choose_target() {
  [ "$(uname -s)" = Linux ] || fail "Recado runs on Linux, and this is $(uname -s)"
  case $(uname -m) in
  x86_64 | amd64) target=linux-x64 ;;
  aarch64 | arm64) target=linux-arm64 ;;
  *) fail "Recado runs on x86_64 and aarch64, and this is $(uname -m)" ;;
  esac
  if has ldd && ldd --version 2>&1 | grep -qi musl; then target=$target-musl; fi
  file=recado-$VERSION-$target
}

download() {
  if [ -d "$FROM" ]; then
    cp "$FROM/$1" "$work/$1"
  elif has curl; then
    curl --fail --silent --show-error --location --proto '=http,https' --output "$work/$1" "$FROM/$1"
  elif has wget; then
    wget --quiet --output-document="$work/$1" "$FROM/$1"
  else
    fail "curl or wget is needed"
  fi || fail "$FROM/$1 cannot be downloaded"
}

decode() { openssl base64 -d -A; }
verify_ed25519() { openssl pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin -in "$1" -sigfile "$2" >/dev/null 2>&1; }

# What minisign does: https://jedisct1.github.io/minisign/
verify_by_openssl() {
  printf %s "$KEY" | decode >key.bin
  sed -n 2p SHA256SUMS.minisig | tr -d '\r\n' | decode >signature.bin
  sed -n 4p SHA256SUMS.minisig | tr -d '\r\n' | decode >signature.of-comment
  comment=$(sed -n '3s/^trusted comment: //p' SHA256SUMS.minisig)
  [ "$(head -c 2 signature.bin)" = ED ] || return 1
  head -c 10 signature.bin | tail -c 8 >id.signature
  head -c 10 key.bin | tail -c 8 >id.key
  cmp -s id.signature id.key || return 1
  tail -c 64 signature.bin >signature.of-hash
  # the head of every public key of Ed25519 (RFC 8410)
  { printf '\060\052\060\005\006\003\053\145\160\003\041\000' && tail -c 32 key.bin; } >key.der
  openssl dgst -blake2b512 -binary -out hash SHA256SUMS
  { cat signature.of-hash && printf %s "$comment"; } >commented
  verify_ed25519 hash signature.of-hash && verify_ed25519 commented signature.of-comment
}

verify_signature() {
  if has minisign; then
    comment=$(minisign -V -Q -P "$KEY" -m SHA256SUMS -x SHA256SUMS.minisig 2>&1) ||
      fail "the signature of SHA256SUMS is wrong: $comment"
  elif has openssl && openssl pkeyutl -help 2>&1 | grep -q -e -rawin; then
    verify_by_openssl || fail "the signature of SHA256SUMS is wrong"
  else
    fail "minisign or OpenSSL 3 is needed to verify the signature"
  fi
  [ "$comment" = "recado $VERSION" ] || fail "the signature is of '$comment', not of 'recado $VERSION'"
}

verify_file() {
  sum=$(awk -v name="$1" '$2 == name { print $1 }' SHA256SUMS)
  [ ${#sum} -eq 64 ] || fail "SHA256SUMS does not name $1"
  echo "$sum  $1" | sha256sum -c >/dev/null 2>&1 || fail "$1 is not the file that was released"
}

fetch_release() {
  has sha256sum || fail "sha256sum is needed"
  [ -n "$FROM" ] || fail "--from PLACE is needed: where the files of the release are"
  FROM=${FROM%/}
  download SHA256SUMS
  download SHA256SUMS.minisig
  verify_signature
  for name in "$@"; do
    download "$name"
    verify_file "$name"
  done
}

# Puts a file in its place at once: who runs the old one goes on with it.
put() {
  mkdir -p "$(dirname "$3")"
  install -m "$1" "$2" "$3.new" && mv -f "$3.new" "$3"
}

try_program() {
  chmod 755 "$file"
  said=$("./$file" version 2>&1) || fail "the program does not run in $work (TMPDIR names another folder): $said"
}

install_service() {
  put 755 "$file" "$library/recado"
  sed "s#^program=.*#program=$library/recado#" recado.sh >wrapper
  put 755 wrapper "$program"
  id -u recado >/dev/null 2>&1 ||
    useradd --system --user-group --no-create-home --home-dir /var/lib/recado --shell /usr/sbin/nologin recado
  if [ ! -e /etc/recado/recado.env ]; then
    install -d -m 750 -g recado /etc/recado
    install -m 640 -g recado recado.env /etc/recado/recado.env
  fi
  # the first command may come before the first start
  for folder in /var/lib/recado /var/cache/recado; do install -d -m 700 -o recado -g recado $folder; done
  sed "s#^ExecStart=/usr/bin/recado#ExecStart=$program#" recado.service >unit
  put 644 unit "$unit"
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl enable --quiet recado
    systemctl restart recado
    say "the service runs; its link to set it up: journalctl --unit recado --grep 'Set up Recado'"
  else
    say "systemd does not run here: systemctl enable --now recado starts the service where it does"
  fi
}

uninstall() {
  check_machine
  if [ ! -e "$program" ] && [ ! -e "$library" ]; then
    say "nothing of Recado is in $prefix"
    return
  fi
  if [ -e "$library" ]; then
    if [ -d /run/systemd/system ]; then systemctl disable --now --quiet recado; fi
    rm -rf "$library" "$unit"
    if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
    say "the settings in /etc/recado and the data in /var/lib/recado are kept"
  fi
  rm -f "$program"
  say "Recado is removed from $prefix"
}

main() {
  umask 022
  [ -n "$VERSION$KEY" ] || fail "this copy is not of a release, and has no key to verify one with"
  read_arguments "$@"
  if [ $is_uninstall = yes ]; then
    uninstall
    return
  fi
  check_machine
  choose_target
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  # a folder keeps its meaning after the change of folder below
  if [ -d "$FROM" ]; then FROM=$(cd "$FROM" && pwd); fi
  cd "$work"
  if [ $is_service = yes ]; then
    fetch_release "$file" recado.service recado.sh recado.env
  else
    fetch_release "$file"
  fi
  try_program
  if [ $is_service = yes ]; then
    install_service
  else
    put 755 "$file" "$program"
  fi
  say "$said is installed as $program"
}

# a download that was cut ends before this line, or within it: then nothing runs
{ main "$@"; }
