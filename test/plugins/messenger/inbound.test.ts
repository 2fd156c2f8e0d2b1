import { describe, expect, test } from "bun:test";
import { eventsOf } from "../../../plugins/messenger/inbound.ts";
import { messengerWebhook } from "../../../plugins/messenger/webhook.ts";
import { eventIssues } from "../../../src/contract/event-shapes.ts";
import { envelopeOf } from "../../support/messenger/index.ts";
import { PAGE_INBOX } from "../../support/messenger/threads.ts";
import { APP_SECRET, PAGE, PERSON, VAULT, VERIFY_TOKEN } from "../../support/networks/messenger-channel.ts";
import { webhookRequest } from "../../support/networks/webhook-request.ts";

const AT = 1_795_176_000_123;
type Part = Record<string, unknown>;

const fromPerson = (what: Part): Part => ({ sender: { id: PERSON }, recipient: { id: PAGE }, timestamp: AT, ...what });
const fromPage = (what: Part): Part => ({ sender: { id: PAGE }, recipient: { id: PERSON }, timestamp: AT, ...what });
const envelope = (...messaging: Part[]) => ({ object: "page", entry: [{ id: PAGE, time: AT, messaging }] });
const read = (body: unknown) => eventsOf(JSON.stringify(body)).map((item) => ("event" in item ? item.event : item));
const events = (...items: Part[]) => read(envelope(...items));
const contents = (message: Part) =>
  events(fromPerson({ message: { mid: "m_A", ...message } })).map((event) => (event as any).content);

const SAID = { at: AT, from: { uid: PERSON }, chat: { uid: PERSON }, pushName: null };
const url = (name: string) => `https://cdn.fbsbx.com/v/${name}?oh=1`;

describe("a message", () => {
  test("has its author, its chat, its time and the message that it answers", () => {
    expect(events(fromPerson({ message: { mid: "m_A", text: "oi", reply_to: { mid: "m_Q" } } }))).toEqual([
      {
        kind: "received",
        key: "m_A" as never,
        ...SAID,
        content: { type: "text", content: { text: "oi" } },
        quotedProviderMessageId: "m_Q" as never,
      },
    ]);
  });

  test.each([
    ["image", "image", "image/jpeg", {}],
    ["video", "video", "video/mp4", {}],
    ["audio", "audio", "audio/mp4", {}],
    ["sticker", "sticker", "image/png", {}],
    ["file", "document", "application/octet-stream", { filename: "cardápio.pdf" }],
  ])("a %s is a file of the type %s, under its signed address", (type, ours, mimeType, named) => {
    const address = url("card%C3%A1pio.pdf");
    const [event] = events(fromPerson({ message: { mid: "m_A", attachments: [{ type, payload: { url: address } }] } }));
    expect(event).toMatchObject({
      content: { type: ours, content: { mimeType, ...named } },
      media: { nativeId: address, contentType: mimeType, ...named },
    });
  });

  test("with a text and two files is one of three parts, the text first", () => {
    const image = { type: "image", payload: { url: url("a.jpg") } };
    const part = {
      content: { type: "image", content: { mimeType: "image/jpeg" } },
      media: { nativeId: url("a.jpg"), contentType: "image/jpeg" },
    };
    expect(events(fromPerson({ message: { mid: "m_A", text: "olha", attachments: [image, image] } }))).toMatchObject([
      { key: "m_A", content: { type: "text", content: { text: "olha" } }, furtherParts: [part, part] },
    ]);
  });

  test("a sticker that comes as an image too is one sticker, and an older one without the type is a sticker", () => {
    const payload = { url: url("s.png"), sticker_id: 369239263222822 };
    const [sticker, image] = [
      { type: "sticker", payload },
      { type: "image", payload },
    ];
    expect(contents({ attachments: [image, sticker] }).map(({ type }) => type)).toEqual(["sticker"]);
    expect(contents({ attachments: [image] }).map(({ type }) => type)).toEqual(["sticker"]);
  });

  test("a shared link is its text, without the preview; other shares are unsupported with their address", () => {
    const preview = { type: "fallback", title: "Padaria", url: "https://padaria.example/" };
    expect(contents({ text: "https://padaria.example/", attachments: [preview] })).toEqual([
      { type: "text", content: { text: "https://padaria.example/" } },
    ]);
    expect(contents({ attachments: [preview] })).toEqual([
      {
        type: "unsupported",
        content: { originalType: "fallback", url: "https://padaria.example/", title: "Padaria" },
      },
    ]);
    expect(contents({ attachments: [{ type: "reel", payload: { url: url("r"), title: "Pão" } }] })).toEqual([
      { type: "unsupported", content: { originalType: "reel", url: url("r"), title: "Pão" } },
    ]);
  });

  test("a place is a location, and a place that is none is unsupported", () => {
    const place = (lat: number) => ({ type: "location", payload: { coordinates: { lat, long: -46.6 } } });
    expect(contents({ attachments: [place(-23.5)] })).toEqual([
      { type: "location", content: { latitude: -23.5, longitude: -46.6 } },
    ]);
    expect(contents({ attachments: [place(-93.5)] })[0].type).toBe("unsupported");
  });

  test("a quick reply says what was chosen", () => {
    expect(contents({ text: "Sim", quick_reply: { payload: "sim" } })).toEqual([
      { type: "button_reply", content: { selectedId: "sim", text: "Sim" } },
    ]);
  });

  test("of the page itself, or of another app, is the owner's", () => {
    expect(
      events(fromPage({ message: { mid: "m_E", is_echo: true, app_id: 1517776481860111, text: "já vai" } })),
    ).toEqual([
      {
        kind: "received",
        key: "m_E" as never,
        at: AT,
        from: { uid: PAGE },
        chat: { uid: PERSON },
        pushName: null,
        content: { type: "text", content: { text: "já vai" } },
        isOwn: true,
      },
    ]);
  });
});

describe("a tap", () => {
  test("on a button says its value; on one of another app, which has no value, its title is a text", () => {
    const tap = (postback: Part) => events(fromPerson({ postback }))[0];
    expect(tap({ mid: "m_P", title: "Cardápio", payload: "menu" })).toMatchObject({
      key: "m_P",
      content: { type: "button_reply", content: { selectedId: "menu", text: "Cardápio" } },
    });
    expect(tap({ mid: "m_P", title: "Cardápio" })).toMatchObject({
      content: { type: "text", content: { text: "Cardápio" } },
    });
  });

  test("without an id has one of its own, the same in each repeat", () => {
    const [first, second] = [1, 2].map(() => events(fromPerson({ postback: { title: "Menu", payload: "menu" } }))[0]);
    expect((first as { key: string }).key).toBe(`postback/${PERSON}/${AT}/menu`);
    expect(second).toEqual(first as never);
  });

  test("on Get started says which link or advertisement led there", () => {
    const referral = { ref: "mesa-4", source: "SHORTLINK", type: "OPEN_THREAD" };
    expect(
      events(fromPerson({ postback: { mid: "m_P", title: "Começar", payload: "start", referral } }))[0],
    ).toMatchObject({
      content: {
        type: "button_reply",
        content: { selectedId: "start", referral: { sourceType: "link", ref: "mesa-4" } },
      },
    });
  });
});

describe("a referral", () => {
  const ad = {
    ref: "natal",
    ad_id: 6045246247433,
    source: "ADS",
    ads_context_data: {
      ad_title: "Bolos de Natal",
      photo_url: "https://scontent.xx.fbcdn.net/p.jpg",
      video_url: "https://scontent.xx.fbcdn.net/v.jpg",
    },
  };
  const REFERRAL = {
    sourceType: "ad",
    sourceId: "6045246247433",
    ref: "natal",
    headline: "Bolos de Natal",
    mediaType: "video",
    imageUrl: "https://scontent.xx.fbcdn.net/p.jpg",
    videoUrl: "https://scontent.xx.fbcdn.net/v.jpg",
  };

  test("of somebody who comes back says that the chat was opened, and by which advertisement", () => {
    expect(events(fromPerson({ referral: ad }))).toEqual([
      {
        kind: "received",
        key: `referral/${PERSON}/${AT}/natal` as never,
        ...SAID,
        content: { type: "request_welcome", content: { referral: REFERRAL } },
      },
    ]);
  });

  test("beside or inside a message belongs to it, and is no event of its own", () => {
    const message = { mid: "m_A", text: "quero" };
    for (const item of [{ message, referral: ad }, { message: { ...message, referral: ad } }])
      expect(events(fromPerson(item))).toMatchObject([
        { key: "m_A", content: { type: "text", content: { text: "quero", referral: REFERRAL } } },
      ]);
  });
});

describe("what people do to messages", () => {
  test("a reaction has its emoji, or that of its word, and none when it is taken back", () => {
    const reacted = (reaction: Part) => events(fromPerson({ reaction: { mid: "m_S", ...reaction } }))[0];
    expect(reacted({ action: "react", emoji: "🥐", reaction: "other" })).toMatchObject({ key: "m_S", emoji: "🥐" });
    expect(reacted({ action: "react", reaction: "love" })).toMatchObject({ emoji: "❤️" });
    expect(reacted({ action: "unreact", reaction: "love" })).toMatchObject({ kind: "reacted", emoji: null });
  });

  test("a message that its author takes back is revoked, the same in each repeat", () => {
    const [first, second] = [1, 2].map(() => events(fromPerson({ message: { mid: "m_A", is_deleted: true } }))[0]);
    expect(first).toMatchObject({ kind: "revoked", key: "m_A", from: { uid: PERSON } });
    expect(second).toEqual(first as never);
  });

  test("an edit has the new text, and an edit number 0 is none", () => {
    const edit = (num_edit: number) => events(fromPerson({ message_edit: { mid: "m_A", text: "oi!", num_edit } }))[0];
    expect(edit(1)).toMatchObject({ kind: "edited", key: "m_A", text: "oi!" });
    expect(edit(0)?.kind).toBe("unknown");
  });

  test("a delivery names messages that arrived, and everything before its time; a read everything before its time", () => {
    const upTo = { kind: "delivered-up-to", at: AT - 5, to: { uid: PERSON } } as const;
    expect(events(fromPerson({ delivery: { mids: ["m_1", "m_2"], watermark: AT - 5 } }))).toEqual([
      ...["m_1", "m_2"].map(
        (key) =>
          ({ kind: "receipt", key: key as never, at: AT - 5, status: "delivered", to: { uid: PERSON } }) as const,
      ),
      upTo,
    ]);
    expect(events(fromPerson({ delivery: { watermark: AT - 5 } }))).toEqual([upTo]);
    expect(events(fromPerson({ delivery: {} }))[0]?.kind).toBe("unknown");
    expect(events(fromPerson({ read: { watermark: AT - 7 } }))).toEqual([
      { kind: "read-up-to", at: AT - 7, from: { uid: PERSON } },
    ]);
  });
});

describe("an envelope", () => {
  test("of a change, as the dashboard's test button sends it, is read like a message, its seconds as seconds", () => {
    const value = { ...fromPerson({ message: { mid: "m_A", text: "oi" } }), timestamp: "1527459824" };
    expect(
      read({ object: "page", entry: [{ id: PAGE, time: AT, changes: [{ field: "messages", value }] }] }),
    ).toMatchObject([{ kind: "received", at: 1_527_459_824_000 }]);
  });

  test("of a conversation that another app leads has its messages, marked so, of the person and of that app", () => {
    const message = { mid: "m_A", text: "oi" };
    const standby = [fromPerson({ message }), fromPage({ message: { ...message, is_echo: true } })];
    const bodies = [
      { object: "page", entry: [{ id: PAGE, time: AT, standby }] },
      {
        object: "page",
        entry: [{ id: PAGE, time: AT, changes: standby.map((value) => ({ field: "standby", value })) }],
      },
    ];
    for (const body of bodies)
      expect(read(body)).toMatchObject([
        { kind: "received", chat: { uid: PERSON }, heldBy: {} },
        { kind: "received", chat: { uid: PERSON }, heldBy: {}, isOwn: true },
      ]);
  });

  test("of a pass, a take or a request says who leads the conversation", () => {
    const control = { previous_owner_app_id: null, new_owner_app_id: "123456", metadata: "pedido 42" };
    const reported = ["pass", "take", "request"].map(
      (what) => events(fromPerson({ [`${what}_thread_control`]: control }))[0],
    );
    expect(reported).toMatchObject([
      { kind: "holder", chat: { uid: PERSON }, heldBy: null, note: "pedido 42", nativeId: `pass/${PERSON}/${AT}` },
      { kind: "holder", heldBy: {} },
      { kind: "holder", heldBy: {}, isRequest: true },
    ]);
  });

  test("of a pass to the inbox of the page says that another app leads the conversation", () => {
    for (const inbox of [PAGE_INBOX, Number(PAGE_INBOX)]) {
      const control = { new_owner_app_id: inbox };
      expect(events(fromPerson({ pass_thread_control: control }))).toMatchObject([{ kind: "holder", heldBy: {} }]);
    }
  });

  test("of several pages names the page of each event", () => {
    const entry = (id: unknown) => ({ id, time: AT, messaging: [fromPerson({ message: { mid: "m_A", text: "oi" } })] });
    const body = { object: "page", entry: [entry(PAGE), entry("123456789"), entry({})] };
    expect(eventsOf(JSON.stringify(body)).map((item) => ("event" in item ? item.numberId : item.kind))).toEqual([
      PAGE,
      "123456789",
      "received",
    ]);
  });

  test("of another object or without a person brings no message", () => {
    const message = { mid: "m_A", text: "oi" };
    expect(
      [
        read({ object: "instagram", entry: [{ id: PAGE, time: AT, messaging: [fromPerson({ message })] }] }),
        events({ ...fromPerson({ message }), sender: { user_ref: "x" } }),
        events(fromPerson({ optin: { ref: "x" } })),
      ].map((found) => found.map(({ kind }) => kind)),
    ).toEqual([["unknown"], ["unknown"], ["unknown"]]);
  });

  const VALUES = [
    null,
    true,
    0,
    -1,
    1e300,
    "",
    "x".repeat(9000),
    "\0",
    "\ud800",
    [],
    [null],
    {},
    { mid: {} },
    { id: [] },
  ];
  const NAMES = ["sender", "recipient", "timestamp", "message", "postback", "referral", "reaction", "read", "delivery"];

  test("never cuts a character into halves: no event would then be of the contract", () => {
    const long = `x${"🥐".repeat(4500)}`;
    const acts = [
      { postback: { title: long, payload: long } },
      { reaction: { mid: "m_A", action: "react", emoji: long } },
      { message: { mid: "m_A", attachments: [{ type: long, payload: {} }] } },
      { message_edit: { mid: `m_${long.slice(0, 201)}`, text: long, num_edit: 1 } },
      { pass_thread_control: { metadata: long } },
      { [long]: {} },
    ];
    for (const act of acts) {
      const [event] = events(fromPerson(act));
      expect([Object.keys(act)[0]?.slice(0, 20), event && eventIssues(event)]).toEqual([
        Object.keys(act)[0]?.slice(0, 20),
        [],
      ]);
    }
  });

  test.each(VALUES.map((value) => [value]))(
    "with %p in any place gives events of the contract, and never throws",
    (value) => {
      const message = (name: string) => fromPerson({ message: { mid: "m_A", text: "oi", [name]: value } });
      const bodies = [
        value,
        { object: "page", entry: value },
        { object: "page", entry: [value] },
        ...NAMES.map((name) => envelope(fromPerson({ message: { mid: "m_A", text: "oi" }, [name]: value }))),
        ...["mid", "text", "attachments", "quick_reply", "reply_to", "is_echo", "referral"].map((name) =>
          envelope(message(name)),
        ),
        envelope(fromPerson({ message: { mid: "m_A", attachments: [{ type: value, payload: { url: value } }] } })),
        envelope(fromPerson({ message: { mid: "m_A", attachments: [{ type: "file", payload: { url: value } }] } })),
        envelope(fromPerson({ reaction: { mid: "m_A", action: "react", emoji: value } })),
        envelope(fromPerson({ postback: { mid: value, title: value, payload: value, referral: { ref: value } } })),
        envelope(fromPerson({ referral: { ref: value, ad_id: value, ads_context_data: value } })),
        envelope(fromPerson({ message_edit: { mid: "m_A", text: value, num_edit: value } })),
        envelope(fromPerson({ delivery: { mids: [value], watermark: value } })),
        envelope(fromPerson({ pass_thread_control: { new_owner_app_id: value, metadata: value } })),
        { object: "page", entry: [{ id: PAGE, time: AT, standby: value }] },
        { object: "page", entry: [{ id: PAGE, time: AT, standby: [fromPerson({ message: value })] }] },
      ];
      for (const body of bodies) {
        const found = read(body);
        expect(found.length).toBeGreaterThan(0);
        expect(
          found.flatMap((event) => eventIssues(event)),
          JSON.stringify(body),
        ).toEqual([]);
      }
    },
  );
});

describe("the webhook of a channel", () => {
  const signedFor = (page: { id: string; appSecret: string }) => {
    const { body, headers } = envelopeOf(page, [fromPerson({ message: { mid: "m_A", text: "oi" } })], AT);
    return webhookRequest(body, new Headers(headers));
  };

  test("counts with the page's own app secret, and only for the page, unless the channel names its app", () => {
    const [own, foreignSecret, foreignPage] = [
      { id: PAGE, appSecret: APP_SECRET },
      { id: PAGE, appSecret: "another-secret-of-an-app" },
      { id: "123456789", appSecret: APP_SECRET },
    ].map((page) => messengerWebhook.verify(signedFor(page), VAULT));
    expect([own, foreignSecret, foreignPage]).toEqual([true, false, false]);
    const ofApp = { ...VAULT, appId: "990602627938098" };
    expect(messengerWebhook.verify(signedFor({ id: "123456789", appSecret: APP_SECRET }), ofApp)).toBe(true);
    expect(messengerWebhook.verify(signedFor({ id: PAGE, appSecret: "another-secret-of-an-app" }), ofApp)).toBe(false);
    expect(messengerWebhook.verify(signedFor({ id: PAGE, appSecret: "" }), { pageId: PAGE, appSecret: "" })).toBe(
      false,
    );
    expect(messengerWebhook.isSigned(webhookRequest("{}"))).toBe(false);
  });

  test("answers the challenge of a GET with the channel's verify token, and no other", () => {
    const answer = (query: string, secrets: Record<string, string> = VAULT) =>
      messengerWebhook.handshake({ ...webhookRequest(), method: "GET", query: new URLSearchParams(query) }, secrets);
    const asked = "hub.mode=subscribe&hub.challenge=42&hub.verify_token=";
    expect(answer(asked + VERIFY_TOKEN)).toEqual({ contentType: "text/plain", body: "42" });
    expect([
      answer(`${asked}guess`),
      answer(asked, {}),
      answer(`hub.challenge=42&hub.verify_token=${VERIFY_TOKEN}`),
    ]).toEqual([undefined, undefined, undefined]);
  });
});
