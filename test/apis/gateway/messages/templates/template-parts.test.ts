import { describe, expect, test } from "bun:test";
import { newCustomer, sendsOf, tracesOf } from "../../../../support/customers/customer.ts";
import { putTemplate, TEMPLATE_PARTS, type TemplatePart } from "../../../../support/customers/template-parts.ts";
import { businessAccountOf, postTemplateUpdate, templatesOf } from "../../../../support/customers/templates.ts";
import { gatewaySays } from "../../../../support/refusals.ts";
import { useEach, useWorld } from "../../../../support/use-world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" } });
const c = useEach(() => newCustomer(w));

type Parts = TemplatePart["components"];
const listed = (part: Omit<TemplatePart, "values" | "upstream">) => putTemplate(w, c, part);
const send = (values: object) => c.send({ type: "template", content: { name: "novo", ...values } });
const sent = async (values: object): Promise<any> => {
  const id = await c.sent({ type: "template", content: { name: "novo", ...values } });
  expect(await c.message(id)).toMatchObject({ status: "SENT", failedReason: null });
  return sendsOf(w, c).at(-1).template.components;
};
const refusal = async (values: object): Promise<string[]> => {
  const before = await tracesOf(w, c);
  const { status, body } = await send(values);
  expect([status, await tracesOf(w, c)]).toEqual([400, before]);
  expect(body.error.code).toBe("VALIDATION_ERROR");
  return body.error.details.fieldErrors.content.map((line: string) => line.split(" ")[0]);
};

describe.each(Object.entries(TEMPLATE_PARTS))("G-375 a template with %s", (_, part) => {
  test("G-375 is sent with its value, as the network names it", async () => {
    await listed(part);
    expect(await sent(part.values)).toEqual(part.upstream);
  });
});

const NEEDED = Object.entries(TEMPLATE_PARTS).flatMap(([name, part]) =>
  part.needs ? [[name, part, part.needs] as const] : [],
);
test.each(NEEDED)(
  "G-375 a template with %s is refused without its value, by its field, and nothing happens",
  async (_, part, [field, named = field]) => {
    await listed(part);
    const { [field]: _gone, ...rest } = part.values;
    expect(await refusal(rest)).toContain(named);
    expect(sendsOf(w, c)).toEqual([]);
  },
);

describe("values beside the template", () => {
  const NAMED = TEMPLATE_PARTS["a text header by its name"] as TemplatePart;

  test("G-375 all values by name fill header and body, each by its own", async () => {
    await listed(NAMED);
    expect(await sent({ namedVariables: { nome: "Ana", pedido: "P-77" } })).toEqual(NAMED.upstream);
  });

  test("G-375 a flow without a token is named, and its token is the message's id", async () => {
    await listed(TEMPLATE_PARTS["a flow"] as TemplatePart);
    const [button] = await sent({});
    expect(button).toEqual({
      type: "button",
      sub_type: "flow",
      index: "0",
      parameters: [{ type: "action", action: { flow_token: sendsOf(w, c).at(-1).biz_opaque_callback_data } }],
    });
  });

  test("G-376 the button of a one-time code has the code of the body", async () => {
    const code = TEMPLATE_PARTS["a one-time code"] as TemplatePart;
    await listed(code);
    expect(await sent({ variables: ["482915"] })).toEqual(code.upstream);
  });

  test.each<[what: string, part: keyof typeof TEMPLATE_PARTS, values: object, fields: string[]]>([
    ["a value too many", "a body by places", { variables: ["Ana", "2", "3"] }, ["variables"]],
    ["names where there are places", "a body by places", { namedVariables: { nome: "Ana" } }, ["namedVariables"]],
    ["places where there are names", "a body by names", { variables: ["Ana"] }, ["variables"]],
    [
      "a name that the template does not have",
      "a body by names",
      { namedVariables: { nome: "Ana", nada: "x" } },
      ["namedVariables.nada"],
    ],
    [
      "a header of another type",
      "a picture header",
      { headerMedia: { type: "video", url: "https://padaria-estrela.example/a.mp4" } },
      ["headerMedia.type"],
    ],
    [
      "a button that is not there",
      "a button with an address",
      { buttons: [{ parameters: ["a"] }, { index: 3, parameters: ["b"] }] },
      ["buttons.1.index"],
    ],
    [
      "a button of another type",
      "a button with an address",
      { buttons: [{ subType: "copy_code", parameters: ["a"] }] },
      ["buttons.0.subType"],
    ],
    [
      "two buttons of one index",
      "a button with an address",
      { buttons: [{ parameters: ["a"] }, { index: 0, parameters: ["b"] }] },
      ["buttons.1.index"],
    ],
    [
      "two buttons of one index on a card",
      "a carousel",
      { cards: [{}, { buttons: [1, 1].map((index) => ({ index, parameters: ["a"] })) }] },
      ["cards.1.buttons.1.index"],
    ],
    [
      "the name of a header that has its place",
      "a text header by its place",
      { headerText: "P-77", headerName: "1" },
      ["headerName"],
    ],
    [
      "the name of a header that is a place",
      "a header that is a place",
      { headerLocation: { latitude: 1, longitude: 1, name: "a", address: "b" }, headerName: "a" },
      ["headerName"],
    ],
    [
      "a product where there is a picture",
      "a picture header",
      {
        headerMedia: { type: "image", url: "https://padaria-estrela.example/a.jpg" },
        headerProduct: { productId: "bolo", catalogId: "1" },
      },
      ["headerProduct"],
    ],
    [
      "cards without their products",
      "cards of products",
      { cards: [{}, {}] },
      ["cards.0.headerProduct", "cards.1.headerProduct"],
    ],
    ["a card too few", "a carousel", { cards: [{}] }, ["cards"]],
    [
      "cards without their values",
      "a carousel",
      { cards: [{}, {}] },
      [0, 1].flatMap((at) => [`cards.${at}.variables`, `cards.${at}.headerMedia`, `cards.${at}.buttons`]),
    ],
    ["an end where no offer ends", "a quick reply", { expiresAt: "2026-12-24T18:00:00Z" }, ["expiresAt"]],
    ["an end that is no time", "an offer that ends", { expiresAt: "tomorrow" }, ["expiresAt"]],
    [
      "a place that is none",
      "a header that is a place",
      { headerLocation: { latitude: "90.5", longitude: "sul" } },
      ["headerLocation.latitude", "headerLocation.longitude"],
    ],
    [
      "two headers",
      "a header that is a place",
      { headerText: "a", headerLocation: { latitude: 1, longitude: 1 } },
      ["headerLocation"],
    ],
    [
      "an order whose sums do not fit",
      "an order to be paid",
      {
        buttons: [
          {
            order: {
              ...(TEMPLATE_PARTS["an order to be paid"] as TemplatePart).values["buttons"][0].order,
              subtotal: { value: 1 },
            },
          },
        ],
      },
      ["buttons.0.order.subtotal", "buttons.0.order.totalAmount"],
    ],
  ])("G-375 %s is refused by its field, and nothing happens", async (_, name, values, fields) => {
    await listed(TEMPLATE_PARTS[name] as TemplatePart);
    expect(await refusal(values)).toEqual(fields);
    expect(sendsOf(w, c)).toEqual([]);
  });
});

describe("a template that changed at the network", () => {
  const lists = () =>
    w.graph.journal.filter(({ method, path }) => method === "GET" && path.includes("message_templates"));
  const [OLD, NEW] = [
    [{ type: "BODY", text: "Olá {{1}}, chegou.", example: { body_text: [["Ana"]] } }],
    [{ type: "BODY", text: "Olá {{1}}, são {{2}} pães.", example: { body_text: [["Ana", "2"]] } }],
  ];
  const NO_VALUES: Parts = [{ type: "BODY", text: "Olá, chegou." }];
  const changed = async ({ old = OLD, now = NEW }: { old?: Parts; now?: Parts } = {}) => {
    await listed({ components: old });
    await w.advance(60_000);
    const businessAccountId = await businessAccountOf(w, c.phone.id);
    w.graph.addTemplate({ businessAccountId, name: "novo", language: "pt_BR", components: now });
    return lists().length;
  };

  test("EP-P04 is taken in when a send does not fit the old one, and the send is good", async () => {
    const before = await changed();
    expect(await sent({ variables: ["Ana", "2"] })).toMatchObject([{ type: "body" }]);
    expect(lists().length).toBe(before + 1);
  });

  test("EP-P04 refuses what fits neither, after one list for many sends", async () => {
    const before = await changed();
    for (const values of [[], ["1", "2", "3"], []])
      expect(gatewaySays(await send({ variables: values }))).toBe("400 VALIDATION_ERROR");
    expect(await refusal({ variables: [] })).toEqual(["variables"]);
    expect([lists().length, sendsOf(w, c)]).toEqual([before + 1, []]);
  });

  const FLOW = [...NO_VALUES, TEMPLATE_PARTS["a flow"]?.components[1] as Parts[0]];
  const sentTo = (content: object) => c.sent({ type: "template", content: { name: "novo", ...content } });
  const taken = (id: string) => [...w.graph.sent.values()].filter(({ bizOpaque }) => bizOpaque === id).length;

  test("EP-P04 is taken in when the network refuses a send, which is sent once if its values fit the new one", async () => {
    const before = await changed({ old: FLOW, now: NO_VALUES });
    const id = await sentTo({});
    expect(await c.message(id)).toMatchObject({ status: "SENT", failedReason: null });
    expect([lists().length, sendsOf(w, c).length, taken(id)]).toEqual([before + 1, 2, 1]);
    const { body } = await w.gateway(`/v1/messages/${id}/timeline`, { key: c.key });
    const kinds = body.steps.map(({ kind }: { kind: string }) => kind);
    expect(kinds.filter((kind: string) => kind === "TRY_REFUSED" || kind === "SENT")).toEqual(["TRY_REFUSED", "SENT"]);
  });

  test("EP-P04 is taken in when the network misses a value that the new one has by itself", async () => {
    const before = await changed({ old: NO_VALUES, now: FLOW });
    const id = await sentTo({});
    await w.advance(2000);
    expect([(await c.message(id)).status, lists().length, taken(id)]).toEqual(["SENT", before + 1, 1]);
  });

  test("EP-P04 fails a refused send whose values do not fit the new one, by their field, and asks the network no more", async () => {
    const before = await changed({ now: NO_VALUES });
    const id = await sentTo({ variables: ["Ana"] });
    const { status, failedReason } = await c.message(id);
    expect([status, lists().length, sendsOf(w, c).length]).toEqual(["FAILED", before + 1, 1]);
    expect(failedReason).toStartWith("[UPSTREAM_BAD_REQUEST] ");
    expect(failedReason).toEndWith(
      "(as the template is now, content.variables must have no values: the template has no variables)",
    );
    expect(await sent({})).toBeUndefined();
  });

  test("EP-P04 is tried again once: a second refusal of the same message is final", async () => {
    await listed({ components: NO_VALUES });
    await w.advance(60_000);
    w.graph.failNext(2, { kind: "error", code: 132012 }, { phoneNumberId: c.phone.phoneNumberId });
    const id = await sentTo({});
    expect([(await c.message(id)).status, sendsOf(w, c).length, taken(id)]).toEqual(["FAILED", 2, 0]);
  });

  describe("within a minute of a list", () => {
    const now = async (components: Parts, more: object = {}) => {
      const businessAccountId = await businessAccountOf(w, c.phone.id);
      w.graph.addTemplate({ businessAccountId, name: "novo", language: "pt_BR", components, ...more });
    };
    /** Refused sends, after a list that the first one brought. */
    const refusedSends = async () => {
      const before = await changed({ old: FLOW, now: NO_VALUES });
      await sentTo({});
      await w.advance(1000);
      await now(OLD);
      const ids = [await sentTo({}), await sentTo({})];
      for (const id of ids) expect(await c.message(id)).toMatchObject({ status: "QUEUED" });
      expect(lists().length).toBe(before + 1);
      return { ids, before };
    };

    test("EP-P04 is asked for no more: refused sends wait for the next list, each to be sent once", async () => {
      const { ids, before } = await refusedSends();
      await now(NO_VALUES);
      await w.advance(60_000);
      for (const id of ids) expect([(await c.message(id)).status, taken(id)]).toEqual(["SENT", 1]);
      expect(lists().length).toBe(before + 2);
    });

    test("EP-P04 fails the refused sends when it is not approved any more, and says so", async () => {
      const { ids } = await refusedSends();
      await now(NO_VALUES, { status: "PAUSED" });
      await w.advance(60_000);
      for (const id of ids) {
        const { status, failedReason } = await c.message(id);
        expect([status, failedReason.split("(").at(-1)]).toEqual(["FAILED", "the template is PAUSED now)"]);
      }
    });
  });

  test.each([132000, 132012, 132018])(
    "EP-P04 is asked for when a receipt says that the values do not fit: %d",
    async (code) => {
      await listed({ components: OLD });
      await w.advance(60_000);
      const before = lists().length;
      w.graph.failNext(1, { kind: "failed-status", code }, { phoneNumberId: c.phone.phoneNumberId });
      const id = await c.sent({ type: "template", content: { name: "novo", variables: ["Ana"] } });
      await w.graph.webhooks.settled();
      await w.settle();
      expect(await c.message(id)).toMatchObject({ status: "FAILED" });
      expect(lists().length).toBe(before + 1);
    },
  );

  test("EP-P04 is asked for once a minute, however many sends the network refuses", async () => {
    const before = await changed({ old: OLD, now: NO_VALUES });
    w.graph.fail({ operation: "template.list", failure: { kind: "http", status: 400 }, isLasting: true });
    try {
      for (const name of ["Ana", "Bia", "Rui"])
        await c.sent({ type: "template", content: { name: "novo", variables: [name] } });
      expect(lists().length).toBe(before + 1);
      await w.advance(60_000);
      expect(lists().length).toBe(before + 2);
    } finally {
      w.graph.clearFailures();
    }
  });

  test("EP-P04 is asked nothing by a dry run, which refuses by what is known", async () => {
    const before = await changed();
    const body = { phoneId: c.phone.id, to: "5511999990001", type: "template" };
    const content = { name: "novo", variables: ["Ana", "2"] };
    const answer = await w.gateway("/v1/messages?dryRun=true", { key: c.key, body: { ...body, content } });
    expect([gatewaySays(answer), lists().length]).toEqual(["400 VALIDATION_ERROR", before]);
  });

  test.each<[what: string, report: object]>([
    [
      "another category",
      { field: "template_category_update", previous_category: "UTILITY", new_category: "MARKETING" },
    ],
    ["a review of an earlier time", { event: "APPROVED", atMs: 1 }],
  ])("EP-P04 is left to the network while it cannot be asked, although the network reports %s", async (_, report) => {
    await changed();
    const [{ upstreamTemplateId: id }] = await templatesOf(w, c).list();
    w.graph.fail({ operation: "template.list", failure: { kind: "http", status: 503 }, isLasting: true });
    try {
      await sent({ variables: ["Ana", "2"] });
      await w.advance(1000);
      await postTemplateUpdate(w, c.phone.id, { id, name: "novo", ...report });
      expect(await sent({ variables: ["Ana", "3"] })).toMatchObject([{ type: "body" }]);
    } finally {
      w.graph.clearFailures();
    }
  });

  test("EP-P04 is taken in ten seconds after a list, if values do not fit that list", async () => {
    await changed();
    expect(gatewaySays(await send({ variables: [] }))).toBe("400 VALIDATION_ERROR");
    const businessAccountId = await businessAccountOf(w, c.phone.id);
    w.graph.addTemplate({ businessAccountId, name: "novo", language: "pt_BR", components: OLD });
    await w.advance(10_000);
    const before = lists().length;
    expect(await sent({ variables: ["Ana"] })).toMatchObject([{ type: "body" }]);
    expect(lists().length).toBe(before + 1);
  });

  test("EP-P04 is left to the network from its review on: the list before that refuses nothing", async () => {
    await changed();
    expect(gatewaySays(await send({ variables: [] }))).toBe("400 VALIDATION_ERROR");
    const [{ upstreamTemplateId: id }] = await templatesOf(w, c).list();
    const businessAccountId = await businessAccountOf(w, c.phone.id);
    w.graph.addTemplate({ businessAccountId, name: "novo", language: "pt_BR", components: OLD });
    await postTemplateUpdate(w, c.phone.id, { id, name: "novo", event: "APPROVED" });
    expect(await sent({ variables: ["Ana"] })).toMatchObject([{ type: "body" }]);
  });

  test("EP-P04 is left to the network while it cannot be asked: old parts refuse nothing", async () => {
    await changed();
    w.graph.fail({ operation: "template.list", failure: { kind: "http", status: 503 }, isLasting: true });
    try {
      expect(await sent({ variables: ["Ana", "2"] })).toMatchObject([{ type: "body" }]);
      // the minute of that question is not over: nobody is asked, and nothing is known
      expect(await sent({ variables: ["Ana", "3"] })).toMatchObject([{ type: "body" }]);
    } finally {
      w.graph.clearFailures();
    }
  });
});
