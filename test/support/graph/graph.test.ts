import { describe, expect, test } from "bun:test";
import { ACCOUNT_ID, type Answered, errorOf, graphBench, listOf, NUMBER_ID, TOKEN, USER } from "./fixture.ts";

import type { Fields } from "./shape.ts";

const bench = graphBench();
const codeOf = (answer: Answered) => errorOf(answer)["code"];
const wamidOf = ({ body }: Answered) => String(listOf(body["messages"])[0]?.["id"]);
const longText = (length: number) => "ã".repeat(length);
const interactive = (content: Fields) => ({
  type: "interactive",
  interactive: { body: { text: "choose" }, ...content },
});
const buttons = (...titles: string[]) =>
  interactive({
    type: "button",
    action: { buttons: titles.map((title, at) => ({ type: "reply", reply: { id: `b${at}`, title } })) },
  });
const list = (rows: number, sections = 1) =>
  interactive({
    type: "list",
    action: {
      button: "open",
      sections: Array.from({ length: sections }, (_, s) => ({
        title: `s${s}`,
        rows: Array.from({ length: rows }, (_, r) => ({ id: `${s}.${r}`, title: "row" })),
      })),
    },
  });

describe("what is refused before anything happens", () => {
  test("a request without a token is 401 104 on an object, 401 2500 elsewhere", async () => {
    const { call, graph } = bench();
    const refused = await call("GET", `/v25.0/${NUMBER_ID}`, undefined, null);
    expect([refused.status, codeOf(refused)]).toEqual([401, 104]);
    expect(codeOf(await call("GET", "/v25.0/debug_token?input_token=x", undefined, null))).toBe(2500);
    expect(graph.journal.map((entry) => entry.status)).toEqual([401, 401]);
  });

  test("an unknown token is 401 190, an expired one 190/463, a withdrawn one 190/467", async () => {
    const { call, graph } = bench();
    const path = `/v25.0/${NUMBER_ID}`;
    const unknown = await call("GET", path, undefined, "nobody");
    expect([unknown.status, codeOf(unknown), errorOf(unknown)["error_subcode"]]).toEqual([401, 190, undefined]);
    graph.invalidateToken(TOKEN);
    expect(errorOf(await call("GET", path))).toMatchObject({ code: 190, error_subcode: 467 });
    graph.addToken({ token: "short", businessAccountIds: [ACCOUNT_ID] });
    graph.expireToken("short");
    expect(errorOf(await call("GET", path, undefined, "short"))).toMatchObject({
      code: 190,
      error_subcode: 463,
      type: "OAuthException",
    });
  });

  test("a token expires by the clock", async () => {
    const { call, graph, clock } = bench();
    graph.addToken({ token: "hour", businessAccountIds: [ACCOUNT_ID], expiresAt: clock.now() + 3_600_000 });
    expect((await call("GET", `/${NUMBER_ID}`, undefined, "hour")).status).toBe(200);
    clock.advance(3_600_000);
    expect(codeOf(await call("GET", `/${NUMBER_ID}`, undefined, "hour"))).toBe(190);
  });

  test("an id that is another account's or nobody's is 400 100/33, a token without the scope 403 10", async () => {
    const { call, graph } = bench();
    graph.addToken({ token: "other", businessAccountIds: ["999"] });
    graph.addToken({ token: "reader", businessAccountIds: [ACCOUNT_ID], scopes: ["whatsapp_business_management"] });
    const foreign = await call("GET", `/v25.0/${NUMBER_ID}`, undefined, "other");
    expect([foreign.status, errorOf(foreign)["error_subcode"]]).toEqual([400, 33]);
    expect(errorOf(await call("POST", "/v25.0/123/messages", {}))).toMatchObject({ code: 100, error_subcode: 33 });
    const unscoped = await call("POST", `/v25.0/${NUMBER_ID}/messages`, { messaging_product: "whatsapp" }, "reader");
    expect([unscoped.status, codeOf(unscoped)]).toEqual([403, 10]);
  });

  test("there is no endpoint to edit or revoke, and none by another method", async () => {
    const { call, send } = bench();
    const wamid = encodeURIComponent(wamidOf(await send()));
    expect(errorOf(await call("POST", `/v25.0/${wamid}/edit`, {}))).toMatchObject({ code: 100, error_subcode: 33 });
    expect(codeOf(await call("POST", `/v25.0/${NUMBER_ID}/edit`, {}))).toBe(2500);
    expect(codeOf(await call("DELETE", `/v25.0/${NUMBER_ID}/messages`))).toBe(100);
  });

  const REFUSED: [why: string, patch: Fields, code: number][] = [
    ["no messaging_product", { messaging_product: undefined }, 100],
    ["no recipient", { to: undefined }, 100],
    ["a recipient that is no number", { to: "somebody" }, 131009],
    ["a recipient that is a JSON number", { to: 5511987654321 }, 131009],
    ["the sender as recipient", { to: "551140000000" }, 131021],
    ["a BSUID that is none", { to: undefined, recipient: "not one" }, 131009],
    ["a group that is unknown", { recipient_type: "group", to: "Y2FwaV9ncm91cDoxZD" }, 131041],
    ["an unknown type", { type: "poll" }, 100],
    ["a type without its object", { type: "image" }, 131008],
    ["an empty text", { text: { body: "" } }, 131008],
    ["a text over 4096", { text: { body: longText(4097) } }, 100],
    ["a text that is no string", { text: { body: 7 } }, 131009],
    ["a text object that is a string", { text: "oi" }, 100],
    ["an unknown key", { text: { body: "oi", bold: true } }, 100],
    ["media without a source", { type: "image", image: { caption: "c" } }, 131008],
    ["media with two sources", { type: "image", image: { id: "1", link: "https://x.test/a.png" } }, 131009],
    ["a link that is no URL", { type: "image", image: { link: "ftp://x" } }, 100],
    ["a caption over 1024", { type: "image", image: { id: "1", caption: longText(1025) } }, 100],
    ["a caption on audio", { type: "audio", audio: { id: "1", caption: "c" } }, 100],
    ["a latitude beyond the pole", { type: "location", location: { latitude: 91, longitude: 0 } }, 131009],
    ["a contact without a name", { type: "contacts", contacts: [{ phones: [] }] }, 131008],
    ["no contacts", { type: "contacts", contacts: [] }, 131009],
    ["a reaction to nothing", { type: "reaction", reaction: { emoji: "😀" } }, 131008],
    ["four buttons", buttons("a", "b", "c", "d"), 131009],
    ["a button title over 20", buttons(longText(21)), 100],
    [
      "two buttons of one id",
      interactive({
        type: "button",
        action: { buttons: [1, 2].map(() => ({ type: "reply", reply: { id: "x", title: "t" } })) },
      }),
      131009,
    ],
    ["eleven rows in all", list(6, 2), 131009],
    [
      "an interactive without a body",
      { type: "interactive", interactive: { type: "location_request_message", action: { name: "send_location" } } },
      131008,
    ],
    [
      "a list with a picture header",
      interactive({ ...list(1).interactive, header: { type: "image", image: { id: "1" } } }),
      131009,
    ],
    ["a footer over 60", interactive({ ...list(1).interactive, footer: { text: longText(61) } }), 100],
    [
      "a flow with two ids",
      interactive({
        type: "flow",
        action: {
          name: "flow",
          parameters: { flow_message_version: "3", flow_id: "1", flow_name: "n", flow_cta: "go" },
        },
      }),
      131009,
    ],
    ["a pin outside groups", { type: "pin", pin: { type: "pin", message_id: "wamid.x" } }, 131009],
    ["callback data over 512", { biz_opaque_callback_data: longText(513) }, 100],
    ["a quote of what is no message", { context: { message_id: "42" } }, 131009],
  ];
  test.each(REFUSED)("a send with %s is refused", async (_why, patch, code) => {
    const { send, graph } = bench();
    const refused = await send(patch);
    expect([refused.status, codeOf(refused)]).toEqual([400, code]);
    expect(graph.sent.size).toBe(0);
  });

  test("a body that is no JSON is 400 100, one without its content type has no fields", async () => {
    const { call, graph } = bench();
    expect(codeOf(await call("POST", `/v25.0/${NUMBER_ID}/messages`, '{"to":'))).toBe(100);
    const plain = await fetch(`${graph.url}/${NUMBER_ID}/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}` },
      body: '{"messaging_product":"whatsapp"}',
    });
    expect(await plain.json()).toMatchObject({
      error: { message: "(#100) The parameter messaging_product is required." },
    });
  });

  test("an unregistered number sends nothing (133010), a test number only to its list (131030)", async () => {
    const { graph, send } = bench();
    const seed = { phoneNumberId: NUMBER_ID, businessAccountId: ACCOUNT_ID, displayPhoneNumber: "+55 11 4000-0000" };
    graph.addNumber({ ...seed, platformType: "NOT_APPLICABLE" });
    expect(codeOf(await send())).toBe(133010);
    graph.addNumber({ ...seed, allowedRecipients: ["+5511900000000"] });
    expect(codeOf(await send())).toBe(131030);
    expect((await send({ to: "+55 (11) 90000-0000" })).status).toBe(200);
  });
});

describe("what is accepted", () => {
  const ACCEPTED: [what: string, patch: Fields][] = [
    ["a text of 4096 characters", { text: { body: longText(4096), preview_url: true } }],
    ["an image by link", { type: "image", image: { link: "http://127.0.0.1/a.png", caption: longText(1024) } }],
    ["a document by link", { type: "document", document: { link: "https://x.test/a", filename: "a.pdf" } }],
    ["a voice message", { type: "audio", audio: { link: "https://x.test/a.ogg", voice: true } }],
    ["a location in text", { type: "location", location: { latitude: "-23.55", longitude: "-46.63", name: "n" } }],
    [
      "a contact",
      {
        type: "contacts",
        contacts: [{ name: { formatted_name: "Ana", first_name: "Ana" }, phones: [{ phone: "+5511", type: "CELL" }] }],
      },
    ],
    ["a reaction taken back", { type: "reaction", reaction: { message_id: "wamid.x", emoji: "" } }],
    ["three buttons", buttons("a", "b", "c")],
    ["ten rows in two sections", list(5, 2)],
    [
      "a link button",
      interactive({
        type: "cta_url",
        action: { name: "cta_url", parameters: { display_text: "go", url: "https://x.test" } },
      }),
    ],
    [
      "a well-formed template of an account without any",
      { type: "template", template: { name: "any", language: { code: "pt_BR" } } },
    ],
    ["a quote", { context: { message_id: "wamid.x" } }],
  ];
  test.each(ACCEPTED)("%s", async (_what, patch) => {
    const { send, graph } = bench();
    const { status, body, headers } = await send(patch);
    expect([status, body["contacts"]]).toEqual([200, [{ input: USER, wa_id: USER }]]);
    expect([...graph.sent.keys()]).toEqual([String(listOf(body["messages"])[0]?.["id"])]);
    expect(headers.get("facebook-api-version")).toBe("v25.0");
    expect(JSON.parse(headers.get("x-app-usage") ?? "")).toHaveProperty("call_count");
  });

  test("a wamid holds the user's number and is never given twice", async () => {
    const { send } = bench();
    const wamids = [wamidOf(await send()), wamidOf(await send())];
    expect(new Set(wamids).size).toBe(2);
    expect(Buffer.from((wamids[0] ?? "").slice("wamid.".length), "base64").toString("latin1")).toContain(USER);
  });

  test("another spelling of a number answers with the wa_id, a BSUID with the user_id", async () => {
    const { send, graph } = bench();
    graph.addRecipient({ waId: USER, userId: "BR.123", aliases: ["551187654321"] });
    expect((await send({ to: "+551187654321" })).body["contacts"]).toEqual([{ input: "+551187654321", wa_id: USER }]);
    expect((await send({ to: undefined, recipient: "BR.123" })).body["contacts"]).toEqual([
      { input: "BR.123", user_id: "BR.123" },
    ]);
  });

  test("a template is held to what was approved", async () => {
    const { graph, send } = bench();
    const components = [
      { type: "HEADER", format: "IMAGE" },
      { type: "BODY", text: "Pedido {{1}} de {{2}} pronto." },
      {
        type: "BUTTONS",
        buttons: [
          { type: "URL", text: "ver", url: "https://x.test/{{1}}" },
          { type: "QUICK_REPLY", text: "ok" },
        ],
      },
    ];
    graph.addTemplate({
      businessAccountId: ACCOUNT_ID,
      name: "order",
      language: "pt_BR",
      category: "UTILITY",
      components,
    });
    graph.addTemplate({
      businessAccountId: ACCOUNT_ID,
      name: "paused",
      language: "pt_BR",
      status: "PAUSED",
      components: [],
    });
    graph.addTemplate({
      businessAccountId: ACCOUNT_ID,
      name: "named",
      language: "pt_BR",
      parameterFormat: "NAMED",
      components: [{ type: "BODY", text: "Oi {{who}}!" }],
    });
    const text = (value: string, name?: string) => ({
      type: "text",
      text: value,
      ...(name === undefined ? {} : { parameter_name: name }),
    });
    const header = { type: "header", parameters: [{ type: "image", image: { link: "https://x.test/a.png" } }] };
    const body = (...values: string[]) => ({ type: "body", parameters: values.map((value) => text(value)) });
    const url = { type: "button", sub_type: "url", index: "0", parameters: [text("77")] };
    const use = async (name: string, parts: Fields[], code = "pt_BR") =>
      codeOf(await send({ type: "template", template: { name, language: { code }, components: parts } }));
    expect(await use("order", [header, body("A1", "Ana"), url])).toBeUndefined();
    expect(await use("order", [header, body("A1"), url])).toBe(132000);
    expect(await use("order", [body("A1", "Ana"), url])).toBe(132012);
    expect(await use("order", [header, body("A1", "Ana")])).toBe(131008);
    expect(await use("order", [header, body("A1", "Ana"), { ...url, sub_type: "copy_code" }])).toBe(132018);
    expect(await use("order", [header, body("A1", "a\nb"), url])).toBe(132018);
    expect(await use("order", [header, body("A1", ""), url])).toBe(131008);
    expect(await use("order", [header, body("A1", longText(1010)), url])).toBe(132005);
    expect(await use("order", [header, body("A1", "Ana"), url], "en_US")).toBe(132001);
    expect(await use("paused", [])).toBe(132015);
    expect(await use("named", [{ type: "body", parameters: [text("Ana", "who")] }])).toBeUndefined();
    expect(await use("named", [body("Ana")])).toBe(100);
    expect(graph.sent.size).toBe(2);
  });

  test("a code goes to a number in both its places, and never to a BSUID (131062)", async () => {
    const { graph, send } = bench();
    const components = [
      { type: "BODY" },
      { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "copy" }] },
    ];
    graph.addTemplate({
      businessAccountId: ACCOUNT_ID,
      name: "code",
      language: "pt_BR",
      category: "AUTHENTICATION",
      components,
    });
    graph.addRecipient({ waId: USER, userId: "BR.123" });
    const code = [{ type: "text", text: "123456" }];
    const template = {
      name: "code",
      language: { code: "pt_BR" },
      components: [
        { type: "body", parameters: code },
        { type: "button", sub_type: "url", index: 0, parameters: code },
      ],
    };
    expect((await send({ type: "template", template })).status).toBe(200);
    expect(
      codeOf(await send({ type: "template", template: { ...template, components: template.components.slice(0, 1) } })),
    ).toBe(131008);
    expect(codeOf(await send({ to: undefined, recipient: "BR.123", type: "template", template }))).toBe(131062);
    expect((await send({ to: undefined, recipient: "BR.123" })).status).toBe(200);
  });
});
