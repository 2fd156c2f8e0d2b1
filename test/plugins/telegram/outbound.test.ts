import { describe, expect, test } from "bun:test";
import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { recordingHost } from "../../../src/conformance/recording-host.ts";
import { SAMPLES } from "../../../src/conformance/samples.ts";
import type { Content } from "../../../src/contract/content/content.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { HttpOpen } from "../../../src/contract/ports/http.ts";
import {
  callsOf,
  GROUP,
  keyOf,
  MESSAGE_ID,
  PERSON,
  TOKEN,
  telegramChannel,
} from "../../support/networks/telegram-channel.ts";

const channel = telegramChannel();

const refusal = (status: number, description: string, parameters?: Record<string, number>) =>
  ({ kind: "refuse", status, description, ...(parameters ? { parameters } : {}) }) as const;

describe("what is sent", () => {
  test("a text, and its key is that of the network", async () => {
    expect(await channel().send()).toEqual({ ok: true, key: keyOf(PERSON, 101), recipient: `uid:${PERSON}` });
    expect(callsOf(channel(), "sendMessage")[0]?.fields).toEqual({ chat_id: PERSON, text: "oi" });
  });

  test("a reply names the message that it answers, and is sent without it where that is gone", async () => {
    const { messageId } = channel().bot.people.say({ text: "quanto?" }, { from: PERSON });
    expect(await channel().send(undefined, { quotedProviderMessageId: keyOf(PERSON, messageId) })).toMatchObject({
      ok: true,
    });
    expect(await channel().send(undefined, { quotedProviderMessageId: keyOf(PERSON, 99_999) })).toMatchObject({
      ok: true,
    });
    expect(callsOf(channel(), "sendMessage").map(({ fields }) => fields["reply_parameters"])).toEqual([
      { chat_id: PERSON, message_id: messageId, allow_sending_without_reply: true },
      { chat_id: PERSON, message_id: 99_999, allow_sending_without_reply: true },
    ]);
  });

  test.each<[string, string, Content]>([
    ["sendPhoto", "photo", { type: "image", content: SAMPLES.image }],
    ["sendVideo", "video", { type: "video", content: SAMPLES.video }],
    ["sendAudio", "audio", { type: "audio", content: SAMPLES.audio }],
    ["sendVoice", "voice", { type: "audio", content: { ...SAMPLES.audio, ptt: true } }],
    ["sendDocument", "document", { type: "document", content: SAMPLES.document }],
    ["sendSticker", "sticker", { type: "sticker", content: SAMPLES.sticker }],
    ["sendAnimation", "animation", { type: "image", content: { ...SAMPLES.image, mimeType: "image/gif" } }],
  ])("%s takes the file as it is read", async (method, field, content) => {
    expect(await channel().send(content)).toMatchObject({ ok: true });
    expect(callsOf(channel(), method)[0]?.files).toEqual({ [field]: 500 });
    expect(
      channel()
        .bot.sent()[0]
        ?.bytes?.every((byte) => byte === 7),
    ).toBe(true);
  });

  test("a rich text in Markdown, with buttons that answer, open, copy and have colours", async () => {
    const buttons = [
      [
        { text: "Quero", id: "sim", style: "success" as const },
        { text: "Loja", url: "https://padaria.example/" },
      ],
      [{ text: "Copiar", copyText: "BOLO10" }],
    ];
    const text = "# Cardápio\n\n| Bolo | R$ |\n|:--|--:|\n| Cenoura | 25 |";
    expect(await channel().send({ type: "rich_text", content: { text, buttons } })).toMatchObject({ ok: true });
    expect(callsOf(channel(), "sendRichMessage")[0]?.fields).toEqual({
      chat_id: PERSON,
      rich_message: { markdown: text },
      reply_markup: {
        inline_keyboard: [
          [
            { text: "Quero", callback_data: "sim", style: "success" },
            { text: "Loja", url: "https://padaria.example/" },
          ],
          [{ text: "Copiar", copy_text: { text: "BOLO10" } }],
        ],
      },
    });
    const long = [[{ text: "x", id: "é".repeat(33) }]];
    expect(await channel().send({ type: "rich_text", content: { text, buttons: long } })).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("64 bytes"),
    });
  });

  test("a rich text has rows of buttons in their places within it, and the others below it", async () => {
    const buttons = [
      [
        { text: 'Quero <b>"dois"</b>', id: 'a"b', style: "primary" as const },
        { text: "Loja", url: "https://padaria.example/?a=1&b=2" },
      ],
      [{ text: "Copiar", copyText: "BOLO_10" }],
      [{ text: "Não", id: "nao" }],
    ];
    const text = "# Cardápio\n[[buttons]]\nFim\n  [[buttons]]\n";
    expect(await channel().send({ type: "rich_text", content: { text, buttons } })).toMatchObject({ ok: true });
    const [sent] = channel().bot.sent();
    expect(sent?.rich?.["blocks"]).toEqual([
      expect.anything(),
      {
        type: "buttons",
        buttons: [
          { text: 'Quero <b>"dois"</b>', callback_data: 'a"b', style: "primary" },
          { text: "Loja", url: "https://padaria.example/?a=1&b=2" },
        ],
      },
      { type: "buttons", buttons: [{ text: "Copiar", copy_text: { text: "BOLO_10" } }] },
    ]);
    expect(sent?.markup).toEqual({ inline_keyboard: [[{ text: "Não", callback_data: "nao" }]] });
    expect(sent?.fields?.["rich_message"]).toEqual({
      markdown: expect.stringContaining('\n\n<tg-button-row><tg-button type="callback_data" data="a&#34;b" '),
    });
  });

  test("a poll, whose votes name it by a key of its own", async () => {
    const content = { question: "Qual sabor?", options: ["Cenoura", "Chocolate"], maxSelections: 2 };
    const outcome = await channel().send({ type: "poll", content });
    const [poll] = [...channel().bot.polls.values()];
    expect(poll).toMatchObject({
      question: "Qual sabor?",
      options: content.options,
      isMultiple: true,
      isAnonymous: false,
    });
    expect(outcome).toEqual({
      ok: true,
      key: keyOf(PERSON, 101),
      recipient: `uid:${PERSON}`,
      furtherKeys: [`poll:${poll?.id}` as ProviderMessageId],
    });
  });

  test("a place, one with a name, and several cards as a message each", async () => {
    await channel().send({ type: "location", content: SAMPLES.location });
    await channel().send({ type: "location", content: { ...SAMPLES.location, name: "Loja", address: "Rua A, 1" } });
    const cards = [
      { name: "Ana Souza", phone: "+55 11 99999-0001" },
      { name: "Bia", phone: "+55 11 99999-0002" },
    ];
    const outcome = await channel().send({ type: "contact", content: { contacts: cards } });
    expect(outcome).toMatchObject({ ok: true, key: keyOf(PERSON, 103), furtherKeys: [keyOf(PERSON, 104)] });
    expect(
      channel()
        .bot.sent()
        .map(({ method, fields }) => [method, fields?.["title"] ?? fields?.["first_name"]]),
    ).toEqual([
      ["sendLocation", undefined],
      ["sendVenue", "Loja"],
      ["sendContact", "Ana Souza"],
      ["sendContact", "Bia"],
    ]);
  });

  test("a card that fails after another was sent ends the message, and says that it was sent in part", async () => {
    const contacts = [
      { name: "Ana", phone: "+5511999990001" },
      { name: "Bia", phone: "+5511999990002" },
    ];
    channel().telegram.failNext(
      /^sendContact$/,
      refusal(429, "Too Many Requests: retry after 5", { retry_after: 5 }),
      1,
      1,
    );
    const outcome = await channel().send({ type: "contact", content: { contacts } });
    expect(outcome).toMatchObject({
      ok: false,
      kind: "refused",
      code: "UPSTREAM_RATE_LIMIT",
      furtherKeys: [keyOf(PERSON, 101)],
    });
    expect(channel().bot.sent().length).toBe(1);
  });

  test("buttons and lists are keyboards; what a button has no room for stands in the text", async () => {
    await channel().send({ type: "button", content: { ...SAMPLES.button, footer: "Padaria" } });
    const rows = [
      { id: "roll", title: "Pão francês", description: "50 g" },
      { id: "cake", title: "Bolo" },
    ];
    await channel().send({
      type: "list",
      content: { text: "Qual?", buttonText: "Escolher", sections: [{ title: "Pães", rows }] },
    });
    const [buttons, list] = channel().bot.sent();
    expect([buttons?.text, buttons?.markup]).toEqual([
      "Confirma?\n\nPadaria",
      { inline_keyboard: [[{ text: "Sim", callback_data: "yes" }]] },
    ]);
    expect(list?.text).toBe("Qual?\n\nPães\n• Pão francês: 50 g\n• Bolo");
    expect(list?.markup).toEqual({
      inline_keyboard: [[{ text: "Pão francês", callback_data: "roll" }], [{ text: "Bolo", callback_data: "cake" }]],
    });
  });

  test("an id of more than 64 bytes is refused before anything is sent", async () => {
    const outcome = await channel().send({
      type: "button",
      content: { text: "?", buttons: [{ id: "é".repeat(33), text: "Sim" }] },
    });
    expect(outcome).toMatchObject({ ok: false, kind: "refused", code: "UPSTREAM_BAD_REQUEST" });
    expect(channel().telegram.journal).toEqual([]);
  });

  test("a link is a button, below a picture where it has one; a location request is a key", async () => {
    await channel().send({ type: "cta_url", content: { ...SAMPLES.cta_url, header: { type: "text", text: "Oi" } } });
    await channel().send({
      type: "cta_url",
      content: { ...SAMPLES.cta_url, header: { type: "image", mediaUrl: SAMPLES.image.mediaUrl } },
    });
    await channel().send({ type: "location_request", content: SAMPLES.location_request });
    const [plain, pictured, asked] = channel().bot.sent();
    const markup = { inline_keyboard: [[{ text: "Acompanhar", url: SAMPLES.cta_url.url }]] };
    expect([plain?.text, plain?.markup, pictured?.caption, pictured?.markup]).toEqual([
      `Oi\n\n${SAMPLES.cta_url.text}`,
      markup,
      SAMPLES.cta_url.text,
      markup,
    ]);
    expect(asked?.markup).toMatchObject({ keyboard: [[{ request_location: true }]] });
  });
});

describe("files", () => {
  type Answered = {
    status?: number;
    headers?: Record<string, string>;
    chunks?: readonly Uint8Array[];
    breaks?: boolean;
  };
  /** A link whose customer's server answers so. */
  const linkTo = ({ status = 200, headers = {}, chunks = [new Uint8Array(10)], breaks = false }: Answered) => {
    const guardedStream: HttpOpen = async () => ({
      ok: true,
      status,
      headers,
      body: (async function* () {
        yield* chunks;
        if (breaks) throw new Error("the transfer broke");
      })(),
    });
    const { http, plugin } = channel();
    return plugin.open(
      recordingHost({ http: { ...http, guardedStream }, vault: { token: TOKEN }, clock: manualClock() }),
    );
  };
  const order = {
    type: "image",
    content: { mediaUrl: "https://files.example.com/a.jpg" },
    messageId: MESSAGE_ID,
    to: `uid:${PERSON}`,
  } as const;

  test("a link that does not name its length is given to the network to fetch", async () => {
    expect(await linkTo({}).send(order)).toMatchObject({ ok: true });
    expect(callsOf(channel(), "sendPhoto")[0]).toMatchObject({ fields: { photo: order.content.mediaUrl }, files: {} });
  });

  test("a picture of more than 10 MB goes as a document", async () => {
    const chunk = new Uint8Array(1024 * 1024).fill(1);
    const chunks = Array.from({ length: 11 }, () => chunk);
    expect(
      await linkTo({
        headers: { "content-length": String(11 * 1024 * 1024), "content-type": "image/png" },
        chunks,
      }).send(order),
    ).toMatchObject({ ok: true });
    expect(callsOf(channel(), "sendDocument")[0]?.files).toEqual({ document: 11 * 1024 * 1024 });
  });

  test.each<[string, Answered, string]>([
    ["that is not there", { status: 404 }, "refused"],
    ["whose server is down", { status: 503 }, "retry"],
    ["that is empty", { headers: { "content-length": "0" } }, "refused"],
  ])("a file %s is not sent", async (_, answered, kind) => {
    expect(await linkTo(answered).send(order)).toMatchObject({ ok: false, kind });
    expect(channel().telegram.journal).toEqual([]);
  });

  test("a file that breaks off half-way was certainly not sent", async () => {
    const outcome = await linkTo({
      headers: { "content-length": "2000" },
      chunks: [new Uint8Array(500)],
      breaks: true,
    }).send(order);
    expect(outcome).toMatchObject({ ok: false, kind: "retry", code: "UPSTREAM_UNAVAILABLE" });
    expect(channel().bot.sent()).toEqual([]);
  });

  test("a private address is not reached", async () => {
    const to = "https://10.0.0.1/secret";
    const outcome = await channel().send({ type: "image", content: { mediaUrl: to } });
    expect(outcome).toMatchObject({ ok: false, kind: "refused" });
    expect(channel().telegram.journal).toEqual([]);
  });
});

describe("what a refusal means", () => {
  test.each([
    [
      "somebody who has blocked the bot",
      () => (channel().telegram.person(PERSON).hasBlocked = true),
      "RECIPIENT_UNREACHABLE",
      403,
    ],
    [
      "somebody whose account is gone",
      () => (channel().telegram.person(PERSON).isDeactivated = true),
      "RECIPIENT_NOT_ON_NETWORK",
      403,
    ],
  ])("%s is refused for good", async (_, happen, code, upstreamCode) => {
    happen();
    expect(await channel().send()).toMatchObject({ ok: false, kind: "refused", code, upstreamCode });
    expect(channel().bot.sent()).toEqual([]);
  });

  test("somebody whom the bot never met is not on the network", async () => {
    expect(await channel().send(undefined, { to: "uid:99999" })).toMatchObject({
      ok: false,
      kind: "refused",
      code: "RECIPIENT_NOT_ON_NETWORK",
      upstreamCode: 400,
    });
  });

  test("a rate limit slows its chat down for as long as the network says", async () => {
    channel().telegram.failNext(
      /^sendMessage$/,
      refusal(429, "Too Many Requests: retry after 17", { retry_after: 17 }),
    );
    expect(await channel().send()).toMatchObject({
      ok: false,
      kind: "retry",
      code: "UPSTREAM_RATE_LIMIT",
      isRateLimit: true,
      isOfChat: true,
      retryAfterMs: 17_000,
    });
    expect(channel().bot.sent()).toEqual([]);
  });

  test("a group that has become a supergroup is followed, and the outcome names its new id", async () => {
    const moved = -1_009_999_999_999;
    channel().telegram.addGroup({ id: moved, title: "Padeiros" });
    channel().telegram.group(GROUP).migratedTo = moved;
    expect(await channel().send(undefined, { to: `group:${GROUP}` })).toEqual({
      ok: true,
      key: keyOf(moved, 101),
      recipient: `group:${moved}`,
    });
  });

  test.each([
    ["the connection ends after the message was taken", { kind: "cut", isTaken: true }, "unknown", 1],
    ["the connection ends before it was taken", { kind: "cut", isTaken: false }, "unknown", 0],
    ["the answer cannot be read", { kind: "garble" }, "unknown", 1],
    ["a gateway in between gives up", { kind: "garble", status: 502 }, "unknown", 1],
    ["the network has trouble of its own", refusal(500, "Internal Server Error: restart"), "unknown", 0],
  ] as const)("%s: nobody knows, so it is not repeated blindly", async (_, failure, kind, taken) => {
    channel().telegram.failNext(/^sendMessage$/, failure);
    expect(await channel().send()).toMatchObject({ ok: false, kind, code: "OUTCOME_UNKNOWN" });
    expect(channel().bot.sent().length).toBe(taken);
  });

  test("nobody at the address: it was not sent, and may be later", async () => {
    await channel().telegram.stop();
    expect(await channel().send()).toMatchObject({ ok: false, kind: "retry", code: "UPSTREAM_UNAVAILABLE" });
  });

  test("a success without an id is final", async () => {
    const { http, plugin } = channel();
    const answer = {
      ok: true,
      status: 200,
      headers: {},
      body: new TextEncoder().encode(`{"ok":true,"result":true}`),
      isCut: false,
      durationMs: 1,
    } as const;
    const link = plugin.open(
      recordingHost({ http: { ...http, trusted: async () => answer }, vault: { token: TOKEN }, clock: manualClock() }),
    );
    const outcome = await link.send({
      type: "text",
      content: { text: "oi" },
      messageId: MESSAGE_ID,
      to: `uid:${PERSON}`,
    });
    expect(outcome).toMatchObject({ ok: false, kind: "refused", code: "UPSTREAM_NO_ID" });
  });

  test("a revoked token pauses the message, and the channel says so", async () => {
    await channel().connect();
    channel().bot.isRevoked = true;
    expect(await channel().send()).toMatchObject({ ok: false, kind: "retry", code: "CREDENTIALS_REFUSED" });
    expect(channel().host.reports.at(-1)).toEqual({ state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" });
  });

  test("without a token nothing is asked", async () => {
    const { link, host } = channel().open({});
    const outcome = await link.send({
      type: "text",
      content: { text: "oi" },
      messageId: MESSAGE_ID,
      to: `uid:${PERSON}`,
    });
    expect(outcome).toMatchObject({ ok: false, kind: "refused", code: "CREDENTIALS_REFUSED" });
    link.connect();
    await host.settled();
    expect(host.reports).toEqual([{ state: "FAILED", reason: "CREDENTIALS_MISSING" }]);
    expect(channel().telegram.journal).toEqual([]);
  });
});
