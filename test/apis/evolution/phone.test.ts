import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { clientOf, EVOLUTION_ENV, evolutionSays } from "../../support/apis/evolution.ts";
import { type Customer, newCustomer, rowsOf } from "../../support/customers/customer.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../support/session/world.ts";
import { untilTrue } from "../../support/waiting.ts";

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld({ ...EVOLUTION_ENV, RECADO_SESSION_RATE: "100000" });
});
afterEach(() => expect(s.net.stat.unhandled).toEqual([]));
afterAll(() => s.stop());

const setup = async () => {
  const { customer, hook, owner } = await pairedPhone(s);
  const client = clientOf(s.w, customer);
  const post = (path: string, body: object) => client.on(path, { body });
  return { customer, hook, owner, client, post, ana: s.contact() };
};

/** The same, of a phone that has shared how its app shows its chats, and to which Ana has written. */
const withChat = async () => {
  const phone = await setup();
  const before = s.net.stat.iqs["w:sync:app:state"] ?? 0;
  await phone.owner.appState.share();
  await untilTrue(async () => (s.net.stat.iqs["w:sync:app:state"] ?? 0) >= before + 5);
  await phone.ana.say("oi", { to: phone.owner });
  await untilEvents(s.w, phone.hook, "message:received");
  return phone;
};

describe("the settings of an instance", () => {
  test("are those of its phone: set, found, shown with the instance, and taken back", async () => {
    const { client, post, customer } = await setup();
    const on = {
      rejectCall: true,
      msgCall: "Escreva aqui",
      groupsIgnore: true,
      alwaysOnline: true,
      readMessages: true,
    };
    const set = await post("/settings/set", { ...on, readStatus: false, syncFullHistory: false });
    expect([set.status, set.body]).toEqual([201, { ...on, readStatus: false, syncFullHistory: false }]);
    expect((await client.on("/settings/find")).body).toEqual(set.body);
    expect((await client.ask("/instance/fetchInstances")).body).toMatchObject([{ Setting: on }]);
    const phone = `/v1/phones/${customer.phone.id}/settings`;
    expect((await s.w.gateway(phone, customer)).body).toMatchObject({
      rejectCalls: "on",
      rejectCallsText: "Escreva aqui",
      ignoreGroups: "on",
      alwaysOnline: "on",
      readAutomatically: "on",
    });
    const off = await post("/settings/set", { rejectCall: false, msgCall: "" });
    expect(off.body).toMatchObject({ rejectCall: false, msgCall: "", groupsIgnore: true });
  });

  test("that have no effect here are refused with the reason, and nothing is changed", async () => {
    const { client, post } = await setup();
    const before = (await client.on("/settings/find")).body;
    expect(evolutionSays(await post("/settings/set", { groupsIgnore: true, readStatus: true }))).toBe(
      "400 readStatus cannot be switched on here: statuses of others are not marked as read",
    );
    expect(evolutionSays(await post("/settings/set", { alwaysOnline: true, syncFullHistory: true }))).toBe(
      "400 syncFullHistory cannot be switched on here: it is said when the instance is created",
    );
    expect(evolutionSays(await post("/settings/set", { msgCall: "a".repeat(1001) }))).toMatch(/^400 msgCall /);
    expect((await client.on("/settings/find")).body).toEqual(before);
  });

  test("an official number has none: switching one on is refused, and off is taken", async () => {
    const official = clientOf(s.w, await newCustomer(s.w));
    expect(evolutionSays(await official.on("/settings/set", { body: { rejectCall: true } }))).toBe(
      "400 rejectCall cannot be switched on here: its network does not have it",
    );
    expect((await official.on("/settings/set", { body: { rejectCall: false } })).status).toBe(201);
  });
});

describe("a chat as the phone's own app shows it", () => {
  test("is archived and marked as unread, and found by its address", async () => {
    const { client, post, owner, ana } = await withChat();
    const archived = await post("/chat/archiveChat", {
      archive: true,
      lastMessage: { key: { remoteJid: ana.jid, fromMe: false, id: "1" } },
    });
    expect([archived.status, archived.body]).toEqual([201, { chatId: ana.jid, archived: true }]);
    expect((await post("/chat/markChatUnread", { chat: ana.jid })).body).toEqual({
      chatId: ana.jid,
      markedChatUnread: true,
    });
    const value = (name: string) => owner.appState.value([name, ana.lidJid]);
    await untilTrue(async () => {
      await s.w.settle();
      return value("archive")?.archiveChatAction?.archived === true;
    });
    await untilTrue(async () => {
      await s.w.settle();
      return value("markChatAsRead")?.markChatAsReadAction?.read === false;
    });
    const found = await client.on(`/chat/findChatByRemoteJid?remoteJid=${ana.jid}`);
    expect(found.body).toMatchObject({ remoteJid: ana.jid, unreadCount: 1 });
    expect((await client.on("/chat/findChatByRemoteJid?remoteJid=5511900009999@s.whatsapp.net")).text).toBe("null");
  });

  test("gets a label of the phone, and loses it", async () => {
    const { client, post, customer, owner, ana } = await withChat();
    const path = `/v1/phones/${customer.phone.id}/labels`;
    const label = await s.w.gateway(path, { key: customer.key, method: "POST", body: { name: "Novo", color: 4 } });
    const { id } = label.body;
    expect((await client.on("/label/findLabels")).body).toEqual([{ id, name: "Novo", color: "4", predefinedId: null }]);
    const labelled = () => owner.appState.value(["label_jid", id, ana.lidJid])?.labelAssociationAction?.labeled;
    for (const action of ["add", "remove"]) {
      const { body } = await post("/label/handleLabel", { number: ana.jid, labelId: id, action });
      expect(body).toEqual({ numberJid: ana.jid, labelId: id, [action]: true });
      await untilTrue(async () => {
        await s.w.settle();
        return labelled() === (action === "add");
      });
    }
  });

  test("without a chat or with an unknown label nothing is asked of the network", async () => {
    const { post, ana } = await withChat();
    const asked = s.net.stat.iqs["w:sync:app:state"];
    const nobody = "5511900009999@s.whatsapp.net";
    expect((await post("/chat/archiveChat", { chat: nobody, archive: true })).status).toBe(404);
    expect(evolutionSays(await post("/chat/markChatUnread", {}))).toBe(
      "400 chat must be given, or lastMessage.key.remoteJid",
    );
    const label = { number: ana.jid, labelId: "99", action: "add" };
    expect(evolutionSays(await post("/label/handleLabel", label))).toBe("400 labelId is no label of the instance");
    await s.w.settle();
    expect(s.net.stat.iqs["w:sync:app:state"]).toBe(asked);
  });
});

test("the privacy of an instance and its name are read and changed", async () => {
  const { client, post, owner } = await setup();
  const settings = {
    readreceipts: "none",
    profile: "contacts",
    status: "none",
    online: "all",
    last: "none",
    groupadd: "contacts",
  };
  const changed = await post("/chat/updatePrivacySettings", settings);
  expect([changed.status, changed.body]).toEqual([201, { update: "success", data: settings }]);
  expect((await client.on("/chat/fetchPrivacySettings")).body).toEqual(settings);
  expect(owner.account.privacySettings).toMatchObject({ last: "none", profile: "contacts", readreceipts: "none" });
  expect(evolutionSays(await post("/chat/updatePrivacySettings", { groupadd: "none" }))).toMatch(/^400 groupadd /);
  expect((await client.on("/chat/fetchPrivacySettings")).body).toEqual(settings);
});

describe("businesses", () => {
  const withBusiness = async () => {
    const phone = await setup();
    phone.ana.account.business = {
      address: "Rua das Flores, 100",
      description: "Pães e bolos",
      email: "maria@example.com",
      category: "Bakery",
      websites: ["https://padaria.example"],
      products: [
        {
          id: "1",
          name: "Bolo",
          price: 12_500,
          currency: "BRL",
          retailerId: "B-1",
          image: "https://pps.example/1.jpg",
        },
        { id: "2", name: "Pão", isHidden: true },
      ],
      collections: [{ id: "c1", name: "Bolos", products: ["1"] }],
      orders: new Map(),
    };
    return phone;
  };

  test("a profile, a catalogue and its collections are as Evolution shows them", async () => {
    const { post, ana } = await withBusiness();
    const number = ana.pn as string;
    expect((await post("/chat/fetchBusinessProfile", { number })).body).toMatchObject({
      isBusiness: true,
      wid: ana.jid,
      category: "Bakery",
      website: ["https://padaria.example"],
    });
    const { body } = await post("/business/getCatalog", { number });
    expect(body).toMatchObject({ wuid: ana.jid, numberExists: true, isBusiness: true, catalogLength: 2 });
    expect(body.catalog).toMatchObject([
      { id: "1", name: "Bolo", price: 12_500, currency: "BRL", imageUrls: { original: "https://pps.example/1.jpg" } },
      { id: "2", price: null, isHidden: true, imageUrls: {} },
    ]);
    expect((await post("/business/getCollections", { number })).body).toMatchObject({
      collectionsLength: 1,
      collections: [{ id: "c1", name: "Bolos", products: [{ id: "1" }] }],
    });
  });

  test("a person without a business, and a number of nobody, are none", async () => {
    const { post } = await setup();
    const [bia, nobody] = [s.contact(), "5511000000000"];
    expect((await post("/chat/fetchBusinessProfile", { number: bia.pn })).body).toMatchObject({
      isBusiness: false,
      exists: true,
    });
    expect((await post("/chat/fetchBusinessProfile", { number: nobody })).body).toMatchObject({
      isBusiness: false,
      exists: false,
    });
    expect((await post("/business/getCatalog", { number: nobody })).body).toMatchObject({
      numberExists: false,
      isBusiness: false,
      catalog: [],
    });
  });
});

test("the channels of an instance are found, page by page", async () => {
  const { post, owner, ana } = await setup();
  const names = ["Um", "Dois", "Três"];
  for (const name of names) s.net.newsletter({ name, owner: ana, followers: [owner] });
  const first = (await post("/chat/findChannels", { page: 1, limit: 2 })).body;
  expect(first).toMatchObject({ total: 3, pages: 2, currentPage: 1, limit: 2 });
  const second = (await post("/chat/findChannels", { page: 2, limit: 2 })).body;
  const records = [...first.records, ...second.records];
  expect(new Set(records.map(({ pushName }) => pushName))).toEqual(new Set(names));
  expect(records.every(({ remoteJid }) => remoteJid.endsWith("@newsletter"))).toBe(true);
});

describe("a group", () => {
  const withGroup = async () => {
    const phone = await setup();
    const made = await phone.post("/group/create", { subject: "Feira", participants: [phone.ana.pn] });
    return { ...phone, groupJid: made.body.id as string, bia: s.contact() };
  };

  test("lets its messages disappear, by the group's own setting", async () => {
    const { post, groupJid } = await withGroup();
    const set = await post(`/group/toggleEphemeral?groupJid=${groupJid}`, { expiration: 604_800 });
    expect([set.status, set.body]).toEqual([201, { success: true }]);
    expect(s.net.groupOf(groupJid)?.group.disappearsAfter).toBe(604_800);
    const refused = await post("/group/toggleEphemeral", { groupJid, expiration: 5 });
    expect([refused.status, s.net.groupOf(groupJid)?.group.disappearsAfter]).toEqual([400, 604_800]);
  });

  const invitedBy = async ({ accountId }: Pick<Customer, "accountId">) =>
    (await rowsOf(s.w, "SELECT id FROM messages WHERE tenant_id = ?", [accountId])).length;

  test("an invitation counts as a send for each of its people, and is refused whole", async () => {
    const { customer, post, groupJid } = await withGroup();
    const people = Array.from({ length: 10 }, () => s.contact().pn);
    const left = async () => (await s.w.gateway("/v1/account", customer)).body.rates.sendsPerMinute.left;
    const before = await left();
    expect((await post("/group/sendInvite", { groupJid, numbers: people })).body.send).toBe(true);
    expect(before - (await left())).toBe(10);
    const { limiter, rates, clock } = s.w.app.env;
    const window = `account-sends:${customer.accountId}`;
    const leaveRoomFor = (most: number) => {
      while (limiter.peek(window, rates.gatewaySendsPerMinute, clock.now()).remaining >= most)
        limiter.take(window, rates.gatewaySendsPerMinute, clock.now());
    };
    leaveRoomFor(19);
    expect((await post("/group/sendInvite", { groupJid, numbers: people })).body.send).toBe(true);
    expect((await post("/group/sendInvite", { groupJid, numbers: people })).status).toBe(429);
    expect(await invitedBy(customer)).toBe(20);
  });

  test("people are invited by a message with its link; a number that cannot be refuses all of them", async () => {
    const { customer, post, groupJid, ana, bia } = await withGroup();
    const numbers = [ana.pn, `+${ana.pn}`, bia.pn, ana.jid];
    const sent = await post("/group/sendInvite", { groupJid, description: "Venha", numbers });
    expect(sent.body).toEqual({ send: true, inviteUrl: expect.stringContaining("https://chat.whatsapp.com/") });
    const sentTo = ({ received }: typeof ana) =>
      received.filter(({ text }) => text === `Venha\n\n${sent.body.inviteUrl}`).length;
    for (const person of [ana, bia]) {
      await untilTrue(async () => {
        await s.w.advance(20_000);
        return sentTo(person) > 0;
      });
    }
    expect(await invitedBy(customer)).toBe(2);
    const before = ana.received.length;
    for (const other of ["@@", groupJid]) {
      const refused = await post("/group/sendInvite", { groupJid, numbers: [ana.pn, other] });
      expect(refused.status).toBe(400);
    }
    await s.w.advance(60_000);
    expect(ana.received).toHaveLength(before);
  });
});
