import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseInUse, lockDatabase } from "../../../src/store/engine/connection.ts";

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A folder of somebody else's, where they can reach it: the folder of a test run is its owner's alone. */
const folderOfNobody = (): string => {
  const folder = mkdtempSync("/tmp/recado-lock-");
  folders.push(folder);
  chmodSync(folder, 0o777);
  chownSync(folder, NOBODY, NOBODY);
  return folder;
};

test("a database is locked by one process at a time", () => {
  const folder = mkdtempSync(join(tmpdir(), "recado-lock-"));
  folders.push(folder);
  const release = lockDatabase(join(folder, "recado.db"));
  expect(() => lockDatabase(join(folder, "recado.db"))).toThrow(DatabaseInUse);
  release();
  lockDatabase(join(folder, "recado.db"))();
});

describe.if(isRoot)("where root runs a command in the folder of the one who serves", () => {
  test("the new lock file belongs to the folder's owner", () => {
    const path = join(folderOfNobody(), "recado.db");
    lockDatabase(path)();
    expect(statSync(`${path}.lock`).uid).toBe(NOBODY);
  });

  test("a read-only lock file is refused, because it would lock out nobody", () => {
    const path = join(folderOfNobody(), "recado.db");
    writeFileSync(path, "");
    writeFileSync(`${path}.lock`, "", { mode: 0o644 });
    expect(lockedByNobody(path)).toStartWith(`${path}.lock cannot be locked (`);
    expect(lockedByNobody(path)).toContain("belongs to user 0, and this is user 65534");
  });

  test("a lock file that was left without its database is to be deleted, whoever owns it", () => {
    const path = join(folderOfNobody(), "recado.db");
    writeFileSync(`${path}.lock`, "", { mode: 0o644 });
    expect(lockedByNobody(path)).toContain(`no database lies beside it, so nothing needs it: delete ${path}.lock`);
    rmSync(`${path}.lock`);
    expect(lockedByNobody(path)).toBe("held\n");
  });

  /** What a process of another user says that locks a database. */
  const lockedByNobody = (path: string): string => {
    // read as root: this checkout may lie where nobody else can read it
    const code = `const { lockDatabase } = await import(${JSON.stringify(resolve(import.meta.dir, "../../../src/store/engine/connection.ts"))});
      process.setgroups([${NOBODY}]); process.setgid(${NOBODY}); process.setuid(${NOBODY});
      try { lockDatabase(${JSON.stringify(path)}); console.log("held"); } catch (error) { console.log(error.message); }`;
    return Bun.spawnSync([process.execPath, "-e", code], { stderr: "pipe" }).stdout.toString();
  };
});
