import { readFileSync, realpathSync } from "node:fs";
import { allowWriting, readOnlyRemedy } from "../../kernel/file-faults.ts";
import { type Finding, fault } from "../check.ts";
import type { Installation } from "../installation.ts";

// The doctor runs outside the sandbox of the server's unit. The paths that the server may write are read from the
// mounts that the server sees: /proc/<pid>/mountinfo, which any user may read (proc_pid_mountinfo(5)).

/**
 * The cause that prevents writing: the disk is mounted read-only for all, or its mount is read-only for those who see
 * it.
 */
export type ReadOnly = "disk" | "mount" | undefined;
type Mount = { at: string; readOnly: ReadOnly };

/** A blank, a tab, a line's end and a backslash are written as octal numbers. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

const mountOf = (line: string): Mount | undefined => {
  const [own = "", ofDisk = ""] = line.split(" - ");
  const [, , , , at, options] = own.split(" ");
  if (at === undefined || options === undefined) return undefined;
  const isIn = (list = "") => list.split(",").includes("ro");
  return { at: unescaped(at), readOnly: isIn(ofDisk.split(" ")[2]) ? "disk" : isIn(options) ? "mount" : undefined };
};

const isBelow = (path: string, at: string): boolean => at === "/" || path === at || path.startsWith(`${at}/`);

/**
 * The cause that prevents a process with these mounts from writing to a path; of several mounts at one place the last
 * covers the others.
 */
export const readOnlyIn = (mountinfo: string, path: string): ReadOnly =>
  mountinfo
    .split("\n")
    .flatMap((line) => mountOf(line) ?? [])
    .filter(({ at }) => isBelow(path, at))
    .toSorted((a, b) => a.at.length - b.at.length)
    .at(-1)?.readOnly;

const mountsOf = (pid: number | "self"): string => {
  try {
    return readFileSync(`/proc/${pid}/mountinfo`, "utf8");
  } catch {
    return ""; // another system, or a process that is gone
  }
};

/** Folders that systemd can hide from a service entirely: with ProtectHome= no ReadWritePaths= helps. */
const HOMES = ["/home", "/root", "/run/user"];

const remedyFor = (path: string): string =>
  HOMES.some((home) => isBelow(path, home))
    ? `choose a folder outside ${HOMES.join(", ")}, which the service does not see (ProtectHome=)`
    : allowWriting(path);

/** A fault if the disk of a path, or its mount, is mounted read-only: for the running server, or here too. */
export const readOnlyFault = async (installation: Installation, path: string): Promise<Finding | undefined> => {
  const real = realpathSync(path);
  const pid = (await installation.server())?.pid;
  const here = readOnlyIn(mountsOf("self"), real);
  const there = pid === undefined ? here : readOnlyIn(mountsOf(pid), real);
  if (here === "disk" || there === "disk")
    return fault(
      `the disk of ${path} is mounted read-only`,
      "mount -o remount,rw, and find in the kernel's log why it is (dmesg)",
    );
  // through the API, the doctor is in the sandbox too
  if (here === "mount") return fault(`${path} is mounted read-only`, readOnlyRemedy(path));
  return there === "mount"
    ? fault(`${path} is read-only for the service (process ${pid})`, remedyFor(path))
    : undefined;
};
