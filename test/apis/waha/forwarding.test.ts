import { beforeAll, beforeEach, expect, test } from "bun:test";
import type { Asked } from "../../../src/apis/shared/api-env.ts";
import { createWahaApi } from "../../../src/apis/waha/api.ts";
import { WAHA_ENV, wahaClientOf } from "../../support/apis/waha.ts";
import type { Customer } from "../../support/customers/customer.ts";
import { newSessionCustomer, sessionNetwork } from "../../support/session/scripted-sends.ts";
import { useWorld } from "../../support/use-world.ts";

// Which requests the node that has the session's link is asked for, where the body names the session.

const network = sessionNetwork();
const w = useWorld({ env: WAHA_ENV, plugins: [network.plugin] });
let c: Customer;
let asked: Asked[] = [];
let api: ReturnType<typeof createWahaApi>;
beforeAll(async () => {
  const elsewhere = async (one: Asked) => {
    asked.push(one);
    return one.link.channelId === undefined ? undefined : Response.json({ from: "the other node" });
  };
  api = createWahaApi({ ...w.app.env, elsewhere }, { prefix: "", url: () => "http://localhost" });
});
beforeEach(async () => {
  c = await newSessionCustomer(w);
  await wahaClientOf(w, c).ask("/api/sessions", { body: { name: "another", start: false } });
  asked = [];
});

const post = (path: string, body: unknown) =>
  api.app.handle(
    new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { "x-api-key": c.key, "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );
const links = () => asked.map(({ link }) => link);

test.each<[string, string, object]>([
  ["/api/startTyping", "session", { chatId: "5511999990001@c.us" }],
  ["/api/stopTyping", "session", { chatId: "5511999990001@c.us" }],
  ["/api/contacts/block", "session", { contactId: "5511999990001@c.us" }],
  ["/api/contacts/unblock", "session", { contactId: "5511999990001@c.us" }],
  ["/api/sessions/start", "name", {}],
  ["/api/sessions/logout", "name", {}],
  ["/api/sessions/stop", "name", { logout: true }],
])("%s goes to the node of the session that its body names", async (path, field, body) => {
  for (const name of ["A phone", c.phone.id]) {
    asked = [];
    const answer = await post(path, { ...body, [field]: name });
    expect(await answer.json()).toEqual({ from: "the other node" });
    expect(links()).toEqual([{ channelId: c.phone.id, isRequired: true }]);
  }
});

test("a body that names no session of the account, or is no JSON, is answered where it came", async () => {
  const theirs = await newSessionCustomer(w);
  for (const session of ["nothing", theirs.phone.id, "default"])
    expect((await post("/api/startTyping", { session, chatId: "5511999990001@c.us" })).status).toBe(404);
  expect((await post("/api/startTyping", "{")).status).toBe(400);
  expect(links()).toEqual([]);
});

test("an id in a text of the body is not the session's", async () => {
  const text = `"channelId":"${c.phone.id}"`;
  await post("/api/startTyping", { session: "another", chatId: "5511999990001@c.us", text, channelId: c.phone.id });
  expect(links().map(({ channelId }) => channelId)).not.toContain(c.phone.id);
  expect(links()).toHaveLength(1);
});
