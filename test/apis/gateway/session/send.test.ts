import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { SAMPLES } from "../../../../src/conformance/samples.ts";
import type { FailureCode } from "../../../../src/contract/outcome.ts";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { type Customer, newCustomer, receivedBy, TO, tracesOf } from "../../../support/customers/customer.ts";
import { operate } from "../../../support/customers/operations.ts";
import { newSocialCustomer, type SocialWorld, startSocialWorld } from "../../../support/networks/social.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import {
  newSessionCustomer,
  type SessionNetwork,
  sessionNetwork,
  textFrom,
} from "../../../support/session/scripted-sends.ts";
import type { World } from "../../../support/world.ts";

let network: SessionNetwork;
let s: SocialWorld;
let w: World;
let c: Customer;
beforeAll(async () => {
  network = sessionNetwork();
  s = await startSocialWorld({
    plugins: [network.plugin],
    env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" },
  });
  ({ w } = s);
});
beforeEach(async () => {
  c = await newSessionCustomer(w);
  network.sent.length = 0;
  network.operated.length = 0;
});
afterAll(() => s.stop());

/** Has somebody write to the phone; our id and the network's. */
const received = async (rest: Parameters<typeof textFrom>[1] = {}) => {
  const event = textFrom(TO, rest);
  await network.notify(c.phone.id, event);
  await w.settle();
  return { id: receivedBy(c.hook, "message:received").at(-1).messageId as string, key: event.key };
};
const refusedAs = async (input: Record<string, unknown>) => {
  const before = await tracesOf(w, c);
  const said = gatewaySays(await c.send(input));
  expect([await tracesOf(w, c), network.sent]).toEqual([before, []]);
  return said;
};

test("G-012 one endpoint sends through a phone of each kind, and each notifies its own webhook", async () => {
  const waba = await newCustomer(w);
  const social = await newSocialCustomer(s);
  for (const who of [waba, c, social]) {
    const id = await who.sent();
    expect(await who.message(id)).toMatchObject({ messageId: id, status: "SENT" });
    await w.settle();
    expect(receivedBy(who.hook, "message:status").map(({ messageId }) => messageId)).toEqual([id]);
  }
});

describe("where a session's message goes", () => {
  test.each([
    ["G-276 a number without +", TO, `pn:${TO}`],
    ["G-276 the chat address of a number", `${TO}@s.whatsapp.net`, `pn:${TO}`],
    ["G-276 the chat address of somebody whose number is not known", "123456789012345@lid", "lid:123456789012345"],
    ["G-276 the address of a group", "120363041234567890@g.us", "group:120363041234567890"],
    ["the canonical key of an event", "lid:123456789012345", "lid:123456789012345"],
  ])("%s", async (_, to, recipient) => {
    const id = await c.sent({ to });
    expect(network.sent.map(({ order }) => [order.messageId, order.to])).toEqual([[id, recipient]]);
    expect(receivedBy(c.hook, "message:status")).toMatchObject([
      { messageId: id, status: "sent", to: { canonicalKey: recipient } },
    ]);
  });

  test.each([
    ["G-276 G-292 GAP-G30 a number with +", "+5511999990001", "400 INVALID_TO"],
    ["G-292 a word", "ana", "400 INVALID_TO"],
    ["G-293 an address without a domain", "abc@", "400 INVALID_JID"],
    ["G-293 an address of no chat", "1612345678@broadcast", "400 INVALID_JID"],
    ["G-271 nobody", "", "400 VALIDATION_ERROR"],
  ])("%s is refused, and nothing happens", async (_, to, said) => {
    expect(await refusedAs({ to })).toBe(said);
  });
});

describe("what a session sends", () => {
  test.each([
    "text",
    "image",
    "video",
    "audio",
    "document",
    "sticker",
    "location",
    "contact",
    "button",
    "list",
    "cta_url",
  ] as const)("GAP-G29 %s reaches the link as it was given", async (type) => {
    await c.sent({ type, content: SAMPLES[type] });
    expect(network.sent.map(({ order }) => [order.type, order.content])).toEqual([[type, SAMPLES[type]]]);
  });

  test.each(["location_request", "address_message", "flow"] as const)("G-294 GAP-G29 %s is refused", async (type) => {
    expect(await refusedAs({ type, content: SAMPLES[type] })).toBe("400 UNSUPPORTED_TYPE");
  });

  test("G-295 a template is refused with a code of its own", async () => {
    expect(await refusedAs({ type: "template", content: SAMPLES.template })).toBe("400 TEMPLATE_NOT_SUPPORTED_SESSION");
  });

  test("GAP-G35 a handle of an upload is refused, for the network knows none", async () => {
    expect(await refusedAs({ type: "image", content: { mediaHandle: "2754859441498128" } })).toBe(
      "400 VALIDATION_ERROR",
    );
  });
});

describe("what is quoted and done", () => {
  test("G-274 the link is given the network's id of what is quoted, received or sent, and the customer never sees it", async () => {
    const [inbound, sent] = [await received(), await c.sent()];
    const sentKey = network.sent[0]?.order.key;
    network.sent.length = 0;
    for (const quotedMessageId of [inbound.id, sent]) await c.sent({ quotedMessageId });
    expect(network.sent.map(({ order }) => order.quotedProviderMessageId)).toEqual([inbound.key, sentKey] as never);
    expect(JSON.stringify(c.hook.arrived.map(({ body }) => body))).not.toContain("3EB0");
  });

  test("G-290 G-291 G-442 after 30 days both are quoted and operated on; after 91 the received one is forgotten, and the text passes without the quote", async () => {
    const [inbound, sent] = [await received(), await c.sent()];
    await w.advance(30 * DAY_MS);
    for (const id of [inbound.id, sent]) {
      expect((await operate(w, c, ["react", id])).status).toBe(202);
      expect((await c.send({ quotedMessageId: id })).status).toBe(202);
    }
    await w.settle();
    expect(network.operated.map(({ name }) => name)).toEqual(["react", "react"]);
    await w.advance(61 * DAY_MS);
    await w.settle();
    network.sent.length = 0;
    expect(await refusedAs({ quotedMessageId: inbound.id })).toBe("404 MESSAGE_KEY_NOT_FOUND");
    expect((await c.send()).status).toBe(202);
    await w.settle();
  });

  test("G-454 G-457 a deletion for everyone is asked of the network for what was sent and what came, and is published", async () => {
    const [inbound, sent] = [await received(), await c.sent()];
    c.hook.arrived.length = 0;
    for (const id of [inbound.id, sent]) {
      expect((await operate(w, c, ["delete", id])).status).toBe(202);
      await w.settle();
    }
    const key = network.sent[0]?.order.key;
    const given = { at: expect.any(Number), operationId: expect.any(String) };
    expect(network.operated).toEqual([
      { name: "delete", key: inbound.key, chat: `pn:${TO}`, sender: `pn:${TO}`, ...given },
      { name: "delete", key: key as never, chat: `pn:${TO}`, sender: null, ...given },
    ]);
    expect(new Set(network.operated.map(({ operationId }) => operationId)).size).toBe(2);
    expect(receivedBy(c.hook, "message:status").map(({ messageId, status }) => [messageId, status])).toEqual([
      [inbound.id, "deleted"],
      [sent, "deleted"],
    ]);
  });

  test("the caption of a file is edited as a text is, and published", async () => {
    const id = await c.sent({ type: "document", content: { mediaUrl: "https://x.example/a.pdf", caption: "velho" } });
    c.hook.arrived.length = 0;
    expect((await operate(w, c, ["edit", id], { text: "x".repeat(1024) })).status).toBe(202);
    await w.settle();
    expect(network.operated).toMatchObject([{ name: "edit", text: "x".repeat(1024), sender: null }]);
    expect(receivedBy(c.hook, "message:edited")).toMatchObject([{ messageId: id, text: "x".repeat(1024) }]);
  });

  describe("the picture of a document's first page", () => {
    const document = { mediaUrl: "https://x.example/a.pdf" };
    const picture = "https://x.example/a.png";

    test("goes to the network with the document", async () => {
      await c.sent({ type: "document", content: { ...document, thumbnail: { mediaUrl: picture } } });
      expect(network.sent[0]?.order.content).toEqual({ ...document, thumbnail: { mediaUrl: picture } });
    });

    test.each([
      ["without a file", {}],
      ["at a private address", { mediaUrl: "http://10.0.0.1/a.png" }],
      ["by two names", { mediaUrl: picture, mediaHandle: "file-x" }],
      ["that is not kept", { mediaHandle: "file-00000000-0000-4000-8000-000000000000" }],
    ])("%s is refused, and nothing is queued", async (_, thumbnail) => {
      expect(await refusedAs({ type: "document", content: { ...document, thumbnail } })).toStartWith(
        "400 VALIDATION_ERROR",
      );
    });

    test("is refused by a kind without it", async () => {
      const { id: phoneId } = await w.wabaPhone(c.key);
      const content = { ...document, thumbnail: { mediaUrl: picture } };
      expect(await refusedAs({ phoneId, type: "document", content })).toStartWith("400 VALIDATION_ERROR");
    });
  });

  test.each([
    ["a caption of 1025 characters", "document", "x".repeat(1025), "400 CAPTION_TOO_LARGE"],
    ["a recording", "audio", "novo", "400 UNSUPPORTED_TYPE"],
  ])("an edit of %s is refused, and the network is not asked", async (_, type, text, refusal) => {
    const id = await c.sent({ type, content: { mediaUrl: "https://x.example/a" } });
    const before = await tracesOf(w, c);
    expect(gatewaySays(await operate(w, c, ["edit", id], { text }))).toBe(refusal);
    await w.settle();
    expect([await tracesOf(w, c), network.operated]).toEqual([before, []]);
  });

  test("G-443 what the owner wrote on another device can be quoted, and nothing be done to it", async () => {
    const { id, key } = await received({ isOwn: true, from: { pn: c.phone.number } });
    expect(gatewaySays(await operate(w, c, ["react", id]))).toBe("404 MESSAGE_KEY_NOT_FOUND");
    await c.sent({ quotedMessageId: id });
    expect([network.sent[0]?.order.quotedProviderMessageId, network.operated]).toEqual([key, []]);
  });

  test("G-461 GAP-G47 a typing indicator is refused, and the network is not asked", async () => {
    const { id } = await received();
    expect(gatewaySays(await operate(w, c, ["typing", id]))).toBe("400 UNSUPPORTED_TYPE");
    await w.settle();
    expect(network.operated).toEqual([]);
  });
});

describe("G-394 G-621 G-622 G-643 what the network will never take fails at the first try, and says why", () => {
  test.each([
    ["UPSTREAM_ACCOUNT_RESTRICTED", 463],
    ["SESSION_NO_ID", undefined],
    ["UPSTREAM_BAD_REQUEST", 479],
  ] as const)("%s", async (code: FailureCode, upstreamCode) => {
    network.outcomes.push({
      ok: false,
      kind: "refused",
      code,
      reason: "the reason",
      ...(upstreamCode === undefined ? {} : { upstreamCode }),
    });
    const id = await c.sent();
    expect(await c.message(id)).toMatchObject({ status: "FAILED", failedReason: `[${code}] the reason` });
    expect(receivedBy(c.hook, "message:status")).toMatchObject([
      { messageId: id, status: "failed", errors: [{ code: upstreamCode ?? 0, title: code, message: "the reason" }] },
    ]);
    await w.advance(DAY_MS);
    expect(network.sent).toHaveLength(1);
  });
});

test("a send that nobody answered is repeated after a minute under the id that was chosen for it, and never under another", async () => {
  network.outcomes.push(
    ...Array(2).fill({ ok: false, kind: "unknown", code: "OUTCOME_UNKNOWN", reason: "no answer came" }),
  );
  const id = await c.sent();
  for (let n = 0; n < 2; n++) await w.advance(60_000);
  expect(network.sent).toHaveLength(3);
  expect(new Set(network.sent.map(({ order }) => order.key)).size).toBe(1);
  expect((await c.message(id)).status).toBe("SENT");
});

test("an operation that nobody answered is repeated as the same one; the same act anew is another", async () => {
  const id = await c.sent();
  network.operationOutcomes.push(
    ...Array(2).fill({ ok: false, kind: "unknown", code: "OUTCOME_UNKNOWN", reason: "no answer came" }),
  );
  const ids = () => network.operated.map(({ operationId }) => operationId);
  expect((await operate(w, c, ["react", id])).status).toBe(202);
  await w.settle();
  for (const seconds of [2, 10]) await w.advance(seconds * 1000);
  expect([ids().length, new Set(ids()).size]).toEqual([3, 1]);
  expect((await operate(w, c, ["react", id])).status).toBe(202);
  await w.settle();
  expect([ids().length, new Set(ids()).size]).toEqual([4, 2]);
});
