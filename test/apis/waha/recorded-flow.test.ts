import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { WAHA_ENV, wahaClient } from "../../support/apis/waha.ts";
import { type SessionWorld, sessionWorld } from "../../support/session/world.ts";
import { untilStatus } from "../../support/world.ts";

type Recorded = { method: string; path: string; body?: object; status: number; answer: unknown };
const flow = JSON.parse(readFileSync("test/apis/waha/recorded/flow.json", "utf8")) as {
  before: Recorded[];
  after: Recorded[];
  events: string[];
};

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld(WAHA_ENV);
});
afterAll(() => s.stop());

test("a recorded flow of a program made for WAHA links, sends, and ends, by a change of the address alone", async () => {
  const { w } = s;
  const { key } = await w.account();
  const [owner, ana] = [s.phone(), s.contact()];
  const hook = w.receiver();
  const client = wahaClient(w, key, "default");
  const words: Record<string, string> = { "{hook}": hook.url, "{chat}": `${ana.pn}@c.us` };
  const filled = (body: object): unknown =>
    JSON.parse(JSON.stringify(body).replaceAll(/\{(?:hook|chat)\}/g, (word) => words[word] ?? word));
  const replay = async (requests: readonly Recorded[]) => {
    for (const { method, path, body, status, answer } of requests) {
      const given = await client.ask(path, { method, ...(body ? { body: filled(body) } : {}) });
      expect([path, given.status, given.status === status ? "" : given.text]).toEqual([path, status, ""]);
      if (answer === "none") expect(given.text).toBe("");
      else expect(given.body).toMatchObject(answer as object);
      await w.settle();
    }
  };
  await replay(flow.before);
  const { id } = (await client.ask("/api/sessions/default")).body;
  await owner.scan((await client.ask("/api/default/auth/qr?format=raw")).body.value);
  await untilStatus(w, id, "CONNECTED");
  await owner.open();
  await replay(flow.after);
  const arrived = hook.arrived.map(({ body }) => body as { event: string });
  expect(new Set(arrived.map(({ event }) => event))).toEqual(new Set(flow.events));
  for (const { headers, raw, body } of hook.arrived) {
    expect(headers["x-webhook-hmac"]).toBe(createHmac("sha512", "your-own-secret-key").update(raw).digest("hex"));
    expect(headers["x-my-custom-header"]).toBe("Value");
    expect(body).toMatchObject({ session: "default", metadata: { "user.id": "123" } });
  }
});
