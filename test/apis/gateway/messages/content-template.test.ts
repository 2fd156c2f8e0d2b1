import { describe, expect, test } from "bun:test";
import { SAMPLES } from "../../../../src/conformance/samples.ts";
import { contentGateway, type Refused, type Taken, x } from "../../../support/customers/content-gateway.ts";
import { receivedBy, TO } from "../../../support/customers/customer.ts";

const gateway = contentGateway();

const FILE_URL: string = SAMPLES.image.mediaUrl;
const template = (more: object = {}) => ({ name: "hello", ...more });
const button = (more: object = {}) => ({ parameters: ["p"], ...more });
const withButton = (more: object) => template({ buttons: [button(more)] });
const withHeader = (type: string, url = FILE_URL) => template({ headerMedia: { type, url } });

describe("templates are taken, to the last button", () => {
  const TAKEN: Taken[] = [
    ["G-370 a template by its name", "template", template()],
    ["G-372 no variables", "template", template({ variables: [] })],
    ["G-374 no buttons", "template", template({ buttons: [] })],
    [
      "G-374 ten buttons",
      "template",
      template({ buttons: Array.from({ length: 10 }, (_, index) => button({ index })) }),
    ],
    ["G-377 the index 0", "template", withButton({ index: 0 })],
    ["G-377 the index 9", "template", withButton({ index: 9 })],
    ["G-379 a button with 1 parameter", "template", withButton({ parameters: ["a"] })],
    ["G-379 a button with 3 parameters", "template", withButton({ parameters: ["a", "b", "c"] })],
  ];
  gateway.takes(TAKEN);
});

describe("templates are refused, and nothing happens", () => {
  const REFUSED: Refused[] = [
    ["G-370 no name", "template", { language: "pt_BR" }, "name"],
    ["G-370 an empty name", "template", template({ name: "" }), "name"],
    ["G-371 a language that is no text", "template", template({ language: ["pt_BR"] }), "language"],
    ["G-372 variables that are no list", "template", template({ variables: "Ana" }), "variables"],
    ["G-372 a variable that is a number", "template", template({ variables: ["Ana", 1] }), "variables.1"],
    ["G-373 a header of type audio", "template", withHeader("audio"), "headerMedia.type"],
    ["G-373 a header without a URL", "template", template({ headerMedia: { type: "image" } }), "headerMedia.url"],
    [
      "G-373 GAP-C09 a header from a plain http URL",
      "template",
      withHeader("image", "http://files.example.com/a.jpg"),
      "headerMedia.url",
    ],
    [
      "G-373 a header's filename of 256 characters",
      "template",
      template({ headerMedia: { type: "document", url: FILE_URL, filename: x(256) } }),
      "headerMedia.filename",
    ],
    ["G-374 eleven buttons", "template", template({ buttons: Array.from({ length: 11 }, () => button()) }), "buttons"],
    ["G-375 an unknown subType", "template", withButton({ subType: "phone" }), "buttons.0.subType"],
    ["G-377 the index -1", "template", withButton({ index: -1 }), "buttons.0.index"],
    ["G-377 the index 10", "template", withButton({ index: 10 }), "buttons.0.index"],
    ["G-377 the index 1.5", "template", withButton({ index: 1.5 }), "buttons.0.index"],
    ["G-379 a button without parameters", "template", withButton({ parameters: [] }), "buttons.0.parameters"],
    [
      "G-379 a button with 4 parameters",
      "template",
      withButton({ parameters: ["a", "b", "c", "d"] }),
      "buttons.0.parameters",
    ],
    ["G-379 a parameter that is a number", "template", withButton({ parameters: ["a", 1] }), "buttons.0.parameters.1"],
  ];
  gateway.refuses(REFUSED);
});

describe("what the network gets", () => {
  test("G-371 pt_BR where no language is given", async () => {
    expect((await gateway.upstreamBody("template", template())).template).toMatchObject({
      name: "hello",
      language: { code: "pt_BR" },
    });
    expect((await gateway.upstreamBody("template", template({ language: "en_US" }))).template.language.code).toBe(
      "en_US",
    );
  });

  test("G-372 variables as the body's parameters, in their order", async () => {
    const { template: got } = await gateway.upstreamBody("template", template({ variables: ["Ana", "12"] }));
    expect(got.components).toEqual([
      { type: "body", parameters: ["Ana", "12"].map((text) => ({ type: "text", text })) },
    ]);
  });

  test.each(["image", "video", "document"])("G-373 a header of type %s as its parameter", async (type) => {
    const { template: got } = await gateway.upstreamBody("template", withHeader(type));
    expect(got.components).toEqual([{ type: "header", parameters: [{ type, [type]: { link: FILE_URL } }] }]);
  });

  test("G-375 G-376 G-377 G-378 G-380 G-381 buttons with the parameter type that their kind asks for, their index and their value as given", async () => {
    const buttons = [
      { parameters: ["a%20b?c=d"] },
      { subType: "url", index: 1, parameters: ["otp-123"] },
      { subType: "copy_code", index: 3, parameters: ["CUPOM10"] },
      { subType: "quick_reply", index: 7, parameters: ["yes-4711"] },
    ];
    const { template: got } = await gateway.upstreamBody("template", template({ buttons }));
    expect(got.components).toEqual([
      { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: "a%20b?c=d" }] },
      { type: "button", sub_type: "url", index: "1", parameters: [{ type: "text", text: "otp-123" }] },
      {
        type: "button",
        sub_type: "copy_code",
        index: "3",
        parameters: [{ type: "coupon_code", coupon_code: "CUPOM10" }],
      },
      { type: "button", sub_type: "quick_reply", index: "7", parameters: [{ type: "payload", payload: "yes-4711" }] },
    ]);
  });

  test("G-384 G-615 the payload of a quick reply comes back when it is tapped", async () => {
    const [w, c] = [gateway.world(), gateway.customer()];
    await w.graph.inbound.templateButton({ to: c.phone.phoneNumberId, from: TO, payload: "yes-4711", text: "Sim" });
    await w.settle();
    expect(receivedBy(c.hook, "message:received").at(-1)).toMatchObject({
      type: "button_reply",
      content: { selectedId: "yes-4711", text: "Sim" },
    });
  });
});
