import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, receivedBy, rowsOf } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../../support/session/world.ts";
import { made } from "../../../support/tenants/platform.ts";
import { untilTrue } from "../../../support/waiting.ts";

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld();
});
afterAll(() => s.stop());
afterEach(() => expect(s.net.stat.unhandled).toEqual([]));

/** A paired phone that has shared its keys, with a chat in which Ana has written. */
const setup = async () => {
  const { customer, hook, owner } = await pairedPhone(s);
  const phone = `/v1/phones/${customer.phone.id}`;
  const ask = (path: string, body?: unknown, method = body === undefined ? "GET" : "POST") =>
    s.w.gateway(path, { key: customer.key, method, ...(body === undefined ? {} : { body }) });
  const ana = s.contact();
  const before = s.net.stat.iqs["w:sync:app:state"] ?? 0;
  await owner.appState.share();
  await untilTrue(async () => (s.net.stat.iqs["w:sync:app:state"] ?? 0) >= before + 5);
  await ana.say("oi", { to: owner });
  const [{ messageId }] = await untilEvents(s.w, hook, "message:received");
  const chat = async () => (await ask("/v1/chats")).body.items[0];
  const { id } = await chat();
  return { customer, hook, owner, phone, ask, ana, id, chat, messageId, chats: `/v1/chats/${id}` };
};
const idsOf = ({ body }: { body: any }) => body.items.map(({ id }: { id: string }) => id);

describe("a chat in the phone's own app", () => {
  test("archive, pin, mute and mark by the API: the app shows it, the chat says it, an event tells of it", async () => {
    const { ask, chats, chat, owner, ana, hook, id } = await setup();
    const value = (...index: string[]) => owner.appState.value(index);
    expect((await ask(chats, { pinned: true, markedUnread: true }, "PATCH")).body).toEqual({ status: "enqueued" });
    await untilEvents(s.w, hook, "chat:changed", 2);
    expect(value("pin_v1", ana.lidJid)?.pinAction?.pinned).toBe(true);
    expect(await chat()).toMatchObject({ pinned: true, markedUnread: true, archived: false, muted: false, labels: [] });

    made(await ask(chats, { archived: true }, "PATCH"), 202);
    const events = await untilEvents(s.w, hook, "chat:changed", 3);
    expect(events[2]).toMatchObject({
      chat: { canonicalKey: `pn:${ana.pn}` },
      changed: ["archived", "pinned"],
      archived: true,
      pinned: false,
    });
    expect(value("archive", ana.lidJid)?.archiveChatAction?.archived).toBe(true);
    expect(idsOf(await ask("/v1/chats?archived=true"))).toEqual([id]);
    expect(idsOf(await ask("/v1/chats?archived=false"))).toEqual([]);

    const mutedUntil = new Date(s.w.clock.now() + DAY_MS).toISOString();
    made(await ask(chats, { mutedUntil }, "PATCH"), 202);
    await untilEvents(s.w, hook, "chat:changed", 4);
    expect(await chat()).toMatchObject({ muted: true, mutedUntil });
    made(await ask(chats, { muted: true }, "PATCH"), 202);
    await untilEvents(s.w, hook, "chat:changed", 5);
    expect(await chat()).toMatchObject({ muted: true, mutedUntil: null });
    expect(Number(value("mute", ana.lidJid)?.muteAction?.muteEndTimestamp)).toBe(-1);
    made(await ask(chats, { mutedUntil: null }, "PATCH"), 202);
    await untilEvents(s.w, hook, "chat:changed", 6);
    expect(await chat()).toMatchObject({ muted: false });
    expect(owner.appState.broken).toEqual([]);
  });

  test("the same done on the phone arrives, and the same again publishes nothing", async () => {
    const { chat, owner, ana, hook } = await setup();
    await owner.appState.archive(ana, true);
    await owner.appState.archive(ana, true);
    await owner.appState.pin(ana, true);
    const events = await untilEvents(s.w, hook, "chat:changed", 2);
    expect(events.map(({ changed }) => changed)).toEqual([["archived"], ["pinned"]]);
    expect(await chat()).toMatchObject({ archived: true, pinned: true });
  });

  test("clear and delete change the phone's app; the chat and its messages stay here", async () => {
    const { ask, chats, hook, owner, ana, id } = await setup();
    made(await ask(`${chats}/clear`, {}), 202);
    await untilEvents(s.w, hook, "chat:changed", 1);
    made(await ask(chats, undefined, "DELETE"), 202);
    const events = await untilEvents(s.w, hook, "chat:changed", 2);
    expect(events.map(({ changed }) => changed)).toEqual([["cleared"], ["deleted"]]);
    expect(owner.appState.value(["deleteChat", ana.lidJid, "1"])).toBeDefined();
    expect(owner.appState.ignored).toEqual([]);
    expect((await ask(`${chats}/messages`)).body.items).toHaveLength(1);
    expect(idsOf(await ask("/v1/chats"))).toEqual([id]);
  });

  test("what is refused changes nothing: no change, two mutes, another account's chat, another kind of phone", async () => {
    const { ask, chats, chat, owner } = await setup();
    const asked = s.net.stat.iqs["w:sync:app:state"];
    expect(gatewaySays(await ask(chats, {}, "PATCH"))).toBe("400 VALIDATION_ERROR");
    expect(gatewaySays(await ask(chats, { muted: true, mutedUntil: null }, "PATCH"))).toBe("400 VALIDATION_ERROR");
    expect(gatewaySays(await ask(`${chats}/labels`, { labels: ["404"] }, "PUT"))).toBe("400 VALIDATION_ERROR");
    const other = await newCustomer(s.w);
    for (const call of [
      s.w.gateway(chats, { key: other.key, method: "PATCH", body: { pinned: true } }),
      s.w.gateway(chats, { key: other.key, method: "DELETE" }),
    ])
      expect((await call).status).toBe(404);
    const labels = `/v1/phones/${other.phone.id}/labels`;
    expect((await s.w.gateway(labels, { key: other.key })).body).toEqual({ items: [] });
    const refused = await s.w.gateway(labels, { key: other.key, method: "POST", body: { name: "VIP" } });
    expect(gatewaySays(refused)).toBe("400 UPSTREAM_BAD_REQUEST");
    await s.w.settle();
    expect(s.net.stat.iqs["w:sync:app:state"]).toBe(asked);
    expect(await chat()).toMatchObject({ pinned: false, muted: false });
    expect(owner.appState.broken).toEqual([]);
  });

  test("a refusal of the network is an event, and the chat stays as it was", async () => {
    const { ask, chats, chat, hook } = await setup();
    const heal = s.net.faults.answerIq(({ attrs }) =>
      attrs["xmlns"] === "w:sync:app:state"
        ? {
            tag: "iq",
            attrs: { type: "error" },
            content: [{ tag: "error", attrs: { code: "403", text: "forbidden" } }],
          }
        : undefined,
    );
    made(await ask(chats, { pinned: true }, "PATCH"), 202);
    const [failed] = await untilEvents(s.w, hook, "chat:operation_failed");
    expect(failed).toMatchObject({ operation: "pin", code: "UPSTREAM_BAD_REQUEST" });
    expect((await chat()).pinned).toBe(false);
    heal();
  });
});

describe("a group in the phone's own app", () => {
  test("is archived, pinned and muted by the API, and by the owner; nothing of another account is", async () => {
    const { ask, customer, owner, ana, hook } = await setup();
    const group = s.net.group({ subject: "Equipe", members: [owner, ana] });
    const listed = await ask(`/v1/groups?phoneId=${customer.phone.id}&refresh=true`);
    const path = `/v1/groups/${listed.body.items[0].id}/chat`;
    made(await ask(path, { pinned: true }, "PATCH"), 202);
    const [pinned] = await untilEvents(s.w, hook, "chat:changed");
    expect(pinned).toMatchObject({ changed: ["pinned"], pinned: true });
    await s.net.until(() => owner.appState.value(["pin_v1", group.jid])?.pinAction?.pinned);
    made(await ask(path, { archived: true, muted: true }, "PATCH"), 202);
    await untilEvents(s.w, hook, "chat:changed", 3);
    await s.net.until(() => owner.appState.value(["archive", group.jid])?.archiveChatAction?.archived);
    await owner.appState.archive(group, false);
    expect((await untilEvents(s.w, hook, "chat:changed", 4))[3]).toMatchObject({ archived: false, muted: true });
    expect([owner.appState.ignored, owner.appState.broken]).toEqual([[], []]);
    const other = await newCustomer(s.w);
    const asked = s.net.stat.iqs["w:sync:app:state"];
    expect((await s.w.gateway(path, { key: other.key, method: "PATCH", body: { pinned: false } })).status).toBe(404);
    expect(gatewaySays(await ask(path, {}, "PATCH"))).toBe("400 VALIDATION_ERROR");
    await s.w.settle();
    expect(s.net.stat.iqs["w:sync:app:state"]).toBe(asked);
  });
});

describe("a message in the phone's own app", () => {
  test("a star and a deletion for me, by the API and by the phone", async () => {
    const { ask, chats, customer, owner, ana, hook, messageId } = await setup();
    const phoneId = customer.phone.id;
    const message = async () => (await ask(`${chats}/messages`)).body.items.find((one: any) => one.id === messageId);
    made(await ask(`/v1/messages/${messageId}/star`, { phoneId }), 202);
    expect(await untilEvents(s.w, hook, "message:starred")).toMatchObject([{ messageId, starred: true }]);
    expect(await message()).toMatchObject({ starred: true, deletedForMeAt: null, reactions: [] });
    made(await ask(`/v1/messages/${messageId}/star?phoneId=${phoneId}`, undefined, "DELETE"), 202);
    await untilEvents(s.w, hook, "message:starred", 2);
    expect((await message()).starred).toBe(false);
    const [received] = owner.received;
    await owner.appState.star(ana, { id: received?.id ?? "", isOwn: false }, true);
    await untilEvents(s.w, hook, "message:starred", 3);
    expect((await message()).starred).toBe(true);

    made(await ask(`/v1/messages/${messageId}?for=me&phoneId=${phoneId}`, undefined, "DELETE"), 202);
    expect(await untilEvents(s.w, hook, "message:deleted_for_me")).toMatchObject([{ messageId }]);
    expect(await message()).toMatchObject({ deletedAt: null, content: { text: "oi" } });
    expect((await message()).deletedForMeAt).not.toBeNull();
    expect(receivedBy(hook, "message:status")).toEqual([]);
  });
});

describe("a message with a label of WhatsApp Business", () => {
  /** The message of Ana, and a label of the phone. */
  const labelled = async () => {
    const all = await setup();
    await all.owner.appState.label("1", { name: "Novo cliente", color: 3 });
    await untilEvents(s.w, all.hook, "label:changed");
    const message = async () =>
      (await all.ask(`${all.chats}/messages`)).body.items.find((one: any) => one.id === all.messageId);
    const phoneId = all.customer.phone.id;
    const path = `/v1/messages/${all.messageId}/label`;
    const key = all.owner.received[0]?.id ?? "";
    const shown = (label: string) =>
      all.owner.appState.value(["label_message", label, all.ana.lidJid, key, "0", "0"])?.labelAssociationAction
        ?.labeled;
    const put = (label: string) => all.ask(path, { phoneId, label });
    const take = (label: string) => all.ask(`${path}?phoneId=${phoneId}&label=${label}`, undefined, "DELETE");
    return { ...all, message, path, phoneId, key, shown, put, take };
  };
  const NOVO = { id: "1", name: "Novo cliente", color: 3 };

  test("by the API and by the phone, both ways: the message says it, and an event tells of it", async () => {
    const { put, take, shown, message, messageId, owner, ana, key, hook } = await labelled();
    expect((await put("1")).body).toEqual({ status: "enqueued" });
    expect(await untilEvents(s.w, hook, "message:labelled")).toMatchObject([
      { messageId, label: NOVO, labelled: true, chat: { canonicalKey: `pn:${ana.pn}` } },
    ]);
    await s.net.until(() => shown("1") === true);
    expect((await message()).labels).toEqual([NOVO]);
    made(await take("1"), 202);
    expect((await untilEvents(s.w, hook, "message:labelled", 2))[1]).toMatchObject({ label: NOVO, labelled: false });
    await s.net.until(() => shown("1") === false);
    expect((await message()).labels).toEqual([]);

    await owner.appState.labelMessage("1", ana, key, true);
    await owner.appState.labelMessage("1", ana, key, true);
    expect((await untilEvents(s.w, hook, "message:labelled", 3))[2]).toMatchObject({ messageId, labelled: true });
    await owner.appState.labelMessage("1", ana, key, false);
    const events = await untilEvents(s.w, hook, "message:labelled", 4);
    expect(events.map((one) => one.labelled)).toEqual([true, false, true, false]);
    expect((await message()).labels).toEqual([]);
    expect(receivedBy(hook, "chat:labelled")).toEqual([]);
    expect(owner.appState.broken).toEqual([]);
  });

  test("labels are renamed and deleted on messages too; a later label with the same id is on no message", async () => {
    const { put, ask, phone, message, hook } = await labelled();
    made(await put("1"), 202);
    await untilEvents(s.w, hook, "message:labelled");
    made(await ask(`${phone}/labels/1`, { name: "Cliente" }, "PATCH"), 200);
    expect((await message()).labels).toEqual([{ ...NOVO, name: "Cliente" }]);
    expect((await ask(`${phone}/labels/1`, undefined, "DELETE")).status).toBe(204);
    expect((await message()).labels).toEqual([]);
    expect((await ask(`${phone}/labels`, { name: "Outra" })).body.id).toBe("1");
    expect((await message()).labels).toEqual([]);
  });

  test("two labels at once are both given, and of one label the later wish holds", async () => {
    const { put, take, owner, message, shown, hook } = await labelled();
    await owner.appState.label("2", { name: "Pago", color: 1 });
    await untilEvents(s.w, hook, "label:changed", 2);
    await Promise.all([put("1"), put("2")]);
    await untilEvents(s.w, hook, "message:labelled", 2);
    expect((await message()).labels.map(({ id }: any) => id)).toEqual(["1", "2"]);
    made(await take("1"), 202);
    made(await put("1"), 202);
    made(await take("1"), 202);
    await s.net.until(() => shown("1") === false);
    await untilTrue(async () => (await message()).labels.map(({ id }: any) => id).join() === "2");
  });

  test("what is refused changes nothing: an unknown label, no label, another account's message, another kind", async () => {
    const { put, take, path, phoneId, ask, message } = await labelled();
    const asked = s.net.stat.iqs["w:sync:app:state"];
    expect(gatewaySays(await put("404"))).toBe("400 VALIDATION_ERROR");
    expect(gatewaySays(await take("404"))).toBe("400 VALIDATION_ERROR");
    expect(gatewaySays(await ask(path, { phoneId }))).toBe("400 VALIDATION_ERROR");
    const other = await newCustomer(s.w);
    const stranger = { key: other.key, method: "POST", body: { phoneId, label: "1" } };
    expect((await s.w.gateway(path, stranger)).status).toBe(404);
    const ofOther = { ...stranger, body: { phoneId: other.phone.id, label: "1" } };
    expect((await s.w.gateway(path, ofOther)).status).toBe(404);
    await s.w.settle();
    expect(s.net.stat.iqs["w:sync:app:state"]).toBe(asked);
    expect((await message()).labels).toEqual([]);
  });

  test("a refusal of the network is an event, and the message stays as it was", async () => {
    const { put, message, messageId, hook } = await labelled();
    const heal = s.net.faults.answerIq(({ attrs }) =>
      attrs["xmlns"] === "w:sync:app:state"
        ? {
            tag: "iq",
            attrs: { type: "error" },
            content: [{ tag: "error", attrs: { code: "403", text: "forbidden" } }],
          }
        : undefined,
    );
    made(await put("1"), 202);
    const [failed] = await untilEvents(s.w, hook, "message:operation_failed");
    heal();
    expect(failed).toMatchObject({ messageId, operation: "label", code: "UPSTREAM_BAD_REQUEST" });
    expect((await message()).labels).toEqual([]);
    expect(receivedBy(hook, "message:labelled")).toEqual([]);
  });

  test("a star and a label that the phone took back unseen are taken back by the next reading, of this phone alone", async () => {
    const { put, ask, phone, message, owner, ana, key, hook } = await labelled();
    await owner.appState.star(ana, { id: key, isOwn: false }, true);
    await untilEvents(s.w, hook, "message:starred");
    made(await put("1"), 202);
    await untilEvents(s.w, hook, "message:labelled");
    const others = await labelled();
    await others.owner.appState.star(others.ana, { id: others.key, isOwn: false }, true);
    made(await others.put("1"), 202);
    await untilEvents(s.w, others.hook, "message:labelled");
    await untilEvents(s.w, others.hook, "message:starred");
    expect(await message()).toMatchObject({ starred: true, labels: [NOVO] });

    const release = s.net.faults.holdIncoming();
    const removed = { action: {}, isRemoved: true };
    await owner.appState.set({
      name: "regular_high",
      index: ["star", ana.lidJid, key, "0", "0"],
      version: 2,
      ...removed,
    });
    const index = ["label_message", "1", ana.lidJid, key, "0", "0"];
    await owner.appState.set({ name: "regular", index, version: 3, ...removed });
    expect((await ask(`${phone}/chats/resync`, undefined, "POST")).status).toBe(204);
    release();
    expect(await message()).toMatchObject({ starred: false, labels: [] });
    expect(await others.message()).toMatchObject({ starred: true, labels: [NOVO] });
    await s.w.settle();
    expect([receivedBy(hook, "message:starred").length, receivedBy(hook, "message:labelled").length]).toEqual([1, 1]);
  });

  test("a star that the phone took back in a patch that does not fit is published, once it is mended", async () => {
    const { message, messageId, owner, ana, key, hook } = await labelled();
    await owner.appState.mute(ana, -1);
    await owner.appState.star(ana, { id: key, isOwn: false }, true);
    await untilEvents(s.w, hook, "message:starred");
    const release = s.net.faults.holdIncoming();
    const index = ["star", ana.lidJid, key, "0", "0"];
    await owner.appState.set({ name: "regular_high", index, version: 2, action: {}, isRemoved: true });
    owner.appState.damagePatch("regular_high");
    release();
    expect((await untilEvents(s.w, hook, "message:starred", 2))[1]).toMatchObject({ messageId, starred: false });
    expect((await message()).starred).toBe(false);
  });
});

describe("labels of WhatsApp Business", () => {
  test("list, make, change, delete; on chats, and to find chats by", async () => {
    const { ask, chats, chat, phone, owner, ana, hook, id } = await setup();
    const labels = async () => (await ask(`${phone}/labels`)).body.items;
    await owner.appState.label("1", { name: "Novo cliente", color: 3 });
    await untilEvents(s.w, hook, "label:changed");
    const { body: vip } = await ask(`${phone}/labels`, { name: "VIP", color: 5 });
    expect(vip).toEqual({ id: "2", name: "VIP", color: 5 });
    expect((await ask(`${phone}/labels/2`, { name: "Cliente VIP" }, "PATCH")).body).toEqual({
      ...vip,
      name: "Cliente VIP",
    });
    await s.net.until(() => owner.appState.value(["label_edit", "2"])?.labelEditAction?.name === "Cliente VIP");
    expect(await labels()).toHaveLength(2);

    made(await ask(`${chats}/labels`, { labels: ["1", "2"] }, "PUT"), 202);
    await untilEvents(s.w, hook, "chat:labelled", 2);
    expect((await chat()).labels.map((label: any) => label.name)).toEqual(["Novo cliente", "Cliente VIP"]);
    expect(idsOf(await ask("/v1/chats?label=2"))).toEqual([id]);
    expect(idsOf(await ask("/v1/chats?label=3"))).toEqual([]);
    made(await ask(`${chats}/labels`, { labels: ["2"] }, "PUT"), 202);
    await untilEvents(s.w, hook, "chat:labelled", 3);
    await owner.appState.labelChat("1", ana, true);
    expect((await untilEvents(s.w, hook, "chat:labelled", 4))[3]).toMatchObject({
      chat: { canonicalKey: `pn:${ana.pn}` },
      label: { id: "1", name: "Novo cliente" },
      labelled: true,
    });

    expect((await ask(`${phone}/labels/2`, undefined, "DELETE")).status).toBe(204);
    expect((await chat()).labels.map((label: any) => label.id)).toEqual(["1"]);
    expect(await labels()).toEqual([{ id: "1", name: "Novo cliente", color: 3 }]);
    expect(gatewaySays(await ask(`${phone}/labels/2`, { name: "x" }, "PATCH"))).toBe("400 VALIDATION_ERROR");
    await untilTrue(async () => (await untilEvents(s.w, hook, "label:changed", 4)).at(-1)?.deleted === true);
    expect(owner.appState.broken).toEqual([]);
  });

  test("what the phone did with a chat before its person's number was known holds for the chat of the number", async () => {
    const { ask, hook, owner, id } = await setup();
    const rui = s.contact();
    await owner.appState.label("1", { name: "Novo cliente", color: 3 });
    await owner.appState.labelChat("1", rui, true);
    await owner.appState.archive(rui, true);
    await untilEvents(s.w, hook, "chat:changed");
    expect((await untilEvents(s.w, hook, "chat:labelled"))[0].chat.canonicalKey).toBe(`lid:${rui.lid}`);
    await rui.say("oi", { to: owner });
    await untilEvents(s.w, hook, "message:received", 2);
    const chatOfRui = async () => (await ask("/v1/chats")).body.items.find((one: any) => one.id !== id);
    expect(await chatOfRui()).toMatchObject({ contact: { canonicalKey: `pn:${rui.pn}` }, archived: true });
    expect((await chatOfRui()).labels).toMatchObject([{ id: "1", name: "Novo cliente" }]);
    expect(idsOf(await ask("/v1/chats?label=1"))).toEqual([(await chatOfRui()).id]);
    // the phone takes back what it did
    await owner.appState.archive(rui, false);
    await owner.appState.labelChat("1", rui, false);
    await untilEvents(s.w, hook, "chat:changed", 2);
    await untilEvents(s.w, hook, "chat:labelled", 2);
    expect(await chatOfRui()).toMatchObject({ archived: false, labels: [] });
  });

  test("labels made at once, and beside one of the phone that is not read yet, have ids of their own", async () => {
    const { ask, phone, owner, hook } = await setup();
    const make = async (name: string) => (await ask(`${phone}/labels`, { name })).body.id;
    const ids = await Promise.all([make("A"), make("B"), make("C")]);
    expect(new Set(ids)).toEqual(new Set(["1", "2", "3"]));
    // the notification of the phone's label does not come in time
    const release = s.net.faults.holdIncoming();
    await owner.appState.label("4", { name: "Do celular" });
    expect(await make("D")).toBe("5");
    release();
    await untilEvents(s.w, hook, "label:changed", 5);
    await s.net.until(() => owner.appState.value(["label_edit", "5"])?.labelEditAction?.name === "D");
    expect(owner.appState.value(["label_edit", "4"])?.labelEditAction?.name).toBe("Do celular");
    const { items } = (await ask(`${phone}/labels`)).body;
    expect(items.map(({ name }: any) => name).toSorted()).toEqual(["A", "B", "C", "D", "Do celular"]);
    expect(owner.appState.broken).toEqual([]);
  });

  test("of two sets of labels at once the later holds, though nothing of the first is done yet", async () => {
    const { ask, chats, chat, owner, ana, hook } = await setup();
    await owner.appState.label("1", { name: "Novo cliente", color: 3 });
    await untilEvents(s.w, hook, "label:changed");
    const heal = s.net.faults.dropIq(({ attrs }) => attrs["xmlns"] === "w:sync:app:state", { times: 1 });
    made(await ask(`${chats}/labels`, { labels: ["1"] }, "PUT"), 202);
    made(await ask(`${chats}/labels`, { labels: [] }, "PUT"), 202);
    heal();
    await s.w.settle();
    await s.net.until(
      () => owner.appState.value(["label_jid", "1", ana.lidJid])?.labelAssociationAction?.labeled === false,
    );
    expect((await chat()).labels).toEqual([]);
    const asked = s.net.stat.iqs["w:sync:app:state"];
    made(await ask(`${chats}/labels`, { labels: [] }, "PUT"), 202);
    await s.w.settle();
    expect(s.net.stat.iqs["w:sync:app:state"]).toBe(asked);
  });

  test("what the phone took back unseen is taken back by the next reading: without an event of a reading on request", async () => {
    const { ask, phone, chat, owner, ana, hook } = await setup();
    const { appState } = owner;
    await appState.label("1", { name: "VIP" });
    await appState.label("2", { name: "Pago" });
    await appState.labelChat("1", ana, true);
    await appState.labelChat("2", ana, true);
    await untilEvents(s.w, hook, "chat:labelled", 2);
    for (const does of [appState.archive, appState.pin, appState.markUnread]) await does(ana, true);
    await appState.mute(ana, -1);
    await untilEvents(s.w, hook, "chat:changed", 4);
    expect(await chat()).toMatchObject({ archived: true, pinned: true, markedUnread: true, muted: true });

    const release = s.net.faults.holdIncoming();
    const removed = { version: 3, action: {}, isRemoved: true };
    await appState.set({ name: "regular_low", index: ["archive", ana.lidJid], ...removed });
    await appState.set({ name: "regular_high", index: ["mute", ana.lidJid], ...removed });
    await appState.set({ name: "regular", index: ["label_jid", "1", ana.lidJid], ...removed });
    await appState.set({ name: "regular", index: ["label_edit", "2"], ...removed });
    expect((await ask(`${phone}/chats/resync`, undefined, "POST")).status).toBe(204);
    release();
    expect(await chat()).toMatchObject({ archived: false, pinned: true, markedUnread: true, muted: false, labels: [] });
    expect((await ask(`${phone}/labels`)).body.items).toEqual([{ id: "1", name: "VIP", color: 0 }]);
    await s.w.settle();
    expect([receivedBy(hook, "chat:changed").length, receivedBy(hook, "chat:labelled").length]).toEqual([4, 2]);
  });

  test("what the phone took back in a patch that does not fit is published, once it is mended", async () => {
    const { chat, owner, ana, hook } = await setup();
    await owner.appState.archive(ana, true);
    await owner.appState.pin(ana, true);
    await untilEvents(s.w, hook, "chat:changed", 2);
    const release = s.net.faults.holdIncoming();
    const index = ["archive", ana.lidJid];
    await owner.appState.set({ name: "regular_low", index, version: 3, action: {}, isRemoved: true });
    owner.appState.damagePatch("regular_low");
    release();
    const events = await untilEvents(s.w, hook, "chat:changed", 3);
    expect(events[2]).toMatchObject({ changed: ["archived"], archived: false, pinned: true });
    expect(await chat()).toMatchObject({ archived: false, pinned: true });
  });

  test("of the labels that a phone gives a chat, a hundred are kept", async () => {
    const owner = s.phone();
    const ana = s.contact();
    for (let id = 1; id <= 103; id++) await owner.appState.labelChat(String(id), ana, true);
    const { customer } = await pairedPhone(s, { owner });
    await owner.appState.share();
    const kept = async () =>
      (await rowsOf(s.w, "SELECT label_id FROM chat_labels WHERE channel_id = ?1", [customer.phone.id])).length;
    await untilTrue(async () => (await kept()) === 100);
    const again = { key: customer.key, method: "POST" };
    expect((await s.w.gateway(`/v1/phones/${customer.phone.id}/chats/resync`, again)).status).toBe(204);
    expect(await kept()).toBe(100);
  });

  test("what the phone had before it was linked is known without an event, and is read again on request", async () => {
    const owner = s.phone();
    await owner.appState.label("1", { name: "Pago", color: 1 });
    const { customer, hook } = await pairedPhone(s, { owner });
    await owner.appState.share();
    const labels = async () =>
      (await s.w.gateway(`/v1/phones/${customer.phone.id}/labels`, { key: customer.key })).body.items;
    await untilTrue(async () => (await labels()).length === 1);
    const again = await s.w.gateway(`/v1/phones/${customer.phone.id}/chats/resync`, {
      key: customer.key,
      method: "POST",
    });
    expect(again.status).toBe(204);
    expect(await labels()).toEqual([{ id: "1", name: "Pago", color: 1 }]);
    expect(receivedBy(hook, "label:changed")).toEqual([]);
  });
});

describe("labels as tags", () => {
  /** A chat with its contact, on a phone whose labels are tags, with the labels VIP (1) and Pago (2). */
  const bound = async (labelsAsTags = "on") => {
    const made = await setup();
    const { ask, phone, owner, hook, ana } = made;
    await ask(`${phone}/settings`, { labelsAsTags }, "PATCH");
    await owner.appState.label("1", { name: "VIP" });
    await owner.appState.label("2", { name: "Pago" });
    await untilEvents(s.w, hook, "label:changed", 2);
    const contact = async () => (await ask("/v1/contacts")).body.items.find((one: any) => one.phoneNumber === ana.pn);
    const tags = async () => (await contact()).tags;
    const setTags = async (given: string[]) => ask(`/v1/contacts/${(await contact()).id}`, { tags: given }, "PATCH");
    const labels = async () => (await made.chat()).labels.map(({ name }: any) => name);
    return { ...made, tags, setTags, labels };
  };

  test("a label on the phone is a tag, and goes with it; a tag is a label, and goes with it; nothing answers itself", async () => {
    const { owner, ana, tags, setTags, labels, hook } = await bound();
    await owner.appState.labelChat("1", ana, true);
    await untilTrue(async () => (await tags()).includes("VIP"));
    made(await setTags(["VIP", "Pago", "sem etiqueta"]), 200);
    await untilEvents(s.w, hook, "chat:labelled", 2);
    expect(await labels()).toEqual(["VIP", "Pago"]);
    expect(owner.appState.value(["label_jid", "2", ana.lidJid])?.labelAssociationAction?.labeled).toBe(true);
    await owner.appState.labelChat("1", ana, false);
    await untilTrue(async () => !(await tags()).includes("VIP"));
    expect(await tags()).toEqual(["Pago", "sem etiqueta"]);
    made(await setTags(["sem etiqueta"]), 200);
    await untilEvents(s.w, hook, "chat:labelled", 4);
    expect(await labels()).toEqual([]);
    const asked = s.net.stat.iqs["w:sync:app:state"];
    await s.w.settle();
    expect([s.net.stat.iqs["w:sync:app:state"], await tags()]).toEqual([asked, ["sem etiqueta"]] as never);
    expect(receivedBy(hook, "chat:labelled")).toHaveLength(4);
    expect(owner.appState.broken).toEqual([]);
  });

  test("other changes of a contact leave the labels that it had before", async () => {
    const { ask, owner, ana, phone, labels, setTags, hook } = await bound("off");
    await owner.appState.labelChat("2", ana, true);
    await untilEvents(s.w, hook, "chat:labelled");
    await ask(`${phone}/settings`, { labelsAsTags: "on" }, "PATCH");
    const [contact] = (await ask("/v1/contacts")).body.items;
    made(await ask(`/v1/contacts/${contact.id}`, { name: "Ana Lima" }, "PATCH"), 200);
    made(await setTags(["novo"]), 200);
    await s.w.settle();
    expect(await labels()).toEqual(["Pago"]);
  });

  test("without the setting neither follows the other", async () => {
    const { owner, ana, tags, setTags, labels, hook } = await bound("off");
    await owner.appState.labelChat("1", ana, true);
    await untilEvents(s.w, hook, "chat:labelled");
    expect(await tags()).toEqual([]);
    made(await setTags(["Pago"]), 200);
    await s.w.settle();
    expect(await labels()).toEqual(["VIP"]);
  });

  test("a person who writes first gets the tags of the labels that the chat has", async () => {
    const { owner, tags: _, ask, hook } = await bound();
    const bia = s.contact();
    await owner.appState.labelChat("1", bia, true);
    await untilEvents(s.w, hook, "chat:labelled");
    await bia.say("oi", { to: owner });
    await untilTrue(async () => (await ask("/v1/contacts")).body.items.some(({ tags }: any) => tags.includes("VIP")));
    const { items } = (await ask("/v1/contacts")).body;
    expect(items.filter(({ tags }: any) => tags.includes("VIP")).map((one: any) => one.phoneNumber)).toEqual([bia.pn]);
  });
});
