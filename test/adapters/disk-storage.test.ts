import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDiskStore } from "../../src/adapters/files/disk-storage.ts";
import { gate } from "../support/databases/temp-database.ts";
import { bodyOf, contentOf, exerciseFileStore } from "../support/files/file-store-suite.ts";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
/** A path at which there is nothing yet. */
const newDir = (): string => join(newFolder(), "deep", "media");
afterEach(removeFolders);

const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

exerciseFileStore("the disk", async () => {
  const dir = newDir();
  return {
    store: createDiskStore(dir),
    holds: async (files) => expect(filesIn(dir)).toHaveLength(files),
    close: async () => {},
  };
});

describe("a directory as a store", () => {
  test("nobody but its owner may look into it or read what lies there", async () => {
    const dir = newDir();
    const store = createDiskStore(dir);
    const modes: string[] = [];
    async function* body() {
      modes.push(...filesIn(dir).map(modeOf));
      yield Buffer.from("abc");
    }
    await store.put("a/b/c", body(), { contentType: "image/png" });
    expect(modes).toEqual(["600"]);
    expect(["a/b/c", "a/b", "a", ".", ".partial"].map((path) => modeOf(join(dir, path)))).toEqual([
      "600",
      "700",
      "700",
      "700",
      "700",
    ]);
  });

  test("a crash in the middle of a file leaves nothing, once the next process has begun", async () => {
    const dir = newDir();
    const [begun, ended] = [gate(), gate()];
    async function* stuck() {
      yield Buffer.from("half");
      begun.open();
      await ended.opened;
    }
    const crashed = createDiskStore(dir);
    await crashed.put("a/whole", bodyOf("whole"), { contentType: "image/png" });
    const unfinished = crashed.put("a/half", stuck(), { contentType: "image/png" });
    await begun.opened;
    expect(filesIn(dir)).toHaveLength(2);
    const store = createDiskStore(dir);
    expect(filesIn(dir)).toEqual([join(dir, "a", "whole")]);
    expect(await store.read("a/half")).toBeUndefined();
    expect(Buffer.from((await contentOf(store, "a/whole")) ?? []).toString()).toBe("whole");
    ended.open();
    expect(unfinished).rejects.toThrow("ENOENT");
    expect(await store.read("a/half")).toBeUndefined();
  });

  test("a directory that has gone fails the check and what is put, and is not quietly made anew", async () => {
    const dir = newDir();
    const store = createDiskStore(dir);
    await store.check();
    renameSync(dir, `${dir}-away`);
    expect(store.check()).rejects.toThrow("ENOENT");
    expect(store.put("a/b", bodyOf("abc"), { contentType: "image/png" })).rejects.toThrow("ENOENT");
    expect(() => statSync(dir)).toThrow("ENOENT");
    renameSync(`${dir}-away`, dir);
    await store.check();
  });

  test("a place that cannot be written is reported at once, with its path", () => {
    const dir = newDir();
    mkdirSync(join(dir, ".."));
    writeFileSync(dir, "a file is in the way");
    expect(() => createDiskStore(dir)).toThrow(dir);
  });

  test("a folder in the place of a file, and a file in the place of a folder, are faults and no files", async () => {
    const dir = newDir();
    const store = createDiskStore(dir);
    await store.put("a/b", bodyOf("abc"), { contentType: "image/png" });
    expect(store.put("a", bodyOf("abc"), { contentType: "image/png" })).rejects.toThrow();
    expect(store.put("a/b/c", bodyOf("abc"), { contentType: "image/png" })).rejects.toThrow();
    expect([await store.read("a"), await store.read("a/b/c")]).toEqual([undefined, undefined]);
    expect(filesIn(dir)).toEqual([join(dir, "a", "b")]);
  });
});
