import { beforeEach, describe, expect, test } from "bun:test";
import { hmacSha256 } from "../../../../src/kernel/crypto.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { useWorld } from "../../../support/use-world.ts";
import { type Answer, WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const GOOD = { label: "Hooks", url: "https://hooks.example.com/a", secret: WEBHOOK_SECRET };

let key: string;
beforeEach(async () => {
  ({ key } = await w.account());
});

const create = (fields: object = {}): Promise<Answer> =>
  w.gateway("/v1/webhooks", { key, body: { ...GOOD, ...fields } });
const change = (id: string, body: object, by = key) =>
  w.gateway(`/v1/webhooks/${id}`, { key: by, method: "PATCH", body });
const remove = (id: string, by = key) => w.gateway(`/v1/webhooks/${id}`, { key: by, method: "DELETE" });
const read = async (id: string) => (await w.gateway(`/v1/webhooks/${id}`, { key })).body;
const list = async () => (await w.gateway("/v1/webhooks", { key })).body;
const session = async (sharedWebhookId?: string) => {
  const { id } = (await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "A phone" } })).body;
  if (sharedWebhookId) await w.gateway(`/v1/phones/${id}`, { key, method: "PATCH", body: { sharedWebhookId } });
  return id as string;
};

test("EP-G02 creation answers the object without its secret, and it reads back the same", async () => {
  const { status, body } = await create({ events: ["message:received", "call:*"] });
  expect(status).toBe(201);
  const now = new Date(w.clock.now()).toISOString();
  expect(body).toEqual({
    id: expect.any(String),
    label: "Hooks",
    url: GOOD.url,
    events: ["message:received", "call:*"],
    phoneIds: [],
    allPhones: false,
    selectedPhoneIds: [],
    active: true,
    directions: ["inbound", "outbound"],
    headers: {},
    ordering: "none",
    createdAt: now,
    updatedAt: now,
  });
  expect(await read(body.id)).toEqual(body);
  expect(await list()).toEqual([body]);
});

describe("what a shared webhook may be made of and changed to", () => {
  const fields: Record<string, [fields: object, refused: string[] | undefined]> = {
    "label of 1 character": [{ label: "x" }, undefined],
    "label of 120 characters": [{ label: "é".repeat(120) }, undefined],
    "label of 121 characters": [{ label: "x".repeat(121) }, ["label"]],
    "empty label": [{ label: "" }, ["label"]],
    "label that is a number": [{ label: 5 }, ["label"]],
    "label null": [{ label: null }, ["label"]],
    "url that is not HTTPS": [{ url: "http://hooks.example.com/a" }, ["url"]],
    "url that is none": [{ url: "hooks" }, ["url"]],
    "url with a password in it": [{ url: "https://user:password@hooks.example.com/a" }, ["url"]],
    "url null": [{ url: null }, ["url"]],
    "secret of 15 characters": [{ secret: "x".repeat(15) }, ["secret"]],
    "secret of 16 characters": [{ secret: "x".repeat(16) }, undefined],
    "secret null": [{ secret: null }, ["secret"]],
    "no events": [{ events: [] }, undefined],
    "events of an unknown name": [{ events: ["message.received"] }, ["events"]],
    "events that are a string": [{ events: "message:received" }, ["events"]],
    "events null": [{ events: null }, ["events"]],
  };
  for (const [title, [given, refused]] of Object.entries(fields)) {
    test(`EP-G02 ${title} is ${refused ? "refused, and nothing is made or changed" : "taken"}`, async () => {
      const existing = (await create()).body;
      await w.advance(1);
      const [made, changed] = [await create(given), await change(existing.id, given)];
      if (refused) {
        expect([fieldsOf(made), fieldsOf(changed)]).toEqual([refused, refused]);
        expect(await list()).toEqual([existing]);
      } else {
        expect([made.status, changed.status]).toEqual([201, 200]);
        expect((await list()).length).toBe(2);
      }
    });
  }

  for (const missing of ["label", "url", "secret"]) {
    test(`EP-G02 ${missing} is required at creation`, async () => {
      expect(fieldsOf(await create({ [missing]: undefined }))).toEqual([missing]);
      expect(await list()).toEqual([]);
    });
  }
});

test("EP-G02 a change takes what is given and leaves the rest", async () => {
  const before = (await create({ events: ["message:received"] })).body;
  await w.advance(5);
  const updatedAt = new Date(w.clock.now()).toISOString();
  expect((await change(before.id, { label: "Other" })).body).toEqual({ ...before, label: "Other", updatedAt });
  expect((await change(before.id, { events: [], url: "https://hooks.example.com/b" })).body).toEqual({
    ...before,
    label: "Other",
    events: [],
    url: "https://hooks.example.com/b",
    updatedAt,
  });
  expect((await change(before.id, {})).status).toBe(200);
});

test("EP-G02 a new URL keeps the secret, and a new secret signs from then on", async () => {
  const [first, second] = [w.receiver(), w.receiver()];
  const { id } = (await create({ url: first.url })).body;
  const isSignedWith = (secret: string, { headers, raw }: { headers: Record<string, string>; raw: string }) =>
    headers["x-gateway-signature"] === `sha256=${hmacSha256(secret, raw, "hex")}`;
  const provoke = async () => {
    const phone = await session(id);
    await w.gateway(`/v1/phones/${phone}`, { key, method: "DELETE" });
    await w.settle();
  };
  await change(id, { url: second.url });
  await provoke();
  await change(id, { secret: "another-secret-of-it" });
  await provoke();
  expect(first.arrived).toEqual([]);
  expect(
    second.arrived.map((one) => [isSignedWith(WEBHOOK_SECRET, one), isSignedWith("another-secret-of-it", one)]),
  ).toEqual([
    [true, false],
    [false, true],
  ]);
});

test("EP-G02 G-163 several phones share one; it names them all", async () => {
  const { id } = (await create()).body;
  const phones = [await session(id), await session(id)];
  await session();
  expect((await read(id)).phoneIds.toSorted()).toEqual(phones.toSorted());
  expect((await list())[0].phoneIds.length).toBe(2);
});

test("EP-G02 G-164 deleting it unlinks its phones, which stay", async () => {
  const { id } = (await create()).body;
  const phone = await session(id);
  const { status, text } = await remove(id);
  expect({ status, text }).toEqual({ status: 204, text: "" });
  expect(await list()).toEqual([]);
  expect((await w.gateway(`/v1/phones/${phone}`, { key })).body.sharedWebhookId).toBeNull();
  expect(gatewaySays(await w.gateway(`/v1/webhooks/${id}`, { key }))).toBe("404 WEBHOOK_NOT_FOUND");
  expect(gatewaySays(await remove(id))).toBe("404 WEBHOOK_NOT_FOUND");
});

test("EP-G02 one that is unknown, another account's, or the own webhook of a phone is not found", async () => {
  const other = await w.account();
  const theirs = (await w.gateway("/v1/webhooks", { key: other.key, body: GOOD })).body;
  await w.gateway("/v1/phones", {
    key,
    body: { type: "SESSION", label: "A phone", webhook: { url: GOOD.url, secret: GOOD.secret } },
  });
  const [{ id: ofPhone } = { id: "" }] = await w.app.env.db.read(async (reader) =>
    reader.rows<{ id: string }>("SELECT id FROM subscriptions WHERE kind = 'phone' ORDER BY id DESC LIMIT 1"),
  );
  for (const id of [theirs.id, ofPhone, UNKNOWN, "nonsense"]) {
    expect(gatewaySays(await w.gateway(`/v1/webhooks/${id}`, { key }))).toBe("404 WEBHOOK_NOT_FOUND");
    expect(gatewaySays(await change(id, { label: "Mine" }))).toBe("404 WEBHOOK_NOT_FOUND");
    expect(gatewaySays(await remove(id))).toBe("404 WEBHOOK_NOT_FOUND");
  }
  expect((await w.gateway(`/v1/webhooks/${theirs.id}`, { key: other.key })).body).toEqual(theirs);
  expect(await list()).toEqual([]);
});
