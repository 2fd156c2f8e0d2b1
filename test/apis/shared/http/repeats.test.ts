import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { recordAnswer, repeats } from "../../../../src/apis/shared/idempotency.ts";
import { COMMON_ROUTE_OPTIONS } from "../../../../src/apis/shared/route-table.ts";
import {
  claimRequest,
  completeWithin,
  endClaim,
  type KeptAnswer,
  type KeyedRequest,
} from "../../../../src/core/tenancy/keys/keyed-requests.ts";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { newId } from "../../../../src/kernel/ids.ts";
import { type Customer, newCustomer, rowsOf } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { customer } from "../../../support/tenants/platform.ts";
import { everyRow } from "../../../support/tenants/tenant.ts";
import { useWorld } from "../../../support/use-world.ts";
import type { Answer } from "../../../support/world.ts";

// The header Idempotency-Key on both APIs. test/apis/shared/http/repeats-everywhere.test.ts is about all routes.

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" } });
const TO = "5511999990001";
let keys = 0;
const freshKey = (): string => `key-${++keys}`;

type With = { text?: string; path?: string; headers?: Record<string, string> };
const send = (c: Pick<Customer, "key" | "phone">, key: string, { text = "olá", path = "", headers = {} }: With = {}) =>
  w.gateway(`/v1/messages${path}`, {
    key: c.key,
    body: { phoneId: c.phone.id, to: TO, type: "text", content: { text } },
    headers: { "idempotency-key": key, ...headers },
  });
const messagesOf = async ({ accountId }: Pick<Customer, "accountId">): Promise<number> =>
  (await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?1", [accountId])).length;
const replayed = ({ headers }: Answer): string | null => headers.get("idempotent-replayed");
const addContact = (token: string, key: string, name = "Ana") =>
  w.platform("/v1/contacts", {
    token,
    body: { name, phoneNumber: "5511999990007" },
    headers: { "idempotency-key": key },
  });
const secondKeyOf = async (c: Pick<Customer, "accountId">): Promise<string> =>
  (await w.gateway(`/v1/admin/accounts/${c.accountId}/api-keys`, { admin: true, body: { name: "another" } })).body.key;

describe("a repeat with the same Idempotency-Key", () => {
  test("gets the first answer, and no second message is sent", async () => {
    const c = await newCustomer(w);
    const key = freshKey();
    const first = await send(c, key);
    const second = await send(c, key);
    expect([first.status, replayed(first)]).toEqual([202, null]);
    expect([second.status, second.text, replayed(second)]).toEqual([202, first.text, "true"]);
    expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    await w.settle();
    expect(await messagesOf(c)).toBe(1);
  });

  test("with another body, query or path is refused in the shape of each API, and does nothing", async () => {
    const c = await newCustomer(w);
    const key = freshKey();
    expect((await send(c, key)).status).toBe(202);
    const before = await everyRow(w);
    expect(gatewaySays(await send(c, key, { text: "another" }))).toBe("409 IDEMPOTENCY_KEY_REUSED");
    expect(gatewaySays(await send(c, key, { path: "?a=1" }))).toBe("409 IDEMPOTENCY_KEY_REUSED");
    const elsewhere = { key: c.key, body: { label: "x", url: "https://hooks.example.com/a", secret: "a".repeat(16) } };
    expect(gatewaySays(await w.gateway("/v1/webhooks", { ...elsewhere, headers: { "idempotency-key": key } }))).toBe(
      "409 IDEMPOTENCY_KEY_REUSED",
    );
    expect(await everyRow(w)).toEqual(before);
    const { token } = await w.institution();
    expect((await addContact(token, key)).status).toBe(201);
    expect((await addContact(token, key, "Bia")).body).toEqual({
      code: "IDEMPOTENCY_KEY_REUSED",
      message: expect.stringContaining("Nothing was done"),
    });
  });

  test("is another request for another account, another key of the account, and the other API", async () => {
    const [c, other] = [await newCustomer(w), await newCustomer(w)];
    const key = freshKey();
    const another = { ...c, key: await secondKeyOf(c) };
    const answers = [await send(c, key), await send(other, key), await send(another, key)];
    expect(answers.map((one) => [one.status, replayed(one)])).toEqual(Array.from({ length: 3 }, () => [202, null]));
    expect([await messagesOf(c), await messagesOf(other)]).toEqual([2, 1]);
    const who = await customer(w);
    expect((await addContact(who.token, key)).status).toBe(201);
    const byKey = await w.platform("/v1/contacts", {
      key: who.key,
      body: { name: "Ana", phoneNumber: "5511999990007" },
      headers: { "idempotency-key": key },
    });
    expect([byKey.status, byKey.body.code]).toEqual([409, "CONTACT_ALREADY_EXISTS"]);
  });

  test("is a new request after 24 hours, and nothing of the first is kept", async () => {
    const c = await newCustomer(w);
    const key = freshKey();
    const { messageId } = (await send(c, key)).body;
    await w.advance(DAY_MS - 1000);
    expect((await send(c, key)).body.messageId).toBe(messageId);
    await w.advance(1000);
    const later = await send(c, key, { text: "another" });
    expect([later.status, replayed(later)]).toEqual([202, null]);
    expect(await messagesOf(c)).toBe(2);
    await w.advance(2 * DAY_MS);
    expect(await rowsOf(w, "SELECT id FROM keyed_requests WHERE owner = ?1", [c.accountId])).toEqual([]);
    expect(
      await rowsOf(w, "SELECT n FROM tenant_counts WHERE tenant_id = ?1 AND collection = 'keyed-requests'", [
        c.accountId,
      ]),
    ).toEqual([{ n: 0 }]);
  });

  test("gets the first answer after a restart too", async () => {
    const c = await newCustomer(w);
    const key = freshKey();
    const first = await send(c, key);
    await w.restart();
    const second = await send(c, key);
    expect([second.status, second.text, replayed(second)]).toEqual([202, first.text, "true"]);
    expect(await messagesOf(c)).toBe(1);
  });

  test("of 50 at once, one is carried out; each other gets its answer or is asked to come again", async () => {
    const c = await newCustomer(w);
    const key = freshKey();
    const label = { label: "one", url: "https://hooks.example.com/a", secret: "a".repeat(16) };
    const sends = await Promise.all(Array.from({ length: 50 }, () => send(c, key)));
    const others = freshKey();
    const makes = await Promise.all(
      Array.from({ length: 50 }, () =>
        w.gateway("/v1/webhooks", { key: c.key, body: label, headers: { "idempotency-key": others } }),
      ),
    );
    for (const [answers, success] of [
      [sends, 202],
      [makes, 201],
    ] as const) {
      const good = answers.filter(({ status }) => status === success);
      expect(good.filter((one) => replayed(one) === null)).toHaveLength(1);
      expect(new Set(good.map(({ text }) => text)).size).toBe(1);
      const refused = answers.filter(({ status }) => status !== success);
      expect(refused.map((one) => [gatewaySays(one), one.headers.get("retry-after")])).toEqual(
        refused.map(() => ["409 IDEMPOTENCY_IN_PROGRESS", "1"]),
      );
    }
    expect(await messagesOf(c)).toBe(1);
    expect(
      await rowsOf(w, "SELECT id FROM subscriptions WHERE tenant_id = ?1 AND kind = 'shared'", [c.accountId]),
    ).toHaveLength(1);
  });

  test("shows a new secret again, which is nowhere on the disk in clear", async () => {
    const { token } = await w.institution();
    const make = () =>
      w.platform("/v1/api-keys", {
        token,
        body: { name: "A key", permissions: ["messages.send"], environment: "live" },
        headers: { "idempotency-key": "one-api-key" },
      });
    const [first, second] = [await make(), await make()];
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    const { key } = first.body;
    expect(key).toStartWith("oapi_sk_");
    for (const name of readdirSync(w.dataDir).filter((file) => file.includes(".db")))
      expect(readFileSync(join(w.dataDir, name)).includes(key)).toBe(false);
  });
});

describe("the header Idempotency-Key", () => {
  test("may be quoted, as the draft of the IETF has it", async () => {
    const c = await newCustomer(w);
    const first = await send(c, '"8e03978e-\\"40d5"');
    const second = await send(c, '8e03978e-"40d5');
    expect([first.status, replayed(second), second.text]).toEqual([202, "true", first.text]);
  });

  test.each([
    ["empty", '""'],
    ["256 characters", "x".repeat(256)],
    ["a space", "one two"],
    ["sent twice", "one, two"],
    ["another alphabet", "ch\u00e1ve"],
  ])("is refused when it is %s, with its name, and nothing is done", async (_, key) => {
    const c = await newCustomer(w);
    const answer = await send(c, key);
    expect([gatewaySays(answer), Object.keys(answer.body.error.details.fieldErrors)]).toEqual([
      "400 VALIDATION_ERROR",
      ["Idempotency-Key"],
    ]);
    expect(await messagesOf(c)).toBe(0);
  });

  test("may have 255 characters", async () => {
    expect((await send(await newCustomer(w), "x".repeat(255))).status).toBe(202);
  });

  test("stays free after a refusal, which did nothing", async () => {
    const c = await newCustomer(w);
    const key = freshKey();
    const unknown = { ...c, phone: { ...c.phone, id: newId(w.app.env) } };
    expect(gatewaySays(await send(unknown, key))).toBe("404 PHONE_NOT_FOUND");
    expect(gatewaySays(await send(c, key, { text: "" }))).toBe("400 VALIDATION_ERROR");
    const sent = await send(c, key);
    expect([sent.status, replayed(sent)]).toEqual([202, null]);
  });

  test("with strict handling: a misspelt field is refused and leaves it free; a replay is confirmed as strict", async () => {
    const c = await newCustomer(w);
    const key = freshKey();
    const strict = { prefer: "handling=strict", "idempotency-key": key };
    const body = { phoneId: c.phone.id, to: TO, type: "text", content: { text: "olá" } };
    const misspelt = await w.gateway("/v1/messages", {
      key: c.key,
      body: { ...body, idempotencykey: "a" },
      headers: strict,
    });
    expect(gatewaySays(misspelt)).toBe("400 VALIDATION_ERROR");
    const first = await send(c, key, { headers: strict });
    const second = await send(c, key, { headers: strict });
    expect([first.status, second.text, replayed(second)]).toEqual([202, first.text, "true"]);
    expect(second.headers.get("preference-applied")).toBe("handling=strict");
  });

  test("beside an idempotencyKey of the body: both name the one message", async () => {
    const c = await newCustomer(w);
    const body = { phoneId: c.phone.id, to: TO, type: "text", content: { text: "olá" }, idempotencyKey: "of-the-body" };
    const ask = (key: string) => w.gateway("/v1/messages", { key: c.key, body, headers: { "idempotency-key": key } });
    const [one, other] = [freshKey(), freshKey()];
    const first = await ask(one);
    const byBody = await ask(other);
    expect([first.status, byBody.status, byBody.body.messageId]).toEqual([202, 200, first.body.messageId]);
    const again = await ask(other);
    expect([again.status, again.text]).toEqual([200, byBody.text]);
    expect(await messagesOf(c)).toBe(1);
  });

  test("means nothing where no credential has it, and on other methods", async () => {
    const email = "keyed@example.com";
    const register = () =>
      w.platform("/v1/auth/register", {
        body: { name: "A User", email, password: "password-1", institutionName: "A Company" },
        headers: { "idempotency-key": "register" },
      });
    expect([(await register()).status, (await register()).body]).toEqual([
      201,
      expect.objectContaining({ error: expect.any(String) }),
    ]);
    const c = await newCustomer(w);
    const patch = (defaultModel: string) =>
      w.gateway("/v1/account/integrations/llm", {
        method: "PATCH",
        key: c.key,
        body: { defaultModel },
        headers: { "idempotency-key": "patch" },
      });
    expect([(await patch("one")).body.defaultModel, (await patch("two")).body.defaultModel]).toEqual(["one", "two"]);
  });
});

describe("a request whose process died", () => {
  /** As if a process that is gone had claimed this request. */
  const claimedByTheDead = async (c: Customer, ask: () => Promise<Answer>): Promise<void> => {
    expect((await ask()).status).toBeLessThan(300);
    await w.app.env.db.write(async (tx) =>
      tx.run("UPDATE keyed_requests SET sealed = NULL, process_id = 'gone' WHERE owner = ?1", [c.accountId]),
    );
  };

  test("is refused where it is not known what was done, and stays so", async () => {
    const c = await newCustomer(w);
    const make = () =>
      w.gateway("/v1/webhooks", {
        key: c.key,
        body: { label: "one", url: "https://hooks.example.com/a", secret: "a".repeat(16) },
        headers: { "idempotency-key": "interrupted" },
      });
    await claimedByTheDead(c, make);
    const before = await everyRow(w);
    for (let n = 0; n < 2; n++) expect(gatewaySays(await make())).toBe("409 IDEMPOTENCY_ANSWER_LOST");
    expect(await everyRow(w)).toEqual(before);
  });

  test("is carried out where a missing answer proves that nothing was done", async () => {
    const c = await newCustomer(w);
    await claimedByTheDead(c, () => send(c, "interrupted"));
    await w.app.env.db.write(async (tx) => tx.run("DELETE FROM messages WHERE tenant_id = ?1", [c.accountId]));
    const first = await send(c, "interrupted");
    const second = await send(c, "interrupted");
    expect([first.status, replayed(first), second.text, replayed(second)]).toEqual([202, null, first.text, "true"]);
    expect(await messagesOf(c)).toBe(1);
  });
});

test("a repeat after the person in the answer was erased is refused, and does nothing again", async () => {
  const { token } = await w.institution();
  expect((await addContact(token, "erased")).status).toBe(201);
  await w.gateway("/v1/admin/people/erase", { admin: true, body: { person: "+5511999990007" } });
  await w.settle();
  const before = await everyRow(w);
  expect((await addContact(token, "erased")).body.code).toBe("IDEMPOTENCY_ANSWER_LOST");
  expect(await everyRow(w)).toEqual(before);
});

describe("a claim", () => {
  const asked = (over: Partial<KeyedRequest> = {}): KeyedRequest => ({
    credential: "gateway key:1",
    owner: newId(w.app.env),
    key: freshKey(),
    fingerprint: "f",
    isAtomic: false,
    ...over,
  });
  const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => "none",
      (error: unknown) => (error as { code?: unknown }).code,
    );
  const ANSWER: KeptAnswer = { status: 201, headers: {}, body: "{}" };
  const begin = async (request: KeyedRequest) => {
    const outcome = await claimRequest(w.app.env, request);
    if (outcome.is !== "claimed") throw new Error("it was answered before");
    return outcome.claim;
  };

  test("that another run has taken over cannot store its effect", async () => {
    const request = asked({ isAtomic: true });
    const slow = await begin(request);
    w.app.env.openClaims.delete(slow.claim); // its process has died, as far as others know
    const fast = await begin(request);
    const complete = (claim: typeof slow, name: string) =>
      w.app.env.db.write(async (tx) => {
        tx.run("INSERT INTO meta (name, value) VALUES (?1, 'x')", [name]);
        await completeWithin(w.app.env, tx, claim, ANSWER);
      });
    await complete(fast, "effect-of-the-fast");
    expect(await refusalOf(complete(slow, "effect-of-the-slow"))).toBe("IDEMPOTENCY_IN_PROGRESS");
    await endClaim(w.app.env, slow, { ...ANSWER, status: 409 });
    expect(await claimRequest(w.app.env, request)).toEqual({ is: "answered", answer: ANSWER });
    expect(await rowsOf(w, "SELECT name FROM meta WHERE name LIKE 'effect-of-%'")).toEqual([
      { name: "effect-of-the-fast" },
    ]);
  });

  test("whose answer is too large to be kept, or could not be stored, is refused and never carried out again", async () => {
    const large = asked();
    await endClaim(w.app.env, await begin(large), { ...ANSWER, body: "x".repeat(256 * 1024 + 1) });
    const unstored = asked();
    const broken = { ...w.app.env.db, write: () => Promise.reject(new Error("the disk is gone")) };
    await endClaim({ ...w.app.env, db: broken }, await begin(unstored), ANSWER);
    for (const request of [large, unstored])
      expect(await refusalOf(claimRequest(w.app.env, request))).toBe("IDEMPOTENCY_ANSWER_LOST");
  });

  test("whose answer is a long stream reads no more of it than could be kept, and passes all of it on", async () => {
    const chunk = new Uint8Array(64 * 1024).fill(0x61);
    let read = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => (read++ < 64 ? controller.enqueue(chunk) : controller.close()),
    });
    const hook = repeats(w.app.env, {
      keyOwnerOf: () => ({ credential: newId(w.app.env), owner: newId(w.app.env) }),
      routeOf: () => ({ routeOptions: COMMON_ROUTE_OPTIONS }),
      locate: () => {},
    });
    const request = new Request("http://localhost/", { method: "POST", headers: { "idempotency-key": "long" } });
    expect(await hook(request, {})).toBeUndefined();
    const answer = await recordAnswer(w.app.env, request, new Response(stream));
    expect(read).toBeLessThan(32);
    expect((await answer.bytes()).byteLength).toBe(64 * chunk.byteLength);
  });

  test("of an answer with 5xx is kept, unless the request is atomic: then nothing was done", async () => {
    const failure: KeptAnswer = { status: 502, headers: {}, body: "{}" };
    const kept = asked();
    await endClaim(w.app.env, await begin(kept), failure);
    expect(await claimRequest(w.app.env, kept)).toEqual({ is: "answered", answer: failure });
    const atomic = asked({ isAtomic: true });
    await endClaim(w.app.env, await begin(atomic), failure);
    await begin(atomic);
  });
});

describe("on a database that several nodes share, a claim of another node", () => {
  const shared = useWorld({ isRemote: true });

  test("is in progress while that node lives, and interrupted once it is dead or too old", async () => {
    const { env } = shared.app;
    const request: KeyedRequest = { credential: "c", owner: "o", key: "k", fingerprint: "f", isAtomic: false };
    const codeNow = () =>
      claimRequest(env, request).then(
        ({ is }) => is,
        (error: unknown) => (error as { code?: unknown }).code,
      );
    expect(await codeNow()).toBe("claimed");
    const change = (sql: string) => env.db.write(async (tx) => tx.run(sql));
    await change("UPDATE keyed_requests SET process_id = 'another'");
    expect(await codeNow()).toBe("IDEMPOTENCY_ANSWER_LOST");
    await change("INSERT INTO processes (id, lease_until) VALUES ('another', unixepoch() * 1000 + 60000)");
    expect(await codeNow()).toBe("IDEMPOTENCY_IN_PROGRESS");
    shared.clock.advance(10 * 60_000 + 1);
    expect(await codeNow()).toBe("IDEMPOTENCY_ANSWER_LOST");
  });
});
