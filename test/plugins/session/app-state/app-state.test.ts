import { afterEach, describe, expect, test } from "bun:test";
import type { ChatAct } from "../../../../src/contract/abilities/chats.ts";
import { MUTED_FOR_EVER } from "../../../../src/contract/abilities/chats.ts";
import type { ChannelEvent, ProviderMessageId } from "../../../../src/contract/events.ts";
import { DAY_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { CONNECTED, type UnpairedChannel, unpairedChannel } from "../../../support/session/unpaired.ts";
import { type Contact, stanza } from "../../../support/whatsapp/index.ts";
import { child, children } from "../../../support/whatsapp/wire/stanza.ts";

const channel = unpairedChannel();
const ANA = "5511911110001";

afterEach(() => {
  const { net, phone } = channel();
  expect(net.stat.unhandled).toEqual([]);
  expect(phone.appState.broken).toEqual([]);
});

const KINDS: ReadonlySet<string> = new Set(["chat", "label", "labelled", "message-labelled", "starred", "hidden"]);
const stateEvents = ({ host }: UnpairedChannel): ChannelEvent[] => host.events.filter(({ kind }) => KINDS.has(kind));
const asked = ({ net }: UnpairedChannel): number => net.stat.iqs["w:sync:app:state"] ?? 0;

/** A paired session to whom the phone has given its keys, with a person who has written. */
const synced = async (begin: (ana: Contact) => Promise<void> = async () => {}) => {
  const all = channel();
  const ana = all.net.contact({ pn: ANA, name: "Ana" });
  await begin(ana);
  await all.pair();
  await all.phone.appState.share();
  await all.net.until(() => asked(all) >= 5);
  // the last collection is read when this has its turn in it
  await act(all, { name: "label", labelId: "0", isLabelled: false });
  return { ...all, ana };
};

/** Has the phone do something, and waits for its event. */
const seen = async (all: UnpairedChannel, act: () => Promise<void>): Promise<ChannelEvent | undefined> => {
  const before = stateEvents(all).length;
  await act();
  await all.host.until(() => stateEvents(all).length > before);
  return stateEvents(all).at(-1);
};

const act = ({ link, host }: UnpairedChannel, given: ChatAct, at = host.clock.now()) =>
  link.chats?.act({ ...given, chat: `pn:${ANA}`, newest: null, at });

describe("what the owner does on the phone", () => {
  test("each act on a chat is an event, by the person's number", async () => {
    const all = await synced();
    const { ana, phone } = all;
    await ana.say("oi", { to: phone }); // the stanza says which number the LID has
    await all.host.until(() => all.host.events.some(({ kind }) => kind === "received"));
    const until = all.host.clock.now() + DAY_MS;
    for (const [did, changes] of [
      [() => phone.appState.archive(ana, true), { archived: true }],
      [() => phone.appState.archive(ana, false), { archived: false }],
      [() => phone.appState.pin(ana, true), { pinned: true }],
      [() => phone.appState.mute(ana, until), { mutedUntil: until }],
      [() => phone.appState.mute(ana, -1), { mutedUntil: MUTED_FOR_EVER }],
      [() => phone.appState.mute(ana, null), { mutedUntil: null }],
      [() => phone.appState.markUnread(ana, true), { markedUnread: true }],
      [() => phone.appState.clear(ana), { gone: "cleared" }],
      [() => phone.appState.deleteChat(ana), { gone: "deleted" }],
    ] as const)
      expect(await seen(all, did)).toMatchObject({ kind: "chat", chat: { pn: ANA }, changes });
  });

  test("a star, a message that was deleted for me, labels and labelled chats are events", async () => {
    const all = await synced();
    const { ana, phone } = all;
    const id = await ana.say("oi", { to: phone });
    const message = { id, isOwn: false };
    expect(await seen(all, () => phone.appState.star(ana, message, true))).toMatchObject({ key: id, isStarred: true });
    expect(await seen(all, () => phone.appState.deleteForMe(ana, message))).toMatchObject({ kind: "hidden", key: id });
    const label = { name: "Novo cliente", color: 3 };
    expect(await seen(all, () => phone.appState.label("7", label))).toMatchObject({ kind: "label", id: "7", ...label });
    expect(await seen(all, () => phone.appState.labelChat("7", ana, true))).toMatchObject({
      kind: "labelled",
      chat: { lid: ana.lid },
      labelId: "7",
      isLabelled: true,
    });
    expect(await seen(all, () => phone.appState.labelMessage("7", ana, id, true))).toMatchObject({
      kind: "message-labelled",
      key: id,
      labelId: "7",
      isLabelled: true,
    });
    expect(await seen(all, () => phone.appState.label("7", { isDeleted: true }))).toMatchObject({ isDeleted: true });
  });

  test("what the phone takes back of a message is an event, however it takes it back", async () => {
    const all = await synced();
    const { ana, phone } = all;
    const id = await ana.say("oi", { to: phone });
    const message = { id, isOwn: false };
    const starred = { name: "regular_high", index: ["star", ana.lidJid, id, "0", "0"], version: 2 } as const;
    const labelled = { name: "regular", index: ["label_message", "7", ana.lidJid, id, "0", "0"], version: 3 } as const;
    const removed = { action: {}, isRemoved: true };
    for (const takeBack of [
      () => phone.appState.star(ana, message, false),
      () => phone.appState.set({ ...starred, ...removed }),
      // a phone may leave the value in what it removes
      () => phone.appState.set({ ...starred, action: { starAction: { starred: true } }, isRemoved: true }),
    ]) {
      await seen(all, () => phone.appState.star(ana, message, true));
      expect(await seen(all, takeBack)).toMatchObject({ kind: "starred", key: id, isStarred: false });
    }
    for (const takeBack of [
      () => phone.appState.labelMessage("7", ana, id, false),
      () => phone.appState.set({ ...labelled, ...removed }),
    ]) {
      await seen(all, () => phone.appState.labelMessage("7", ana, id, true));
      expect(await seen(all, takeBack)).toMatchObject({ kind: "message-labelled", key: id, isLabelled: false });
    }
  });

  test("a labelled message whose label has no id, or one beyond all length, or without a message, is no event", async () => {
    const all = await synced();
    const { ana, phone } = all;
    const id = await ana.say("oi", { to: phone });
    await phone.appState.labelMessage("", ana, id, true);
    await phone.appState.labelMessage("7".repeat(5000), ana, id, true);
    await phone.appState.labelMessage("7", ana, "", true);
    await seen(all, () => phone.appState.labelMessage("7", ana, id, true));
    expect(stateEvents(all)).toMatchObject([{ kind: "message-labelled", labelId: "7" }]);
  });

  test("a value with a word of objects as its name is passed over, and the collection is read on", async () => {
    const all = await synced();
    const { ana, phone } = all;
    for (const word of ["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty"])
      await phone.appState.set({ name: "regular_low", index: [word, ana.lidJid], version: 3, action: {} });
    await seen(all, () => phone.appState.pin(ana, true));
    expect(stateEvents(all)).toMatchObject([{ kind: "chat", changes: { pinned: true } }]);
  });

  test("a labelled chat whose label has an id beyond all length is no event", async () => {
    const all = await synced();
    await all.phone.appState.labelChat("7".repeat(5000), all.ana, true);
    await seen(all, () => all.phone.appState.labelChat("7", all.ana, true));
    expect(stateEvents(all)).toMatchObject([{ kind: "labelled", labelId: "7" }]);
  });

  test("what was so before the session was linked is known, and is marked as history", async () => {
    const all = await synced(async (ana) => {
      await channel().phone.appState.archive(ana, true);
      await channel().phone.appState.pin(ana, false);
      await channel().phone.appState.label("1", { name: "Pago", color: 1 });
    });
    await all.host.until(() => stateEvents(all).length >= 2);
    expect(stateEvents(all)).toMatchObject([
      { kind: "chat", changes: { archived: true }, isHistory: true },
      { kind: "label", name: "Pago", isHistory: true },
    ]);
  });

  test("what happened while the session was away comes at its next connect", async () => {
    const all = await synced();
    await seen(all, () => all.phone.appState.pin(all.ana, false));
    all.phone.cut();
    await all.host.until(() => all.host.reports.at(-1)?.state === "CONNECTING");
    for (let times = 0; times < 8; times++) await all.phone.appState.pin(all.ana, times % 2 === 0);
    await all.phone.appState.archive(all.ana, true);
    await all.pass();
    await all.reported(CONNECTED);
    await all.host.until(() => stateEvents(all).some((event) => event.kind === "chat" && event.changes.archived));
    expect(stateEvents(all)).toHaveLength(10);
  });
});

describe("acts on a chat from here", () => {
  test("the phone shows each, and no event comes back for it", async () => {
    const all = await synced();
    const { ana, phone } = all;
    const value = (...index: string[]) => phone.appState.value(index);
    const until = all.host.clock.now() + DAY_MS;
    expect(await act(all, { name: "pin", isPinned: true })).toEqual({ ok: true });
    await all.net.until(() => value("pin_v1", ana.lidJid)?.pinAction?.pinned);
    expect(await act(all, { name: "archive", isArchived: true })).toEqual({ ok: true });
    await all.net.until(() => value("archive", ana.lidJid)?.archiveChatAction?.archived);
    expect(value("pin_v1", ana.lidJid)?.pinAction?.pinned).toBe(false);
    expect(await act(all, { name: "mute", until })).toEqual({ ok: true });
    await all.net.until(() => Number(value("mute", ana.lidJid)?.muteAction?.muteEndTimestamp) === until);
    expect(await act(all, { name: "mark-unread", isUnread: true })).toEqual({ ok: true });
    await all.net.until(() => value("markChatAsRead", ana.lidJid)?.markChatAsReadAction?.read === false);
    expect(await act(all, { name: "clear" })).toEqual({ ok: true });
    await all.net.until(() => value("clearChat", ana.lidJid, "1", "0"));
    expect(await act(all, { name: "delete" })).toEqual({ ok: true });
    await all.net.until(() => value("deleteChat", ana.lidJid, "1"));
    expect(await all.link.chats?.putLabel({ id: "9", name: "VIP", color: 2 })).toMatchObject({ ok: true });
    expect(await act(all, { name: "label", labelId: "9", isLabelled: true })).toEqual({ ok: true });
    await all.net.until(() => value("label_jid", "9", ana.lidJid)?.labelAssociationAction?.labeled);
    expect(value("label_edit", "9")?.labelEditAction).toMatchObject({ name: "VIP", color: 2 });
    expect(stateEvents(all)).toEqual([]);
    // a later change of the phone is read on the version that was written here
    expect(await seen(all, () => phone.appState.pin(ana, true))).toMatchObject({ changes: { pinned: true } });
  });

  test("star, label and delete for me name the message as the phone knows it", async () => {
    const all = await synced();
    const key = (await all.ana.say("oi", { to: all.phone })) as ProviderMessageId;
    await all.host.until(() => all.host.events.some(({ kind }) => kind === "received"));
    const message = { key, chat: `pn:${ANA}`, sender: `pn:${ANA}` };
    expect(await all.link.operate?.({ name: "star", isStarred: true, ...message })).toEqual({ ok: true });
    await all.net.until(() => all.phone.appState.value(["star", all.ana.lidJid, key, "0", "0"])?.starAction?.starred);
    const labels = (...of: string[]) => all.phone.appState.value(["label_message", ...of, "0", "0"]);
    for (const isLabelled of [true, false]) {
      expect(await all.link.operate?.({ name: "label", labelId: "7", isLabelled, ...message })).toEqual({ ok: true });
      await all.net.until(() => labels("7", all.ana.lidJid, key)?.labelAssociationAction?.labeled === isLabelled);
    }
    expect(await all.link.operate?.({ name: "delete-for-me", ...message })).toEqual({ ok: true });
    await all.net.until(() => all.phone.appState.value(["deleteMessageForMe", all.ana.lidJid, key, "0", "0"]));
  });

  test("a late act takes no message that came after it was accepted: the phone ignores it", async () => {
    const all = await synced();
    const { ana, phone } = all;
    const acceptedAt = all.host.clock.now() - 2 * SECOND_MS;
    await ana.say("urgente", { to: phone });
    await all.host.until(() => all.host.events.some(({ kind }) => kind === "received"));
    const ranged: ChatAct[] = [
      { name: "clear" },
      { name: "delete" },
      { name: "archive", isArchived: true },
      { name: "mark-unread", isUnread: false },
    ];
    for (const given of ranged) expect(await act(all, given, acceptedAt)).toEqual({ ok: true });
    await all.net.until(() => phone.appState.ignored.length === ranged.length);
    expect(phone.appState.value(["clearChat", ana.lidJid, "1", "0"])).toBeUndefined();
    expect(phone.appState.value(["deleteChat", ana.lidJid, "1"])).toBeUndefined();
  });

  test("a conflict with the phone is read and written again", async () => {
    const all = await synced();
    await act(all, { name: "pin", isPinned: true });
    // the notification of the phone's change does not come in time
    const release = all.net.faults.holdIncoming();
    await all.phone.appState.archive(all.ana, true);
    expect(await act(all, { name: "pin", isPinned: false })).toEqual({ ok: true });
    await all.net.until(() => all.phone.appState.value(["pin_v1", all.ana.lidJid])?.pinAction?.pinned === false);
    expect(stateEvents(all)).toMatchObject([{ kind: "chat", changes: { archived: true } }]);
    release();
  });

  test("without keys of the phone an act waits, and nothing is sent", async () => {
    const all = channel();
    all.net.contact({ pn: ANA });
    await all.pair();
    const before = asked(all);
    expect(await act(all, { name: "pin", isPinned: true })).toMatchObject({ ok: false, kind: "retry" });
    expect(asked(all)).toBe(before);
  });

  test("a refusal of the network is the outcome, and no version is counted", async () => {
    const all = await synced();
    await act(all, { name: "pin", isPinned: true });
    all.net.faults.answerIq(
      (iq) => {
        const collection = children(child(iq, "sync"), "collection")[0];
        if (!collection || !child(collection, "patch")) return undefined;
        const refused = stanza("collection", { name: collection.attrs["name"], type: "error" }, [
          stanza("error", { code: "403" }),
        ]);
        return stanza("iq", {}, [stanza("sync", {}, [refused])]);
      },
      { times: 1 },
    );
    expect(await act(all, { name: "pin", isPinned: false })).toMatchObject({ kind: "refused", upstreamCode: 403 });
    expect(await act(all, { name: "pin", isPinned: false })).toEqual({ ok: true });
  });

  test("more than thirty changes in a minute wait, and nothing is sent", async () => {
    const all = await synced();
    for (let times = 0; times < 29; times++) await act(all, { name: "pin", isPinned: times % 2 === 0 });
    const before = asked(all);
    expect(await act(all, { name: "pin", isPinned: true })).toMatchObject({ kind: "retry", isRateLimit: true });
    expect(asked(all)).toBe(before);
  });
});

describe("an app state that does not fit", () => {
  test("a patch with a wrong MAC is mended by a snapshot, and what it says is not lost", async () => {
    const all = await synced();
    await all.phone.appState.pin(all.ana, true);
    await all.host.until(() => stateEvents(all).length === 1);
    all.phone.cut();
    await all.host.until(() => all.host.reports.at(-1)?.state === "CONNECTING");
    await all.phone.appState.archive(all.ana, true);
    all.phone.appState.damagePatch("regular_low");
    await all.pass();
    await all.reported(CONNECTED);
    await all.host.until(() => stateEvents(all).some((event) => event.kind === "chat" && event.changes.archived));
    expect(await act(all, { name: "pin", isPinned: false })).toEqual({ ok: true });
  });

  test("a snapshot that mends tells of no earlier clear or deletion again", async () => {
    const all = await synced();
    const { ana, phone } = all;
    await seen(all, () => phone.appState.clear(ana));
    await seen(all, () => phone.appState.deleteChat(ana));
    phone.cut();
    await all.host.until(() => all.host.reports.at(-1)?.state === "CONNECTING");
    await phone.appState.mute(ana, -1);
    phone.appState.damagePatch("regular_high");
    await all.pass();
    await all.reported(CONNECTED);
    await all.host.until(() => stateEvents(all).length > 2);
    expect(stateEvents(all).slice(2)).toMatchObject([{ changes: { mutedUntil: MUTED_FOR_EVER } }]);
  });

  test("a collection that stays damaged is left alone after one snapshot, and messages go on", async () => {
    const all = await synced();
    await all.phone.appState.pin(all.ana, true);
    await all.host.until(() => stateEvents(all).length === 1);
    all.phone.cut();
    await all.host.until(() => all.host.reports.at(-1)?.state === "CONNECTING");
    await all.phone.appState.archive(all.ana, true);
    all.phone.appState.damage("regular_low");
    const before = asked(all);
    await all.pass();
    await all.reported(CONNECTED);
    await all.ana.say("oi", { to: all.phone });
    await all.host.until(() => all.host.events.some(({ kind }) => kind === "received"));
    await all.net.until(() => asked(all) >= before + 2);
    expect(await act(all, { name: "pin", isPinned: true })).toMatchObject({ ok: false, kind: "retry" });
    expect(stateEvents(all)).toHaveLength(1);
    expect(asked(all)).toBe(before + 2);
  });

  test("a missing key is asked for at the phone once, and what waits for it is read", async () => {
    const all = await synced();
    await all.phone.appState.rotate({ isSilent: true });
    expect(
      await seen(all, async () => {
        await all.phone.appState.archive(all.ana, true);
      }),
    ).toMatchObject({ changes: { archived: true } });
    expect(all.phone.appState.keyRequests).toHaveLength(1);
    expect(await act(all, { name: "archive", isArchived: false })).toEqual({ ok: true });
  });

  test("a phone that does not answer is asked for a key once, and messages go on", async () => {
    const all = await synced();
    all.phone.appState.answersKeyRequests = false;
    await all.phone.appState.rotate({ isSilent: true });
    await all.phone.appState.archive(all.ana, true);
    await all.net.until(() => all.phone.appState.keyRequests.length === 1);
    await all.phone.appState.pin(all.ana, true);
    await all.ana.say("oi", { to: all.phone });
    await all.host.until(() => all.host.events.some(({ kind }) => kind === "received"));
    expect(all.phone.appState.keyRequests).toHaveLength(1);
    expect(stateEvents(all)).toEqual([]);
    await all.phone.appState.share();
    await all.host.until(() => stateEvents(all).length === 2);
  });

  test("a new reading also says what is as usual again, without an event of an earlier clear", async () => {
    const all = await synced();
    const { ana, phone } = all;
    for (const is of [true, false]) {
      await seen(all, () => phone.appState.archive(ana, is));
      await seen(all, () => phone.appState.pin(ana, is));
      await seen(all, () => phone.appState.mute(ana, is ? -1 : null));
      await seen(all, () => phone.appState.labelChat("7", ana, is));
    }
    await seen(all, () => phone.appState.clear(ana));
    const before = stateEvents(all).length;
    expect(await all.link.chats?.resync()).toMatchObject({ ok: true });
    const again = stateEvents(all).slice(before);
    expect(again.every((event) => "isHistory" in event && event.isHistory)).toBe(true);
    const changes = again.map((event) => (event.kind === "chat" ? event.changes : { kind: event.kind }));
    expect(changes).toContainEqual({ archived: false });
    expect(changes).toContainEqual({ pinned: false });
    expect(changes).toContainEqual({ mutedUntil: null });
    expect(again).toContainEqual(expect.objectContaining({ kind: "labelled", labelId: "7", isLabelled: false }));
    expect(changes).not.toContainEqual({ gone: "cleared" });
  });

  test.each([
    ["a snapshot that mends says it as news", false],
    ["a new reading says it as history", true],
  ])(
    "a value that the phone removed is in no snapshot: %s, by the chats that still have one",
    async (_how, isAgain) => {
      const all = await synced();
      const { net, phone, ana } = all;
      const bia = net.contact({ pn: "5511911110002", name: "Bia" });
      for (const chat of [ana, bia]) {
        await seen(all, () => phone.appState.archive(chat, true));
        await seen(all, () => phone.appState.pin(chat, true));
      }
      const before = all.host.events.length;
      const release = net.faults.holdIncoming();
      const index = ["archive", ana.lidJid];
      await phone.appState.set({ name: "regular_low", index, version: 3, action: {}, isRemoved: true });
      if (isAgain) expect(await all.link.chats?.resync()).toMatchObject({ ok: true });
      else phone.appState.damagePatch("regular_low");
      release();
      const isShown = (event: ChannelEvent) => event.kind === "shown" && event.archived !== undefined;
      await all.host.until(() => all.host.events.slice(before).some(isShown));
      expect(all.host.events.slice(before).find(isShown)).toEqual({
        kind: "shown",
        at: all.host.clock.now(),
        archived: [expect.objectContaining({ lid: bia.lid })],
        pinned: [expect.objectContaining({ lid: ana.lid }), expect.objectContaining({ lid: bia.lid })],
        markedUnread: [],
        ...(isAgain ? { isHistory: true } : {}),
      });
    },
  );

  test("a star and a label of a message that the phone removed are in no snapshot: it says which have them still", async () => {
    const all = await synced();
    const { ana, phone } = all;
    const [taken, left] = [await ana.say("oi", { to: phone }), await ana.say("de novo", { to: phone })];
    for (const id of [taken, left]) {
      await seen(all, () => phone.appState.star(ana, { id, isOwn: false }, true));
      await seen(all, () => phone.appState.labelMessage("7", ana, id, true));
    }
    await seen(all, () => phone.appState.star(ana, { id: taken, isOwn: false }, false));
    await seen(all, () => phone.appState.labelMessage("7", ana, taken, false));
    const before = all.host.events.length;
    expect(await all.link.chats?.resync()).toMatchObject({ ok: true });
    const shown = all.host.events.slice(before).filter((event) => event.kind === "shown");
    expect(shown).toContainEqual(expect.objectContaining({ starred: [left], isHistory: true }));
    expect(shown).toContainEqual(expect.objectContaining({ labelledMessages: [{ key: left, labelId: "7" }] }));
  });

  test("everything can be read again", async () => {
    const all = await synced();
    await all.phone.appState.archive(all.ana, true);
    await all.host.until(() => stateEvents(all).length === 1);
    expect(await all.link.chats?.resync()).toMatchObject({ ok: true });
    await all.host.until(() => stateEvents(all).length > 1);
    expect(stateEvents(all).slice(1)).toContainEqual(
      expect.objectContaining({ changes: { archived: true }, isHistory: true }),
    );
    expect(await act(all, { name: "archive", isArchived: false })).toEqual({ ok: true });
  });
});
