"""A filter of system calls for bwrap --seccomp, which allows those that are named and refuses the others with EPERM, as SystemCallFilter does.

    python3 call_filter.py NAME... > FILTER

Needs the Debian package python3-seccomp.
"""
import errno
import sys

import seccomp

filter = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
for name in sys.argv[1:]:
    # systemd lists calls of all architectures and kernels; those that this machine does not know cannot be made on it
    if seccomp.resolve_syscall(seccomp.Arch(), name) >= 0:
        filter.add_rule(seccomp.ALLOW, name)
filter.export_bpf(sys.stdout.buffer)
