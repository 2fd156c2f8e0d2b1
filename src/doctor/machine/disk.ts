import { open, rm, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileRemedy, isThere } from "../../kernel/file-faults.ts";
import { databaseFile } from "../../setup.ts";
import { type Check, type Finding, fault, ok, saidBy, skipped, warning, worstOf } from "../check.ts";
import type { Installation } from "../installation.ts";
import { readOnlyFault } from "./service-view.ts";

const MB = 1024 * 1024;

/**
 * Free space below `faultBytes` or `faultInodes` is a fault. Below `warningBytes` it is a warning; so is a share below
 * `warningShare`, unless `amplyBytes` are free.
 */
export type DiskLimits = {
  faultBytes: number;
  warningBytes: number;
  warningShare: number;
  amplyBytes: number;
  faultInodes: number;
};

const LIMITS: DiskLimits = {
  faultBytes: 256 * MB,
  warningBytes: 1024 * MB,
  warningShare: 0.1,
  amplyBytes: 20 * 1024 * MB,
  faultInodes: 1000,
};

/** A size in MB or GB, for people. */
export const shownSize = (bytes: number): string =>
  bytes >= 1024 * MB ? `${(bytes / 1024 / MB).toFixed(1)} GB` : `${(bytes / MB).toFixed(1)} MB`;

/** Network file systems by their magic numbers (statfs(2)). https://sqlite.org/wal.html: WAL does not work on them. */
const NETWORK_SYSTEMS: Readonly<Record<number, string>> = {
  0x6969: "NFS",
  0xff534d42: "CIFS",
  0xfe534d42: "SMB",
  0x01021997: "9P",
  0x517b: "SMB",
};

const ROOM = "free space: move other files away, or enlarge the disk";

const roomOn = async (installation: Installation, path: string, limits: DiskLimits): Promise<Finding> => {
  const readOnly = await readOnlyFault(installation, path);
  if (readOnly) return readOnly;
  const { bavail, blocks, bsize, ffree, files } = await statfs(path);
  const free = bavail * bsize;
  const share = bavail / Math.max(1, blocks);
  const found = `${path}: ${shownSize(free)} free of ${shownSize(blocks * bsize)}`;
  const isFewInodes = files > 0 && ffree < limits.faultInodes;
  if (isFewInodes)
    return fault(
      `${path}: ${ffree} inodes free of ${files}`,
      "remove the many small files on this disk, or move the data directory to another",
    );
  if (free < limits.faultBytes) return fault(found, ROOM);
  const isTight = free < limits.warningBytes || (share < limits.warningShare && free < limits.amplyBytes);
  return isTight ? warning(found, ROOM) : ok(found);
};

/** A backup, and a migration that rebuilds a table, need space for a copy of the database. */
const roomForCopy = async (path: string): Promise<Finding> => {
  const [{ bavail, bsize }, { size }] = await Promise.all([statfs(dirname(path)), stat(path)]);
  const [free, needed] = [shownSize(bavail * bsize), shownSize(size)];
  return bavail * bsize > size
    ? ok(`room for a copy of ${needed}`)
    : warning(`${free} free beside a database of ${needed}`, "free space for a second copy: an upgrade may need it");
};

const systemOf = async (path: string): Promise<Finding> => {
  const name = NETWORK_SYSTEMS[(await statfs(path)).type >>> 0];
  return name === undefined
    ? ok("a local file system")
    : fault(
        `${path} is on ${name}, a file system over the network`,
        "move the database to a local disk: locks and the write-ahead log are not safe elsewhere",
      );
};

/** One path on each disk that Recado uses. */
const disksOf = async ({ config }: Installation): Promise<string[]> => {
  const database = databaseFile(config);
  const others = [config.media, config.backup?.place].flatMap((place) => (place?.kind === "disk" ? [place.dir] : []));
  const paths = [config.dataDir, ...(database === undefined ? [] : [dirname(database)]), ...others];
  const there = paths.filter(isThere);
  const devices = await Promise.all(there.map(async (path) => [(await stat(path)).dev, path] as const));
  return [...new Map(devices.toReversed()).values()].toReversed();
};

/** Every disk that is written to has free space, and the database is on a local file system. */
export const disk = (limits: DiskLimits = LIMITS): Check => ({
  name: "disk",
  async run(installation) {
    const paths = await disksOf(installation);
    if (paths.length === 0) return skipped("there is no data directory yet");
    const database = databaseFile(installation.config);
    const ofDatabase = database !== undefined && isThere(database) ? [roomForCopy(database), systemOf(database)] : [];
    const rooms = await Promise.all(paths.map((path) => roomOn(installation, path, limits)));
    const worst = worstOf([...rooms, ...(await Promise.all(ofDatabase))]);
    return worst.outcome === "ok" ? worstOf(rooms) : worst;
  },
});

const SYNCS = 9;
const SLOW_MS = 40;

/** The median time of a few syncs of 4 KB, in ms. */
const syncTime = async (path: string): Promise<number> => {
  await using file = await open(path, "wx", 0o600);
  const times: number[] = [];
  try {
    for (let round = 0; round < SYNCS; round++) {
      const begun = performance.now();
      await file.write(Buffer.alloc(4096, round), 0, 4096, round * 4096);
      await file.datasync();
      times.push(performance.now() - begun);
    }
  } finally {
    await rm(path, { force: true });
  }
  return times.toSorted((a, b) => a - b)[SYNCS >> 1] ?? 0;
};

/** The time of a sync: no 2xx is answered before one. */
export const diskSpeed = (slowMs = SLOW_MS): Check => ({
  name: "disk-speed",
  async run({ config: { dataDir } }) {
    if (!isThere(dataDir)) return skipped("there is no data directory yet");
    const path = join(dataDir, `.doctor-${process.pid}`);
    try {
      const ms = await syncTime(path);
      const found = `4 KB are on disk after ${ms.toFixed(1)} ms`;
      return ms > slowMs
        ? warning(found, "move the data directory to a faster disk, or find what else uses this one")
        : ok(found);
    } catch (error) {
      return fault(
        `nothing can be written to ${dataDir}: ${saidBy(error)}`,
        fileRemedy(error, dataDir) ?? "check whether the disk is full or mounted read-only, and who owns the directory",
      );
    }
  },
});
