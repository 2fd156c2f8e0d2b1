import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import type { Subprocess } from "bun";

const SIZE = 96 * 1024 * 1024;

const children: Subprocess[] = [];
afterEach(async () => {
  for (const child of children) child.kill();
  await Promise.all(children.splice(0).map((child) => child.exited));
});

/** The first line that a program of its own prints; it runs until the test is over. */
const lineOf = async (name: string, ...args: string[]): Promise<unknown> => {
  const program = join(import.meta.dir, "../../../support/children", name);
  const child = Bun.spawn([process.execPath, "--smol", program, ...args], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  children.push(child);
  let line = "";
  for await (const chunk of child.stdout) {
    line += Buffer.from(chunk).toString();
    if (line.endsWith("\n")) break;
  }
  return JSON.parse(line);
};

test("a large document goes from its URL to the network without lying in memory", async () => {
  const { url, host } = (await lineOf("forgetful-media.ts", String(SIZE))) as { url: string; host: string };
  const sent = (await lineOf("large-send.ts", `${url}/f`, host)) as {
    ok: boolean;
    size: number;
    hash: string;
    heldBytes: number;
  };
  expect(sent).toMatchObject({ ok: true, size: SIZE });
  expect(await (await fetch(`${url}/taken`)).json()).toEqual([
    { size: SIZE + 16 + 10, hash: sent.hash, name: sent.hash },
  ]);
  // buffers of sockets and files, and what the collector has not taken yet; a file that is held is there more than
  // once, encrypted too
  expect(sent.heldBytes).toBeLessThan(SIZE);
}, 120_000);
