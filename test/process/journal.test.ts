import { afterEach, expect, test } from "bun:test";
import { fstatSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterEach(removeFolders);

const { RECADO_TEST_PROGRAM } = process.env;
const PROGRAM = RECADO_TEST_PROGRAM
  ? [RECADO_TEST_PROGRAM]
  : [process.execPath, resolve(import.meta.dir, "../../src/main.ts")];

/**
 * What a server has written to its stdout by its end. `journalOf` says what the journal of the service manager is,
 * given the file that it writes to.
 */
const written = async (journalOf: (file: string) => string | undefined): Promise<string[]> => {
  const folder = newFolder();
  const path = join(folder, "stdout");
  const fd = openSync(path, "w");
  const { dev, ino } = fstatSync(fd);
  const journal = journalOf(`${dev}:${ino}`);
  const env = {
    PATH: process.env["PATH"] ?? "",
    RECADO_DATA_DIR: join(folder, "data"),
    RECADO_LISTEN: "127.0.0.1:0",
    ...(journal === undefined ? {} : { JOURNAL_STREAM: journal }),
  };
  const child = Bun.spawn([...PROGRAM, "serve"], { env, stdin: "ignore", stdout: fd, stderr: "pipe" });
  // it is said after the line that says ready
  for await (const chunk of child.stderr) if (new TextDecoder().decode(chunk).includes("Set up Recado")) break;
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  return readFileSync(path, "utf8").trimEnd().split("\n");
};

const levelOf = (line: string): string => (JSON.parse(line) as { level?: string }).level ?? "none";

test("where stdout is the journal each line of the log begins with its priority", async () => {
  const [ready = "", ...lines] = await written((file) => file);
  expect(JSON.parse(ready)).toMatchObject({ event: "ready" });
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.map((line) => line.slice(0, 3))).toEqual(
    lines.map((line) => ({ info: "<6>", warn: "<4>" })[levelOf(line.slice(3))] ?? "another"),
  );
});

test("where it is something else, whatever the service manager has, the lines are JSON alone", async () => {
  for (const journalOf of [() => undefined, () => "8:15", (file: string) => `${file}0`]) {
    const lines = await written(journalOf);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.filter((line) => !line.startsWith("{"))).toEqual([]);
  }
});
