import { expect, test } from "bun:test";
import type { Content } from "../../../src/contract/content/content.ts";
import { bodySent, COMMON, wabaChannel } from "../../support/networks/waba-channel.ts";

const channel = wabaChannel();

/** What the upstream receives for a template send. */
const bodyOf = (content: Extract<Content, { type: "template" }>["content"]) =>
  bodySent(channel(), { type: "template", content });

const FILE = "https://f.example.com/h";

test("G-371 goes in pt_BR without a language, and without components where nothing is to be filled in", async () => {
  expect(await bodyOf({ name: "hello" })).toEqual({
    ...COMMON,
    type: "template",
    template: { name: "hello", language: { code: "pt_BR", policy: "deterministic" } },
  });
  expect(await bodyOf({ name: "hello", language: "en_US", variables: [], buttons: [] })).toMatchObject({
    template: { language: { code: "en_US" } },
  });
});

test("G-372 variables become the body's parameters, in order", async () => {
  const parameters = [
    { type: "text", text: "Ana" },
    { type: "text", text: "2" },
  ];
  expect(await bodyOf({ name: "order", variables: ["Ana", "2"] })).toMatchObject({
    template: { components: [{ type: "body", parameters }] },
  });
});

test.each(["image", "video", "document"] as const)(
  "G-373 headerMedia of type %s becomes the header's parameter",
  async (type) => {
    expect(await bodyOf({ name: "order", headerMedia: { type, url: FILE } })).toMatchObject({
      template: { components: [{ type: "header", parameters: [{ type, [type]: { link: FILE } }] }] },
    });
  },
);

test("G-373 a document in the header shows the name it was given, other files have none", async () => {
  const parameterOf = async (type: "image" | "document") => {
    const body = (await bodyOf({ name: "order", headerMedia: { type, url: FILE, filename: "nota.pdf" } })) as {
      template: { components: { parameters: unknown[] }[] };
    };
    return body.template.components[0]?.parameters;
  };
  expect(await parameterOf("document")).toEqual([{ type: "document", document: { link: FILE, filename: "nota.pdf" } }]);
  expect(await parameterOf("image")).toEqual([{ type: "image", image: { link: FILE } }]);
});

test("G-374 G-375 G-376 G-377 G-378 G-379 G-380 G-381 buttons: the parameter's type follows the button's", async () => {
  const body = await bodyOf({
    name: "order",
    variables: ["x"],
    buttons: [
      { parameters: ["a%20b?c=%C3%A9"] },
      { subType: "copy_code", index: 2, parameters: ["SAVE 10"] },
      { subType: "quick_reply", index: 9, parameters: ["PAY", "LATER"] },
      { subType: "url", index: 1, parameters: ["123456"] },
    ],
  });
  const payloads = [
    { type: "payload", payload: "PAY" },
    { type: "payload", payload: "LATER" },
  ];
  expect(body).toMatchObject({
    template: {
      components: [
        { type: "body" },
        { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: "a%20b?c=%C3%A9" }] },
        {
          type: "button",
          sub_type: "copy_code",
          index: "2",
          parameters: [{ type: "coupon_code", coupon_code: "SAVE 10" }],
        },
        { type: "button", sub_type: "quick_reply", index: "9", parameters: payloads },
        { type: "button", sub_type: "url", index: "1", parameters: [{ type: "text", text: "123456" }] },
      ],
    },
  });
});

test("G-376 a one-time password is the body's variable and the parameter of a url button", async () => {
  const parameters = [{ type: "text", text: "482915" }];
  expect(
    await bodyOf({ name: "login_code", variables: ["482915"], buttons: [{ parameters: ["482915"] }] }),
  ).toMatchObject({
    template: {
      components: [
        { type: "body", parameters },
        { type: "button", sub_type: "url", index: "0", parameters },
      ],
    },
  });
});
