import { describe, expect, test } from "bun:test";
import type { GroupsApi } from "../../../src/contract/abilities/groups.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { received, receivingChannel } from "../../support/session/receiving.ts";
import { child, type Stanza } from "../../support/whatsapp/wire/stanza.ts";

const channel = receivingChannel();
const groups = () => channel().link.groups as Required<GroupsApi>;

/** A group of Ana's, without this account. */
const anasGroup = (subject = "Feira") => {
  const { ana, bia, net } = channel();
  return net.group({ subject, members: [ana, bia], owner: ana });
};
const linkTo = (code: string): string => `https://chat.whatsapp.com/${code}`;
const watched = (): Stanza[] => {
  const seen: Stanza[] = [];
  channel().net.faults.answerIq((iq) => {
    if (iq.attrs["xmlns"] === "w:g2") seen.push(iq);
    return undefined;
  });
  return seen;
};
const invitation = async (chat: ReturnType<typeof anasGroup>, more: object = {}) => {
  const { ana, phone, host } = channel();
  const { code, expiration } = chat.invite(phone);
  const groupInviteMessage = {
    groupJid: chat.jid,
    inviteCode: code,
    inviteExpiration: expiration,
    groupName: "Feira",
    caption: "venha",
    ...more,
  };
  const id = await ana.sendProto({ groupInviteMessage }, { to: phone });
  await host.until(() => host.events.some((event) => event.kind === "received" && event.key === id));
  return id as ProviderMessageId;
};

describe("an invite link", () => {
  test("shows the group without joining: name, size, text, approval and picture", async () => {
    const { net, phone } = channel();
    const chat = anasGroup();
    chat.group.description = { id: "1", text: "sábados" };
    chat.group.settings.add("membership_approval_mode");
    chat.group.picture = { id: "1", bytes: Buffer.from([0xff, 0xd8]) };
    const shown = {
      groupId: chat.jid,
      subject: "Feira",
      description: "sábados",
      totalParticipantCount: 2,
      joinApprovalMode: "APPROVAL_REQUIRED" as const,
      pictureUrl: expect.stringContaining(net.mediaHost) as string,
      community: {},
    };
    for (const code of [
      chat.group.invite,
      linkTo(chat.group.invite),
      `chat.whatsapp.com/invite/${chat.group.invite}?mode=ac`,
    ])
      expect(await groups().look({ code })).toEqual({ ok: true, value: shown });
    expect(chat.group.members.has(phone.account)).toBe(false);
  });

  test("a picture that the network does not show leaves the rest", async () => {
    const chat = anasGroup();
    expect(await groups().look({ code: chat.group.invite })).toMatchObject({ ok: true, value: { pictureUrl: null } });
  });

  test("joins, and the network's report of the group says who is in it", async () => {
    const { host, phone, ana } = channel();
    const chat = anasGroup();
    expect(await groups().join({ code: linkTo(chat.group.invite) })).toEqual({
      ok: true,
      value: { groupId: chat.jid, state: "joined" },
    });
    expect(chat.group.members.has(phone.account)).toBe(true);
    const [event] = (await received(host, "group")).slice(-1);
    expect(event).toMatchObject({ what: "created", groupId: chat.jid, subject: "Feira", admins: [ana.pn] });
  });

  test("asks where an administrator approves, and joins no group until then", async () => {
    const { host, phone } = channel();
    const chat = anasGroup();
    chat.group.settings.add("membership_approval_mode");
    expect(await groups().join({ code: chat.group.invite })).toEqual({
      ok: true,
      value: { groupId: chat.jid, state: "awaiting-approval" },
    });
    expect([chat.group.members.has(phone.account), chat.group.requests.has(phone.account)]).toEqual([false, true]);
    expect(host.events.filter(({ kind }) => kind === "group")).toEqual([]);
  });

  test.each([
    ["was reset", 410, "the invitation was reset, or has expired"],
    ["is unknown", 406, "the network knows no such invitation"],
    ["is of a full group", 419, "the group is full"],
    ["is of a group that removed the account", 401, "this account was removed from the group"],
    ["is of a group that the account is in", 409, "this account is in the group already"],
  ] as const)("that %s is refused in words, with nothing joined", async (why, code, message) => {
    const { phone } = channel();
    const chat = anasGroup();
    const { group } = chat;
    const before = group.invite;
    if (why === "was reset") {
      group.oldInvites.add(group.invite);
      group.invite = "ANOTHERCODE";
    }
    if (why === "is of a full group") group.capacity = 2;
    if (why.endsWith("removed the account")) group.removed.add(phone.account);
    if (why.endsWith("account is in")) chat.add(phone);
    const asked = why === "is unknown" ? "UNKNOWNCODE" : before;
    const size = group.members.size;
    const refused = await groups().join({ code: asked });
    expect(refused).toMatchObject({ ok: false, kind: "refused", error: { code } });
    expect(!refused.ok && refused.kind === "refused" && refused.error.message).toStartWith(message);
    expect(group.members.size).toBe(size);
  });

  test("a restricted account is told so", async () => {
    const { net, phone } = channel();
    phone.account.timelock = { until: 9_999_999_999, type: "DEFAULT" };
    const { invite } = anasGroup().group;
    expect(await groups().join({ code: invite })).toMatchObject({
      kind: "refused",
      error: { code: 463, message: "the network restricts this account for some hours or days" },
    });
    expect(net.stat.unhandled).toEqual([]);
  });

  test("a text that is no link asks nothing", async () => {
    const seen = watched();
    for (const code of ["https://example.com/AbCdEf", "a b", "", "https://chat.whatsapp.com/"]) {
      expect(await groups().look({ code })).toMatchObject({ kind: "refused" });
      expect(await groups().join({ code })).toMatchObject({ kind: "refused" });
    }
    expect(seen).toEqual([]);
  });

  test("five groups are joined in the first day, and the sixth is held back with nothing sent", async () => {
    const { host } = channel();
    for (let count = 0; count < 5; count++)
      expect(await groups().join({ code: anasGroup().group.invite })).toMatchObject({ ok: true });
    const sixth = anasGroup();
    const seen = watched();
    expect(await groups().join({ code: sixth.group.invite })).toMatchObject({
      isOwnLimit: true,
      mayHaveHappened: false,
    });
    expect(seen).toEqual([]);
    expect(await groups().create({ subject: "Nossa", joinApprovalMode: "AUTO_APPROVE" })).toMatchObject({ ok: true });
    host.clock.advance(DAY_MS);
    expect(await groups().join({ code: sixth.group.invite })).toMatchObject({ ok: true });
  });
});

describe("an invitation in a message", () => {
  test("shows the group and joins it, once", async () => {
    const { phone } = channel();
    const chat = anasGroup();
    const key = await invitation(chat);
    expect(await groups().look({ key })).toMatchObject({ ok: true, value: { groupId: chat.jid, subject: "Feira" } });
    expect(await groups().join({ key })).toEqual({ ok: true, value: { groupId: chat.jid, state: "joined" } });
    expect(chat.group.members.has(phone.account)).toBe(true);
    expect(await groups().join({ key })).toMatchObject({ kind: "refused", error: { code: 406 } });
  });

  test("names who sent it, which the network checks", async () => {
    const chat = anasGroup();
    const key = await invitation(chat);
    const seen = watched();
    await groups().join({ key });
    expect(child(seen[0], "accept")?.attrs["admin"]).toMatch(/@(lid|s\.whatsapp\.net)$/);
  });

  test("that has expired, or was changed, is refused with nothing joined", async () => {
    const { phone } = channel();
    const chat = anasGroup();
    const changed = await invitation(chat, { inviteExpiration: 99_999_999_999 });
    expect(await groups().join({ key: changed })).toMatchObject({ kind: "refused", error: { code: 406 } });
    const key = await invitation(chat);
    for (const one of chat.group.invitations.values()) one.expiration = 1;
    expect(await groups().join({ key })).toMatchObject({ kind: "refused" });
    expect(chat.group.members.has(phone.account)).toBe(false);
  });

  test("a message that is no invitation, or is not kept, asks nothing", async () => {
    const { ana, phone, host } = channel();
    const id = await ana.say("oi", { to: phone });
    await host.until(() => host.events.some((event) => event.kind === "received" && event.key === id));
    const seen = watched();
    for (const key of [id, "3EB0AAAAAAAAAAAAAAAAAAAA"] as ProviderMessageId[])
      expect(await groups().join({ key })).toMatchObject({ kind: "refused" });
    expect(seen).toEqual([]);
  });
});

describe("an invitation that names no group", () => {
  test.each([
    ["a person", "5511911110001@s.whatsapp.net"],
    ["a person by LID", "123456789012345@lid"],
    ["a newsletter", "120363000000000001@newsletter"],
    ["the address of all groups", "@g.us"],
    ["a device of a group", "120363000000000001:3@g.us"],
    ["statuses", "status@broadcast"],
    ["a group of a thousand digits", `${"1".repeat(1000)}@g.us`],
    ["any text", "x".repeat(3000)],
    ["an id without a server", "120363000000000001"],
  ])("but %s is refused before anything is asked or counted", async (_, groupJid) => {
    const key = await invitation(anasGroup(), { groupJid });
    const seen = watched();
    for (let times = 0; times < 25; times += 1) {
      expect(await groups().look({ key })).toMatchObject({ kind: "refused" });
      expect(await groups().join({ key })).toMatchObject({ kind: "refused" });
    }
    expect(seen).toEqual([]);
    for (let count = 0; count < 5; count += 1)
      expect(await groups().join({ code: anasGroup().group.invite })).toMatchObject({ ok: true });
  });

  test("or brings a code of any length is refused alike", async () => {
    const key = await invitation(anasGroup(), { inviteCode: "c".repeat(3000) });
    const seen = watched();
    expect(await groups().join({ key })).toMatchObject({ kind: "refused" });
    expect(seen).toEqual([]);
  });
});

describe("what others do in a group", () => {
  const own = async () => {
    const { host } = channel();
    const made = await groups().create({ subject: "Equipe", joinApprovalMode: "AUTO_APPROVE" });
    if (!made.ok) throw new Error("no group");
    const [event] = await received(host, "group");
    const chat = channel().net.groupOf(event?.what === "created" ? event.groupId : "");
    if (!chat) throw new Error("no group");
    return chat;
  };
  /** The change with this number. The network announces the new group once more. */
  const change = async (number: number) => {
    const { host } = channel();
    const changes = () => host.events.filter((event) => event.kind === "group" && event.what !== "created");
    await host.until(() => changes().length >= number);
    return changes()[number - 1];
  };

  test("somebody who joined by the link is told from somebody who was added", async () => {
    const { ana, bia, phone } = channel();
    const chat = await own();
    chat.join(ana);
    expect(await change(1)).toMatchObject({
      what: "participants",
      action: "join",
      waIds: [ana.pn],
      way: "invite-link",
    });
    chat.add(bia);
    const added = await change(2);
    expect(added).toMatchObject({ what: "participants", action: "join", waIds: [bia.pn], by: phone.pn });
    expect(added).not.toHaveProperty("way");
  });

  test("requests to join are reported, and their end: withdrawn or rejected", async () => {
    const { ana, bia } = channel();
    const chat = await own();
    chat.ask(ana);
    expect(await change(1)).toMatchObject({
      what: "join-requests",
      action: "requested",
      waIds: [ana.pn],
      way: "invite-link",
    });
    chat.withdraw(ana);
    expect(await change(2)).toMatchObject({ what: "join-requests", action: "withdrawn", waIds: [ana.pn] });
    chat.ask(bia);
    await change(3);
    await groups().reject(chat.jid, [bia.pn ?? ""]);
    expect(await change(4)).toMatchObject({ what: "join-requests", action: "rejected", waIds: [bia.pn] });
  });

  test("a reset link is reported with who reset it", async () => {
    const { phone } = channel();
    const chat = await own();
    const link = await groups().resetInviteLink(chat.jid);
    expect(await change(1)).toMatchObject({ what: "settings", inviteLink: link.ok && link.value, by: phone.pn });
  });

  test("a member's label is reported, and its end", async () => {
    const { ana } = channel();
    const chat = await own();
    chat.add(ana);
    await change(1);
    const said = (label: string) =>
      ana.sendProto({ protocolMessage: { type: 30, memberLabel: { label, labelTimestamp: 1 } } }, { to: chat });
    await said("Entregador");
    expect(await change(2)).toMatchObject({ what: "label", groupId: chat.jid, waId: ana.pn, label: "Entregador" });
    await said("");
    expect(await change(3)).toMatchObject({ what: "label", waId: ana.pn, label: null });
    expect(channel().host.events.filter(({ kind }) => kind === "received")).toEqual([]);
  });

  test("the own label goes to the members as a message that says what it is; an empty one removes it", async () => {
    const { ana, net } = channel();
    const chat = await own();
    chat.add(ana);
    await change(1);
    const sent: Stanza[] = [];
    net.watch((stanza) => {
      if (stanza.tag === "message") sent.push(stanza);
    });
    expect(await groups().setOwnLabel(chat.jid, "Padeiro")).toEqual({ ok: true, value: true });
    const labels = () => ana.received.flatMap(({ message }) => message.protocolMessage?.memberLabel?.label ?? []);
    await net.until(() => labels().length === 1);
    expect(labels()).toEqual(["Padeiro"]);
    expect(sent.map((stanza) => child(stanza, "meta")?.attrs)).toEqual([
      { tag_reason: "user_update", appdata: "member_tag" },
    ]);
    expect(await groups().setOwnLabel(chat.jid, null)).toEqual({ ok: true, value: true });
  });

  test("a label in a group that the account is not in is refused, and nobody gets it", async () => {
    const { ana } = channel();
    expect(await groups().setOwnLabel(anasGroup().jid, "Padeiro")).toMatchObject({ ok: false });
    expect(ana.received).toEqual([]);
  });
});
