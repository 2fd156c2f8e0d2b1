import { describe, expect, test } from "bun:test";
import { eventIssues } from "../../../src/contract/event-shapes.ts";
import { ACCOUNT, USER } from "../../support/networks/social-channel.ts";
import {
  AT,
  attachment,
  ENTRY_AT,
  entry,
  envelope,
  eventsOf,
  fromAccount,
  fromUser,
  isFor,
  messageEvents,
  type Part,
  parse,
} from "../../support/networks/social-envelope.ts";

const who = { igsid: USER };
const us = { igsid: ACCOUNT };
const RECEIVED = { kind: "received", key: "mid.A", at: AT, from: who, chat: who, pushName: null };
const unsupported = (originalType: string, url = `https://cdn.example.com/${originalType}`) => ({
  type: "unsupported",
  content: { originalType, url },
});
const unknown = (what: string, at = AT) => ({ kind: "unknown", at, what });

test("no text of a message has halves of characters or NUL, which no event may have", () => {
  const odd = { text: "a\0b\ud800c", attachments: [{ type: "share", payload: { url: "x\0", title: "\udc00" } }] };
  const events = messageEvents(odd);
  expect(events.flatMap((event) => eventIssues(event))).toEqual([]);
  expect(events[0]).toMatchObject({ content: { content: { text: "ab\ufffdc" } } });
});

describe("the forms of an envelope", () => {
  const TEXT = fromUser({ message: { mid: "mid.A", text: "oi" } });
  const EVENT = {
    route: { by: "number", id: ACCOUNT },
    event: { ...RECEIVED, content: { type: "text", content: { text: "oi" } } },
  };
  const FORMS: [form: string, body: unknown][] = [
    ["messaging", envelope(entry(TEXT))],
    ["changes", envelope({ id: ACCOUNT, time: ENTRY_AT, changes: [{ field: "messages", value: TEXT }] })],
    ["a flat change", envelope({ id: ACCOUNT, time: ENTRY_AT, field: "messages", value: TEXT })],
    ["wrapped in a list", [envelope(entry(TEXT))]],
  ];
  test.each(FORMS)("%s", (_, body) => {
    expect(parse(body)).toEqual([EVENT] as any);
    expect(isFor(body)).toBe(true);
  });

  test.each([
    ["standby", envelope({ id: ACCOUNT, time: ENTRY_AT, standby: [TEXT] })],
    ["a change of standby", envelope({ id: ACCOUNT, time: ENTRY_AT, changes: [{ field: "standby", value: TEXT }] })],
  ])("M26-7 %s is marked: another app leads the conversation", (_, body) => {
    expect(parse(body)).toEqual([{ ...EVENT, event: { ...EVENT.event, heldBy: {} } }] as any);
  });

  test.each([
    ["pass_thread_control", { new_owner_app_id: "1" }, null],
    ["pass_thread_control", {}, null],
    ["take_thread_control", { metadata: "m" }, {}],
  ])("M26-7 %s %j says who leads it", (what, control, heldBy) => {
    expect(eventsOf(fromUser({ [what]: control }))).toMatchObject([{ kind: "holder", at: AT, chat: who, heldBy }]);
  });

  test("M26-8 a comment is an event of its own, not the account's own ones", () => {
    const comment = (value: Part) =>
      parse(envelope({ id: ACCOUNT, time: ENTRY_AT, changes: [{ field: "comments", value }] })).map(
        ({ event }) => event,
      );
    const said = {
      id: "179",
      text: "quanto?",
      from: { id: "42", username: "Ana" },
      media: { id: "180" },
      parent_id: "178",
    };
    expect(comment(said)).toEqual([
      {
        kind: "commented",
        key: "comment:179",
        at: ENTRY_AT,
        from: { igsid: "42", username: "ana" },
        text: "quanto?",
        postId: "180",
        parentKey: "comment:178",
      },
    ] as any);
    expect(comment({ ...said, from: { id: ACCOUNT } })).toMatchObject([{ kind: "unknown" }]);
    expect(comment({ text: "!" })).toMatchObject([{ kind: "unknown" }]);
  });

  test("entries and items keep their order, and each goes to its own account", () => {
    const [a, b, c] = ["a", "b", "c"].map((mid) => fromUser({ message: { mid, text: mid } })) as [Part, Part, Part];
    const events = parse(envelope(entry(a, b), { ...entry(c), id: "17841400000000001" }));
    expect(events.map(({ route, event }) => [route.id, "key" in event && event.key])).toEqual([
      [ACCOUNT, "a"],
      [ACCOUNT, "b"],
      ["17841400000000001", "c"],
    ]);
  });

  test("what happened twice in one item is two events", () => {
    expect(
      eventsOf(fromUser({ message: { mid: "mid.A", text: "oi" }, read: { mid: "mid.B" } })).map(({ kind }) => kind),
    ).toEqual(["received", "read-up-to"]);
  });

  test.each([
    [String(Math.floor(AT / 1000)), Math.floor(AT / 1000) * 1000],
    [AT, AT],
    [undefined, ENTRY_AT],
    ["soon", ENTRY_AT],
    [9e15, ENTRY_AT],
  ])("the time %p is %d: seconds where it must be seconds, the entry's where there is none", (timestamp, at) => {
    expect(eventsOf(fromUser({ timestamp, message: { mid: "mid.A", text: "oi" } }))[0]?.at).toBe(at);
  });

  test.each(["mentions", "story_insights"])("a change of %s is none of a conversation's: unknown", (field) => {
    expect(
      parse(envelope({ id: ACCOUNT, time: ENTRY_AT, changes: [{ field, value: { id: "1", text: "!" } }] })).map(
        ({ event }) => event,
      ),
    ).toEqual([unknown(`field ${field}`, ENTRY_AT)] as any);
  });

  test.each([
    ["optin", { optin: { type: "notification_messages" } }],
    ["something new", { something_new: {} }],
  ])("%s is unknown, and says what it was of", (_, what) => {
    expect(eventsOf(fromUser(what))).toEqual([
      unknown(`messaging of sender recipient timestamp ${Object.keys(what)[0]}`),
    ] as any);
  });

  test("an envelope of the other network is not this one's", () => {
    expect([
      isFor({ object: "whatsapp_business_account", entry: [] }),
      isFor([]),
      isFor("instagram"),
      isFor(null),
    ]).toEqual([false, false, false, false]);
  });
});

describe("a message", () => {
  test("a text, with the message that it answers", () => {
    const content = { type: "text", content: { text: "sim" } };
    expect(messageEvents({ text: "sim", reply_to: { mid: "mid.Q" } })).toEqual([
      { ...RECEIVED, content, quotedProviderMessageId: "mid.Q" },
    ] as any);
  });

  test.each([
    ["image", "image", "image/jpeg"],
    ["video", "video", "video/mp4"],
    ["audio", "audio", "audio/mp4"],
    ["file", "document", "application/octet-stream"],
  ])("a file of the type %s is a message %s with its address as the network's id of it", (type, received, mimeType) => {
    const url = `https://cdn.example.com/${type}`;
    expect(messageEvents({ attachments: [attachment(type)] })).toEqual([
      {
        ...RECEIVED,
        content: { type: received, content: { mimeType } },
        media: { nativeId: url, contentType: mimeType },
      },
    ] as any);
  });

  test("several files are parts of one message; words come first", () => {
    const file = (type: string, mimeType: string) => ({
      content: { type, content: { mimeType } },
      media: { nativeId: `https://cdn.example.com/${type}`, contentType: mimeType },
    });
    expect(messageEvents({ text: "olha", attachments: [attachment("image"), attachment("video")] })).toEqual([
      {
        ...RECEIVED,
        content: { type: "text", content: { text: "olha" } },
        furtherParts: [file("image", "image/jpeg"), file("video", "video/mp4")],
      },
    ] as any);
  });

  test("more files than an event may have are left out, and the others come", () => {
    const [event] = messageEvents({ attachments: Array.from({ length: 3000 }, () => attachment("image")) });
    expect([event?.kind === "received" && event.furtherParts?.length, eventIssues(event)]).toEqual([99, []]);
  });

  test.each([
    "share",
    "ig_post",
    "ig_reel",
    "reel",
    "ig_story",
    "media",
    "template",
    "unsupported_type",
    "something_new",
    "constructor",
    "__proto__",
  ])("an attachment of the type %s is named in its event, with the link where there is one", (type) => {
    expect(messageEvents({ attachments: [attachment(type)] })).toEqual([
      { ...RECEIVED, content: unsupported(type) },
    ] as any);
    expect(messageEvents({ attachments: [attachment(type, {})] })).toEqual([
      { ...RECEIVED, content: { type: "unsupported", content: { originalType: type } } },
    ] as any);
  });

  test.each(["ig_post", "ig_reel", "ig_story", "share"])("M26-8 %s is shown with its caption", (type) => {
    const url = `https://cdn.example.com/${type}`;
    expect(messageEvents({ attachments: [attachment(type, { url, title: "Pão de queijo" })] })).toMatchObject([
      { content: { type: "unsupported", content: { originalType: type, url, title: "Pão de queijo" } } },
    ]);
  });

  test("a file without a link cannot be fetched: its event names its type", () => {
    expect(messageEvents({ attachments: [attachment("image", {})] })).toMatchObject([
      { content: { type: "unsupported", content: { originalType: "image" } } },
    ]);
  });

  test("a message that the network withholds becomes an event that says so", () => {
    expect(messageEvents({ is_unsupported: true })).toEqual([
      { ...RECEIVED, content: { type: "unsupported", content: { originalType: "unsupported" } } },
    ] as any);
    expect(messageEvents({})).toMatchObject([
      { content: { type: "unsupported", content: { originalType: "message" } } },
    ]);
  });

  /** The contents of messages, those of their further parts too. */
  const contentsIn = (events: ReturnType<typeof messageEvents>) =>
    events
      .flatMap((event) => (event.kind === "received" ? [event, ...(event.furtherParts ?? [])] : []))
      .map(({ content }) => content.content);

  describe("that shares a post", () => {
    const share = (id?: string) =>
      attachment("share", { url: "https://cdn.example.com/share", ...(id ? { ig_post_media_id: id } : {}) });
    const post = (id: string) =>
      attachment("ig_post", { url: "https://cdn.example.com/post", ig_post_media_id: id, title: "Pão" });
    const typesOf = (...attachments: Part[]) =>
      contentsIn(messageEvents({ attachments })).map((content) => "originalType" in content && content.originalType);

    test("is one message where the post comes as share and as ig_post, in either order", () => {
      expect(typesOf(share("1"), post("1"))).toEqual(["ig_post"]);
      expect(typesOf(post("1"), share("1"))).toEqual(["ig_post"]);
      expect(typesOf(share(), post("1"))).toEqual(["ig_post"]);
    });

    test("is one message where it comes as one of the two", () => {
      expect([typesOf(share("1")), typesOf(post("1"))]).toEqual([["share"], ["ig_post"]]);
    });

    test("keeps a share of something else", () => {
      expect(typesOf(share("2"), post("1"))).toEqual(["share", "ig_post"]);
    });
  });

  const STORY = { url: "https://cdn.example.com/story", id: "18" };

  test("A12 a reply to a story names the story, and its link while the network has it", () => {
    const storyIn = (story: unknown) => messageEvents({ text: "lindo!", reply_to: { story } });
    const said = (story?: Part) => [
      { ...RECEIVED, content: { type: "text", content: { text: "lindo!", ...(story ? { story } : {}) } } },
    ];
    expect(storyIn(STORY)).toEqual(said({ relation: "reply", ...STORY }) as any);
    expect(storyIn({ id: "18" })).toEqual(said({ relation: "reply", id: "18" }) as any);
    expect(storyIn({})).toEqual(said({ relation: "reply" }) as any);
    for (const nonsense of [null, "18", ["18"]]) expect(storyIn(nonsense)).toEqual(said() as any);
  });

  test("A12 a mention in a story is of that story, with its link while the network has it", () => {
    expect(messageEvents({ attachments: [attachment("story_mention", STORY)] })).toEqual([
      {
        ...RECEIVED,
        content: {
          type: "unsupported",
          content: { originalType: "story_mention", url: STORY.url, story: { relation: "mention", ...STORY } },
        },
      },
    ] as any);
  });

  const AD = {
    ref: "natal",
    ad_id: "120",
    source: "ADS",
    type: "OPEN_THREAD",
    ads_context_data: { ad_title: "Pão", photo_url: "https://cdn.example.com/ad.jpg", post_id: "7" },
  };
  const REFERRAL = {
    sourceId: "120",
    sourceType: "ad",
    headline: "Pão",
    mediaType: "image",
    imageUrl: "https://cdn.example.com/ad.jpg",
    ref: "natal",
  };
  test("A12 a first message that came from an advertisement has its referral once, at the first of its parts", () => {
    const events = messageEvents({ text: "quero", referral: AD, attachments: [attachment("image")] });
    expect(contentsIn(events)).toEqual([{ text: "quero", referral: REFERRAL }, { mimeType: "image/jpeg" }]);
    expect(contentsIn(messageEvents({ text: "quero", referral: { type: "OPEN_THREAD" } }))).toEqual([
      { text: "quero" },
    ]);
  });

  test("A12 a tap on a first question of a chat that a link opened has the link's referral", () => {
    const postback = { mid: "mid.A", title: "Preços", payload: "PRICES", referral: AD };
    expect(contentsIn(eventsOf(fromUser({ postback })))).toEqual([
      { selectedId: "PRICES", text: "Preços", referral: REFERRAL },
    ]);
  });

  test("A12 who follows a link into a chat, and has not written, is a visit with its referral, once", () => {
    const visit = { referral: { ref: "natal", source: "IGME-SOURCE-LINK", type: "OPEN_THREAD" } };
    const expected = [
      {
        ...RECEIVED,
        key: `visit:${USER}/${AT}`,
        content: { type: "request_welcome", content: { referral: { sourceType: "link", ref: "natal" } } },
      },
    ];
    expect(eventsOf(fromUser(visit))).toEqual(expected as any);
    expect(eventsOf(fromUser(visit))).toEqual(expected as any);
    expect(eventsOf(fromUser({ referral: { source: "NEW_WORD" } }))).toMatchObject([
      { content: { content: { referral: { sourceType: "NEW_WORD" } } } },
    ]);
  });

  test.each([
    ["of nothing", fromUser({ referral: {} })],
    ["that is null", fromUser({ referral: null })],
    ["of the account itself", fromAccount({ referral: AD })],
  ])("a referral %s is no visit", (_, item) => {
    expect(eventsOf(item)).toEqual([unknown("referral without a source")] as any);
  });

  test("G-615 a tap on a quick reply, and on a button, is button_reply with what was chosen", () => {
    const content = { type: "button_reply", content: { selectedId: "YES", text: "Sim" } };
    expect(messageEvents({ text: "Sim", quick_reply: { payload: "YES" } })).toEqual([{ ...RECEIVED, content }] as any);
    expect(eventsOf(fromUser({ postback: { mid: "mid.A", title: "Sim", payload: "YES" } }))).toEqual([
      { ...RECEIVED, content },
    ] as any);
  });

  test("of the account's own, written elsewhere, is own and of the user's chat", () => {
    const received = {
      ...RECEIVED,
      from: us,
      chat: who,
      isOwn: true,
      content: { type: "text", content: { text: "oi" } },
    };
    expect(eventsOf(fromAccount({ message: { mid: "mid.A", text: "oi", is_echo: true } }))).toEqual([received] as any);
    expect(eventsOf(fromAccount({ message: { mid: "mid.A", text: "oi" } }))).toEqual([received] as any);
  });

  test("without an id or a sender becomes an unknown event, and is not lost", () => {
    expect(eventsOf(fromUser({ message: { text: "oi" } }))).toEqual([unknown("message without an id")] as any);
    expect(eventsOf({ timestamp: AT, message: { mid: "mid.A", text: "oi" } })).toEqual([
      unknown("message without a sender"),
    ] as any);
    expect(
      eventsOf({ sender: { id: ACCOUNT }, timestamp: AT, message: { mid: "mid.A", text: "oi", is_echo: true } }),
    ).toEqual([unknown("message without a sender")] as any);
  });

  test("an id that came as a number too long for one is nobody's, rather than another's", () => {
    const body = JSON.stringify(envelope(entry(fromUser({ message: { mid: "mid.A", text: "oi" } })))).replace(
      `"sender":{"id":"${USER}"}`,
      '"sender":{"id":17841405793187219}',
    );
    expect(parse(body).map(({ event }) => event)).toEqual([unknown("message without a sender")] as any);
  });
});

describe("what is done to a message", () => {
  const act = (kind: string, what: string) => ({
    kind,
    key: "mid.A",
    at: AT,
    from: who,
    nativeId: `mid.A/${USER}/${AT}/${what}`,
  });

  test("a reaction has its emoji, or its name where there is none", () => {
    expect(eventsOf(fromUser({ reaction: { mid: "mid.A", action: "react", reaction: "love", emoji: "❤" } }))).toEqual([
      { ...act("reacted", "❤"), emoji: "❤" },
    ] as any);
    expect(eventsOf(fromUser({ reaction: { mid: "mid.A", action: "react", reaction: "love" } }))).toMatchObject([
      { emoji: "love" },
    ]);
  });

  test("a reaction that was taken back has none", () => {
    expect(eventsOf(fromUser({ reaction: { mid: "mid.A", action: "unreact" } }))).toEqual([
      { ...act("reacted", ""), emoji: null },
    ] as any);
    expect(eventsOf(fromUser({ reaction: { mid: "mid.A", action: "unreact", emoji: "❤" } }))).toMatchObject([
      { emoji: null },
    ]);
  });

  test("a reaction of the account's own is own", () => {
    expect(eventsOf(fromAccount({ reaction: { mid: "mid.A", action: "react", emoji: "👍" } }))).toMatchObject([
      { kind: "reacted", from: us, isOwn: true },
    ]);
  });

  test("a reaction to nothing is unknown", () => {
    expect(eventsOf(fromUser({ reaction: { action: "react", emoji: "❤" } }))).toEqual([
      unknown("reaction to nothing"),
    ] as any);
  });

  test("a message that was taken back is revoked", () => {
    expect(messageEvents({ is_deleted: true })).toEqual([act("revoked", "deleted")] as any);
  });

  test("an edit has the new text, and each edit a name of its own", () => {
    const edit = (num_edit: number) => eventsOf(fromUser({ message_edit: { mid: "mid.A", text: "não", num_edit } }));
    expect(edit(1)).toEqual([{ ...act("edited", "1"), text: "não" }] as any);
    expect(edit(2)).toEqual([{ ...act("edited", "2"), text: "não" }] as any);
  });

  test.each([
    ["with a sender", fromUser({ message_edit: { mid: "mid.A", num_edit: 0 } }), "edit of nothing"],
    ["with a text", fromUser({ message_edit: { mid: "mid.A", text: "oi", num_edit: 0 } }), "edit of nothing"],
    [
      "without a sender",
      { timestamp: AT, message_edit: { mid: "mid.A", num_edit: 0 } },
      "message_edit without a sender",
    ],
  ])("edit number 0, %s, announces a new message and edits nothing", (_, item, what) => {
    expect(eventsOf(item)).toEqual([unknown(what)] as any);
  });

  test("an edit without a text edits nothing", () => {
    expect(eventsOf(fromUser({ message_edit: { mid: "mid.A", num_edit: 1 } }))).toEqual([
      unknown("edit of nothing"),
    ] as any);
  });
});

describe("what was read", () => {
  test("names a message: everything until then has been read", () => {
    expect(eventsOf(fromUser({ read: { mid: "mid.A" } }))).toEqual([
      { kind: "read-up-to", at: AT, from: who, key: "mid.A" },
    ] as any);
  });

  test("or a time, in the older form", () => {
    expect(eventsOf(fromUser({ read: { watermark: AT - 5000 } }))).toEqual([
      { kind: "read-up-to", at: AT - 5000, from: who },
    ] as any);
  });

  test("by nobody is unknown", () => {
    expect(eventsOf({ timestamp: AT, read: { mid: "mid.A" } })).toEqual([unknown("read without a sender")] as any);
  });
});
