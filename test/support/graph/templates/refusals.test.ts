import { describe, expect, test } from "bun:test";
import { errorOf } from "../fixture.ts";
import { type Fields, textOf } from "../shape.ts";
import {
  BODY,
  body,
  buttons,
  carousel,
  codeOf,
  longText,
  otp,
  picture,
  reply,
  subcodeOf,
  templateBench,
  url,
} from "./fixture.ts";

const bench = templateBench();

describe("a template that is created", () => {
  /** Each with its subcode, or with its message if it has no subcode. */
  const REFUSED: [why: string, patch: Fields, says: number | string][] = [
    ["no name", { name: undefined }, "The parameter name is required"],
    ["no components", { components: undefined }, "The parameter components is required"],
    ["components that are no list", { components: {} }, "non-empty array"],
    ["a name in capitals", { name: "Order" }, 2388046],
    ["a name over 512", { name: "n".repeat(513) }, 2388040],
    ["a language with a hyphen", { language: "pt-BR" }, "Param language must be one of"],
    ["an unknown category", { category: "TRANSACTIONAL" }, "Param category"],
    ["an unknown format of parameters", { parameter_format: "MIXED" }, "Param parameter_format"],
    ["an unknown component", { components: [BODY, { type: "SIGNATURE" }] }, "components['1']['type'] must be one of"],
    ["an unknown key", { components: [{ ...BODY, bold: true }] }, 'Unexpected key "bold"'],
    ["two bodies", { components: [BODY, BODY] }, "each component only once"],
    ["no body", { components: [{ type: "FOOTER", text: "f" }] }, "must have a component of type BODY"],
    ["a body over 1024", { components: [body(longText(1025))] }, 2388040],
    ["a body of three line breaks", { components: [body("a\n\n\nb")] }, 2388072],
    [
      "a variable that is left out",
      { components: [body("Olá {{1}} e depois {{3}} por favor, muito obrigado mesmo.", "a", "b")] },
      2388072,
    ],
    ["a name where numbers belong", { components: [body("Olá {{nome}}, o seu pedido já saiu.", "a")] }, 2388072],
    ["a number where names belong", { parameter_format: "NAMED" }, 2388072],
    ["braces that are no variable", { components: [body("Olá {{1}, o seu pedido já saiu.")] }, 2388072],
    [
      "two variables in a row",
      { components: [body("O seu pedido {{1}} {{2}} já saiu para entrega hoje.", "a", "b")] },
      2388072,
    ],
    ["a variable in front", { components: [body("{{1}}, o seu pedido já saiu.", "Ana")] }, 2388299],
    ["a variable at the end, before a mark", { components: [body("O seu pedido já saiu às {{1}}!", "10h")] }, 2388299],
    ["two words beside a variable", { components: [body("Olá {{1}} tchau", "Ana")] }, 2388293],
    ["no example for the body", { components: [body("Olá {{1}}, o seu pedido já saiu.")] }, 2388043],
    [
      "an example too few",
      { components: [body("Olá {{1}}, o seu pedido {{2}} já saiu para entrega.", "Ana")] },
      2388043,
    ],
    ["examples in one list", { components: [{ ...BODY, example: { body_text: ["Ana"] } }] }, 2388043],
    ["a header over 60", { components: [{ type: "HEADER", format: "TEXT", text: longText(61) }, BODY] }, 2388040],
    [
      "a header with two variables",
      {
        components: [
          { type: "HEADER", format: "TEXT", text: "a {{1}} b {{2}}", example: { header_text: ["1", "2"] } },
          BODY,
        ],
      },
      2388047,
    ],
    ["a header with an emoji", { components: [{ type: "HEADER", format: "TEXT", text: "oi 😀" }, BODY] }, 2388047],
    [
      "a header without its example",
      { components: [{ type: "HEADER", format: "TEXT", text: "Pedido {{1}}" }, BODY] },
      2388043,
    ],
    ["a picture without a handle", { components: [{ type: "HEADER", format: "IMAGE" }, BODY] }, 2388043],
    ["a handle that no upload gave", { components: [picture("4::aW1h"), BODY] }, 2494102],
    [
      "a header of an unknown format",
      { components: [{ type: "HEADER", format: "GIF" }, BODY] },
      "components['0']['format']",
    ],
    ["a footer over 60", { components: [BODY, { type: "FOOTER", text: longText(61) }] }, 2388040],
    ["a footer with a variable", { components: [BODY, { type: "FOOTER", text: "até {{1}}" }] }, 2388073],
    [
      "eleven buttons",
      { components: buttons(...Array.from({ length: 11 }, (_, n) => reply(`r${n}`))) },
      "at most 10 buttons",
    ],
    ["three links", { components: buttons(url(), url(), url()) }, "at most 2 buttons of type URL"],
    [
      "two codes to copy",
      { components: buttons({ type: "COPY_CODE", example: "a" }, { type: "COPY_CODE", example: "b" }) },
      "at most 1 buttons of type COPY_CODE",
    ],
    ["replies around a link", { components: buttons(reply("a"), url(), reply("b")) }, "invalid combination"],
    ["a button over 25", { components: buttons(reply(longText(26))) }, 2388040],
    ["a button with a variable", { components: buttons(reply("oi {{1}}")) }, 2388060],
    ["a link without its example", { components: buttons(url({ url: "https://x.test/{{1}}" })) }, 2388043],
    [
      "a link with its variable amid",
      { components: buttons(url({ url: "https://x.test/{{1}}/a", example: ["u"] })) },
      2388060,
    ],
    ["a link that is none", { components: buttons(url({ url: "x.test" })) }, "['url']"],
    [
      "a phone button without a number",
      { components: buttons({ type: "PHONE_NUMBER", text: "ligar" }) },
      "['phone_number'] is missing",
    ],
    ["a code over 20", { components: buttons({ type: "COPY_CODE", example: "x".repeat(21) }) }, 2388040],
    ["a flow without a flow", { components: buttons({ type: "FLOW", text: "abrir" }) }, "exactly one of flow_id"],
    ["an unknown button", { components: buttons({ type: "EMAIL", text: "e" }) }, "buttons['0']['type'] must be one of"],
    [
      "an OTP button of another category",
      { components: buttons({ type: "OTP", otp_type: "COPY_CODE" }) },
      "no other category has",
    ],
    ["a code with a text of one's own", { category: "AUTHENTICATION", components: [BODY, otp()[1]] }, "takes no text"],
    [
      "a code without its button",
      { category: "AUTHENTICATION", components: [{ type: "BODY" }] },
      "has one button, of type OTP",
    ],
    [
      "a code with a header",
      { category: "AUTHENTICATION", components: [{ type: "HEADER", format: "LOCATION" }, ...otp()] },
      "nothing else",
    ],
    [
      "a code that lasts 91 minutes",
      { category: "AUTHENTICATION", components: [...otp(), { type: "FOOTER", code_expiration_minutes: 91 }] },
      "code_expiration_minutes",
    ],
    [
      "a one-tap code without apps",
      { category: "AUTHENTICATION", components: otp({ otp_type: "ONE_TAP" }) },
      "supported_apps",
    ],
    [
      "an offer that is no marketing",
      { components: [BODY, { type: "LIMITED_TIME_OFFER", limited_time_offer: { text: "só hoje" } }] },
      "for marketing templates",
    ],
    [
      "an offer over 16",
      {
        category: "MARKETING",
        components: [BODY, { type: "LIMITED_TIME_OFFER", limited_time_offer: { text: longText(17) } }],
      },
      2388040,
    ],
    [
      "a carousel that is no marketing",
      { components: carousel([picture("4::aW1h"), { type: "BUTTONS", buttons: [reply("a")] }]) },
      "for marketing templates",
    ],
    [
      "a card without a header",
      { category: "MARKETING", components: carousel([{ type: "BUTTONS", buttons: [reply("a")] }]) },
      "must have a header of format IMAGE, VIDEO or PRODUCT",
    ],
    [
      "a card whose handle is none",
      { category: "MARKETING", components: carousel([picture("4::aW1h"), { type: "BUTTONS", buttons: [reply("a")] }]) },
      2494102,
    ],
    [
      "a marketing one for an hour",
      { category: "MARKETING", message_send_ttl_seconds: 3600 },
      "between 43200 and 2592000",
    ],
    ["a marketing one for ever", { category: "MARKETING", message_send_ttl_seconds: -1 }, "between 43200 and 2592000"],
    ["a utility one for a day", { message_send_ttl_seconds: 86_400 }, "between 30 and 43200"],
    [
      "a code for an hour",
      { category: "AUTHENTICATION", components: otp(), message_send_ttl_seconds: 901 },
      "between 30 and 900",
    ],
  ];
  test.each(REFUSED)("may not have %s", async (_why, patch, says) => {
    const { graph, create } = bench();
    const refused = await create(patch);
    const { message, error_user_msg: sentence } = errorOf(refused);
    expect([refused.status, codeOf(refused)]).toEqual([400, says === 2494102 ? 131009 : 100]);
    if (typeof says === "number") expect(subcodeOf(refused)).toBe(says);
    else expect(`${textOf(message)} ${textOf(sentence)}`).toContain(says);
    expect(graph.templates.size).toBe(0);
  });
});
