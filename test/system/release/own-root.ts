import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import type { Ended } from "../../support/processes/process.ts";
import { unitOf } from "../service/unit.ts";

/**
 * A Debian system of its own: this machine's files, with changes that are lost at its end. Needs root, or sudo without
 * a password.
 */
export type OwnRoot = {
  /** Runs a command in it as root. */
  run(...command: string[]): Promise<Ended>;
  /**
   * Starts the command of the installed unit, or another one, as the unit says: user, environment, mounts and filter of
   * system calls.
   */
  service(command?: readonly string[], environment?: readonly string[]): Promise<Subprocess<"ignore", "pipe", "pipe">>;
  /** A folder that both it and this machine see, there as `/mnt/given`. */
  given: string;
  stop(): Promise<void>;
};

const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "-n"];

/** The new root is this machine, read only; writes go to memory. The shell keeps the mounts until its stdin ends. */
const MAKE = `
place=$1 given=$2
mount -t tmpfs tmpfs "$place"
mkdir "$place/upper" "$place/work" "$place/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$place/upper,workdir=$place/work" "$place/root"
cd "$place/root"
for own in tmp run; do mount -t tmpfs tmpfs "$own"; done
chmod 1777 tmp
mount --rbind /dev dev
mount -t proc proc proc
mkdir run/service-proc mnt/given mnt/old
mount -t proc -o subset=pid,hidepid=invisible proc run/service-proc
mount --bind "$given" mnt/given
pivot_root . mnt/old
umount --lazy /mnt/old
rm -f /usr/sbin/policy-rc.d
echo $$
exec cat
`;

export const startRoot = async (): Promise<OwnRoot> => {
  const [place, given] = [mkdtempSync(join(tmpdir(), "recado-root-")), mkdtempSync(join(tmpdir(), "recado-given-"))];
  const keeper = Bun.spawn(
    [...asRoot, "unshare", "--mount", "--propagation", "private", "sh", "-euc", MAKE, "sh", place, given],
    {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const { value } = await keeper.stdout.getReader().read();
  const pid = new TextDecoder().decode(value).trim();
  if (!/^\d+$/.test(pid)) throw new Error(`no root of its own: ${await keeper.stderr.text()}`);

  const inside = (command: readonly string[]) => [
    ...asRoot,
    "nsenter",
    `--target=${pid}`,
    "--mount",
    "env",
    "-i",
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    ...command,
  ];
  const run = async (...command: string[]): Promise<Ended> => {
    const child = Bun.spawn(inside(["DEBIAN_FRONTEND=noninteractive", ...command]), {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { code, out, err };
  };
  return {
    run,
    given,
    service: async (command, environment = []) => {
      const read = async (path: string) => (await run("cat", path)).out;
      const ids = await read("/etc/passwd");
      const unit = unitOf(await read("/usr/lib/systemd/system/recado.service"), ids);
      await Bun.write(join(given, "filter"), unit.filter);
      const settings = [
        ...unit.environment,
        ...environment,
        ...(await read(unit.environmentFile)).split("\n").filter((line) => /^\w+=/.test(line)),
      ];
      return Bun.spawn(inside([...settings, ...unit.confine(command ?? unit.start, "/mnt/given/filter")]), {
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
    },
    stop: async () => {
      keeper.kill();
      await keeper.exited;
      for (const folder of [place, given]) rmSync(folder, { recursive: true, force: true });
    },
  };
};
