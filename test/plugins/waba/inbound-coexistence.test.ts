import { describe, expect, test } from "bun:test";
import type { ContactsSynced } from "../../../src/contract/events.ts";
import { eventsOf, OWN_NUMBER, USER } from "../../support/networks/waba-envelope.ts";

const OWN = { pn: OWN_NUMBER };
const AT = 1739230955000;
const chatted = (more: object = {}) => ({
  from: USER,
  id: "wamid.H1",
  timestamp: "1739230955",
  type: "text",
  text: { body: "oi" },
  ...more,
});
const piece = (messages: object[], more: object = {}) => ({
  metadata: { phase: 0, chunk_order: 1, progress: 55 },
  threads: [{ id: USER, messages }],
  ...more,
});

describe("the history of the business app", () => {
  test("both sides of a chat, each with its writer, and how far the sync has come", () => {
    const events = eventsOf("history", {
      history: [
        piece([
          chatted({ history_context: { status: "READ" } }),
          chatted({ from: OWN_NUMBER, id: "wamid.H2" }),
          chatted({ from: "5511987654321", to: USER, id: "wamid.H3" }),
        ]),
      ],
    });
    expect(events).toEqual([
      {
        kind: "received",
        key: "wamid.H1",
        at: AT,
        from: { pn: USER },
        chat: { pn: USER },
        pushName: null,
        isHistory: true,
        content: { type: "text", content: { text: "oi" } },
      },
      ...["wamid.H2", "wamid.H3"].map((key) => ({
        kind: "received",
        key,
        at: AT,
        from: OWN,
        chat: { pn: USER },
        pushName: null,
        isOwn: true,
        isHistory: true,
        content: { type: "text", content: { text: "oi" } },
      })),
      { kind: "sync", at: 0, what: "history", percent: 55 },
    ] as never);
  });

  test("several pieces with several chats, in their order; what came before a sync's end stands before its end", () => {
    const events = eventsOf("history", {
      history: [
        { metadata: { progress: 90 }, threads: [{ id: USER, messages: [chatted()] }] },
        {
          metadata: { progress: 100 },
          threads: [{ id: "12125557890", messages: [chatted({ from: "12125557890", id: "wamid.H9" })] }],
        },
      ],
    });
    expect(
      events.map((event) => ("key" in event ? event.key : event.kind === "sync" ? event.percent : event.kind)),
    ).toEqual(["wamid.H1", 90, "wamid.H9", 100] as never);
  });

  test("media stand as placeholders; the file comes later under the same id", () => {
    const [placeholder] = eventsOf("history", {
      history: [piece([chatted({ type: "media_placeholder", text: undefined })])],
    });
    expect(placeholder).toMatchObject({
      kind: "received",
      key: "wamid.H1",
      isPlaceholder: true,
      content: { type: "unsupported", content: { originalType: "media_placeholder" } },
    });
    const sha256 = "3f9d94d399fa61c191bc1d4ca71375a035cd9b9f5b1128e1f0963a415c16b0cc";
    const [file] = eventsOf("history", {
      messages: [chatted({ type: "image", image: { id: "242", mime_type: "image/jpeg", sha256, caption: "a" } })],
    });
    expect(file).toMatchObject({
      kind: "received",
      key: "wamid.H1",
      isHistory: true,
      media: { nativeId: "242", sha256 },
      content: { type: "image", content: { caption: "a" } },
    });
    expect(file).not.toHaveProperty("isPlaceholder");
    expect(
      eventsOf("history", { messages: [chatted({ from: OWN_NUMBER, type: "image", image: { id: "1" } })] }),
    ).toMatchObject([{ isOwn: true, chat: {} }]);
  });

  test("the owner's refusal to share it", () => {
    const title = "History sync is turned off by the business from the WhatsApp Business App";
    const errors = [
      {
        code: 2593109,
        title,
        message: title,
        error_data: { details: "History sharing is turned off by the business" },
      },
    ];
    expect(eventsOf("history", { history: [{ errors }] })).toEqual([
      {
        kind: "sync",
        at: 0,
        what: "history",
        percent: 0,
        refusal: `(#2593109) ${title}: History sharing is turned off by the business`,
      },
    ]);
  });

  test("a chat that is known by a user id alone", () => {
    expect(
      eventsOf("history", { history: [{ threads: [{ id: "US.77", messages: [chatted({ from: undefined })] }] }] }),
    ).toMatchObject([{ from: { bsuid: "US.77" } }]);
  });

  test("reactions, edits and revocations of the time are what they are", () => {
    const revoke = { id: "wamid.R", type: "revoke", revoke: { original_message_id: "wamid.H1" } };
    expect(
      eventsOf("history", {
        history: [{ threads: [{ id: USER, messages: [chatted(revoke), chatted({ ...revoke, from: OWN_NUMBER })] }] }],
      }),
    ).toMatchObject([
      { kind: "revoked", key: "wamid.H1", from: { pn: USER } },
      { kind: "revoked", key: "wamid.H1", from: OWN, isOwn: true },
    ]);
  });

  test.each([{ history: [{}] }, { history: [{ metadata: {} }] }, { history: [null] }, { history: "x" }, {}])(
    "with nothing in it (%j) is unknown",
    (value) => {
      expect(eventsOf("history", value)).toMatchObject([{ kind: "unknown", what: "history with nothing in it" }]);
    },
  );
});

describe("what the owner writes in the business app", () => {
  const echo = (more: object = {}) => ({
    from: OWN_NUMBER,
    to: USER,
    to_user_id: "US.1",
    to_parent_user_id: "US.ENT.1",
    id: "wamid.E",
    timestamp: "1739230955",
    type: "text",
    text: { body: "oi" },
    ...more,
  });
  const other = { pn: USER, bsuid: "US.1", parentBsuid: "US.ENT.1" };
  const events = (more: object, contacts: object[] = []) =>
    eventsOf("smb_message_echoes", { contacts, message_echoes: [echo(more)] });

  test("is a message of our own, in the other's chat", () => {
    expect(events({})).toEqual([
      {
        kind: "received",
        key: "wamid.E",
        at: AT,
        from: OWN,
        chat: other,
        pushName: null,
        isOwn: true,
        content: { type: "text", content: { text: "oi" } },
      },
    ] as never);
  });

  test("names the other by whatever is there, and the contacts complete it", () => {
    expect(
      events({ to: undefined, to_parent_user_id: undefined }, [
        { wa_id: USER, user_id: "US.1", profile: { username: "ana" } },
      ]),
    ).toMatchObject([{ chat: { pn: USER, bsuid: "US.1", username: "ana" } }]);
    expect(events({ to: `+${USER}`, to_user_id: undefined, to_parent_user_id: undefined })).toMatchObject([
      { chat: { pn: USER } },
    ]);
    expect(events({ to: undefined, to_user_id: undefined, to_parent_user_id: undefined })).toMatchObject([
      { kind: "unknown", what: "echo without a recipient" },
    ]);
  });

  test("edits, revocations and reactions are our own, too", () => {
    const edit = { original_message_id: "wamid.B", message: { type: "text", text: { body: "corrected" } } };
    const act = { key: "wamid.B", nativeId: "wamid.E", at: AT, from: OWN, isOwn: true };
    expect(events({ type: "edit", edit })).toEqual([{ kind: "edited", ...act, text: "corrected" }] as never);
    expect(events({ type: "revoke", revoke: { original_message_id: "wamid.B" } })).toEqual([
      { kind: "revoked", ...act },
    ] as never);
    expect(events({ type: "reaction", reaction: { message_id: "wamid.B", emoji: "👍" } })).toEqual([
      { kind: "reacted", ...act, emoji: "👍" },
    ] as never);
  });
});

describe("the owner's address book", () => {
  const item = (more: object = {}) => ({
    type: "contact",
    action: "add",
    contact: { full_name: "Pablo Morales", first_name: "Pablo", phone_number: USER },
    metadata: { timestamp: "1739321024" },
    ...more,
  });

  test("entries that are there or gone, at once, and that the book is up to date", () => {
    const events = eventsOf("smb_app_state_sync", {
      state_sync: [item(), item({ action: "remove", contact: { phone_number: "+1 212 555 7890" } })],
    });
    expect(events).toMatchObject([
      {
        kind: "contacts",
        at: 1739321024000,
        contacts: [
          { identity: { pn: USER }, name: "Pablo Morales", firstName: "Pablo", action: "add" },
          { identity: { pn: "12125557890" }, name: null, firstName: null, action: "remove" },
        ],
      },
      { kind: "sync", what: "contacts", percent: 100 },
    ]);
  });

  test("the same entries have the same native id, others another", () => {
    const idOf = (more: object) =>
      (eventsOf("smb_app_state_sync", { state_sync: [item(more)] })[0] as ContactsSynced).nativeId;
    expect(idOf({})).toBe(idOf({}));
    expect(idOf({})).not.toBe(idOf({ metadata: { timestamp: "1739321025" } }));
  });

  test("a long book comes in parts, none of it lost", () => {
    const items = Array.from({ length: 250 }, (_, index) =>
      item({ contact: { phone_number: `1650555${1000 + index}`, full_name: `No ${index}` } }),
    );
    const events = eventsOf("smb_app_state_sync", { state_sync: items });
    const books = events.filter((event) => event.kind === "contacts");
    expect(books.map(({ contacts }) => contacts.length)).toEqual([100, 100, 50]);
    expect(new Set(books.flatMap(({ contacts }) => contacts.map(({ name }) => name))).size).toBe(250);
  });

  test("what is no entry is unknown, and the entries beside it are events", () => {
    expect(
      eventsOf("smb_app_state_sync", { state_sync: [{ type: "label" }, item({ contact: {} }), item(), null] }),
    ).toMatchObject([
      { kind: "contacts", contacts: [{ identity: { pn: USER } }] },
      { kind: "sync" },
      { kind: "unknown", what: "state sync label" },
      { kind: "unknown", what: "state sync contact" },
      { kind: "unknown", what: "state sync without a name" },
    ]);
  });
});
