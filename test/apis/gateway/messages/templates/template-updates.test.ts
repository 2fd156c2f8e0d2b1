import { beforeEach, describe, expect, test } from "bun:test";
import { type Customer, newCustomer, receivedBy, tracesOf } from "../../../../support/customers/customer.ts";
import {
  BODY,
  businessAccountOf,
  knownTemplate,
  postTemplateUpdate,
  TEMPLATE,
  templatesOf,
} from "../../../../support/customers/templates.ts";
import { fieldsOf, gatewaySays } from "../../../../support/refusals.ts";
import { useWorld } from "../../../../support/use-world.ts";
import { untilTrue } from "../../../../support/waiting.ts";
import { addWabaNumber, type World } from "../../../../support/world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" }, logLevel: "debug" });
let c: Customer;
let templates: ReturnType<typeof templatesOf>;
let businessAccountId: string;
beforeEach(async () => {
  c = await newCustomer(w);
  templates = templatesOf(w, c);
  businessAccountId = await businessAccountOf(w, c.phone.id);
});

type Seed = Partial<Parameters<World["graph"]["addTemplate"]>[0]>;
/** A template that the network has; its id there. */
const atNetwork = (more: Seed = {}) =>
  w.graph.addTemplate({
    businessAccountId,
    name: TEMPLATE.name,
    language: "pt_BR",
    category: "UTILITY",
    components: [BODY],
    ...more,
  });
const received = () => receivedBy(c.hook, "template:status");
/** A template that is known here and at the network, both PENDING. */
const pending = async () => (await templates.create()).body;
const statusOf = async (id: string) => (await templates.get(id)).body.status;

describe("POST /v1/templates/sync", () => {
  test("G-517 GAP-G43 takes in all templates of the business account and counts what is new and what was known", async () => {
    const known = await pending();
    atNetwork({ name: "promo", category: "MARKETING", status: "PAUSED" });
    atNetwork({ name: "promo", language: "en_US", status: "REJECTED" });
    expect(await templates.sync()).toMatchObject({ status: 200, body: { created: 2, updated: 1, total: 3 } });
    const listed = await templates.list();
    expect(listed).toHaveLength(3);
    expect(listed).toContainEqual(known);
    expect(listed).toContainEqual(
      expect.objectContaining({
        name: "promo",
        language: "pt_BR",
        category: "MARKETING",
        status: "PAUSED",
        components: [BODY],
        phoneId: c.phone.id,
      }),
    );
    expect(listed).toContainEqual(
      expect.objectContaining({
        name: "promo",
        language: "en_US",
        status: "REJECTED",
        rejectionReason: "NONE",
        upstreamTemplateId: expect.any(String),
      }),
    );
    expect((await templates.sync()).body).toEqual({ created: 0, updated: 3, total: 3 });
    expect((await templates.list()).map(({ id }): string => id).toSorted()).toEqual(
      listed.map(({ id }): string => id).toSorted(),
    );
  });

  test("G-517 GAP-G43 leaves those that only we know as they are", async () => {
    const [id, refused] = [
      await knownTemplate(w, c.phone.id),
      await knownTemplate(w, c.phone.id, {
        name: "refused",
        status: "REJECTED",
        nativeId: null,
        rejectionReason: "Too much",
      }),
    ];
    const before = [await templates.get(id), await templates.get(refused)];
    expect((await templates.sync()).body).toEqual({ created: 0, updated: 0, total: 0 });
    expect([await templates.get(id), await templates.get(refused)].map(({ body }) => body)).toEqual(
      before.map(({ body }) => body),
    );
  });

  test("G-517 goes through all pages", async () => {
    const pages = () =>
      w.graph.journal.filter(
        ({ method, path }) => method === "GET" && path.endsWith(`/${businessAccountId}/message_templates`),
      ).length;
    const before = pages();
    for (let n = 0; n < 250; n++) atNetwork({ name: `template_${n}` });
    expect((await templates.sync()).body).toEqual({ created: 250, updated: 0, total: 250 });
    expect(new Set((await templates.list()).map(({ name }) => name)).size).toBe(250);
    expect(pages() - before).toBe(3);
    expect(received()).toEqual([]);
  });

  test("G-500 GAP-G42 brings what a webhook that was lost would have reported, and publishes it", async () => {
    const { id, upstreamTemplateId } = await pending();
    Object.assign(w.graph.templates.get(upstreamTemplateId) ?? {}, { status: "APPROVED" });
    await templates.sync();
    await w.settle();
    expect(await statusOf(id)).toBe("APPROVED");
    expect(received()).toEqual([
      {
        templateId: id,
        name: TEMPLATE.name,
        language: "pt_BR",
        category: "UTILITY",
        status: "APPROVED",
        rejectionReason: null,
      },
    ]);
    await templates.sync();
    await postTemplateUpdate(w, c.phone.id, { id: upstreamTemplateId, event: "APPROVED" });
    expect(received()).toHaveLength(1);
  });

  test("brings each phone of the account its own", async () => {
    const other = await secondPhone();
    atNetwork();
    expect([(await templates.sync()).body, (await templates.sync(other)).body]).toEqual([
      { created: 1, updated: 0, total: 1 },
      { created: 1, updated: 0, total: 1 },
    ]);
    expect((await templates.list()).map(({ phoneId }): string => phoneId).toSorted()).toEqual(
      [c.phone.id, other].toSorted(),
    );
  });

  test.each([
    ["no phone", {}],
    ["a phone that is no UUID", { phoneId: "5" }],
  ])("G-516 refuses %s, and nothing happens", async (_, body) => {
    const before = await tracesOf(w, c);
    expect(fieldsOf(await w.gateway("/v1/templates/sync", { key: c.key, body }))).toEqual(["phoneId"]);
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test.each<[what: string, failure: Parameters<World["graph"]["failNext"]>[1], said: string]>([
    ["no answer", { kind: "reset" }, "502 UPSTREAM_UNAVAILABLE"],
    ["half an answer", { kind: "half" }, "502 UPSTREAM_UNAVAILABLE"],
    ["an answer that is none", { kind: "garbage" }, "502 UPSTREAM_UNAVAILABLE"],
    ["a page of some proxy", { kind: "http", status: 503 }, "502 UPSTREAM_UNAVAILABLE"],
    ["a rate limit", { kind: "error", code: 80007 }, "502 UPSTREAM_UNAVAILABLE"],
    ["a refusal", { kind: "error", code: 200 }, "400 UPSTREAM_BAD_REQUEST"],
    ["a refused token", { kind: "error", code: 190 }, "500 WABA_TOKEN_INVALID"],
  ])("says what the network said, and nothing is taken in: %s", async (_, failure, said) => {
    atNetwork();
    w.graph.failNext(1, failure, { operation: "template.list" });
    expect(gatewaySays(await templates.sync())).toBe(said);
    expect(await templates.list()).toEqual([]);
  });
});

/** Another phone of the same business account. */
const secondPhone = async (): Promise<string> => {
  const { number, ...credentials } = { ...addWabaNumber(w.graph), businessAccountId, accessToken: c.phone.accessToken };
  w.graph.addNumber({
    phoneNumberId: credentials.phoneNumberId,
    businessAccountId,
    displayPhoneNumber: `+${number}`,
    tokens: [c.phone.accessToken],
  });
  const { body } = await w.gateway("/v1/phones", { key: c.key, body: { type: "WABA", label: "Another", credentials } });
  await untilTrue(async () => (await w.gateway(`/v1/phones/${body.id}`, { key: c.key })).body.status === "CONNECTED");
  await w.settle();
  c.hook.arrived.length = 0;
  return body.id;
};

describe("what the network reports of a template", () => {
  test("G-628 G-500 G-498 a review moves it from PENDING, and is published with the template's id", async () => {
    const { id, upstreamTemplateId } = await pending();
    await w.graph.reviewTemplate(upstreamTemplateId, "APPROVED");
    await w.settle();
    expect(await statusOf(id)).toBe("APPROVED");
    const expected = { templateId: id, name: TEMPLATE.name, language: "pt_BR", category: "UTILITY" };
    expect(received()).toEqual([{ ...expected, status: "APPROVED", rejectionReason: null }]);
    await w.graph.reviewTemplate(upstreamTemplateId, "REJECTED", { reason: "ABUSIVE_CONTENT" });
    await w.settle();
    expect((await templates.get(id)).body).toMatchObject({ status: "REJECTED", rejectionReason: "ABUSIVE_CONTENT" });
    expect(received().at(-1)).toEqual({ ...expected, status: "REJECTED", rejectionReason: "ABUSIVE_CONTENT" });
    expect(c.hook.arrived.at(-1)?.body).toMatchObject({
      type: "template:status",
      accountId: c.accountId,
      phoneId: c.phone.id,
    });
  });

  test.each([
    ["PAUSED", "PAUSED"],
    ["DISABLED", "PAUSED"],
    ["FLAGGED", "PAUSED"],
    ["LOCKED", "PAUSED"],
    ["ARCHIVED", "PAUSED"],
    ["LIMIT_EXCEEDED", "REJECTED"],
    ["IN_APPEAL", "PENDING"],
    ["DELETED", "REJECTED"],
    ["PENDING_DELETION", "REJECTED"],
  ] as const)("G-500 GAP-G42 %s makes an approved one %s", async (event, status) => {
    const id = await knownTemplate(w, c.phone.id, { nativeId: atNetwork({ name: "hello" }) });
    const [upstreamTemplateId = ""] = (await templates.list()).map((one) => one.upstreamTemplateId);
    await w.graph.reviewTemplate(upstreamTemplateId, event);
    await w.settle();
    const { body } = await templates.get(id);
    expect([body.status, body.rejectionReason]).toEqual([status, status === "REJECTED" ? event : undefined]);
    expect(received().map((one) => one.status)).toEqual([status]);
  });

  test.each(["REINSTATED", "UNARCHIVED"] as const)("GAP-G42 %s makes a paused one APPROVED", async (event) => {
    const id = await knownTemplate(w, c.phone.id, { ...TEMPLATE, status: "PAUSED", nativeId: "1689" } as never);
    await postTemplateUpdate(w, c.phone.id, { id: "1689", event });
    expect(await statusOf(id)).toBe("APPROVED");
  });

  test("G-500 once, however often it comes", async () => {
    const { upstreamTemplateId } = await pending();
    for (const atMs of [1_000, 2_000, 3_000])
      await postTemplateUpdate(w, c.phone.id, {
        id: upstreamTemplateId,
        event: "APPROVED",
        atMs: w.clock.now() + atMs,
      });
    expect(received().map(({ status }) => status)).toEqual(["APPROVED"]);
  });

  test("in the order in which it happened: what comes late changes nothing", async () => {
    const { id, upstreamTemplateId } = await pending();
    const at = (seconds: number) => ({ id: upstreamTemplateId, atMs: w.clock.now() + seconds * 1000 });
    await postTemplateUpdate(w, c.phone.id, { ...at(60), event: "PAUSED" });
    await postTemplateUpdate(w, c.phone.id, { ...at(10), event: "APPROVED" });
    expect(await statusOf(id)).toBe("PAUSED");
    await postTemplateUpdate(w, c.phone.id, { ...at(61), event: "APPROVED" });
    expect(await statusOf(id)).toBe("APPROVED");
    expect(received().map(({ status }) => status)).toEqual(["PAUSED", "APPROVED"]);
  });

  test("GAP-G42 another category is published with the status it has", async () => {
    const { id, upstreamTemplateId } = await pending();
    await postTemplateUpdate(w, c.phone.id, {
      id: upstreamTemplateId,
      field: "template_category_update",
      previous_category: "UTILITY",
      new_category: "MARKETING",
    });
    expect((await templates.get(id)).body).toMatchObject({ category: "MARKETING", status: "PENDING" });
    expect(received()).toMatchObject([{ templateId: id, category: "MARKETING", status: "PENDING" }]);
  });

  test("of every phone of the account, each by its own id and to its own webhooks", async () => {
    const nativeId = atNetwork({ status: "PENDING" });
    const [other, stranger] = [await secondPhone(), await newCustomer(w)];
    await templates.sync();
    await templates.sync(other);
    await w.graph.reviewTemplate(nativeId, "APPROVED");
    await w.settle();
    const listed = await templates.list();
    expect(listed.map(({ status }) => status)).toEqual(["APPROVED", "APPROVED"]);
    expect(received()).toMatchObject([{ templateId: listed.find(({ phoneId }) => phoneId === c.phone.id).id }]);
    expect((await c.events("?type=template:status")).map(({ phoneId }): string => phoneId).toSorted()).toEqual(
      [c.phone.id, other].toSorted(),
    );
    expect(receivedBy(stranger.hook, "template:status")).toEqual([]);
  });

  test("one that is not known here changes nothing; the next sync brings it", async () => {
    const before = await tracesOf(w, c);
    const nativeId = atNetwork();
    await w.graph.reviewTemplate(nativeId, "APPROVED");
    const { envelopes: _, ...after } = await tracesOf(w, c);
    expect(before).toMatchObject(after);
    expect(await templates.list()).toEqual([]);
    expect(w.logs.some((line) => line.includes("a sync brings it") && line.includes(c.phone.id))).toBe(true);
    expect((await templates.sync()).body).toEqual({ created: 1, updated: 0, total: 1 });
  });

  test("of an older one with the name of another changes nothing", async () => {
    const { id } = await pending();
    await postTemplateUpdate(w, c.phone.id, { id: "1000", event: "DELETED" });
    expect(await statusOf(id)).toBe("PENDING");
    expect(received()).toEqual([]);
  });
});
