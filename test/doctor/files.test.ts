import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { disk, diskSpeed } from "../../src/doctor/machine/disk.ts";
import { dataDirectory, fileModes, stuckFolder } from "../../src/doctor/machine/files.ts";
import { mediaStorage } from "../../src/doctor/machine/media.ts";
import { configOf } from "../support/config.ts";
import { places } from "../support/processes/doctor.ts";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterAll(removeFolders);
const { report } = places();
const NOT_MADE = "/nowhere/recado-data";

/** A data directory as a server leaves it. */
const dataDir = (): string => {
  const dir = join(newFolder(), "data");
  for (const folder of [dir, join(dir, "media"), join(dir, "temp")]) mkdirSync(folder, { mode: 0o700 });
  for (const file of ["master.key", "recado.db", "recado.db-wal"])
    writeFileSync(join(dir, file), "x".repeat(5000), { mode: 0o600 });
  return dir;
};

describe("data-directory", () => {
  test("is ok for one of ours", async () => {
    const dir = dataDir();
    expect(await report(dataDirectory, { RECADO_DATA_DIR: dir })).toEqual({
      name: "data-directory",
      outcome: "ok",
      found: expect.stringContaining(dir),
    });
  });

  test("warns of one that is missing, and does not make it", async () => {
    const dir = join(newFolder(), "none");
    expect(await report(dataDirectory, { RECADO_DATA_DIR: dir })).toMatchObject({
      outcome: "warning",
      remedy: expect.stringContaining("RECADO_DATA_DIR"),
    });
    expect(existsSync(dir)).toBe(false);
  });

  test("is at fault for a file", async () => {
    const path = join(newFolder(), "file");
    writeFileSync(path, "");
    expect(await report(dataDirectory, { RECADO_DATA_DIR: path })).toMatchObject({
      outcome: "fault",
      found: `${path} is not a directory`,
    });
  });
});

describe("a folder that does not answer", () => {
  test.each(["/mnt/media", "/mnt/backups"])("is found (%s), and one that is missing is none", async (stuck) => {
    const config = configOf({
      RECADO_DATA_DIR: dataDir(),
      RECADO_MEDIA: "file:/mnt/media",
      RECADO_BACKUP: "file:/mnt/backups",
    });
    expect(await stuckFolder(config)).toBeUndefined();
    expect(
      await stuckFolder(
        config,
        (path) => (path === stuck ? new Promise(() => undefined) : Promise.reject(new Error("ENOENT"))),
        10,
      ),
    ).toBe(stuck);
  });
});

describe("file-modes", () => {
  test("are ok where everything is its owner's alone, and are not looked at where there is nothing", async () => {
    expect(await report(fileModes, { RECADO_DATA_DIR: dataDir() })).toMatchObject({
      outcome: "ok",
      found: "6 files and directories, readable by their owner only",
    });
    expect(await report(fileModes, { RECADO_DATA_DIR: NOT_MADE })).toMatchObject({ outcome: "skipped" });
  });

  test.each([
    ["", 0o750, "700"],
    ["media", 0o701, "700"],
    ["master.key", 0o640, "600"],
    ["recado.db", 0o604, "600"],
    ["recado.db-wal", 0o644, "600"],
  ])("at fault: '%s' that others may read, with the chmod to run", async (name, mode, right) => {
    const dir = dataDir();
    chmodSync(join(dir, name), mode);
    const path = join(dir, name);
    const shown = `0${mode.toString(8)}`;
    expect(await report(fileModes, { RECADO_DATA_DIR: dir })).toEqual({
      name: "file-modes",
      outcome: "fault",
      found: `${path} can be read by others (${shown})`,
      remedy: `chmod ${right} ${path}`,
    });
  });

  test("at fault: a file of somebody else, such as one that root has left", async () => {
    const dir = dataDir();
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) chownSync(join(dir, "recado.db"), 65_534, 65_534);
    const found = await report(fileModes, { RECADO_DATA_DIR: dir });
    expect(found).toMatchObject(
      isRoot ? { outcome: "fault", remedy: `chown 0 ${join(dir, "recado.db")}` } : { outcome: "ok" },
    );
  });

  test("several are reported at once", async () => {
    const dir = dataDir();
    for (const name of ["master.key", "recado.db"]) chmodSync(join(dir, name), 0o644);
    const { found, remedy } = await report(fileModes, { RECADO_DATA_DIR: dir });
    for (const name of ["master.key", "recado.db"])
      expect([found, remedy]).toEqual([expect.stringContaining(name), expect.stringContaining(name)]);
  });

  test("what leads elsewhere is nobody's to change", async () => {
    const dir = dataDir();
    symlinkSync("/etc/hostname", join(dir, "recado.db-shm"));
    expect(await report(fileModes, { RECADO_DATA_DIR: dir })).toMatchObject({ outcome: "ok" });
  });
});

describe("disk", () => {
  const AMPLE = { faultBytes: 0, warningBytes: 0, warningShare: 0, amplyBytes: 0, faultInodes: 0 };

  test("is ok where there is room, and shows how much", async () => {
    const dir = dataDir();
    expect(await report(disk(AMPLE), { RECADO_DATA_DIR: dir })).toMatchObject({
      outcome: "ok",
      found: expect.stringMatching(/ free of .+ GB$/),
    });
    expect(await report(disk(), { RECADO_DATA_DIR: NOT_MADE })).toMatchObject({ outcome: "skipped" });
  });

  test.each([
    [{ faultBytes: Infinity }, "fault", /free of/],
    [{ warningBytes: Infinity }, "warning", /free of/],
    [{ warningShare: 1, amplyBytes: Infinity }, "warning", /free of/],
    [{ faultInodes: Infinity }, "fault", /inodes free of/],
  ])("below %p it is a %s", async (limit, outcome, found) => {
    expect(await report(disk({ ...AMPLE, ...limit }), { RECADO_DATA_DIR: dataDir() })).toMatchObject({
      outcome,
      found: expect.stringMatching(found),
      remedy: expect.any(String),
    });
  });

  test("the disk that backups are kept on is one of those that are looked at", async () => {
    const dir = dataDir();
    // the temporary folder may be in memory or on the disk: a folder on the other one is needed
    const elsewhere = ["/dev/shm", import.meta.dir].find(
      (folder) => existsSync(folder) && statSync(folder).dev !== statSync(dir).dev,
    );
    const settings = { RECADO_DATA_DIR: dir, RECADO_BACKUP: `file:${elsewhere}` };
    const found = expect.stringContaining(`${elsewhere}: `);
    expect(await report(disk({ ...AMPLE, faultBytes: Infinity }), settings)).toMatchObject({ outcome: "fault", found });
  });

  test("a share of a large disk is not little", async () => {
    expect(
      await report(disk({ ...AMPLE, warningShare: 1, amplyBytes: 1 }), { RECADO_DATA_DIR: dataDir() }),
    ).toMatchObject({ outcome: "ok" });
  });
});

describe("disk-speed", () => {
  test("shows how long a sync takes, warns of a slow disk, and leaves nothing behind", async () => {
    const dir = dataDir();
    const before = readdirSync(dir);
    expect(await report(diskSpeed(60_000), { RECADO_DATA_DIR: dir })).toMatchObject({
      outcome: "ok",
      found: expect.stringMatching(/^4 KB are on disk after [\d.]+ ms$/),
    });
    expect(await report(diskSpeed(0), { RECADO_DATA_DIR: dir })).toMatchObject({ outcome: "warning" });
    expect(readdirSync(dir)).toEqual(before);
    expect(await report(diskSpeed(), { RECADO_DATA_DIR: NOT_MADE })).toMatchObject({ outcome: "skipped" });
  });

  test("at fault: nothing can be written", async () => {
    expect(await report(diskSpeed(), { RECADO_DATA_DIR: "/proc/self" })).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("nothing can be written to /proc/self"),
    });
  });
});

describe("media-storage on disk", () => {
  test("takes a file, gives it back, and keeps nothing of it; unfinished files of a server stay", async () => {
    const dir = dataDir();
    mkdirSync(join(dir, "media", ".partial"));
    writeFileSync(join(dir, "media", ".partial", "1"), "half a file");
    expect(await report(mediaStorage, { RECADO_DATA_DIR: dir })).toMatchObject({ outcome: "ok" });
    expect(readdirSync(join(dir, "media"))).toEqual([".partial"]);
    expect(readdirSync(join(dir, "media", ".partial"))).toEqual(["1"]);
  });

  test("at fault: it cannot be written to", async () => {
    expect(await report(mediaStorage, { RECADO_DATA_DIR: dataDir(), RECADO_MEDIA: "file:/proc/self" })).toMatchObject({
      outcome: "fault",
      remedy: expect.any(String),
    });
    expect(await report(mediaStorage, { RECADO_DATA_DIR: dataDir(), RECADO_MEDIA: `file:${NOT_MADE}` })).toMatchObject({
      outcome: "skipped",
    });
  });

  test("at fault: nobody answers at the bucket's endpoint", async () => {
    const s3 = {
      RECADO_MEDIA: "s3://bucket?endpoint=http://127.0.0.1:1",
      RECADO_S3_ACCESS_KEY_ID: "id",
      RECADO_S3_SECRET_ACCESS_KEY: "a-secret-canary",
    };
    const found = await report(mediaStorage, s3);
    expect(found).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("bucket bucket: nothing answers at the endpoint"),
    });
    expect(JSON.stringify(found)).not.toContain("canary");
  });
});
