import { expect, test } from "bun:test";
import { type ReadOnly, readOnlyIn } from "../../src/doctor/machine/service-view.ts";

/** What a service with ProtectSystem=strict and ProtectHome= sees, with a disk that is mounted read-only and one at a path with a blank. */
const MOUNTS = String.raw`101 60 8:1 / / ro,nosuid,relatime master:1 - ext4 /dev/sda1 rw,errors=remount-ro
102 101 8:1 /var/lib/recado /var/lib/recado rw,nosuid,relatime master:1 - ext4 /dev/sda1 rw,errors=remount-ro
103 101 0:24 /systemd/inaccessible/dir /home ro,nosuid,nodev,noexec - tmpfs tmpfs rw,size=1600k,mode=755
104 101 8:17 / /srv/archive rw,relatime shared:9 - ext4 /dev/sdb1 ro
105 101 8:33 / /srv/back\040ups rw,relatime shared:10 - ext4 /dev/sdc1 rw
106 101 8:49 / /srv/twice ro,relatime - ext4 /dev/sdd1 rw
107 106 8:49 / /srv/twice rw,relatime - ext4 /dev/sdd1 rw
`;

test.each([
  ["/srv/backups", "mount"],
  ["/var/lib/recado", undefined],
  ["/var/lib/recado/media", undefined],
  ["/var/lib/recado-old", "mount"],
  ["/home/ana", "mount"],
  ["/srv/archive/2026", "disk"],
  ["/srv/back ups/daily", undefined],
  ["/srv/twice", undefined],
])("what keeps a service in a sandbox from writing to %s: %p", (path, readOnly) => {
  expect(readOnlyIn(MOUNTS, path)).toBe(readOnly as ReadOnly);
});

test("where a system shows no mounts, nothing is said to be read-only", () => {
  expect([readOnlyIn("", "/srv"), readOnlyIn("not a line of mounts\n\n", "/srv")]).toEqual([undefined, undefined]);
});
