import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { COLLECTION_NAMES, type Collection } from "../../src/kernel/collections.ts";
import { countCollection } from "../../src/store/laws/collections.ts";
import { scrape, valueIn } from "../support/apis/prometheus.ts";
import { giveTool } from "../support/customers/agents/tools.ts";
import { NUMBER } from "../support/customers/contacts.ts";
import { holdBack, newCustomer, rowsOf } from "../support/customers/customer.ts";
import { groupUser } from "../support/customers/groups.ts";
import { schedule } from "../support/customers/scheduled.ts";
import { templatesOf } from "../support/customers/templates.ts";
import { giveAgent } from "../support/llm/world.ts";
import { newSessionCustomer, type SessionNetwork, sessionNetwork } from "../support/session/scripted-sends.ts";
import { customer, tokenIn, webhookBody } from "../support/tenants/platform.ts";
import { type Answer, startWorld, type World } from "../support/world.ts";

/** Enough for what each test needs before it begins; what it makes is one more than there may be. */
const LIMIT = 3;
const FILE = "a".repeat(100);

let w: World;
let network: SessionNetwork;
beforeAll(async () => {
  network = sessionNetwork();
  const limits = COLLECTION_NAMES.filter((name) => name !== "chunks").map(
    (name) => `${name}=${name === "stored-bytes" ? LIMIT * FILE.length : LIMIT}`,
  );
  w = await startWorld({
    plugins: [network.plugin],
    env: { RECADO_GATEWAY_RATE: "100000", RECADO_LIMITS: limits.join() },
  });
  w.graph.configure({ groupUpdate: "at-once" });
});
afterAll(() => w.stop());

/** Whose limit it is, how one more is made, and what the refusal says. */
type Case = { owner: string; size?: number; grow(n: number): Promise<Answer>; refusal?: [number, string] };
const PLAN_LIMIT: [number, string] = [403, "PLAN_LIMIT_EXCEEDED"];

/**
 * TABLE: each collection that requests make grow. The chunks of an agent are not made by requests: see
 * test/apis/gateway/ai/knowledge-learning.test.ts.
 */
const CASES: Record<Exclude<Collection, "chunks">, () => Promise<Case>> = {
  async institutions() {
    const { token, userId } = await w.institution();
    return { owner: userId, grow: (n) => w.platform("/v1/institutions", { token, body: { name: `${n}` } }) };
  },
  async members() {
    const { token, id } = await w.institution();
    const guests = await Promise.all(Array.from({ length: LIMIT + 2 }, () => w.institution()));
    const grow = async (n: number) => {
      const invited = await w.platform(`/v1/institutions/${id}/members`, { token, body: { email: guests[n]?.email } });
      if (invited.status >= 300) return invited;
      return w.platform("/v1/auth/accept-invitation", {
        token: guests[n]?.token ?? "",
        body: { token: tokenIn(invited.body.link) },
      });
    };
    return { owner: id, grow };
  },
  async keys() {
    const { token, id } = await w.institution();
    return {
      owner: id,
      grow: (n) => w.platform("/v1/api-keys", { token, body: { name: `Key ${n}`, permissions: ["channels.read"] } }),
    };
  },
  async channels() {
    const { id, key } = await w.account();
    return { owner: id, grow: (n) => w.gateway("/v1/phones", { key, body: { type: "SESSION", label: `${n}` } }) };
  },
  async webhooks() {
    const { id, key } = await customer(w);
    return { owner: id, grow: (n) => w.platform("/v1/webhooks", { key, body: webhookBody({ name: `Webhook ${n}` }) }) };
  },
  async contacts() {
    const { id, key } = await customer(w);
    return {
      owner: id,
      grow: (n) =>
        w.platform("/v1/contacts", { key, body: { phoneNumber: `${BigInt(NUMBER) + BigInt(n)}`, name: "Ana" } }),
    };
  },
  async scheduled() {
    const c = await newCustomer(w);
    return { owner: c.accountId, grow: () => schedule(w, c), refusal: [429, "SCHEDULE_QUOTA_EXCEEDED"] };
  },
  async templates() {
    const c = await newCustomer(w);
    return { owner: c.accountId, grow: (n) => templatesOf(w, c).create({ name: `template_${n}` }) };
  },
  async flows() {
    const c = await newCustomer(w);
    return {
      owner: c.accountId,
      grow: (n) =>
        w.gateway("/v1/flows", { key: c.key, body: { phoneId: c.phone.id, name: `${n}`, categories: ["SURVEY"] } }),
    };
  },
  async "canned-replies"() {
    const { id, key } = await w.account();
    return {
      owner: id,
      grow: (n) => w.gateway("/v1/canned-replies", { key, body: { shortcut: `r${n}`, text: "oi" } }),
    };
  },
  async groups() {
    const c = await newCustomer(w);
    return { owner: c.accountId, grow: (n) => groupUser(w, c).create({ subject: `${n}` }) };
  },
  async "keyed-requests"() {
    const { token, id } = await w.institution();
    const grow = (n: number) =>
      w.platform("/v1/bulk/validate", {
        token,
        body: { numbers: ["5511999990001"] },
        headers: { "idempotency-key": `request-${n}` },
      });
    return { owner: id, grow };
  },
  async "stored-bytes"() {
    const c = await newCustomer(w);
    await giveAgent(w, c);
    const file = { key: c.key, raw: FILE, headers: { "content-type": "text/plain" } };
    return {
      owner: c.accountId,
      size: FILE.length,
      grow: () => w.gateway(`/v1/phones/${c.phone.id}/ai-agent/knowledge/files`, file),
      refusal: [403, "STORAGE_QUOTA_EXCEEDED"],
    };
  },
  async lookups() {
    const c = await newSessionCustomer(w);
    await w.gateway("/v1/lookup", { key: c.key, body: { phoneId: c.phone.id, numbers: ["5511999990099"] } });
    await w.settle();
    await holdBack(w, `lookup:${c.phone.id}`); // what the network is asked from now on waits
    return {
      owner: c.phone.id,
      grow: (n) =>
        w.gateway("/v1/lookup", { key: c.key, body: { phoneId: c.phone.id, numbers: [`551199999000${n}`] } }),
      refusal: [429, "RATE_LIMITED"],
    };
  },
  async documents() {
    const c = await newCustomer(w);
    await giveAgent(w, c);
    const body = { source: "TEXT_INLINE", text: "Abrimos de segunda a sexta, das oito às dezoito." };
    return {
      owner: c.phone.id,
      grow: () => w.gateway(`/v1/phones/${c.phone.id}/ai-agent/knowledge`, { key: c.key, body }),
      refusal: [409, "DOC_LIMIT_REACHED"],
    };
  },
  async tools() {
    const c = await newCustomer(w);
    await giveAgent(w, c);
    const grow = (n: number) => giveTool(w, c, { name: `tool_${n}`, url: c.hook.url });
    return { owner: c.phone.id, grow };
  },
};

const codeOf = ({ body }: Answer): string => body.code ?? body.error?.code;

/** How many rows each table has, without those of requests rather than of their effects. */
const rowCounts = async (): Promise<Record<string, number>> => {
  const names = await rowsOf<{ name: string }>(
    w,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'contacts_search%'",
  );
  const counts: Record<string, number> = {};
  for (const { name } of names)
    if (!["rate_windows", "upstream_envelopes"].includes(name))
      counts[name] = (await rowsOf<{ n: number }>(w, `SELECT count(*) AS n FROM "${name}"`))[0]?.n ?? 0;
  return counts;
};

describe("a collection that is at its limit", () => {
  test.each(Object.entries(CASES))(
    "%s: of two that come at once for the last place one gets in; the other changes nothing",
    async (name, begin) => {
      const collection = name as Collection;
      const { owner, size = 1, grow, refusal: [status, code] = PLAN_LIMIT } = await begin();
      const count = async () =>
        (await w.app.env.db.read((reader) => countCollection(reader, collection, owner, 99))) / size;
      let n = 0;
      for (let have = await count(); have < LIMIT - 1; have++) expect((await grow(n++)).status).toBeLessThan(300);
      const both = await Promise.all([grow(n++), grow(n++)]);
      expect(both.filter((one) => one.status < 300)).toHaveLength(1);
      await w.settle();
      const before = await rowCounts();
      const refusals = [...both.filter((one) => one.status >= 300), await grow(n++)];
      expect(refusals.map((one) => [one.status, codeOf(one)])).toEqual([
        [status, code],
        [status, code],
      ]);
      for (const { body } of refusals) {
        const word = collection === "channels" && body.error ? "phones" : collection; // each API's own
        expect(body.message ?? body.error.message).toContain(`${LIMIT * size} ${word}`);
        if (body.error?.details) expect(body.error.details).toEqual({ collection, limit: LIMIT * size });
      }
      await w.settle();
      expect([await count(), await rowCounts()]).toEqual([LIMIT, before]);
    },
  );

  test("contacts: one that is there is said to be, however its number is written", async () => {
    const { key } = await customer(w);
    const add = (phoneNumber: string) => w.platform("/v1/contacts", { key, body: { phoneNumber, name: "Ana" } });
    for (let n = 0; n < LIMIT; n++) expect((await add(`551199999000${n}`)).status).toBe(201);
    const again = [await add("5511999990000"), await add("+55 (11) 99999-0000")];
    expect(again.map((one) => [one.status, codeOf(one)])).toEqual(
      Array.from({ length: 2 }, () => [409, "CONTACT_ALREADY_EXISTS"]),
    );
  });

  test("counts its refusals, and shows its limit and the largest account, in the figures", async () => {
    const { grow } = await CASES.contacts();
    for (let n = 0; n < LIMIT; n++) await grow(n);
    const refused = async () => valueIn(await scrape(w), "recado_limit_refusals_total", { collection: "contacts" });
    const before = await refused();
    await grow(LIMIT);
    await w.advance(10_000);
    const families = await scrape(w);
    expect((await refused()) - before).toBe(1);
    expect([
      valueIn(families, "recado_limit", { collection: "contacts" }),
      valueIn(families, "recado_largest_account", { collection: "contacts" }),
    ]).toEqual([LIMIT, LIMIT]);
  });

  test("P-176 a plan's number of channels holds through either API, and what is deleted makes room", async () => {
    const { id, token } = await w.institution("FREE");
    const platform = await w.platformKey(token);
    const { body } = await w.gateway(`/v1/admin/accounts/${id}/api-keys`, {
      admin: true,
      body: { name: "Of the gateway" },
    });
    const make = () => w.gateway("/v1/phones", { key: body.key, body: { type: "SESSION", label: "A phone" } });
    const first = await make();
    expect([
      first.status,
      codeOf(await make()),
      (await w.platform("/v1/channels", { key: platform, body: { name: "x", type: "CHAT_WABA" } })).status,
    ]).toEqual([201, "PLAN_LIMIT_EXCEEDED", 403]);
    expect((await w.gateway(`/v1/phones/${first.body.id}`, { key: body.key, method: "DELETE" })).status).toBeLessThan(
      300,
    );
    expect((await make()).status).toBe(201);
  });
});
