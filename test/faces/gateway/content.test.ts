import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Customer, newCustomer, sendsOf, TO, toldTo, tracesOf } from "../../support/customer.ts";
import { gatewaySays } from "../../support/refusals.ts";
import { startWorld, type World } from "../../support/world.ts";

let w: World;
let c: Customer;
beforeAll(async () => {
  w = await startWorld({ env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" } });
  c = await newCustomer(w);
  w.graph.addMedia({ id: HANDLE, bytes: new Uint8Array(8), mimeType: "image/jpeg", phoneNumberId: c.phone.phoneNumberId });
});
afterAll(() => w.stop());

const x = (length: number) => "x".repeat(length);
const HANDLE = "2754859441498128";
const URL_OF_IMAGE = "https://files.example.com/a.jpg";
const button = (more: object = {}) => ({ parameters: ["p"], ...more });

/** What the upstream got for a content that was accepted. */
const upstreamBody = async (type: string, content: object) => {
  const id = await c.sent({ type, content });
  expect((await c.message(id)).status).toBe("SENT");
  return sendsOf(w, c).find((one) => one.biz_opaque_callback_data === id);
};

describe("content that is taken, to the last character", () => {
  const cases: [rule: string, type: string, content: object][] = [
    ["G-272 G-310 a text of 1 character", "text", { text: "x" }],
    ["G-310 a text of 4096 characters", "text", { text: x(4096) }],
    ["G-310 GAP-C13 a text of 4096 emoji, which are characters", "text", { text: "😀".repeat(4096) }],
    ["G-272 G-311 an image from a URL", "image", { mediaUrl: URL_OF_IMAGE }],
    ["G-311 an image from a handle", "image", { mediaHandle: HANDLE }],
    ["G-272 G-311 a document from a URL", "document", { mediaUrl: "https://files.example.com/a.pdf" }],
    ["G-313 a caption of 1024 characters", "image", { mediaUrl: URL_OF_IMAGE, caption: x(1024) }],
    ["G-313 a document's caption of 1024 characters", "document", { mediaUrl: URL_OF_IMAGE, caption: x(1024) }],
    ["G-314 a filename of 255 characters", "document", { mediaUrl: URL_OF_IMAGE, filename: x(255) }],
    ["G-315 a mimeType of 120 characters", "image", { mediaUrl: URL_OF_IMAGE, mimeType: x(120) }],
    ["G-272 G-370 a template by its name", "template", { name: "hello" }],
    ["G-374 ten buttons", "template", { name: "hello", buttons: Array.from({ length: 10 }, (_, index) => button({ index })) }],
    ["G-377 the index 0", "template", { name: "hello", buttons: [button({ index: 0 })] }],
    ["G-377 the index 9", "template", { name: "hello", buttons: [button({ index: 9 })] }],
    ["G-379 a button with 3 parameters", "template", { name: "hello", buttons: [{ parameters: ["a", "b", "c"] }] }],
  ];
  test.each(cases)("%s", async (_, type, content) => {
    expect((await upstreamBody(type, content)).type).toBe(type);
  });
});

describe("content that is refused, and nothing happens", () => {
  const template = (more: object) => ({ name: "hello", ...more });
  const cases: [rule: string, type: string, content: object, field: string][] = [
    ["G-310 an empty text", "text", { text: "" }, "text"],
    ["G-310 a text of 4097 characters", "text", { text: x(4097) }, "text"],
    ["G-310 no text", "text", {}, "text"],
    ["G-310 a text that is a number", "text", { text: 5 }, "text"],
    ["G-311 neither URL nor handle", "image", { caption: "a" }, "mediaUrl"],
    ["G-311 URL and handle", "document", { mediaUrl: URL_OF_IMAGE, mediaHandle: "1" }, "mediaUrl"],
    ["G-312 GAP-C09 a plain http URL", "image", { mediaUrl: "http://files.example.com/a.jpg" }, "mediaUrl"],
    ["G-312 what is no URL", "image", { mediaUrl: "files" }, "mediaUrl"],
    ["G-312 a URL of another scheme", "document", { mediaUrl: "file:///etc/passwd" }, "mediaUrl"],
    ["G-312 a URL with a password", "image", { mediaUrl: "https://a:b@files.example.com/a.jpg" }, "mediaUrl"],
    ["G-313 a caption of 1025 characters", "image", { mediaUrl: URL_OF_IMAGE, caption: x(1025) }, "caption"],
    ["G-314 a filename of 256 characters", "document", { mediaUrl: URL_OF_IMAGE, filename: x(256) }, "filename"],
    ["G-315 a mimeType of 121 characters", "image", { mediaUrl: URL_OF_IMAGE, mimeType: x(121) }, "mimeType"],
    ["G-653 the removed field mediaId", "image", { mediaId: "1" }, "mediaId"],
    ["G-653 the removed field mediaId beside a URL", "document", { mediaUrl: URL_OF_IMAGE, mediaId: "1" }, "mediaId"],
    ["G-370 no template name", "template", { language: "pt_BR" }, "name"],
    ["G-372 variables that are no list", "template", template({ variables: "Ana" }), "variables"],
    ["G-372 a variable that is a number", "template", template({ variables: [1] }), "variables"],
    ["G-373 a header of type audio", "template", template({ headerMedia: { type: "audio", url: URL_OF_IMAGE } }), "headerMedia"],
    ["G-373 a header from a plain http URL", "template", template({ headerMedia: { type: "image", url: "http://files.example.com/a.jpg" } }), "headerMedia"],
    ["G-374 eleven buttons", "template", template({ buttons: Array.from({ length: 11 }, () => button()) }), "buttons"],
    ["G-375 an unknown subType", "template", template({ buttons: [button({ subType: "flow" })] }), "buttons"],
    ["G-377 the index -1", "template", template({ buttons: [button({ index: -1 })] }), "buttons"],
    ["G-377 the index 10", "template", template({ buttons: [button({ index: 10 })] }), "buttons"],
    ["G-377 the index 1.5", "template", template({ buttons: [button({ index: 1.5 })] }), "buttons"],
    ["G-379 a button without parameters", "template", template({ buttons: [{ parameters: [] }] }), "buttons"],
    ["G-379 a button with 4 parameters", "template", template({ buttons: [{ parameters: ["a", "b", "c", "d"] }] }), "buttons"],
    ["G-379 a parameter that is a number", "template", template({ buttons: [{ parameters: [1] }] }), "buttons"],
  ];
  test.each(cases)("%s", async (_, type, content, field) => {
    const before = await tracesOf(w, c);
    const refused = await c.send({ type, content });
    expect(gatewaySays(refused)).toBe("400 VALIDATION_ERROR");
    expect(Object.keys(refused.body.error.details.fieldErrors)).toEqual(["content"]);
    expect(refused.body.error.details.fieldErrors.content.join()).toContain(field);
    expect(await tracesOf(w, c)).toEqual(before);
  });
});

describe("what the upstream gets", () => {
  test("G-311 media by link or by id, with caption and filename", async () => {
    expect((await upstreamBody("image", { mediaUrl: URL_OF_IMAGE, caption: "a frente" })).image).toEqual({ link: URL_OF_IMAGE, caption: "a frente" });
    expect((await upstreamBody("document", { mediaHandle: HANDLE, filename: "nota.pdf" })).document).toEqual({ id: HANDLE, filename: "nota.pdf" });
  });

  test("G-371 pt_BR where no language is given", async () => {
    expect((await upstreamBody("template", { name: "hello" })).template).toMatchObject({ name: "hello", language: { code: "pt_BR" } });
    expect((await upstreamBody("template", { name: "hello", language: "en_US" })).template.language.code).toBe("en_US");
  });

  test("G-372 variables as the body's parameters, in their order", async () => {
    const { template } = await upstreamBody("template", { name: "hello", variables: ["Ana", "12"] });
    expect(template.components).toEqual([{ type: "body", parameters: ["Ana", "12"].map((text) => ({ type: "text", text })) }]);
  });

  test.each(["image", "video", "document"])("G-373 a header of type %s as its parameter", async (type) => {
    const { template } = await upstreamBody("template", { name: "hello", headerMedia: { type, url: URL_OF_IMAGE } });
    expect(template.components).toEqual([{ type: "header", parameters: [{ type, [type]: { link: URL_OF_IMAGE } }] }]);
  });

  test("G-375 G-376 G-377 G-378 G-380 G-381 buttons with the parameter type that their kind asks for, their index and their value as given", async () => {
    const { template } = await upstreamBody("template", {
      name: "hello",
      buttons: [
        { parameters: ["a%20b?c=d"] },
        { subType: "url", index: 1, parameters: ["otp-123"] },
        { subType: "copy_code", index: 3, parameters: ["CUPOM10"] },
        { subType: "quick_reply", index: 7, parameters: ["yes-4711"] },
      ],
    });
    expect(template.components).toEqual([
      { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: "a%20b?c=d" }] },
      { type: "button", sub_type: "url", index: "1", parameters: [{ type: "text", text: "otp-123" }] },
      { type: "button", sub_type: "copy_code", index: "3", parameters: [{ type: "coupon_code", coupon_code: "CUPOM10" }] },
      { type: "button", sub_type: "quick_reply", index: "7", parameters: [{ type: "payload", payload: "yes-4711" }] },
    ]);
  });

  test("G-384 G-615 the payload of a quick reply comes back when it is tapped", async () => {
    await w.graph.inbound.templateButton({ to: c.phone.phoneNumberId, from: TO, payload: "yes-4711", text: "Sim" });
    await w.settle();
    expect(toldTo(c.hook, "message:received").at(-1)).toMatchObject({ type: "button_reply", content: { selectedId: "yes-4711", text: "Sim" } });
  });
});

test("G-316 GAP-G34 a file that is too large for the network ends FAILED, as the network says it", async () => {
  w.graph.failNext(1, { kind: "failed-status", code: 131052, details: "Media file size too big. Max file size: 5MB" }, { phoneNumberId: c.phone.phoneNumberId });
  const id = await c.sent({ type: "image", content: { mediaUrl: URL_OF_IMAGE } });
  await w.graph.webhooks.settled();
  await w.settle();
  expect(await c.message(id)).toMatchObject({ status: "FAILED", failedReason: expect.stringMatching(/^\[UPSTREAM_BAD_REQUEST\] \(#131052\) .*too big/) });
});
