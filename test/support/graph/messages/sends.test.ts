import { describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import {
  ACCOUNT_ID,
  type Answered,
  errorOf,
  graphBench,
  listOf,
  NUMBER_ID,
  TOKEN,
  USER,
  until,
  valuesOf,
} from "../fixture.ts";
import { fileOf, upload } from "../media/fixture.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";

const bench = graphBench();
const codeOf = (answer: Answered) => errorOf(answer)["code"];
const wamidOf = ({ body }: Answered) => textOf(listOf(body["messages"])[0]?.["id"]);
const uploaded = async (type: string) => textOf((await upload(bench(), fileOf("bytes", type))).body["id"]);
const react = (message_id: string, emoji = "👍") => bench().send({ type: "reaction", reaction: { message_id, emoji } });

/** The errors of the failed statuses among the webhooks, once there are as many. */
const failuresOf = async (
  hooks: ReturnType<ReturnType<typeof bench>["receive"]>,
  count: number,
): Promise<unknown[]> => {
  await until(() => hooks.length === count);
  return hooks.flatMap((hook) =>
    valuesOf(hook).flatMap((value) => listOf(value["statuses"]).map((one) => listOf(one["errors"])[0]?.["code"])),
  );
};

describe("a file by its id", () => {
  const MESSAGES: [type: string, mimeType: string, content: (id: string) => Fields][] = [
    ["image", "image/png", (id) => ({ type: "image", image: { id, caption: "c" } })],
    ["video", "video/mp4", (id) => ({ type: "video", video: { id } })],
    ["audio", "audio/mpeg", (id) => ({ type: "audio", audio: { id } })],
    ["a voice message", "audio/ogg", (id) => ({ type: "audio", audio: { id, voice: true } })],
    ["sticker", "image/webp", (id) => ({ type: "sticker", sticker: { id } })],
    [
      "a header",
      "video/3gpp",
      (id) => ({
        type: "interactive",
        interactive: {
          type: "button",
          header: { type: "video", video: { id } },
          body: { text: "b" },
          action: { buttons: [{ type: "reply", reply: { id: "1", title: "t" } }] },
        },
      }),
    ],
    [
      "a template's header",
      "image/jpeg",
      (id) => ({
        type: "template",
        template: {
          name: "any",
          language: { code: "pt_BR" },
          components: [{ type: "header", parameters: [{ type: "image", image: { id } }] }],
        },
      }),
    ],
  ];
  test.each(MESSAGES)(
    "is taken as %s; an unknown one is refused with 100, one of another kind fails later with 131053",
    async (_type, mimeType, content) => {
      const { graph, send, receive } = bench();
      const hooks = receive();
      const id = await uploaded(mimeType);
      const other = await uploaded("application/pdf");
      expect((await send(content(id))).status).toBe(200);
      const refused = await send(content("1037543291543"));
      expect([refused.status, codeOf(refused)]).toEqual([400, 100]);
      expect(errorOf(refused)["message"]).toContain(
        "['id'] is not a valid whatsapp business account media attachment ID",
      );
      expect(graph.sent.size).toBe(1);
      expect((await send(content(other))).status).toBe(200);
      expect(await failuresOf(hooks, 1)).toEqual([131053]);
    },
  );

  test("is another number's or expired: refused; a sound that no message takes, or no voice: fails later", async () => {
    const { graph, clock, call, send, receive } = bench();
    const hooks = receive();
    graph.addNumber({
      phoneNumberId: "2",
      businessAccountId: ACCOUNT_ID,
      displayPhoneNumber: "+551140000001",
      tokens: [TOKEN],
    });
    const id = await uploaded("audio/mpeg");
    expect(
      codeOf(
        await call("POST", "/2/messages", { messaging_product: "whatsapp", to: USER, type: "audio", audio: { id } }),
      ),
    ).toBe(100);
    await send({ type: "audio", audio: { id: await uploaded("audio/opus") } });
    await send({ type: "audio", audio: { id, voice: true } });
    expect(await failuresOf(hooks, 2)).toEqual([131053, 131053]);
    clock.advance(30 * DAY_MS);
    expect(codeOf(await send({ type: "audio", audio: { id } }))).toBe(100);
    expect(graph.sent.size).toBe(2);
  });

  test("may be of any type in a document", async () => {
    const { graph, send } = bench();
    for (const type of ["application/pdf", "image/png"])
      expect((await send({ type: "document", document: { id: await uploaded(type), filename: "a.pdf" } })).status).toBe(
        200,
      );
    expect(codeOf(await send({ type: "document", document: { id: "1037543291543" } }))).toBe(100);
    expect(graph.sent.size).toBe(2);
  });

  test("and cards of a carousel name theirs", async () => {
    const { graph, send } = bench();
    const cards = [
      { type: "HEADER", format: "IMAGE" },
      { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "quero" }] },
    ];
    const offer = { type: "LIMITED_TIME_OFFER", limited_time_offer: { text: "hoje", has_expiration: true } };
    const components = [
      { type: "BODY", text: "Ofertas" },
      offer,
      { type: "CAROUSEL", cards: [{ components: cards }, { components: cards }] },
    ];
    graph.addTemplate({
      businessAccountId: ACCOUNT_ID,
      name: "cards",
      language: "pt_BR",
      category: "MARKETING",
      components,
    });
    const card = (card_index: number, id: string) => ({
      card_index,
      components: [{ type: "header", parameters: [{ type: "image", image: { id } }] }],
    });
    const deadline = {
      type: "limited_time_offer",
      parameters: [{ type: "limited_time_offer", limited_time_offer: { expiration_time_ms: 1 } }],
    };
    const use = async (...parts: Fields[]) =>
      codeOf(
        await send({ type: "template", template: { name: "cards", language: { code: "pt_BR" }, components: parts } }),
      );
    const id = await uploaded("image/png");
    expect(await use(deadline, { type: "carousel", cards: [card(0, id), card(1, id)] })).toBeUndefined();
    expect(await use(deadline, { type: "carousel", cards: [card(0, id), card(1, "77")] })).toBe(100);
    expect(await use(deadline, { type: "carousel", cards: [card(0, id)] })).toBe(132012);
    expect(await use({ type: "carousel", cards: [card(0, id), card(1, id)] })).toBe(132012);
    expect(await use(deadline)).toBe(132012);
    expect(graph.sent.size).toBe(1);
  });
});

describe("a reaction", () => {
  test("to a message of either side is sent and on record, also the one that takes it back", async () => {
    const { graph, send, receive } = bench();
    receive();
    const ours = wamidOf(await send());
    const { wamid: theirs } = await graph.inbound.text({ to: NUMBER_ID, from: USER, text: "oi" });
    await react(ours);
    await react(theirs, "❤️");
    const last = wamidOf(await react(theirs, ""));
    expect(graph.reactions.map(({ messageId, emoji, to }) => [messageId, emoji, to])).toEqual([
      [ours, "👍", USER],
      [theirs, "❤️", USER],
      [theirs, "", USER],
    ]);
    expect(graph.reactions.at(-1)).toMatchObject({ wamid: last, phoneNumberId: NUMBER_ID });
    expect(graph.sent.get(last)?.type).toBe("reaction");
  });

  test("to what is unknown, another chat's, itself a reaction or older than 30 days is taken and fails later (131009)", async () => {
    const { graph, send, clock, receive } = bench();
    const hooks = receive();
    const old = wamidOf(await send());
    const elsewhere = wamidOf(await send({ to: "5511900000000" }));
    clock.advance(30 * DAY_MS);
    const reaction = wamidOf(await react(old));
    clock.advance(1);
    for (const wamid of ["wamid.unknown", elsewhere, reaction, old]) expect((await react(wamid)).status).toBe(200);
    expect(await failuresOf(hooks, 4)).toEqual([131009, 131009, 131009, 131009]);
    expect(graph.reactions.map((one) => one.wamid)).toEqual([reaction]);
  });

  test("without a message id, or with one that is none, is refused at once", async () => {
    const { graph, send } = bench();
    expect(codeOf(await send({ type: "reaction", reaction: { emoji: "👍" } }))).toBe(131008);
    expect(codeOf(await send({ type: "reaction", reaction: { message_id: "42", emoji: "👍" } }))).toBe(131009);
    expect(codeOf(await send({ type: "reaction", reaction: { message_id: "wamid.x" } }))).toBe(131008);
    expect(graph.sent.size).toBe(0);
  });
});

describe("a read call", () => {
  test("is on record, with typing or without; a refused one is not", async () => {
    const { graph, call, receive, clock } = bench();
    receive();
    const { wamid } = await graph.inbound.text({ to: NUMBER_ID, from: USER, text: "oi" });
    const { wamid: foreign } = await graph.inbound.text({ to: "2", from: USER, text: "oi" });
    const read = (patch: Fields = {}) =>
      call("POST", `/${NUMBER_ID}/messages`, {
        messaging_product: "whatsapp",
        status: "read",
        message_id: wamid,
        ...patch,
      });
    expect((await read()).body).toEqual({ success: true });
    expect((await read({ typing_indicator: { type: "text" } })).body).toEqual({ success: true });
    for (const patch of [
      { message_id: foreign },
      { message_id: undefined },
      { message_id: "wamid.unknown" },
      { status: "delivered" },
      { typing_indicator: { type: "audio" } },
      { typing_indicator: {} },
    ])
      expect(codeOf(await read(patch))).toBe(100);
    graph.failNext(1, { kind: "error", code: 131000 }, { operation: "message.read" });
    expect(codeOf(await read())).toBe(131000);
    expect(graph.sent.size).toBe(0);
    const entry = { at: clock.now(), phoneNumberId: NUMBER_ID, messageId: wamid };
    expect(graph.reads).toEqual([
      { ...entry, isTyping: false },
      { ...entry, isTyping: true },
    ]);
    const received = await fetch(`${graph.url}/_sim/journal/reads`).then((answer) => answer.json());
    expect(fieldsOf(received)["result"]).toEqual([...graph.reads]);
    graph.reset();
    expect([graph.reads.length, graph.reactions.length]).toEqual([0, 0]);
  });
});

describe("the forms of messages", () => {
  const address = (parameters: Fields) => ({
    type: "interactive",
    interactive: { type: "address_message", body: { text: "onde?" }, action: { name: "address_message", parameters } },
  });
  const flow = (patch: Fields = {}) => ({
    type: "interactive",
    interactive: {
      type: "flow",
      body: { text: "b" },
      action: {
        name: "flow",
        parameters: {
          flow_message_version: "3",
          flow_token: "t",
          flow_id: "1",
          flow_cta: "abrir",
          mode: "draft",
          flow_action: "navigate",
          ...patch,
        },
      },
    },
  });
  const contact = (patch: Fields) => ({
    type: "contacts",
    contacts: [{ name: { formatted_name: "Ana", first_name: "Ana" }, ...patch }],
  });
  const template = (...parameters: Fields[]) => ({
    type: "template",
    template: { name: "any", language: { code: "pt_BR" }, components: [{ type: "body", parameters }] },
  });

  const TAKEN: [what: string, patch: Fields][] = [
    ["an address in Brazil", address({ country: "BR", values: { postalCode: "01310100" } })],
    [
      "an address in India",
      address({
        country: "IN",
        values: { name: "Ana", city: "Pune" },
        saved_addresses: [{ id: "1", value: { city: "Pune" } }],
      }),
    ],
    ["a flow", flow({ flow_action_payload: { screen: "S", data: { a: 1 } } })],
    [
      "a whole contact",
      contact({
        org: { company: "C" },
        addresses: [{ street: "R", country_code: "BR" }],
        urls: [{ url: "https://x.test" }],
        birthday: "1990-01-31",
      }),
    ],
    [
      "a price and a date",
      template(
        { type: "currency", currency: { fallback_value: "R$ 1", code: "BRL", amount_1000: 1000 } },
        { type: "date_time", date_time: { fallback_value: "hoje" } },
      ),
    ],
  ];
  test.each(TAKEN)("%s is taken", async (_what, patch) => {
    const { send } = bench();
    expect((await send(patch)).status).toBe(200);
  });

  test("an address in Brazil is refused where only India may have one", async () => {
    const { graph, send } = bench();
    graph.configure({ addressCountries: "IN" });
    expect(codeOf(await send(address({ country: "BR" })))).toBe(131009);
    expect((await send(address({ country: "IN" }))).status).toBe(200);
  });

  const REFUSED: [why: string, patch: Fields, code: number][] = [
    ["an address with a field of none", address({ country: "IN", values: { postalCode: "1" } }), 100],
    [
      "six saved addresses",
      address({ country: "IN", saved_addresses: Array.from({ length: 6 }, (_, n) => ({ id: String(n), value: {} })) }),
      131009,
    ],
    ["a flow of another version", flow({ flow_message_version: "2" }), 131009],
    ["a flow with a button over 30", flow({ flow_cta: "x".repeat(31) }), 100],
    ["a flow with an unknown action", flow({ flow_action: "open" }), 131009],
    ["a contact with an unknown key", contact({ nickname: "A" }), 100],
    [
      "a contact whose name has an unknown key",
      { type: "contacts", contacts: [{ name: { formatted_name: "A", nick: "A" } }] },
      100,
    ],
    ["a contact with an unknown address", contact({ addresses: [{ road: "R" }] }), 100],
    ["a birthday in another form", contact({ birthday: "31/01/1990" }), 131009],
    [
      "a price without its code",
      template({ type: "currency", currency: { fallback_value: "R$ 1", amount_1000: 1000 } }),
      131008,
    ],
    ["a parameter of an unknown type", template({ type: "color" }), 131009],
    ["a parameter without its value", template({ type: "text" }), 100],
    ["a parameter with a tab", template({ type: "text", text: "a\tb" }), 132018],
    [
      "a carousel without cards",
      { type: "template", template: { name: "any", language: { code: "pt_BR" }, components: [{ type: "carousel" }] } },
      131008,
    ],
    ["a sticker with a caption", { type: "sticker", sticker: { link: "https://x.test/a.webp", caption: "c" } }, 100],
    ["a voice that is no boolean", { type: "audio", audio: { link: "https://x.test/a.ogg", voice: "yes" } }, 131009],
  ];
  test.each(REFUSED)("%s is refused", async (_why, patch, code) => {
    const { graph, send } = bench();
    const refused = await send(patch);
    expect([refused.status, codeOf(refused)]).toEqual([400, code]);
    expect(graph.sent.size).toBe(0);
  });
});
