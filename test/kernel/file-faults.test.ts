import { afterAll, describe, expect, test } from "bun:test";
import { chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileRemedy } from "../../src/kernel/file-faults.ts";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterAll(removeFolders);

/** An error as node:fs throws it. */
const refusal = (code: string, path?: string): Error =>
  Object.assign(new Error(`${code}: refused`), { code, ...(path === undefined ? {} : { path }) });

describe("the remedy for a refusal of the file system fits its cause", () => {
  test.each([
    ["EROFS", /may only read.*remount,rw.*ReadWritePaths=/],
    ["ENOSPC", /free space on the disk of/],
    ["EDQUOT", /quota/],
    ["EMFILE", /open files/],
    ["EPERM", /belongs to this user.*lsattr/],
  ])("%s", (code, says) => {
    expect(fileRemedy(refusal(code), newFolder())).toMatch(says);
  });

  test("EACCES names who owns the nearest folder that is known, who this is, and the way out", () => {
    const dir = newFolder();
    const user = process.geteuid?.() ?? 0;
    const path = join(dir, "media", ".partial");
    expect(fileRemedy(refusal("EACCES", path), "elsewhere")).toStartWith(`${dir} belongs to this user, ${user}: `);
    if (user !== 0) return; // only root gives folders away
    mkdirSync(join(dir, "media"));
    chownSync(join(dir, "media"), 4711, 4711);
    expect(fileRemedy(refusal("EACCES", path), "elsewhere")).toBe(
      `${dir}/media belongs to user 4711, and this is user 0: run it as user 4711, or chown -R 0 ${dir}/media`,
    );
  });

  test("no folder of the system is given away: another place is chosen, or a folder is made for this user", () => {
    const user = process.geteuid?.() ?? 0;
    const making = Object.assign(refusal("EACCES", "/var/lib/recado"), { syscall: "mkdir" });
    expect(fileRemedy(making, "/")).toBe(
      `make /var/lib/recado as root for user ${user} (install -d -m 700 -o ${user} /var/lib/recado), or choose another place`,
    );
    // these folders are root's, to whom they are not somebody else's
    if (user === 0) process.seteuid?.(4711);
    try {
      for (const path of ["/no-such-folder/x", "/var/no-such-folder", "/usr/share/no-such-folder"])
        expect(fileRemedy(refusal("EACCES", path), "/")).toMatch(
          /belongs to user 0, .* or choose a place that user \d+ may write$/,
        );
    } finally {
      if (user === 0) process.seteuid?.(0);
    }
  });

  test("no other error has one", () => {
    expect([fileRemedy(refusal("EPIPE"), "/"), fileRemedy(new Error("EROFS"), "/"), fileRemedy("EROFS", "/")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
