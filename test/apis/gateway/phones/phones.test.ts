import { beforeEach, describe, expect, test } from "bun:test";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { useWorld } from "../../../support/use-world.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { type Answer, addWabaNumber, VERIFY_TOKEN, WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();

let id: string;
let key: string;
beforeEach(async () => {
  ({ id, key } = await w.account());
});

const create = (body: object): Promise<Answer> =>
  w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "A phone", ...body } });
const list = async () => (await w.gateway("/v1/phones", { key })).body;
const credentials = () => {
  const { number: _, ...given } = addWabaNumber(w.graph);
  return given;
};

const untilConnected = async (phoneId: string) => {
  await untilTrue(async () => (await w.gateway(`/v1/phones/${phoneId}`, { key })).body.status === "CONNECTED");
  await w.settle();
};

describe("what a phone may be made of", () => {
  const cases: Record<string, [body: () => object, outcome: string[] | string]> = {
    "G-110 no type": [() => ({ type: undefined }), ["type"]],
    "G-111 type SESSION": [() => ({}), "made"],
    "G-111 type SOCIAL, which has a way of its own": [() => ({ type: "SOCIAL" }), ["type"]],
    "G-111 another type": [() => ({ type: "FAX" }), ["type"]],
    "G-111 a type in small letters": [() => ({ type: "session" }), ["type"]],
    "G-112 no label": [() => ({ label: undefined }), ["label"]],
    "G-113 an empty label": [() => ({ label: "" }), ["label"]],
    "G-113 a label of 1 character": [() => ({ label: "x" }), "made"],
    "G-113 a label of 120 characters": [() => ({ label: "x".repeat(120) }), "made"],
    "G-113 a label of 120 emoji": [() => ({ label: "🎉".repeat(120) }), "made"],
    "G-113 a label of 121 characters": [() => ({ label: "x".repeat(121) }), ["label"]],
    "G-113 a label of 121 emoji": [() => ({ label: "🎉".repeat(121) }), ["label"]],
    "G-114 a webhook that is not HTTPS": [
      () => ({ webhook: { url: "http://hooks.example.com/a", secret: WEBHOOK_SECRET } }),
      ["webhook"],
    ],
    "G-114 a webhook of another protocol": [
      () => ({ webhook: { url: "ftp://hooks.example.com/a", secret: WEBHOOK_SECRET } }),
      ["webhook"],
    ],
    "G-114 a webhook that is no URL": [
      () => ({ webhook: { url: "hooks.example.com", secret: WEBHOOK_SECRET } }),
      ["webhook"],
    ],
    "G-114 a webhook without a URL": [() => ({ webhook: {} }), "made"],
    "G-115 a webhook without a secret": [() => ({ webhook: { url: "https://hooks.example.com/a" } }), ["webhook"]],
    "G-116 a secret of 15 characters": [
      () => ({ webhook: { url: "https://hooks.example.com/a", secret: "x".repeat(15) } }),
      ["webhook"],
    ],
    "G-116 a secret of 16 characters": [
      () => ({ webhook: { url: "https://hooks.example.com/a", secret: "x".repeat(16) } }),
      "made",
    ],
    "G-117 a webhook for an unknown event": [
      () => ({ webhook: { url: "https://hooks.example.com/a", secret: WEBHOOK_SECRET, events: ["message:nothing"] } }),
      ["webhook"],
    ],
    "G-120 type WABA without credentials": [() => ({ type: "WABA" }), "400 WABA_CREDENTIALS_REQUIRED"],
    "G-120 type WABA with empty credentials": [
      () => ({ type: "WABA", credentials: {} }),
      "400 WABA_CREDENTIALS_REQUIRED",
    ],
    "G-118 G-120 credentials without phoneNumberId": [
      () => ({ type: "WABA", credentials: { ...credentials(), phoneNumberId: undefined } }),
      "400 WABA_CREDENTIALS_REQUIRED",
    ],
    "G-118 G-120 credentials without businessAccountId": [
      () => ({ type: "WABA", credentials: { ...credentials(), businessAccountId: undefined } }),
      "400 WABA_CREDENTIALS_REQUIRED",
    ],
    "G-118 G-120 credentials without accessToken": [
      () => ({ type: "WABA", credentials: { ...credentials(), accessToken: undefined } }),
      "400 WABA_CREDENTIALS_REQUIRED",
    ],
    "G-118 credentials with a token that is no header": [
      () => ({ type: "WABA", credentials: { ...credentials(), accessToken: "two\r\nlines" } }),
      ["credentials"],
    ],
    "G-118 credentials with an id that is no path segment": [
      () => ({ type: "WABA", credentials: { ...credentials(), phoneNumberId: "1/../2" } }),
      ["credentials"],
    ],
    "G-118 the three credentials": [() => ({ type: "WABA", credentials: credentials() }), "made"],
    "G-118 G-120 credentials for type SESSION": [() => ({ credentials: credentials() }), ["credentials"]],
    "G-119 credentials with a verify token": [
      () => ({ type: "WABA", credentials: { ...credentials(), verifyToken: "a-verify-token" } }),
      "made",
    ],
  };
  for (const [title, [body, outcome]] of Object.entries(cases)) {
    test(`${title}: ${outcome === "made" ? outcome : "refused, and there is no phone"}`, async () => {
      const callsBefore = w.graph.journal.length;
      const answer = await create(body());
      if (outcome === "made") expect(answer.status).toBe(201);
      else if (typeof outcome === "string") expect(gatewaySays(answer)).toBe(outcome);
      else expect(fieldsOf(answer)).toEqual(outcome);
      expect((await list()).length).toBe(outcome === "made" ? 1 : 0);
      if (outcome !== "made") expect(w.graph.journal.length).toBe(callsBefore);
      // or the next test counts what the network is asked for this phone
      else if (answer.body.type === "WABA") await untilConnected(answer.body.id);
    });
  }
});

describe("a phone of the session network", () => {
  test("G-121 G-122 G-125 is answered with its six fields, waits for its QR code, and is not deprecated", async () => {
    const answer = await create({ label: "Loja" });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      type: "SESSION",
      status: "PENDING_QR",
      label: "Loja",
      webhookUrl: null,
      createdAt: new Date(w.clock.now()).toISOString(),
    });
    expect([answer.headers.get("deprecation"), answer.headers.get("link")]).toEqual([null, null]);
  });

  test("G-132 G-134 G-135 G-136 G-137 G-138 G-140 reads as the object of the document, without the fields of official numbers", async () => {
    const made = (await create({ label: "Loja" })).body;
    expect((await w.gateway(`/v1/phones/${made.id}`, { key })).body).toEqual({
      ...made,
      accountId: id,
      phoneNumber: null,
      webhookEvents: [],
      sharedWebhookId: null,
      disconnectedAt: null,
      stateReason: null,
      stateSince: made.createdAt,
      restriction: null,
      updatedAt: made.createdAt,
    });
  });
});

describe("a phone of the official network", () => {
  test("G-121 G-123 G-124 G-127 is created without asking the upstream, waits for that, and is made in the deprecated way", async () => {
    const callsBefore = w.graph.journal.length;
    w.graph.fail({ failure: { kind: "hang" }, operation: "number.get", isLasting: true });
    try {
      const { status, body, headers } = await create({ type: "WABA", label: "Loja", credentials: credentials() });
      expect(status).toBe(201);
      expect(body).toEqual({
        id: expect.any(String),
        type: "WABA",
        status: "PENDING_WEBHOOK",
        label: "Loja",
        webhookUrl: null,
        createdAt: expect.any(String),
      });
      expect([headers.get("deprecation"), headers.get("link")]).toEqual([
        "true",
        "</v1/phones/waba/embedded-signup>; rel=successor-version",
      ]);
      expect(w.graph.journal.slice(callsBefore).every((call) => call.status === null)).toBe(true);
    } finally {
      w.graph.clearFailures();
    }
  });

  test("G-126 G-128 G-134 G-135 G-140 G-217 is validated afterwards: connected, with its number and what the upstream knows of it, dedicated", async () => {
    const { id: phoneId, phoneNumberId, number } = await w.wabaPhone(key);
    const { body } = await w.gateway(`/v1/phones/${phoneId}`, { key });
    expect(body).toMatchObject({
      id: phoneId,
      accountId: id,
      type: "WABA",
      status: "CONNECTED",
      phoneNumber: number,
      disconnectedAt: null,
    });
    expect(body).toMatchObject({
      wabaPhoneNumberId: phoneNumberId,
      wabaBusinessAccountId: expect.any(String),
      wabaThroughputLevel: "STANDARD",
      wabaQualityRating: "GREEN",
      wabaWebhookConfigured: false,
      wabaCoexistence: false,
      wabaContactsSyncAt: null,
      wabaHistorySyncAt: null,
    });
    expect(
      (
        await w.gateway("/v1/messages", {
          key,
          body: { phoneId, to: "5511999990001", type: "text", content: { text: "olá" } },
        })
      ).status,
    ).toBe(202);
    await w.settle();
    expect([...w.graph.sent.values()].filter((sent) => sent.phoneNumberId === phoneNumberId).length).toBe(1);
  });

  test("G-119 its verify token answers the handshake and marks the webhook as configured; the server's own token does not", async () => {
    const made = (
      await create({ type: "WABA", credentials: { ...credentials(), verifyToken: "the-phone's-own-token" } })
    ).body;
    const configured = async () => (await w.gateway(`/v1/phones/${made.id}`, { key })).body.wabaWebhookConfigured;
    const shake = (token: string) =>
      w.gateway(
        `/v1/upstream-webhook?${new URLSearchParams({ "hub.mode": "subscribe", "hub.verify_token": token, "hub.challenge": "42" }).toString()}`,
      );
    expect((await shake(VERIFY_TOKEN)).text).toBe("42");
    expect(await configured()).toBe(false);
    expect((await shake("another token")).status).toBe(403);
    expect(await configured()).toBe(false);
    const { status, text } = await shake("the-phone's-own-token");
    expect({ status, text }).toEqual({ status: 200, text: "42" });
    expect(await configured()).toBe(true);
  });
});

describe("the list of phones", () => {
  test("G-130 G-131 is a plain array of all of the account's, newest first", async () => {
    expect(await list()).toEqual([]);
    const made: string[] = [];
    for (const label of ["first", "second", "third"]) {
      made.unshift((await create({ label })).body.id);
      await w.advance(1);
    }
    const phones = await list();
    expect(phones.map((phone: { id: string }) => phone.id)).toEqual(made);
    expect(phones[0]).toEqual((await w.gateway(`/v1/phones/${made[0]}`, { key })).body);
  });

  test("G-130 is not cut off at a page", async () => {
    await Promise.all(Array.from({ length: 60 }, (_, n) => create({ label: `Phone ${n}` })));
    expect((await list()).length).toBe(60);
  });
});

test("G-132 G-133 an unknown id and a phone of another account are not found", async () => {
  const other = await w.account();
  const theirs = (await w.gateway("/v1/phones", { key: other.key, body: { type: "SESSION", label: "Theirs" } })).body
    .id;
  for (const unknown of [theirs, "00000000-0000-4000-8000-000000000000", "nonsense", theirs.slice(0, -1)]) {
    expect(gatewaySays(await w.gateway(`/v1/phones/${unknown}`, { key }))).toBe("404 PHONE_NOT_FOUND");
  }
  expect(gatewaySays(await w.gateway(`/v1/phones/${theirs}`, { key: other.key }))).toBe("200");
});

test("G-142 neither the access token nor a secret is in any answer, event or row of the database", async () => {
  const hook = w.receiver();
  const secret = "the-very-secret-of-this-webhook";
  const phone = await w.wabaPhone(key, { webhook: { url: hook.url, secret } });
  await w.settle();
  const answers = [
    await w.gateway("/v1/phones", { key }),
    await w.gateway(`/v1/phones/${phone.id}`, { key }),
    await w.gateway(`/v1/phones/${phone.id}`, { key, method: "PATCH", body: { webhook: { url: hook.url, secret } } }),
    await w.gateway("/v1/webhooks", { key, body: { label: "Shared", url: hook.url, secret } }),
    await w.gateway("/v1/webhooks", { key }),
    await w.gateway("/v1/events", { key }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 201, 200, 200]);
  const rows = await w.app.env.db.read((reader) =>
    Promise.all([
      reader.rows("SELECT * FROM vault"),
      reader.rows("SELECT * FROM subscriptions"),
      reader.rows("SELECT * FROM channels"),
    ]),
  );
  const said = JSON.stringify([
    answers.map(({ text }) => text),
    hook.arrived.map(({ raw, headers }) => [raw, headers]),
    rows,
  ]);
  expect(said).toContain(phone.id);
  expect(hook.arrived.length).toBe(1);
  for (const hidden of [phone.accessToken, secret]) expect(said.includes(hidden)).toBe(false);
});
