import { beforeEach, describe, expect, test } from "bun:test";
import { takesValuesElsewhere } from "../../../../src/core/events/own-headers.ts";
import { HOUR_MS } from "../../../../src/kernel/clock.ts";
import { receivedBy, rowsOf, TO } from "../../../support/customers/customer.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import type { Receiver } from "../../../support/servers/receiver.ts";
import { useWorld } from "../../../support/use-world.ts";
import { type Answer, WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });

let key: string;
let hook: Receiver;
let phones: { id: string; phoneNumberId: string }[];
beforeEach(async () => {
  ({ key } = await w.account());
  hook = w.receiver();
  phones = [await w.wabaPhone(key), await w.wabaPhone(key), await w.wabaPhone(key)];
});

const create = (fields: object = {}): Promise<Answer> =>
  w.gateway("/v1/webhooks", {
    key,
    body: { label: "Hooks", url: hook.url, secret: WEBHOOK_SECRET, events: ["message:received"], ...fields },
  });
const change = (id: string, body: object): Promise<Answer> =>
  w.gateway(`/v1/webhooks/${id}`, { key, method: "PATCH", body });
const read = async (id: string) => (await w.gateway(`/v1/webhooks/${id}`, { key })).body;
const write = async (index: number, text: string) => {
  const { phoneNumberId = "" } = phones[index] ?? {};
  await w.graph.inbound.text({ to: phoneNumberId, from: TO, text });
  await w.settle();
};
const texts = () => receivedBy(hook, "message:received").map(({ content }) => content.text);
const stored = (id: string) =>
  rowsOf<{ headers: string | null }>(w, "SELECT headers FROM subscriptions WHERE id = ?1", [id]);

describe("whose events a webhook gets", () => {
  test("of the phones that link to it, where nothing else is said", async () => {
    const { body } = await create();
    await w.gateway(`/v1/phones/${phones[0]?.id}`, { key, method: "PATCH", body: { sharedWebhookId: body.id } });
    await write(0, "linked");
    await write(1, "other");
    expect(texts()).toEqual(["linked"]);
  });

  test("of every phone, of later ones too, each once although one links to it", async () => {
    const { body } = await create({ allPhones: true });
    expect(body).toMatchObject({ allPhones: true, phoneIds: [], selectedPhoneIds: [] });
    await w.gateway(`/v1/phones/${phones[0]?.id}`, { key, method: "PATCH", body: { sharedWebhookId: body.id } });
    phones.push(await w.wabaPhone(key));
    await write(0, "linked");
    await write(1, "other");
    await write(3, "later");
    expect(texts()).toEqual(["linked", "other", "later"]);
  });

  test("of chosen phones and those that link to it, by several webhooks at once", async () => {
    const ids = [phones[0]?.id, phones[1]?.id];
    const { body } = await create({ selectedPhoneIds: ids });
    expect(body).toMatchObject({ selectedPhoneIds: ids, allPhones: false });
    await create({ selectedPhoneIds: [phones[1]?.id] });
    await write(0, "first");
    await write(1, "second");
    await write(2, "third");
    expect(texts()).toEqual(["first", "second", "second"]);
    await change(body.id, { selectedPhoneIds: [] });
    await write(0, "none");
    expect(texts()).toEqual(["first", "second", "second"]);
  });

  test("a phone of another account, or none, is refused, and nothing is made or changed", async () => {
    const other = await w.account();
    const foreign = await w.wabaPhone(other.key);
    const existing = (await create()).body;
    for (const id of [foreign.id, "00000000-0000-4000-8000-000000000000"]) {
      const asked = { selectedPhoneIds: [phones[0]?.id, id] };
      expect([gatewaySays(await create(asked)), gatewaySays(await change(existing.id, asked))]).toEqual([
        "404 PHONE_NOT_FOUND",
        "404 PHONE_NOT_FOUND",
      ]);
    }
    expect((await w.gateway("/v1/webhooks", { key })).body).toEqual([existing]);
  });

  test("another account's events are never among them", async () => {
    await create({ allPhones: true });
    const other = await w.account();
    const foreign = await w.wabaPhone(other.key);
    await w.graph.inbound.text({ to: foreign.phoneNumberId, from: TO, text: "theirs" });
    await w.settle();
    expect(hook.arrived).toEqual([]);
  });
});

describe("the directions", () => {
  const send = async () => {
    const { status } = await w.gateway("/v1/messages", {
      key,
      body: { phoneId: phones[0]?.id, to: TO, type: "text", content: { text: "out" } },
    });
    expect(status).toBe(202);
    await w.settle();
  };
  test.each([
    [["inbound"], ["message:received"]],
    [["outbound"], ["message:status"]],
    [
      ["inbound", "outbound"],
      ["message:received", "message:status"],
    ],
  ])("%j: the events of these messages alone", async (directions, types) => {
    const { body } = await create({ allPhones: true, events: ["message:received", "message:status"], directions });
    expect(body.directions).toEqual(directions);
    await write(0, "in");
    await send();
    expect([...new Set(hook.arrived.map(({ body: { type } }) => type))]).toEqual(types);
  });

  test("an event that is about no message is sent whatever they are", async () => {
    await create({ allPhones: true, events: [], directions: ["inbound"] });
    hook.arrived.length = 0;
    await w.wabaPhone(key);
    await w.settle();
    expect(hook.arrived.map(({ body: { type } }) => type)).toContain("channel:connected");
  });

  test.each([[[]], [["both"]], ["inbound"], [null]])("%j is refused", async (directions) => {
    expect(fieldsOf(await create({ directions }))).toEqual(["directions"]);
  });
});

describe("own headers", () => {
  const HEADERS = { Authorization: "Bearer of-the-customer", "X-Team": "sales" };

  test("are sent with every delivery beside the signature, sealed at rest, and shown without values", async () => {
    const { body } = await create({ allPhones: true, headers: HEADERS });
    const masked = { Authorization: "********", "X-Team": "********" };
    expect([body.headers, (await read(body.id)).headers]).toEqual([masked, masked]);
    await write(0, "hello");
    expect(hook.arrived[0]?.headers).toMatchObject({
      authorization: "Bearer of-the-customer",
      "x-team": "sales",
      "content-type": "application/json",
      "x-gateway-signature": expect.stringMatching(/^sha256=/),
    });
    const [row] = await stored(body.id);
    expect(row?.headers).not.toContain("of-the-customer");
    expect(w.logs.join("\n")).not.toContain("of-the-customer");
  });

  test("are replaced as a whole; a masked value stays; none removes them", async () => {
    const { id } = (await create({ allPhones: true, headers: HEADERS })).body;
    await change(id, { headers: { authorization: "********", "X-New": "1", "X-Never": "********" } });
    await write(0, "hello");
    expect((await read(id)).headers).toEqual({ authorization: "********", "X-New": "********" });
    expect(hook.arrived[0]?.headers).toMatchObject({ authorization: "Bearer of-the-customer", "x-new": "1" });
    expect(hook.arrived[0]?.headers["x-team"]).toBeUndefined();
    await change(id, { label: "Another name" });
    expect(Object.keys((await read(id)).headers)).toEqual(["authorization", "X-New"]);
    await change(id, { headers: {} });
    expect([(await read(id)).headers, await stored(id)]).toEqual([{}, [{ headers: null }]]);
  });

  test("never go to another host than they were given for, unless they are given anew", async () => {
    const { body: existing } = await create({ allPhones: true, headers: HEADERS });
    const { url } = w.receiver();
    for (const headers of [undefined, existing.headers, { "X-Team": "********", "X-New": "1" }])
      expect(fieldsOf(await change(existing.id, { url, ...(headers ? { headers } : {}) }))).toEqual(["headers"]);
    expect(await read(existing.id)).toEqual(existing);
    const sameHost = { url: `${existing.url}/another-path` };
    for (const fields of [sameHost, { url, headers: { "X-Team": "sales" } }, { ...sameHost, headers: {} }, { url }])
      expect((await change(existing.id, fields)).status).toBe(200);
  });

  test.each([
    ["amqp://one.example.com/q", "amqp://two.example.com/q", true],
    ["amqp://one.example.com/q", "amqp://one.example.com/r", false],
    ["https://one.example.com", "http://one.example.com", true],
    ["https://one.example.com/a", "https://one.example.com:443/b", false],
  ])("from %s to %s go elsewhere: %p", (from, url, isElsewhere) => {
    expect(takesValuesElsewhere({ url: from, headers: "sealed" }, { url })).toBe(isElsewhere);
    expect(takesValuesElsewhere({ url: from, headers: null }, { url })).toBe(false);
  });

  const NAMES = ["Host", "connection", "Content-Type", "content-length", "Transfer-Encoding", "proxy-authorization"];
  const OURS = ["webhook-id", "X-Gateway-Signature", "x-webhook-attempt", "User-Agent"];
  const refused: Record<string, unknown> = {
    ...Object.fromEntries([...NAMES, ...OURS].map((name) => [`the name ${name}`, { [name]: "x" }])),
    "a name with a space": { "X A": "x" },
    "a name with a line break": { "X-A\r\nX-B": "x" },
    "an empty name": { "": "x" },
    "a name of 65 characters": { ["x".repeat(65)]: "x" },
    "a value with a line break": { "X-A": "a\r\nX-B: b" },
    "a value beyond ASCII": { "X-A": "é" },
    "an empty value": { "X-A": "" },
    "a value of 1025 bytes": { "X-A": "x".repeat(1025) },
    "a value that is a number": { "X-A": 5 },
    "a name twice": { "X-A": "1", "x-a": "2" },
    "17 of them": Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`X-${n}`, "x"])),
    "a list": ["X-A"],
    null: null,
  };
  for (const [title, headers] of Object.entries(refused))
    test(`${title} is refused, and nothing is made or changed`, async () => {
      const existing = (await create({ headers: HEADERS })).body;
      expect([fieldsOf(await create({ headers })), fieldsOf(await change(existing.id, { headers }))]).toEqual([
        ["headers"],
        ["headers"],
      ]);
      expect((await w.gateway("/v1/webhooks", { key })).body).toEqual([existing]);
    });
});

describe("a paused webhook", () => {
  test("gets nothing, and afterwards everything in the order of the events, before newer ones", async () => {
    const { id } = (await create({ allPhones: true })).body;
    expect((await change(id, { active: false })).body.active).toBe(false);
    for (const text of ["1", "2", "3"]) await write(0, text);
    await w.advance(HOUR_MS);
    await w.restart();
    await w.settle();
    expect(texts()).toEqual([]);
    expect((await change(id, { active: true })).body.active).toBe(true);
    await w.settle();
    await write(0, "4");
    expect(texts()).toEqual(["1", "2", "3", "4"]);
  });

  test("may be made so; and what it gets has all its attempts left", async () => {
    const { id } = (await create({ allPhones: true, active: false })).body;
    await write(0, "1");
    hook.reply(() => new Response("", { status: 500 }));
    await change(id, { active: true });
    await w.settle();
    expect(hook.arrived.map(({ headers }) => headers["x-gateway-attempt"])).toEqual(["1"]);
  });
});

test.each([["fifo"], [null], [true]])("an ordering %j is refused", async (ordering) => {
  expect(fieldsOf(await create({ ordering }))).toEqual(["ordering"]);
});
