#!/bin/sh
# /usr/bin/recado where Recado is a service. Root runs commands as the service does: with the settings of
# /etc/recado/recado.env and as its user, to whom all its files belong. Everybody else, the service itself included, runs
# the program as it is.
set -eu
program=/usr/lib/recado/recado
[ "$(id -u)" -eq 0 ] || exec "$program" "$@"

# what is set already counts
give() { printenv "${1%_FILE}" >/dev/null || printenv "${1%_FILE}_FILE" >/dev/null || export "$1=$2"; }

# secrets that the service gets as credentials (examples/credentials.conf) and only root can read
for file in /etc/recado/credentials/*; do
  [ -f "$file" ] || continue
  credential=${file##*/}
  case $credential in
  *.sealed) credential=${credential%.sealed} secret=$(systemd-creds decrypt --name="$credential" "$file" -) ;;
  *) secret=$(cat "$file") ;;
  esac
  give "RECADO_$(echo "$credential" | tr a-z- A-Z_)" "$secret"
done

settings=/etc/recado/recado.env
if [ -r "$settings" ]; then
  while read -r line || [ -n "$line" ]; do
    case $line in RECADO_*=*) ;; *) continue ;; esac
    name=${line%%=*} value=${line#*=}
    case $value in \"*\" | \'*\') value=${value#?} value=${value%?} ;; esac
    give "$name" "$value"
  done <"$settings"
fi
export RECADO_DATA_DIR="${RECADO_DATA_DIR:-/var/lib/recado}" CACHE_DIRECTORY=/var/cache/recado HOME=/var/lib/recado
exec setpriv --reuid=recado --regid=recado --init-groups "$program" "$@"
