import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Customer, newCustomer, rowsOf } from "../../../../support/customers/customer.ts";
import { BODY, templatesOf } from "../../../../support/customers/templates.ts";
import { type ScriptedGraph, scriptedGraph } from "../../../../support/networks/scripted-graph.ts";
import { gatewaySays } from "../../../../support/refusals.ts";
import { startWorld, type World } from "../../../../support/world.ts";

let upstream: ScriptedGraph;
let w: World;
let c: Customer;
beforeAll(async () => {
  upstream = await scriptedGraph(); // it takes whatever it is given: only our own rules are looked at
  w = await startWorld({ env: { RECADO_META_GRAPH_URL: upstream.url, RECADO_GATEWAY_RATE: "100000" } });
  c = await newCustomer(w);
});
afterAll(async () => {
  await w.stop();
  await upstream.close();
});

const x = (length: number) => "x".repeat(length);
const header = (more: object) => [{ type: "HEADER", ...more }, BODY];
const footer = (text: unknown) => [BODY, { type: "FOOTER", text }];
const buttons = (...list: unknown[]) => [BODY, { type: "BUTTONS", buttons: list }];
const carousel = (...cards: unknown[]) => [BODY, { type: "CAROUSEL", cards }];
const FILE = { example: { header_handle: ["4::aW1hZ2U"] } };
const REPLY = { type: "QUICK_REPLY", text: "Sim" };
const CARD = {
  components: [{ type: "HEADER", format: "IMAGE", ...FILE }, BODY, { type: "BUTTONS", buttons: [REPLY] }],
};

let made = 0;
const create = (components: unknown) =>
  templatesOf(w, c).create({ name: `template_${++made}`, category: "MARKETING", components });

describe("components that are passed on as they are", () => {
  const cases: [rule: string, components: unknown[]][] = [
    ["G-478 G-479 a body with a variable and its example", [BODY]],
    ["G-478 a body without variables", [{ type: "BODY", text: "Olá!" }]],
    [
      "a body of an authentication template, which has no text of ours",
      [{ type: "BODY", add_security_recommendation: true }],
    ],
    ["G-480 a text header", header({ format: "TEXT", text: "Oi" })],
    [
      "G-481 a text header with a variable and its example",
      header({ format: "TEXT", text: "Oi {{1}}", example: { header_text: ["Ana"] } }),
    ],
    ["G-480 G-481 an image header", header({ format: "IMAGE", ...FILE })],
    ["G-480 G-481 a video header", header({ format: "VIDEO", ...FILE })],
    ["G-480 G-481 a document header", header({ format: "DOCUMENT", ...FILE })],
    ["G-480 a location header", header({ format: "LOCATION" })],
    [
      "G-375 G-480 a product header",
      [...header({ format: "PRODUCT" }), ...buttons({ type: "SPM", text: "Ver" }).slice(1)],
    ],
    [
      "G-375 cards with a product header",
      carousel(...[1, 2].map(() => ({ components: [{ type: "HEADER", format: "PRODUCT" }, BODY] }))),
    ],
    ["G-482 a footer of 60 characters", footer(x(60))],
    ["G-482 GAP-C13 a footer of 60 emoji, which are characters", footer("😀".repeat(60))],
    ["G-484 ten buttons", buttons(...Array<unknown>(10).fill(REPLY))],
    ["G-485 QUICK_REPLY", buttons(REPLY)],
    ["G-485 URL", buttons({ type: "URL", text: "Abrir", url: "https://example.com" })],
    [
      "G-485 G-486 URL with a variable and its example",
      buttons({ type: "URL", text: "Abrir", url: "https://example.com/{{1}}", example: ["https://example.com/1"] }),
    ],
    ["G-485 PHONE_NUMBER", buttons({ type: "PHONE_NUMBER", text: "Ligar", phone_number: "+5511999990001" })],
    ["G-485 COPY_CODE", buttons({ type: "COPY_CODE", example: "CUPOM10" })],
    [
      "G-485 OTP",
      buttons({
        type: "OTP",
        otp_type: "ONE_TAP",
        text: "Copiar",
        supported_apps: [{ package_name: "com.example", signature_hash: "K8a/AINcGX7" }],
      }),
    ],
    ["G-485 CATALOG", buttons({ type: "CATALOG", text: "Ver" })],
    ["G-485 MPM", buttons({ type: "MPM", text: "Ver" })],
    ["G-485 SPM", buttons({ type: "SPM", text: "Ver" })],
    [
      "G-485 FLOW",
      buttons({ type: "FLOW", text: "Abrir", flow_id: "1", flow_action: "navigate", navigate_screen: "S" }),
    ],
    ["G-485 VOICE_CALL", buttons({ type: "VOICE_CALL", text: "Ligar" })],
    ["G-487 a carousel of one card", carousel(CARD)],
    ["G-487 a carousel of ten cards", carousel(...Array<unknown>(10).fill(CARD))],
    [
      "G-488 an offer that ends",
      [BODY, { type: "LIMITED_TIME_OFFER", limited_time_offer: { text: "Só hoje", has_expiration: true } }],
    ],
    [
      "fields that are not known here",
      [
        { ...BODY, unknown: { deep: [1, null] } },
        { type: "BUTTONS", buttons: [{ ...REPLY, other: false }], more: "x" },
      ],
    ],
  ];
  test.each(cases)("%s", async (_, components) => {
    upstream.script({ status: 200, body: { id: `1689${++made}`, status: "PENDING" } });
    const created = await create(components);
    expect(gatewaySays(created)).toBe("201");
    expect(created.body.components).toEqual(components);
    expect(upstream.arrived.at(-1)?.body).toMatchObject({ components });
  });
});

describe("components that are refused, and nothing happens", () => {
  const cases: [rule: string, components: unknown, said: string][] = [
    ["G-475 none", undefined, "is required"],
    ["G-475 an empty list", [], "must have at least 1 items"],
    ["G-475 no list", { type: "BODY" }, "must be an array"],
    ["G-475 what is no component", [BODY, "BODY"], "1 must be an object"],
    ["G-475 nothing in the list", [null], "0 must be an object"],
    [
      "an unknown type",
      [{ type: "TITLE", text: "x" }, BODY],
      "0.type must be one of HEADER, BODY, FOOTER, BUTTONS, CAROUSEL, LIMITED_TIME_OFFER",
    ],
    ["a type in lower case", [{ type: "body", text: "x" }], "0.type must be one of"],
    ["no type", [{ text: "x" }, BODY], "0.type is required"],
    ["G-478 only a footer", [{ type: "FOOTER", text: "x" }], "must have a component of type BODY"],
    ["G-479 a body whose variable has no example", [{ type: "BODY", text: "Oi {{1}}!" }], "0.example is required"],
    [
      "G-479 a body whose example is of another kind",
      [{ ...BODY, example: { header_text: ["Ana"] } }],
      "0.example.body_text is required",
    ],
    [
      "G-479 a flat list of examples",
      [{ ...BODY, example: { body_text: ["Ana"] } }],
      "0.example.body_text.0 must be an array",
    ],
    [
      "G-479 an empty list of examples",
      [{ ...BODY, example: { body_text: [] } }],
      "0.example.body_text must have at least 1 items",
    ],
    [
      "G-479 an example that is a number",
      [{ ...BODY, example: { body_text: [[1]] } }],
      "0.example.body_text.0.0 must be a string",
    ],
    ["a body whose text is a number", [{ type: "BODY", text: 5 }], "0.text must be a string"],
    ["a body with a NUL", [{ type: "BODY", text: "a\0b" }], "0.text must not contain a NUL character"],
    [
      "G-480 a header of format AUDIO",
      header({ format: "AUDIO" }),
      "0.format must be one of TEXT, IMAGE, VIDEO, DOCUMENT, LOCATION, PRODUCT",
    ],
    ["G-480 a header without format", header({ text: "Oi" }), "0.format is required"],
    ["G-480 a text header without text", header({ format: "TEXT" }), "0.text is required"],
    [
      "G-481 a header text whose variable has no example",
      header({ format: "TEXT", text: "Oi {{1}}" }),
      "0.example is required",
    ],
    [
      "G-481 a header text with an example of another kind",
      header({ format: "TEXT", text: "Oi {{1}}", example: { body_text: [["Ana"]] } }),
      "0.example.header_text is required",
    ],
    ["G-481 a media header without a file", header({ format: "IMAGE" }), "0.example is required"],
    [
      "G-481 a media header with an empty list of files",
      header({ format: "VIDEO", example: { header_handle: [] } }),
      "0.example.header_handle must have at least 1 items",
    ],
    ["G-482 a footer of 61 characters", footer(x(61)), "1.text must have at most 60 characters"],
    ["G-482 an empty footer", footer(""), "1.text must have at least 1 character"],
    ["G-483 a variable in the footer", footer("Até {{1}}"), "1.text must not contain variables"],
    [
      "G-483 a named variable in the footer, on its second line",
      footer("Até\n{{dia}}"),
      "1.text must not contain variables",
    ],
    ["G-484 eleven buttons", buttons(...Array<unknown>(11).fill(REPLY)), "1.buttons must have at most 10 items"],
    ["G-484 no buttons", buttons(), "1.buttons must have at least 1 items"],
    ["G-484 buttons that are missing", [BODY, { type: "BUTTONS" }], "1.buttons is required"],
    [
      "G-485 a button FAX",
      buttons(REPLY, { type: "FAX", text: "x" }),
      "1.buttons.1.type must be one of QUICK_REPLY, URL",
    ],
    ["G-485 a button without type", buttons({ text: "x" }), "1.buttons.0.type is required"],
    ["G-485 a button that is none", buttons("x"), "1.buttons.0 must be an object"],
    ["G-485 a quick reply without text", buttons({ type: "QUICK_REPLY" }), "1.buttons.0.text is required"],
    [
      "G-485 a phone button without number",
      buttons({ type: "PHONE_NUMBER", text: "x" }),
      "1.buttons.0.phone_number is required",
    ],
    [
      "G-485 an OTP of an unknown kind",
      buttons({ type: "OTP", otp_type: "TWO_TAP" }),
      "1.buttons.0.otp_type must be one of",
    ],
    ["G-486 a URL button without URL", buttons({ type: "URL", text: "x" }), "1.buttons.0.url is required"],
    [
      "G-486 a URL with a variable and no example",
      buttons({ type: "URL", text: "x", url: "https://example.com/{{1}}" }),
      "1.buttons.0.example is required",
    ],
    ["G-487 eleven cards", carousel(...Array<unknown>(11).fill(CARD)), "1.cards must have at most 10 items"],
    ["G-487 no cards", carousel(), "1.cards must have at least 1 items"],
    ["G-487 a card without components", carousel(CARD, {}), "1.cards.1.components is required"],
    [
      "G-487 a card with a text header",
      carousel({ components: [{ type: "HEADER", format: "TEXT", text: "x" }] }),
      "1.cards.0.components.0.format must be one of IMAGE, VIDEO, DOCUMENT",
    ],
    [
      "G-487 a card with a footer",
      carousel({ components: [{ type: "FOOTER", text: "x" }] }),
      "1.cards.0.components.0.type must be one of HEADER, BODY, BUTTONS",
    ],
    [
      "G-487 a carousel in a card",
      carousel({ components: carousel(CARD) }),
      "1.cards.0.components.1.type must be one of",
    ],
    [
      "G-487 eleven buttons on a card",
      carousel({ components: [{ type: "BUTTONS", buttons: Array<unknown>(11).fill(REPLY) }] }),
      "buttons must have at most 10 items",
    ],
    [
      "G-488 an offer without text",
      [BODY, { type: "LIMITED_TIME_OFFER", limited_time_offer: { has_expiration: true } }],
      "1.limited_time_offer.text is required",
    ],
    [
      "G-488 an offer without its object",
      [BODY, { type: "LIMITED_TIME_OFFER", text: "x" }],
      "1.limited_time_offer is required",
    ],
    [
      "G-488 an offer whose end is no boolean",
      [BODY, { type: "LIMITED_TIME_OFFER", limited_time_offer: { text: "x", has_expiration: "yes" } }],
      "has_expiration must be a boolean",
    ],
  ];
  test.each(cases)("%s", async (_, components, said) => {
    const calls = upstream.arrived.length;
    const refused = await create(components);
    expect(gatewaySays(refused)).toBe("400 VALIDATION_ERROR");
    expect(refused.body.error.details).toEqual({
      formErrors: [],
      fieldErrors: { components: [expect.stringContaining(said)] },
    });
    expect(upstream.arrived).toHaveLength(calls);
    expect(await rowsOf(w, "SELECT id FROM templates WHERE name = ?1", [`template_${made}`])).toEqual([]);
  });

  test("each fault of several components is named", async () => {
    const refused = await create([{ type: "HEADER", format: "AUDIO" }, { type: "FOOTER", text: "{{1}}" }, BODY]);
    expect(refused.body.error.details.fieldErrors.components).toEqual([
      expect.stringMatching(/^0\.format /),
      expect.stringMatching(/^1\.text /),
    ]);
  });
});
