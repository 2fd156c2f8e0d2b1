import { readFileSync, realpathSync } from "node:fs";
import { allowWriting } from "../kernel/file-faults.ts";
import { type Finding, fault } from "./check.ts";
import type { Installation } from "./installation.ts";

// The doctor runs outside the sandbox of the server's unit. What the server may write is read from the mounts that the
// server sees: /proc/<pid>/mountinfo, which any user may read (proc_pid_mountinfo(5)).

type Mount = { at: string; isReadOnly: boolean };

/** A blank, a tab, a line's end and a backslash are written as octal numbers. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

const mountOf = (line: string): Mount | undefined => {
  const [own = "", ofFileSystem] = line.split(" - ");
  const [, , , , at, options] = own.split(" ");
  if (at === undefined || options === undefined) return undefined;
  const flags = [options, ofFileSystem?.split(" ")[2] ?? ""].flatMap((list) => list.split(","));
  return { at: unescaped(at), isReadOnly: flags.includes("ro") };
};

const isBelow = (path: string, at: string): boolean => at === "/" || path === at || path.startsWith(`${at}/`);

/** Whether a path lies on a mount that may only be read; of several at one place the last covers the others. */
export const isReadOnlyIn = (mountinfo: string, path: string): boolean => {
  const above = mountinfo.split("\n").flatMap((line) => mountOf(line) ?? []);
  const covering = above.filter(({ at }) => isBelow(path, at)).toSorted((a, b) => a.at.length - b.at.length);
  return covering.at(-1)?.isReadOnly ?? false;
};

const mountsOf = (process: number | "self"): string => {
  try {
    return readFileSync(`/proc/${process}/mountinfo`, "utf8");
  } catch {
    return ""; // another system, or a process that is gone
  }
};

/** Where systemd shows a service nothing at all: with ProtectHome= no ReadWritePaths= helps. */
const HOMES = ["/home", "/root", "/run/user"];

const remedyFor = (path: string): string =>
  HOMES.some((home) => isBelow(path, home))
    ? `choose a folder outside ${HOMES.join(", ")}, which the service does not see (ProtectHome=)`
    : allowWriting(path);

/** A fault where the disk of a path is mounted read-only, or is so for the running server alone. */
export const readOnlyFault = async (installation: Installation, path: string): Promise<Finding | undefined> => {
  const real = realpathSync(path);
  if (isReadOnlyIn(mountsOf("self"), real))
    return fault(
      `the disk of ${path} is mounted read-only`,
      "mount -o remount,rw, and find in the kernel's log why it is (dmesg)",
    );
  const pid = (await installation.server())?.pid;
  return pid !== undefined && isReadOnlyIn(mountsOf(pid), real)
    ? fault(`${path} is read-only for the service (process ${pid})`, remedyFor(path))
    : undefined;
};
