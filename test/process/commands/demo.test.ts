import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { processes } from "../../support/processes/process.ts";

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

test("demo prints a link that signs in to the console once, on this machine, where the days before are shown", async () => {
  const demo = await start(["demo"], { TMPDIR: folder() }, /Ctrl\+C ends the demo/);
  const [link = ""] = /http\S+\/demo\?token=\S+/.exec(demo.out.text()) ?? [];
  const open = (url: string, options: RequestInit = {}) => fetch(url, { redirect: "manual", ...options });
  expect((await open(link.replace(/token=./, "token=!"))).status).toBe(404);
  expect((await open(link, { method: "HEAD" })).status).toBe(404);
  expect((await open(link, { headers: { "x-forwarded-for": "203.0.113.9" } })).status).toBe(404);
  const opened = await open(link);
  expect([opened.status, opened.headers.get("location")]).toEqual([303, "/console/"]);
  const cookie = (opened.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  const base = link.replace(/\/demo\?.*/, "");
  const ask = async (path: string) =>
    (
      await open(`${base}/${path}`, { headers: { cookie, "x-recado-console": "1", "sec-fetch-site": "same-origin" } })
    ).json();
  const session = (await ask("session")) as { person: { kind: string }; accounts: { id: string; name: string }[] };
  expect(session).toMatchObject({ person: { kind: "operator" }, accounts: [{ name: "Demo" }] });
  const again = await open(link);
  expect([again.status, again.headers.getSetCookie()]).toEqual([404, []]);
  const [, key = "", gateway = ""] = /KEY=(\S+)\n +curl -s (\S+)\/v1\/phones/.exec(demo.out.text()) ?? [];
  const chats = (await (await fetch(`${gateway}/v1/chats?limit=5`, { headers: { "x-api-key": key } })).json()) as {
    items: unknown[];
  };
  expect(chats.items).toHaveLength(5);
  const days = (await (await fetch(`${gateway}/v1/stats?step=day`, { headers: { "x-api-key": key } })).json()) as {
    total: { messages: { sent: number } };
  };
  expect(days.total.messages.sent).toBeGreaterThan(200);
  demo.child.kill("SIGTERM");
  expect((await demo.ended).code).toBe(0);
});
