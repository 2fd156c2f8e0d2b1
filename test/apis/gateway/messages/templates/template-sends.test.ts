import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { acceptMessage } from "../../../../../src/core/messaging/sending/accept.ts";
import { type Customer, newCustomer, rowsOf, sendsOf, TO, tracesOf } from "../../../../support/customers/customer.ts";
import { knownTemplate, TEMPLATE, templatesOf } from "../../../../support/customers/templates.ts";
import { gatewaySays } from "../../../../support/refusals.ts";
import { customer, wabaChannel } from "../../../../support/tenants/platform.ts";
import { untilTrue } from "../../../../support/waiting.ts";
import { startWorld, type World } from "../../../../support/world.ts";

let w: World;
let c: Customer;
beforeAll(async () => {
  w = await startWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
});
beforeEach(async () => {
  c = await newCustomer(w);
});
afterAll(() => w.stop());

const send = (more: object = {}, content: object = {}) =>
  c.send({ type: "template", content: { name: "hello", ...content }, ...more });

describe("a template that is sent", () => {
  test("G-370 G-382 G-500 leaves once the network has approved it, and not before", async () => {
    const templates = templatesOf(w, c);
    const content = { name: TEMPLATE.name, variables: ["Ana"] };
    const { body } = await templates.create();
    expect(gatewaySays(await send({}, content))).toBe("400 TEMPLATE_NOT_APPROVED");
    await w.graph.reviewTemplate(body.upstreamTemplateId, "APPROVED");
    await w.settle();
    const id = await c.sent({ type: "template", content });
    expect((await c.message(id)).status).toBe("SENT");
    await w.graph.reviewTemplate(body.upstreamTemplateId, "PAUSED");
    await w.settle();
    expect(gatewaySays(await send({}, content))).toBe("400 TEMPLATE_NOT_APPROVED");
    expect(sendsOf(w, c)).toHaveLength(1);
  });

  test.each(["DRAFT", "PENDING", "REJECTED", "PAUSED"] as const)(
    "G-382 GAP-G40 that is %s is refused with its status, and nothing happens",
    async (status) => {
      await knownTemplate(w, c.phone.id, { status, ...(status === "REJECTED" ? { rejectionReason: "NONE" } : {}) });
      const before = await tracesOf(w, c);
      const refused = await send({ idempotencyKey: "key-of-a-template" });
      expect(gatewaySays(refused)).toBe("400 TEMPLATE_NOT_APPROVED");
      expect(refused.body.error.details).toEqual({ name: "hello", language: "pt_BR", status });
      expect(await tracesOf(w, c)).toEqual(before);
    },
  );

  test.each<[what: string, content: object, known: object | undefined]>([
    ["that nobody knows", {}, undefined],
    ["of another name", { name: "hello_2" }, {}],
    ["in another language", { language: "en_US" }, {}],
    ["in the default language, approved in another", {}, { language: "en_US" }],
  ])("G-371 G-382 GAP-G40 %s is refused with the status null, and nothing happens", async (_, content, known) => {
    if (known) await knownTemplate(w, c.phone.id, known);
    const before = await tracesOf(w, c);
    const refused = await send({}, content);
    expect(gatewaySays(refused)).toBe("400 TEMPLATE_NOT_APPROVED");
    expect(refused.body.error.details).toEqual({ name: "hello", language: "pt_BR", ...content, status: null });
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test("G-382 is approved for its phone alone", async () => {
    const [other, stranger] = [await w.wabaPhone(c.key), await newCustomer(w)];
    await knownTemplate(w, other.id);
    await knownTemplate(w, stranger.phone.id);
    const refused = await send();
    expect([gatewaySays(refused), refused.body.error.details.status]).toEqual(["400 TEMPLATE_NOT_APPROVED", null]);
    expect(gatewaySays(await send({ phoneId: other.id }))).toBe("202");
  });

  test("G-382 GAP-C11 is looked for last: content, phone, recipient and connection come first, the quoted message and the idempotency key after", async () => {
    expect(gatewaySays(await send({}, { variables: "Ana" }))).toBe("400 VALIDATION_ERROR");
    expect(gatewaySays(await send({ phoneId: "0198a000-1111-4222-8333-444455556666" }))).toBe("404 PHONE_NOT_FOUND");
    expect(gatewaySays(await send({ to: "abc" }))).toBe("400 INVALID_TO");
    expect(gatewaySays(await send({ quotedMessageId: "nonsense" }))).toBe("400 TEMPLATE_NOT_APPROVED");
    await w.app.env.db.write(async (tx) =>
      tx.rows("UPDATE channels SET state = 'TOKEN_EXPIRED' WHERE id = ?1", [c.phone.id]),
    );
    await w.restart(); // what is kept in memory of the phone is gone
    expect(gatewaySays(await send())).toBe("409 PHONE_NOT_CONNECTED");
  });

  test("other types need no template", async () => {
    expect(gatewaySays(await c.send())).toBe("202");
  });
});

describe("as the platform accepts it", () => {
  const accept = async (environment: "live" | "test") => {
    const who = await customer(w);
    const channel = await wabaChannel(w, who.key);
    const envelope = { channelId: channel.id, to: TO, type: "template", content: { name: "hello" } } as const;
    const accepted = acceptMessage(w.app.env, { tenantId: who.id as never }, envelope, {
      environment,
      mustBeConnected: false,
      acceptedBy: null,
      requestId: null,
    });
    return { who, accepted, channel };
  };

  test("G-382 a live send needs an approved template too, whatever the state of the channel", async () => {
    const { accepted, who } = await accept("live");
    const refusal = await accepted.catch((thrown: unknown) => thrown);
    expect(refusal).toMatchObject({
      code: "TEMPLATE_NOT_APPROVED",
      details: { name: "hello", language: "pt_BR", status: null },
    });
    expect(await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?1", [who.id])).toEqual([]);
  });

  test("a test send is simulated, where nothing is reviewed", async () => {
    const { accepted } = await accept("test");
    expect(await accepted).toMatchObject({ is: "accepted" });
    await w.settle();
  });
});

test("the demo reviews templates by itself: one is approved after a while, one by its name refused with a reason", async () => {
  const demo = await startWorld({ simulated: true });
  try {
    const { key } = await demo.account();
    const { body: phone } = await demo.gateway("/v1/phones", { key, body: { type: "WABA", label: "Simulated" } });
    await untilTrue(async () => (await demo.gateway(`/v1/phones/${phone.id}`, { key })).body.status === "CONNECTED");
    const mine = templatesOf(demo, { key, phone });
    const send = async () =>
      gatewaySays(
        await demo.gateway("/v1/messages", {
          key,
          body: { phoneId: phone.id, to: TO, type: "template", content: { name: TEMPLATE.name, variables: ["Ana"] } },
        }),
      );
    const { body } = await mine.create();
    const refused = await mine.create({ name: "promo_rejected" });
    expect([body.status, refused.body.status, await send()]).toEqual([
      "PENDING",
      "PENDING",
      "400 TEMPLATE_NOT_APPROVED",
    ]);
    await demo.advance(3000);
    await demo.settle();
    const stateOf = async (id: string) => (await demo.gateway(`/v1/templates/${id}`, { key })).body;
    for (const { id } of [body, refused.body]) await untilTrue(async () => (await stateOf(id)).status !== "PENDING");
    expect([(await stateOf(body.id)).status, await stateOf(refused.body.id)]).toMatchObject([
      "APPROVED",
      { status: "REJECTED", rejectionReason: "INVALID_FORMAT" },
    ]);
    expect([await send(), gatewaySays(await mine.sync())]).toEqual(["202", "200"]);
  } finally {
    await demo.stop();
  }
});
