import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rowsOf } from "../../../../support/customers/customer.ts";
import { beeperPlugin, type PagerNetwork, pagerNetwork } from "../../../../support/networks/pager.ts";
import { startWorld, untilConnected, type World } from "../../../../support/world.ts";

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");

let w: World;
let network: PagerNetwork;
let key: string;
let phoneId: string;
beforeAll(async () => {
  network = pagerNetwork();
  const beeper = beeperPlugin(network);
  const plain = { ...beeper, capabilities: { ...beeper.capabilities, furtherFields: {} } };
  w = await startWorld({ plugins: [network.plugin, plain] });
  ({ key } = await w.account());
  network.tokens.add("pg-8000001");
  const body = { type: "PAGER", label: "Night shift", credentials: { token: "pg-8000001" } };
  phoneId = (await w.gateway("/v1/phones", { key, body })).body.id;
  await untilConnected(w, phoneId);
});
afterAll(() => w.stop());

const kept = async (bytes: Uint8Array, contentType: string): Promise<string> => {
  const answer = await fetch(`${w.app.url}/gateway/v1/media/files`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": contentType },
    body: bytes,
  });
  return ((await answer.json()) as { mediaHandle: string }).mediaHandle;
};
const send = (type: string, content: object, phone = phoneId) =>
  w.gateway("/v1/messages", { key, body: { phoneId: phone, to: "anna.7", type, content } });
/** The refusal of a send, which leaves no message. */
const refusalOf = async (type: string, content: object, phone = phoneId) => {
  const before = await rowsOf(w, "SELECT count(*) FROM messages");
  const { status, body } = await send(type, content, phone);
  expect(await rowsOf(w, "SELECT count(*) FROM messages")).toEqual(before);
  return [status, body.error.code, body.error.message, body.error.details];
};
const invalid = (issue: string) => [
  400,
  "VALIDATION_ERROR",
  expect.any(String),
  expect.objectContaining({ fieldErrors: { content: [issue] } }),
];

describe("a limit that a kind declares for a type of content", () => {
  test.each([
    [
      "characters",
      "é".repeat(161),
      { chars: 161, maxChars: 160, field: "text" },
      "The text has 161 characters; this network takes at most 160.",
    ],
    [
      "bytes",
      "😀".repeat(51),
      { bytes: 204, maxBytes: 200, field: "text" },
      "The text has 204 bytes; this network takes at most 200.",
    ],
  ])(
    "in %s refuses a longer text before it is queued, with the field, the limit and what was given",
    async (_, text, details, message) => {
      expect(await refusalOf("text", { text })).toEqual([400, "CAPTION_TOO_LARGE", message, details]);
    },
  );

  test("counts an emoji as one character, and a text of the very limit goes out", async () => {
    const text = `${"x".repeat(150)}${"😀".repeat(10)}`;
    expect((await send("text", { text })).status).toBe(202);
    await w.settle();
    expect(network.sent.map((page) => page.text)).toContain(text);
  });

  test("in characters refuses a longer caption", async () => {
    const content = { mediaUrl: "https://example.com/a.png", caption: "x".repeat(21) };
    expect(await refusalOf("image", content)).toEqual([
      400,
      "CAPTION_TOO_LARGE",
      "The caption has 21 characters; this network takes at most 20.",
      { chars: 21, maxChars: 20, field: "caption" },
    ]);
  });

  test("refuses a kept file by its size, and takes one of the very limit", async () => {
    const file = (bytes: number) => kept(Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]), "image/png");
    expect(await refusalOf("image", { mediaHandle: await file(1001) })).toEqual(
      invalid("mediaHandle names a file of 1001 bytes; this network takes at most 1000"),
    );
    expect((await send("image", { mediaHandle: await file(1000) })).status).toBe(202);
  });

  test("refuses a kept file by the type that its bytes show, whatever the client calls it", async () => {
    const mediaHandle = await kept(Buffer.from("%PDF-1.7\n%%EOF"), "image/png");
    expect(await refusalOf("image", { mediaHandle, mimeType: "image/png" })).toEqual(
      invalid("mediaHandle is application/pdf; this network takes image/png"),
    );
  });

  test("refuses a link whose file is of another family, as the client says, and asks for no link", async () => {
    const mediaUrl = "https://example.com/a";
    expect(await refusalOf("image", { mediaUrl, mimeType: "text/html; q=1" })).toEqual(
      invalid("mimeType is text/html; this network takes image/png"),
    );
    for (const mimeType of ["image/png", "IMAGE/PNG", "image/webp", "application/octet-stream", "binary/octet-stream"])
      expect((await send("image", { mediaUrl, mimeType })).status).toBe(202);
  });

  test("names a whole family of types by *", async () => {
    const mediaUrl = "https://example.com/a";
    expect((await send("document", { mediaUrl, mimeType: "text/csv" })).status).toBe(202);
    expect(await refusalOf("document", { mediaUrl, mimeType: "image/png" })).toEqual(
      invalid("mimeType is image/png; this network takes text/*"),
    );
  });

  test("is shown by GET /v1/kinds and by the phone's capabilities", async () => {
    const shown = [
      {
        type: "document",
        textMaxChars: null,
        textMaxBytes: null,
        captionMaxChars: null,
        captionMaxBytes: null,
        maxFileBytes: null,
        mimeTypes: ["text/*"],
        furtherFields: [],
      },
      expect.objectContaining({
        type: "image",
        captionMaxChars: 20,
        maxFileBytes: 1000,
        mimeTypes: ["image/png"],
        furtherFields: ["viewOnce"],
      }),
      expect.objectContaining({ type: "text", textMaxChars: 160, textMaxBytes: 200, mimeTypes: null }),
    ];
    const { body: kinds } = await w.gateway("/v1/kinds", { key });
    const pager = kinds.items.find(({ type }: { type: string }) => type === "PAGER");
    expect(pager.capabilities.contentLimits).toEqual(shown);
    expect((await w.gateway(`/v1/phones/${phoneId}/capabilities`, { key })).body.contentLimits).toEqual(shown);
  });
});

describe("a field of a content that few networks have", () => {
  const mediaUrl = "https://example.com/a.png";
  let other: string;
  beforeAll(async () => {
    network.tokens.add("pg-9000001");
    const body = { type: "BEEPER", label: "Day shift", credentials: { token: "pg-9000001" } };
    other = (await w.gateway("/v1/phones", { key, body })).body.id;
  });

  test("is taken by a kind that declares it for the type", async () => {
    expect((await send("image", { mediaUrl, viewOnce: true })).status).toBe(202);
  });

  test("is refused by another kind, named, before anything is queued", async () => {
    expect(await refusalOf("image", { mediaUrl, viewOnce: true }, other)).toEqual(
      invalid("viewOnce is not for this type of phone"),
    );
  });

  test("that is off asks for nothing, and no kind refuses it", async () => {
    expect((await send("image", { mediaUrl, viewOnce: false, mentions: [] }, other)).status).toBe(202);
  });

  test.each([
    ["image", "viewOnce"],
    ["image", "mentions"],
    ["document", "thumbnail"],
    ["document", "mentions"],
    ["text", "mentions"],
  ])("that is null is absent for every kind: %s %s", async (type, field) => {
    const content = type === "text" ? { text: "Hi" } : { mediaUrl };
    for (const phone of [phoneId, other]) {
      const { status, body } = await send(type, { ...content, [field]: null }, phone);
      expect(status).toBe(202);
      const { body: shown } = await w.gateway(`/v1/messages/${body.messageId}`, { key });
      expect(shown.content).not.toHaveProperty(field);
    }
  });

  test("that has a foreign shape is refused by every kind, named", async () => {
    for (const phone of [phoneId, other])
      expect(await refusalOf("document", { mediaUrl, thumbnail: "https://example.com/a.png" }, phone)).toEqual([
        400,
        "VALIDATION_ERROR",
        expect.any(String),
        expect.objectContaining({ fieldErrors: { content: [expect.stringContaining("thumbnail")] } }),
      ]);
  });

  test("that no content of the type has is dropped, as ever", async () => {
    expect((await send("image", { mediaUrl, glitter: true }, other)).status).toBe(202);
  });
});
