import { describe, expect, test } from "bun:test";
import { createChannel } from "../../../src/core/channels/channel.ts";
import { callerIn, LOCAL } from "../../../src/core/tenancy/audit/audit.ts";
import { knownTemplate } from "../../support/customers/templates.ts";
import { customer, made, rowsOf, wabaChannel } from "../../support/tenants/platform.ts";
import { SENDS, sendAs } from "../../support/tenants/platform-sends.ts";
import { useEach, useWorld } from "../../support/use-world.ts";

const w = useWorld();
const who = useEach(() => customer(w));

const TYPES = Object.keys(SENDS);
const LONG_URL = `https://files.example.com/${"x".repeat(2048)}`;
const NO_TEXTS = [null, 7, true, {}, ["x"]];
const NUL = "a\0b";
const ANA = { name: "Ana", phone: "+5511999990001" };

/**
 * Values that a field of any send refuses, and those at the edge that it takes. `undefined` is a field that is not
 * there.
 */
const MEDIA_URL = {
  refused: [
    undefined,
    ...NO_TEXTS,
    "",
    "files",
    "http://files.example.com/a",
    "ftp://files.example.com/a",
    "file:///etc/passwd",
    "data:image/png;base64,AA==",
    "https://",
    "https://a:b@files.example.com/a",
    LONG_URL,
  ],
  taken: ["https://files.example.com/a?b=c", "https://192.0.32.8:9/a", LONG_URL.slice(0, 2048)],
};
const CAPTION = {
  refused: [...NO_TEXTS, NUL, "x".repeat(1025), "😀".repeat(1025)],
  taken: [undefined, "", "x".repeat(1024), "😀".repeat(1024)],
};
const FIELDS: Record<string, Record<string, { refused: unknown[]; taken: unknown[]; at?: string }>> = {
  text: { text: { refused: [undefined, ...NO_TEXTS, "", NUL, "x".repeat(4097)], taken: ["x", "😀".repeat(4096)] } },
  image: { mediaUrl: MEDIA_URL, caption: CAPTION },
  video: { mediaUrl: MEDIA_URL, caption: CAPTION },
  audio: { mediaUrl: MEDIA_URL, ptt: { refused: [null, "true", 1, {}], taken: [undefined, true, false] } },
  document: {
    mediaUrl: MEDIA_URL,
    caption: CAPTION,
    filename: { refused: [...NO_TEXTS, "", NUL, "x".repeat(256)], taken: [undefined, "x", "😀".repeat(255)] },
  },
  contact: {
    contacts: {
      refused: [
        undefined,
        null,
        "Ana",
        ANA,
        [],
        Array.from({ length: 11 }, () => ANA),
        [null],
        ["Ana"],
        [{}],
        [{ ...ANA, name: "" }],
        [{ ...ANA, name: "x".repeat(121) }],
        [ANA, { ...ANA, phone: "1234" }],
        [{ ...ANA, phone: "1".repeat(31) }],
        [{ ...ANA, phone: 5 }],
        [{ ...ANA, email: 5 }],
        [{ ...ANA, email: "" }],
      ],
      taken: [Array.from({ length: 10 }, () => ANA), [{ name: "😀".repeat(120), phone: "12345", email: "a@b" }]],
    },
  },
  template: {
    name: { refused: [undefined, ...NO_TEXTS, "", "x".repeat(513)], taken: ["order_update"] },
    language: { refused: [...NO_TEXTS, "p", "x".repeat(21)], taken: ["en_US", undefined] },
    variables: {
      refused: [null, "Ana", {}, [1], [null], ["x".repeat(4097)], Array.from({ length: 101 }, () => "x")],
      taken: [undefined, [], [""], Array.from({ length: 100 }, () => "x")],
    },
  },
};
const CASES = Object.entries(FIELDS).flatMap(([type, fields]) =>
  Object.entries(fields).map(([field, values]) => ({ type, field, ...values })),
);

const newChannels = async (): Promise<{ waba: string; session: string }> => {
  const { id: waba } = await wabaChannel(w, who.key);
  for (const language of ["pt_BR", "en_US"]) await knownTemplate(w, waba, { name: "order_update", language });
  const session = made(
    await w.platform("/v1/channels", { key: who.key, body: { name: "A channel", type: "CHAT_SESSION" } }),
    201,
  ).id;
  return { waba, session };
};

const refusedAt = (answer: Awaited<ReturnType<typeof sendAs>>) => {
  const { status, body } = answer;
  expect(Object.keys(body).sort()).toEqual(status === 400 ? ["code", "errors", "message"] : ["code", "message"]);
  return [status, body.code, body.errors?.[0].path];
};

test.each(CASES)(
  "P-022 P-227 GAP-P13 $type: $field refuses bad values by its name, without storing; good ones are accepted",
  async ({ type, field, refused, taken }) => {
    const { waba, session } = await newChannels();
    const channels = type === "template" ? [waba] : [waba, session];
    const before = await rowsOf(w, who.id);
    for (const channelId of channels)
      for (const key of [who.key, who.testKey])
        for (const value of refused) {
          const [status, code, path] = refusedAt(await sendAs(w, { key, channelId, type }, { [field]: value }));
          expect([value, status, code, path?.split(".")[0]]).toEqual([value, 400, "VALIDATION_ERROR", field]);
        }
    expect(await rowsOf(w, who.id)).toEqual(before);
    for (const channelId of channels)
      for (const value of taken)
        expect([value, (await sendAs(w, { key: who.key, channelId, type }, { [field]: value })).status]).toEqual([
          value,
          202,
        ]);
  },
);

describe.each(TYPES)("POST …/messages/%s", (type) => {
  test(`P-221 P-222 an empty body is a 400 with the missing fields; to is 8 to 15 digits; nothing is stored`, async () => {
    const { waba } = await newChannels();
    const before = await rowsOf(w, who.id);
    const empty = await w.platform(`/v1/channels/${waba}/messages/${type}`, { key: who.key, body: {} });
    expect([empty.status, empty.body.errors.map((one: { path: string }) => one.path)]).toEqual([
      400,
      expect.arrayContaining(["to"]),
    ]);
    for (const to of [
      undefined,
      null,
      5511999990001,
      "+5511999990001",
      "1234567",
      "1".repeat(16),
      "",
      "5511999990001@s.whatsapp.net",
      "01234567890",
    ])
      expect([to, ...refusedAt(await sendAs(w, { key: who.key, channelId: waba, type }, { to }))]).toEqual([
        to,
        400,
        "VALIDATION_ERROR",
        "to",
      ]);
    expect(await rowsOf(w, who.id)).toEqual(before);
  });

  test(`P-201 P-228 GAP-C11 an unknown or foreign channel, or one of an absent kind, is a 404; a bad body a 400`, async () => {
    const stranger = await customer(w);
    const { id: theirs } = await wabaChannel(w, stranger.key);
    const { channel: social } = await createChannel(w.app.env, callerIn(who.id, LOCAL), {
      kind: "SOCIAL",
      label: "A",
      state: "DISCONNECTED",
    });
    const before = [await rowsOf(w, who.id), await rowsOf(w, stranger.id)];
    const bad = type === "contact" ? { contacts: [] } : { mediaUrl: "http://files.example.com/a", text: "", name: "" };
    for (const channelId of [theirs, social.id, "none"])
      for (const key of [who.key, who.testKey]) {
        expect(refusedAt(await sendAs(w, { key, channelId, type }))).toEqual([404, "CHANNEL_NOT_FOUND", undefined]);
        expect(refusedAt(await sendAs(w, { key, channelId, type }, bad))).toEqual([
          400,
          "VALIDATION_ERROR",
          expect.any(String),
        ]);
      }
    expect([await rowsOf(w, who.id), await rowsOf(w, stranger.id)]).toEqual(before);
  });
});

describe("a template", () => {
  test("P-237 is refused for a CHAT_SESSION channel by channelId, also for test keys; nothing is stored", async () => {
    const { session } = await newChannels();
    const before = await rowsOf(w, who.id);
    for (const key of [who.key, who.testKey])
      expect(refusedAt(await sendAs(w, { key, channelId: session, type: "template" }))).toEqual([
        400,
        "VALIDATION_ERROR",
        "channelId",
      ]);
    expect(await rowsOf(w, who.id)).toEqual(before);
  });

  test("P-237 not approved for the channel in its language, it is refused by its name; nothing is stored", async () => {
    const { waba } = await newChannels();
    await knownTemplate(w, waba, { name: "waiting", language: "en_US", status: "PENDING" });
    const before = await rowsOf(w, who.id);
    for (const fields of [{ name: "nobody" }, { name: "waiting" }, { language: "es" }])
      expect(refusedAt(await sendAs(w, { key: who.key, channelId: waba, type: "template" }, fields))).toEqual([
        400,
        "VALIDATION_ERROR",
        "name",
      ]);
    expect(await rowsOf(w, who.id)).toEqual(before);
  });
});

test("G-312 a CHAT_WABA refuses a private link, which its network would fetch; a CHAT_SESSION accepts it", async () => {
  const { waba, session } = await newChannels();
  const send = (channelId: string) =>
    sendAs(w, { key: who.key, channelId, type: "image" }, { mediaUrl: "https://127.0.0.1:9/a" });
  const before = await rowsOf(w, who.id);
  const refused = await send(waba);
  expect([refused.status, refused.body.errors?.map(({ path }: { path: string }) => path)]).toEqual([400, ["mediaUrl"]]);
  expect(await rowsOf(w, who.id)).toEqual(before);
  expect((await send(session)).status).toBe(202);
});
