import { beforeAll, describe, expect, test } from "bun:test";
import { SAMPLES } from "../../../src/conformance/samples.ts";
import type { TenantId } from "../../../src/kernel/ids.ts";
import { updateTenant } from "../../../src/store/tables/tenancy/tenants.ts";
import { documentedRoutes } from "../../support/apis/open-api.ts";
import { fieldsOf, gatewaySays } from "../../support/refusals.ts";
import { useWorld } from "../../support/use-world.ts";
import { type Answer, WEBHOOK_SECRET, type World } from "../../support/world.ts";

const w = useWorld({ logLevel: "debug" });
let key: string;
let session: string;
let phone: Awaited<ReturnType<World["wabaPhone"]>>;
let delivered: string;
beforeAll(async () => {
  ({ key } = await w.account());
  session = (await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "Session" } })).body.id;
  phone = await w.wabaPhone(key, { webhook: { url: w.receiver().url, secret: WEBHOOK_SECRET } });
  delivered = (await w.gateway("/v1/events", { key })).body.items[0].id;
});

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
type Call = Parameters<World["gateway"]>[1];

/** Every refusal that a client can provoke here; what is said is the rule's. */
const REFUSALS: Record<string, () => [said: string, path: string, call?: Call]> = {
  "G-044 a body without what is required": () => ["400 VALIDATION_ERROR", "/v1/phones", { key, body: {} }],
  "G-044 a body that is no JSON": () => ["400 VALIDATION_ERROR", "/v1/phones", { key, raw: "{broken" }],
  "G-044 an official phone without credentials": () => [
    "400 WABA_CREDENTIALS_REQUIRED",
    "/v1/phones",
    { key, body: { type: "WABA", label: "A phone" } },
  ],
  "G-044 a recipient that no network has": () => [
    "400 INVALID_TO",
    "/v1/messages",
    { key, body: send(phone.id, { to: "not a number" }) },
  ],
  "G-044 a type that the phone does not send": () => [
    "400 UNSUPPORTED_TYPE",
    "/v1/messages",
    { key, body: send(session, { type: "flow", content: SAMPLES.flow }) },
  ],
  "G-044 a template to a SESSION phone": () => [
    "400 TEMPLATE_NOT_SUPPORTED_SESSION",
    "/v1/messages",
    { key, body: send(session, { type: "template", content: SAMPLES.template }) },
  ],
  "G-045 no key": () => ["401 AUTH_MISSING", "/v1/phones"],
  "G-045 a key that nobody issued": () => ["401 AUTH_INVALID", "/v1/phones", { key: "ak_live_nobody" }],
  "G-047 a wrong admin token": () => [
    "403 ADMIN_FORBIDDEN",
    "/v1/admin/accounts",
    { headers: { "x-admin-token": "wrong" } },
  ],
  "G-048 an unknown phone": () => ["404 PHONE_NOT_FOUND", `/v1/phones/${UNKNOWN}`, { key }],
  "G-048 a phone id that is none": () => ["404 PHONE_NOT_FOUND", "/v1/phones/nonsense", { key }],
  "G-048 an unknown message": () => ["404 MESSAGE_NOT_FOUND", `/v1/messages/${UNKNOWN}`, { key }],
  "G-048 an unknown quoted message": () => [
    "404 MESSAGE_KEY_NOT_FOUND",
    "/v1/messages",
    { key, body: send(phone.id, { quotedMessageId: UNKNOWN }) },
  ],
  "G-048 an unknown event": () => ["404 DELIVERY_NOT_FOUND", `/v1/events/${UNKNOWN}`, { key }],
  "G-048 an unknown shared webhook": () => ["404 WEBHOOK_NOT_FOUND", `/v1/webhooks/${UNKNOWN}`, { key }],
  "G-048 an unknown account": () => ["404 ACCOUNT_NOT_FOUND", `/v1/admin/accounts/${UNKNOWN}`, { admin: true }],
  "G-048 an unknown plan": () => [
    "404 PLAN_NOT_FOUND",
    "/v1/admin/accounts",
    { admin: true, body: { name: "An account", planCode: "gold" } },
  ],
  "G-048 an unknown API key": () => [
    "404 API_KEY_NOT_FOUND",
    `/v1/admin/api-keys/${UNKNOWN}/revoke`,
    { admin: true, method: "POST" },
  ],
  "G-040 an unknown route": () => ["404 NOT_FOUND", "/v1/nothing", { key }],
  "G-040 a path with an empty part, which is no route's, whatever the method": () => [
    "404 NOT_FOUND",
    "/v1//phones",
    { key, method: "PUT", body: {} },
  ],
  "G-040 an empty part in the place of an id": () => [
    "404 NOT_FOUND",
    "/v1/phones//qr",
    { key, method: "PUT", body: {} },
  ],
  "G-040 a path that cannot be decoded": () => ["400 VALIDATION_ERROR", "/v1/phones/%E0%A4%A", { key }],
  "G-040 a method that the route does not take": () => [
    "405 METHOD_NOT_ALLOWED",
    "/v1/phones",
    { key, method: "PUT", body: {} },
  ],
  "G-040 a method that a route with an id does not take": () => [
    "405 METHOD_NOT_ALLOWED",
    `/v1/phones/${UNKNOWN}`,
    { key, method: "POST", body: {} },
  ],
  "G-040 a body over 1 MiB": () => [
    "413 PAYLOAD_TOO_LARGE",
    "/v1/phones",
    { key, raw: `{"type":"SESSION","label":"${"x".repeat(1024 * 1024)}"}` },
  ],
  "G-049 a phone that is not connected": () => [
    "409 PHONE_NOT_CONNECTED",
    "/v1/messages",
    { key, body: send(unconnected()) },
  ],
  "G-049 an event that everybody has got": () => [
    "409 ALREADY_DELIVERED",
    `/v1/events/${delivered}/replay`,
    { key, method: "POST" },
  ],
  "G-049 G-060 a shared webhook that does not exist": () => [
    "409 FK_VIOLATION",
    `/v1/phones/${phone.id}`,
    { key, method: "PATCH", body: { sharedWebhookId: UNKNOWN } },
  ],
};
const send = (phoneId: string, fields: object = {}) => ({
  phoneId,
  to: "5511999990001",
  type: "text",
  content: { text: "olá" },
  ...fields,
});
const unconnected = () => session;

describe("each refusal has its status and code, in the one shape, and repeats unchanged", () => {
  for (const [what, refusal] of Object.entries(REFUSALS)) {
    test(`G-040 G-041 G-043 G-057 ${what}`, async () => {
      const [said, path, call] = refusal();
      const before = await everything();
      const first = await w.gateway(path, call);
      expect(gatewaySays(first)).toBe(said);
      expect(first.headers.get("content-type")).toStartWith("application/json");
      expect(first.headers.get("x-request-id")).toBeTruthy();
      const again = await w.gateway(path, call);
      expect({ status: again.status, body: again.body }).toEqual({ status: first.status, body: first.body });
      expect(await everything()).toEqual(before);
    });
  }
});

test("G-046 G-057 an account that owes is refused on every call", async () => {
  const { id, key: theirs } = await w.account();
  await w.app.env.db.write((tx) => updateTenant(tx, id as TenantId, { dunningStage: "SUSPENDED" }));
  for (let n = 0; n < 2; n++)
    expect(gatewaySays(await w.gateway("/v1/phones", { key: theirs }))).toBe("402 ACCOUNT_SUSPENDED");
});

test("G-042 a VALIDATION_ERROR names each field with its complaints, and the form as a whole apart", async () => {
  const { details } = (await w.gateway("/v1/phones", { key, body: { type: "SESSION" } })).body.error;
  expect(details).toEqual({ formErrors: [], fieldErrors: { label: [expect.any(String)] } });
  expect(fieldsOf(await w.gateway("/v1/phones", { key, body: {} }))).toEqual(["label", "type"]);
  const nested = (
    await w.gateway("/v1/phones", {
      key,
      body: { type: "SESSION", label: "A phone", webhook: { url: 5, events: ["nonsense"] } },
    })
  ).body.error.details;
  expect(nested).toEqual({ formErrors: [], fieldErrors: { webhook: [expect.any(String), expect.any(String)] } });
  const whole = (await w.gateway("/v1/phones", { key, raw: "{broken" })).body.error.details;
  expect(whole).toEqual({ formErrors: [expect.any(String)], fieldErrors: {} });
});

test("G-042 a body of another type than JSON's, as curl sends by default, is answered with the type to send", async () => {
  const raw = JSON.stringify({ type: "SESSION", label: "A phone" });
  const answer = await w.gateway("/v1/phones", {
    key,
    raw,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  const message = "The body must be JSON, sent as Content-Type: application/json.";
  expect([answer.status, answer.body.error]).toEqual([
    400,
    { code: "VALIDATION_ERROR", message, details: { formErrors: [message], fieldErrors: {} } },
  ]);
});

test("G-042 broken JSON is answered with the place of the fault", async () => {
  const { message, details } = (
    await w.gateway("/v1/phones", { key, raw: '{\n  "type": "SESSION",\n  "label": tru\n}' })
  ).body.error;
  expect(message).toBe("The body is not JSON: line 3, column 12 has an unexpected character.");
  expect(details).toEqual({ formErrors: [message], fieldErrors: {} });
});

test("G-042 names a hundred faults at most, and the answer is smaller than the request", async () => {
  const rows = Array.from({ length: 19_500 }, () => ({}));
  const { status, text, body } = await w.gateway("/v1/messages", {
    key,
    body: send(phone.id, { type: "list", content: { ...SAMPLES.list, sections: rows } }),
  });
  expect([status, body.error.details.fieldErrors.content.length]).toEqual([400, 100]);
  expect(text.length).toBeLessThan(10_000);
});

describe("the request id", () => {
  const idOf = async (given: string) =>
    (await w.gateway("/health", { headers: { "x-request-id": given } })).headers.get("x-request-id");

  for (const given of ["12345678", "a".repeat(128), "trace:1.2_3-4"])
    test(`G-043 a client's own is repeated: ${given.slice(0, 20)}`, async () => expect(await idOf(given)).toBe(given));
  for (const given of ["1234567", "a".repeat(129), "with space", "<script>", "ümlaut-ümlaut"]) {
    test(`G-043 one that is too short, too long or not harmless is replaced: ${given.slice(0, 20)}`, async () => {
      const said = await idOf(
        encodeURI(given) === given || !/[^\x20-\x7e]/.test(given) ? given : Buffer.from(given).toString("latin1"),
      );
      expect(said).toMatch(/^[0-9a-f-]{36}$/);
    });
  }

  test("G-043 it is on answers of every kind, and each has another", async () => {
    const answers = [
      await w.gateway("/health"),
      await w.gateway("/openapi.json"),
      await w.gateway("/nothing"),
      await w.gateway("/v1/phones"),
      await w.gateway("/v1/phones", { key }),
      await w.gateway("/v1/phones", { key, raw: "{broken" }),
      await w.gateway("/v1/phones", { key, raw: "x".repeat(1024 * 1024 + 1) }),
      await w.gateway("/v1/upstream-webhook"),
      await w.gateway(
        `/v1/phones/${(await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "Gone" } })).body.id}`,
        { key, method: "DELETE" },
      ),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 401, 200, 400, 413, 403, 204]);
    const ids = answers.map(({ headers }) => headers.get("x-request-id"));
    expect(ids.every(Boolean)).toBe(true);
    expect(new Set(ids).size).toBe(answers.length);
  });
});

test("G-053 G-061 a fault of ours is 500 INTERNAL_ERROR in the same shape: the log says why, the answer does not", async () => {
  const { key: theirs } = await w.account();
  const broken = (await w.gateway("/v1/phones", { key: theirs, body: { type: "SESSION", label: "Broken" } })).body.id;
  await w.app.env.db.write(async (tx) => {
    tx.run("UPDATE channels SET profile = '{\"secret-of-the-row' WHERE id = ?1", [broken]);
    tx.afterCommit(() => tx.cache.forgetAll(""));
  });
  const undescribed = "the server is broken on purpose";
  const answer = await w.gateway(`/v1/phones/${broken}`, { key: theirs, undescribed });
  expect(gatewaySays(answer)).toBe("500 INTERNAL_ERROR");
  expect(answer.body.error.details).toEqual({});
  expect(answer.text).not.toMatch(/secret-of-the-row|JSON|SyntaxError|\.ts|at /);
  expect(w.logs.some((line) => line.includes("request failed"))).toBe(true);
  expect(gatewaySays(await w.gateway("/v1/phones", { key }))).toBe("200");
});

test("G-056 the old code of the processor is nowhere in the description", async () => {
  expect(JSON.stringify(await documentedRoutes(w, "gateway"))).not.toContain("ASAAS_NOT_CONFIGURED");
});

/** What the account and the upstream have: a refused request leaves it as it is. */
const everything = async () => {
  const read = async (path: string): Promise<Answer["body"]> => (await w.gateway(path, { key })).body;
  const accounts = (await w.gateway("/v1/admin/accounts?limit=200", { admin: true })).body.items.length;
  return {
    phones: await read("/v1/phones"),
    webhooks: await read("/v1/webhooks"),
    events: await read("/v1/events"),
    accounts,
    upstreamCalls: w.graph.journal.length,
  };
};
