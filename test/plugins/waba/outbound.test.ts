import { describe, expect, test } from "bun:test";
import { address } from "../../../plugins/waba/address.ts";
import type { Operation } from "../../../src/contract/abilities/operations.ts";
import type { Content } from "../../../src/contract/content/content.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import { graphError } from "../../support/networks/scripted-graph.ts";
import { arrivedAt, bodySent, COMMON, MESSAGE_ID, orderOf, wabaChannel } from "../../support/networks/waba-channel.ts";

const channel = wabaChannel();

/** What the upstream receives for a content. */
const bodyOf = (content: Content, more: { to?: string; quotedProviderMessageId?: string } = {}) =>
  bodySent(channel(), content, more);

describe("a send of the official API", () => {
  test("goes to the number's messages edge of the configured version, with the token as bearer", async () => {
    await bodyOf({ type: "text", content: { text: "oi" } });
    expect(arrivedAt(channel(), "messages")).toMatchObject([
      { method: "POST", path: "/v26.0/106540352242922/messages", authorization: "Bearer EAAJB-token-0f3e" },
    ]);
  });

  test("carries our messageId along, so that every status brings it back", async () => {
    expect(await bodyOf({ type: "text", content: { text: "oi" } })).toMatchObject({
      biz_opaque_callback_data: MESSAGE_ID,
    });
  });

  test("text: the text as it was written, without a link preview", async () => {
    expect(await bodyOf({ type: "text", content: { text: "olá 🚚\n“tudo bem?”" } })).toEqual({
      ...COMMON,
      type: "text",
      text: { body: "olá 🚚\n“tudo bem?”", preview_url: false },
    });
  });

  test("G-274 a reply names the quoted message", async () => {
    expect(
      await bodyOf({ type: "text", content: { text: "sim" } }, { quotedProviderMessageId: "wamid.QUOTED" }),
    ).toMatchObject({ context: { message_id: "wamid.QUOTED" } });
  });

  test("image: a URL goes as a link, a handle as an id, the MIME type not at all", async () => {
    const image = { caption: "a frente", mimeType: "image/jpeg" };
    expect(await bodyOf({ type: "image", content: { ...image, mediaUrl: "https://f.example.com/a.jpg" } })).toEqual({
      ...COMMON,
      type: "image",
      image: { link: "https://f.example.com/a.jpg", caption: "a frente" },
    });
    expect(await bodyOf({ type: "image", content: { mediaHandle: "2754859441498128" } })).toEqual({
      ...COMMON,
      type: "image",
      image: { id: "2754859441498128" },
    });
  });

  test("video: as an image", async () => {
    expect(
      await bodyOf({
        type: "video",
        content: { mediaUrl: "https://f.example.com/a.mp4", caption: "a loja", mimeType: "video/mp4" },
      }),
    ).toEqual({
      ...COMMON,
      type: "video",
      video: { link: "https://f.example.com/a.mp4", caption: "a loja" },
    });
    expect(await bodyOf({ type: "video", content: { mediaHandle: "2754859441498128", caption: "" } })).toMatchObject({
      video: { id: "2754859441498128" },
    });
  });

  test("G-318 audio: only a voice note is marked as one", async () => {
    const audio = { mediaUrl: "https://f.example.com/a.ogg" };
    expect(
      await bodyOf({ type: "audio", content: { ...audio, ptt: true, mimeType: "audio/ogg; codecs=opus" } }),
    ).toEqual({
      ...COMMON,
      type: "audio",
      audio: { link: "https://f.example.com/a.ogg", voice: true },
    });
    expect(await bodyOf({ type: "audio", content: { mediaHandle: "2754859441498128" } })).toEqual({
      ...COMMON,
      type: "audio",
      audio: { id: "2754859441498128" },
    });
    expect(await bodyOf({ type: "audio", content: { ...audio, ptt: false, mimeType: "audio/mpeg" } })).toMatchObject({
      audio: { link: "https://f.example.com/a.ogg" },
    });
  });

  test("sticker: its file alone", async () => {
    expect(
      await bodyOf({ type: "sticker", content: { mediaUrl: "https://f.example.com/a.webp", mimeType: "image/webp" } }),
    ).toEqual({
      ...COMMON,
      type: "sticker",
      sticker: { link: "https://f.example.com/a.webp" },
    });
  });

  test("document: caption and filename go along", async () => {
    expect(
      await bodyOf({
        type: "document",
        content: { mediaUrl: "https://f.example.com/a.pdf", caption: "nota", filename: "nota 1.pdf" },
      }),
    ).toEqual({
      ...COMMON,
      type: "document",
      document: { link: "https://f.example.com/a.pdf", caption: "nota", filename: "nota 1.pdf" },
    });
  });

  test("G-323 G-324 G-325 G-326 location: the point, and the place where it is named", async () => {
    const point = { latitude: -23.561414, longitude: 0 };
    expect(
      await bodyOf({ type: "location", content: { ...point, name: "Padaria Aurora", address: "Rua Augusta, 1500" } }),
    ).toEqual({
      ...COMMON,
      type: "location",
      location: { ...point, name: "Padaria Aurora", address: "Rua Augusta, 1500" },
    });
    expect(await bodyOf({ type: "location", content: { ...point, name: "", address: "" } })).toMatchObject({
      location: point,
    });
  });

  test("G-327 G-328 G-329 G-330 contact: each card with name, first name, phone and email", async () => {
    const contacts = [
      { name: "Ana Souza", phone: "+55 11 99999-0001", email: "ana@example.com" },
      { name: "Bia", phone: "12345" },
    ];
    expect(await bodyOf({ type: "contact", content: { contacts } })).toEqual({
      ...COMMON,
      type: "contacts",
      contacts: [
        {
          name: { formatted_name: "Ana Souza", first_name: "Ana Souza" },
          phones: [{ phone: "+55 11 99999-0001" }],
          emails: [{ email: "ana@example.com" }],
        },
        { name: { formatted_name: "Bia", first_name: "Bia" }, phones: [{ phone: "12345" }] },
      ],
    });
  });

  test("G-277 a number goes as `to`, a business-scoped user id as `recipient`", async () => {
    const body = await bodyOf({ type: "text", content: { text: "oi" } }, { to: "bsuid:BR.ENT.13491208655302741918" });
    expect(body).toMatchObject({ recipient: "BR.ENT.13491208655302741918" });
    expect(body).not.toHaveProperty("to");
  });

  test("the recipient that the network names is stored, and the token is read anew for every send", async () => {
    const { graph, link, host } = channel();
    graph.script({
      status: 200,
      body: { contacts: [{ input: "552191234567", wa_id: "5521912345678" }], messages: [{ id: "wamid.X" }] },
    });
    expect(await link.send(orderOf({ type: "text", content: { text: "oi" } }))).toMatchObject({
      ok: true,
      key: "wamid.X",
      recipient: "5521912345678",
    });
    await host.vault.write({ phoneNumberId: "1", businessAccountId: "2", accessToken: "rotated" });
    await link.send(orderOf({ type: "text", content: { text: "oi" } }));
    expect(arrivedAt(channel(), "messages").at(-1)).toMatchObject({
      path: "/v26.0/1/messages",
      authorization: "Bearer rotated",
    });
  });
});

describe("a recipient of the official API", () => {
  test.each([
    ["5521912345678", "pn:5521912345678"],
    ["pn:5521912345678", "pn:5521912345678"],
    ["bsuid:BR.13491208655302741918", "bsuid:BR.13491208655302741918"],
    ["bsuid:US.ENT.11815799212886844830", "bsuid:US.ENT.11815799212886844830"],
    ["123456", "pn:123456"],
    ["123456789012345", "pn:123456789012345"],
  ])("G-277 %s is taken", (to, key) => {
    expect(address(to)).toEqual({ ok: true, to: key });
  });

  test.each([
    "",
    "+5521912345678",
    "55 21 91234-5678",
    "12345",
    "1234567890123456",
    "0521912345678",
    "5521912345678@s.whatsapp.net",
    "BR.13491208655302741918",
    "bsuid:br.1",
    "bsuid:BR.",
    "bsuid:BR.a-b",
    `bsuid:BR.${"1".repeat(129)}`,
    "pn:",
    "pn:abc",
    "igsid:17841400000000000",
    "lid:123456789",
    "5521912345678\n",
  ])("G-292 %j is refused", (to) => {
    expect(address(to)).toEqual({ ok: false, code: "RECIPIENT_INVALID" });
  });
});

describe("an operation of the official API", () => {
  const about = { key: "wamid.ABOUT" as ProviderMessageId, chat: "pn:5521912345678", sender: null };
  const READ = { messaging_product: "whatsapp", status: "read", message_id: "wamid.ABOUT" };
  const REACTION = { messaging_product: "whatsapp", recipient_type: "individual", type: "reaction" };

  test.each([
    [
      "a reaction",
      { ...about, name: "react", emoji: "👍" },
      { ...REACTION, to: "5521912345678", reaction: { message_id: "wamid.ABOUT", emoji: "👍" } },
    ],
    [
      "taking it back",
      { ...about, name: "react", emoji: "" },
      { ...REACTION, to: "5521912345678", reaction: { message_id: "wamid.ABOUT", emoji: "" } },
    ],
    [
      "a reaction to somebody known by a BSUID",
      { ...about, chat: "bsuid:BR.1", name: "react", emoji: "👍" },
      { ...REACTION, recipient: "BR.1", reaction: { message_id: "wamid.ABOUT", emoji: "👍" } },
    ],
    ["a read", { ...about, name: "read" }, READ],
    ["typing, which also reads", { ...about, name: "typing" }, { ...READ, typing_indicator: { type: "text" } }],
  ] as [string, Operation, object][])("%s is one post to the number's messages", async (_, operation, body) => {
    expect(await channel().link.operate?.(operation)).toEqual({ ok: true });
    expect(arrivedAt(channel(), "messages")).toMatchObject([
      { method: "POST", path: "/v26.0/106540352242922/messages", authorization: "Bearer EAAJB-token-0f3e", body },
    ]);
    expect(Object.keys(arrivedAt(channel(), "messages")[0]?.body as object).toSorted()).toEqual(
      Object.keys(body).toSorted(),
    );
  });

  test.each([{ name: "edit", text: "novo" } as const, { name: "delete" } as const])(
    "G-450 G-455 GAP-G47 %j has no call, and none is made",
    async (action) => {
      expect(await channel().link.operate?.({ ...about, ...action })).toMatchObject({
        ok: false,
        kind: "refused",
        code: "UPSTREAM_UNSUPPORTED",
      });
      expect(arrivedAt(channel(), "messages")).toEqual([]);
    },
  );

  test("fails as a send does: by code, at once without credentials; a refused token ends the connection", async () => {
    const { graph, link, host, open } = channel();
    const read: Operation = { ...about, name: "read" };
    graph.script({ status: 400, body: graphError(131051, "Unsupported message type") });
    expect(await link.operate?.(read)).toMatchObject({ ok: false, kind: "refused", upstreamCode: 131051 });
    expect(await open({}).link.operate?.(read)).toMatchObject({
      ok: false,
      kind: "refused",
      code: "WABA_CREDS_MISSING",
    });
    graph.script({ status: 401, body: graphError(190, "Expired") });
    expect(await link.operate?.(read)).toMatchObject({ ok: false, kind: "retry", code: "WABA_TOKEN_INVALID" });
    expect(host.reports).toEqual([{ state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" }]);
  });
});
