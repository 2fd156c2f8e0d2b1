#!/bin/sh
# jail.sh ROOT BINARY FOLDER ARGUMENTS: runs the binary in ROOT, read-only, with a private /tmp in which nothing can be executed; FOLDER keeps its path and can be
# written to. For a mount namespace of its own. It ends in `exec`: signals and kill -9 meet the program.
set -eu
root=$1 binary=$2 folder=$3
shift 3

mount --bind "$root" "$root"
for device in null zero random urandom; do mount --bind "/dev/$device" "$root/dev/$device"; done
mount --rbind /proc "$root/proc"
mount --bind "$folder" "$root$folder"
mount --bind "$binary" "$root/recado"
mount -t tmpfs -o noexec,nosuid,nodev,mode=1777 private "$root/tmp"
mount -o remount,bind,ro "$root/recado"
mount -o remount,bind,ro "$root"

# what the tests name is theirs; a service is told of no folder but its own
[ "${TMPDIR-}" != "$folder" ] || unset TMPDIR
exec /usr/sbin/chroot "$root" /recado "$@"
