import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { signSums, writeSums } from "../../../scripts/release/sums.ts";
import { tempFolders } from "../../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterEach(removeFolders);

let folder: string;
beforeEach(async () => {
  folder = newFolder();
  for (const name of ["recado-1", "recado-2"]) writeFileSync(join(folder, name), `the file ${name}`);
  await writeSums(folder);
});

const command = (args: string[], input = "") => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(args, { cwd: folder, stdin: Buffer.from(input) });
  return { code: exitCode, out: stdout.toString() + stderr.toString() };
};
/**
 * A key pair: its secret file, and the path of its public one. Deriving a key from a password takes minisign seconds.
 */
const newKey = (password = "") => {
  const keys = newFolder();
  const [file, publicKey] = [join(keys, "secret"), join(keys, "public")];
  const made = command(
    ["minisign", "-G", ...(password === "" ? ["-W"] : []), "-s", file, "-p", publicKey],
    `${password}\n${password}\n`,
  );
  if (made.code !== 0) throw new Error(made.out);
  return { file, publicKey, password };
};
const check = () => command(["sha256sum", "--check", "--strict", "SHA256SUMS"]);
const verify = (publicKey: string) => command(["minisign", "-V", "-p", publicKey, "-m", "SHA256SUMS"]);

test("sha256sum finds every file as it was released, and the one that is not", () => {
  expect(check()).toEqual({ code: 0, out: "recado-1: OK\nrecado-2: OK\n" });
  appendFileSync(join(folder, "recado-2"), "!");
  expect(check().code).not.toBe(0);
  expect(check().out).toContain("recado-2: FAILED");
});

test("minisign finds the sums as they were signed, under the comment that was signed with them, and no others", async () => {
  const key = newKey();
  await signSums(folder, "recado 1.2.3", key);
  expect(verify(key.publicKey)).toEqual({ code: 0, out: expect.stringContaining("Trusted comment: recado 1.2.3") });
  expect(verify(newKey().publicKey).code).not.toBe(0);
  appendFileSync(join(folder, "SHA256SUMS"), `${"0".repeat(64)}  more\n`);
  expect(verify(key.publicKey).code).not.toBe(0);
});

test("the same sums under the same key have the same signature, which the sums leave out", async () => {
  const key = newKey();
  const signature = () => Bun.file(join(folder, "SHA256SUMS.minisig")).text();
  await signSums(folder, "recado 1.2.3", key);
  const first = await signature();
  await writeSums(folder);
  await signSums(folder, "recado 1.2.3", key);
  expect(await signature()).toBe(first);
});

test("a key with a password signs with that alone; with another nothing is signed, and minisign says why", async () => {
  const key = newKey("of the tests");
  expect(await signSums(folder, "recado 1.2.3", { ...key, password: "wrong" }).catch(String)).toContain(
    "Wrong password",
  );
  expect(readdirSync(folder).sort()).toEqual(["SHA256SUMS", "recado-1", "recado-2"]);
  await signSums(folder, "recado 1.2.3", key);
  expect(verify(key.publicKey).code).toBe(0);
}, 120_000);
