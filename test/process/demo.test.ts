import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { processes } from "../support/process.ts";

const { folder, run, start } = processes();

/** What a run shows, in this order: sent and accepted here, the rest by webhooks whose signature was verified. */
const SHOWN = [
  /→ accepted +message ([0-9a-f-]{36})/,
  /✓ verified +message:status .*"status":"sent"/,
  /✓ verified +message:status .*"status":"delivered"/,
  /✓ verified +message:status .*"status":"read"/,
];

test("demo --once shows a message accepted, sent, delivered, read and answered, each webhook verified; ends with 0 and leaves nothing behind", async () => {
  const temp = folder();
  const { code, out, err } = await run(["demo", "--once"], { TMPDIR: temp });
  expect([code, err]).toEqual([0, ""]);
  const at = SHOWN.map((line) => out.search(line));
  expect(at).not.toContain(-1);
  expect(at).toEqual(at.toSorted((a, b) => a - b));
  expect(out).toMatch(/✓ verified +message:received .*You said: Hello from Recado/);
  expect(out).not.toContain("NOT OURS");
  const [, messageId = ""] = SHOWN[0]?.exec(out) ?? [];
  expect(out.split(messageId)).toHaveLength(5); // accepted, and its three statuses
  expect(readdirSync(temp)).toEqual([]);
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "demo goes on, shows what to try next, and ends by %s with 0 and nothing left behind",
  async (signal) => {
    const temp = folder();
    const demo = await start(["demo"], { TMPDIR: temp }, /Ctrl\+C ends the demo/);
    const [, key = "", base = ""] = /KEY=(\S+)\n +curl -s (\S+)\/v1\/phones/.exec(demo.out.text()) ?? [];
    const phones = await fetch(`${base}/v1/phones`, { headers: { "x-api-key": key } });
    expect(await phones.json()).toMatchObject([{ label: "Demo phone", status: "CONNECTED" }]);
    demo.child.kill(signal);
    expect((await demo.ended).code).toBe(0);
    expect(readdirSync(temp)).toEqual([]);
  },
);
