import { afterAll, beforeAll, expect, test } from "bun:test";
import { type GroupUser, groupUser } from "../../../../support/customers/groups.ts";
import { gatewaySays } from "../../../../support/refusals.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../../../support/session/world.ts";
import type { Contact } from "../../../../support/whatsapp/index.ts";

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld();
});
afterAll(() => s.stop());

type Setup = Awaited<ReturnType<typeof pairedPhone>> & { g: GroupUser; ana: Contact; bia: Contact };
const setup = async (): Promise<Setup> => {
  const c = await pairedPhone(s);
  return { ...c, g: groupUser(s.w, c.customer), ana: s.contact(), bia: s.contact() };
};
const eventsOf = ({ hook }: Setup, type: string, count: number) => untilEvents(s.w, hook, type, count);
const feira = ({ ana, bia }: Setup) => s.net.group({ subject: "Feira", members: [ana, bia], owner: ana });
const join = ({ g, customer }: Setup, more: object) =>
  g.call("/join", { body: { phoneId: customer.phone.id, ...more } });
const accept = ({ g, customer }: Setup, messageId: string) =>
  g.call(`/invitations/${messageId}/accept`, { body: { phoneId: customer.phone.id } });
const look = ({ g, customer }: Setup, code: string) =>
  g.call(`/invites/${encodeURIComponent(code)}?phoneId=${customer.phone.id}`);

test("a group is seen by its link without joining, and then joined: it is a group as any other", async () => {
  const one = await setup();
  const chat = feira(one);
  const link = `https://chat.whatsapp.com/${chat.group.invite}`;
  const seen = await look(one, link);
  expect([seen.status, seen.body]).toEqual([
    200,
    {
      upstreamGroupId: chat.jid,
      subject: "Feira",
      description: "",
      totalParticipantCount: 2,
      joinApprovalMode: "AUTO_APPROVE",
      pictureUrl: null,
      communityId: null,
      isCommunity: false,
    },
  ]);
  expect((await one.g.call(`?phoneId=${one.customer.phone.id}`)).body.items).toEqual([]);
  const joined = await join(one, { code: link });
  expect(joined.status).toBe(200);
  const { status, upstreamGroupId, group } = joined.body;
  expect([status, upstreamGroupId, group.subject, group.totalParticipantCount]).toEqual([
    "joined",
    chat.jid,
    "Feira",
    3,
  ]);
  expect((await eventsOf(one, "group:lifecycle", 1)).map(({ action, groupId }) => [action, groupId])).toEqual([
    ["created", group.id],
  ]);
  expect((await one.g.call(`?phoneId=${one.customer.phone.id}`)).body.items).toMatchObject([{ id: group.id }]);
});

test("a group that asks for approval is not there before an administrator has decided", async () => {
  const one = await setup();
  const chat = feira(one);
  chat.group.settings.add("membership_approval_mode");
  const asked = await join(one, { code: chat.group.invite });
  expect([asked.status, asked.body]).toEqual([
    200,
    { status: "awaiting-approval", upstreamGroupId: chat.jid, group: null },
  ]);
  expect((await one.g.call(`?phoneId=${one.customer.phone.id}`)).body.items).toEqual([]);
});

test("an invitation in a message is joined by the message's id", async () => {
  const one = await setup();
  const chat = feira(one);
  const { code, expiration } = chat.invite(one.owner);
  const groupInviteMessage = { groupJid: chat.jid, inviteCode: code, inviteExpiration: expiration, groupName: "Feira" };
  await one.ana.sendProto({ groupInviteMessage }, { to: one.owner });
  const [{ messageId }] = await eventsOf(one, "message:received", 1);
  const seen = await one.g.call(`/invitations/${messageId}?phoneId=${one.customer.phone.id}`);
  expect([seen.status, seen.body.upstreamGroupId]).toEqual([200, chat.jid]);
  const joined = await accept(one, messageId);
  expect([joined.status, joined.body.status, joined.body.group?.subject]).toEqual([200, "joined", "Feira"]);
});

test("a wrong, reset or full link is refused with the network's reason, and nothing is joined or kept", async () => {
  const one = await setup();
  const chat = feira(one);
  const { phone } = one.customer;
  chat.group.capacity = 2;
  const full = await join(one, { code: chat.group.invite });
  expect(gatewaySays(full)).toBe("400 UPSTREAM_BAD_REQUEST");
  expect(full.body.error?.message ?? full.text).toContain("the group is full");
  expect(gatewaySays(await join(one, { code: "UNKNOWNCODE" }))).toBe("400 UPSTREAM_BAD_REQUEST");
  expect(gatewaySays(await look(one, "not a code"))).toBe("400 UPSTREAM_BAD_REQUEST");
  expect(gatewaySays(await join(one, {}))).toBe("400 VALIDATION_ERROR");
  expect(gatewaySays(await accept(one, phone.id))).toBe("404 MESSAGE_KEY_NOT_FOUND");
  expect(chat.group.members.size).toBe(2);
  expect((await one.g.call(`?phoneId=${phone.id}`)).body.items).toEqual([]);
});

test("the sixth group of a day is refused by Recado, with the time to wait, and is not joined", async () => {
  const one = await setup();
  for (let count = 0; count < 5; count++) expect((await join(one, { code: feira(one).group.invite })).status).toBe(200);
  const sixth = feira(one);
  const refused = await join(one, { code: sixth.group.invite });
  expect(gatewaySays(refused)).toBe("429 RATE_LIMITED");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(80_000);
  expect(sixth.group.members.has(one.owner.account)).toBe(false);
});

test("who joined by the link, who asks to join and which label a member has arrive as events", async () => {
  const one = await setup();
  const { g, ana, bia, owner } = one;
  const { id, upstreamGroupId } = (await g.create()).body;
  const chat = s.net.groupOf(upstreamGroupId);
  chat?.join(ana);
  expect((await eventsOf(one, "group:participants", 1))[0]).toMatchObject({
    groupId: id,
    action: "join",
    waIds: [ana.pn],
    way: "invite-link",
  });
  chat?.ask(bia);
  expect((await eventsOf(one, "group:join-requests", 1))[0]).toMatchObject({
    groupId: id,
    action: "requested",
    waIds: [bia.pn],
    way: "invite-link",
  });
  expect((await g.call(`/${id}/join-requests/reject`, { body: { joinRequestIds: [bia.pn] } })).body.rejected).toEqual([
    bia.pn,
  ]);
  expect((await eventsOf(one, "group:join-requests", 2))[1]).toMatchObject({ action: "rejected", waIds: [bia.pn] });
  if (chat)
    await ana.sendProto(
      { protocolMessage: { type: 30, memberLabel: { label: "Entregas", labelTimestamp: 1 } } },
      { to: chat },
    );
  expect((await eventsOf(one, "group:member-label", 1))[0]).toMatchObject({ waId: ana.pn, label: "Entregas" });
  const labelled = { waId: ana.pn, label: "Entregas" };
  expect((await g.call(`/${id}`)).body.participants).toContainEqual(expect.objectContaining(labelled));
  expect((await g.call(`/${id}?refresh=true`)).body.participants).toContainEqual(expect.objectContaining(labelled));
  await g.call(`/${id}/invite-link/reset`, { method: "POST" });
  expect((await eventsOf(one, "group:settings", 1))[0]).toMatchObject({
    inviteLink: expect.stringContaining("https://chat.whatsapp.com/"),
    by: owner.pn,
  });
});

test("the phone's own label in a group is set and removed, and one that is too long is refused", async () => {
  const one = await setup();
  const { g, ana, owner } = one;
  const { id } = (await g.create({ participants: [ana.pn] })).body;
  const label = (text: unknown) => g.call(`/${id}/member-label`, { method: "PUT", body: { label: text } });
  const own = async () =>
    (await g.call(`/${id}`)).body.participants.find(({ waId }: { waId: string }) => waId === owner.pn)?.label;
  expect((await label("Padeiro")).status).toBe(204);
  expect(await own()).toBe("Padeiro");
  expect(gatewaySays(await label("x".repeat(31)))).toBe("400 VALIDATION_ERROR");
  expect(await own()).toBe("Padeiro");
  expect((await label(null)).status).toBe(204);
  expect(await own()).toBeUndefined();
});

test("a community is made, and groups are linked to it, made in it and unlinked; events say so", async () => {
  const one = await setup();
  const { g, customer, owner, ana } = one;
  const call = (path: string, options: object = {}) =>
    s.w.gateway(`/v1/communities${path}`, { key: customer.key, ...options });
  const phoneId = customer.phone.id;
  const made = await call("", { body: { phoneId, subject: "Bairro", description: "todos" } });
  expect([made.status, made.body.isCommunity, made.body.description]).toEqual([201, true, "todos"]);
  const { id, upstreamGroupId: communityId } = made.body;
  await eventsOf(one, "group:lifecycle", 2);
  expect((await call(`?phoneId=${phoneId}`)).body.items).toMatchObject([{ id, isCommunity: true, communityId: null }]);
  const other = (await g.create({ participants: [ana.pn] })).body;
  expect(other).toMatchObject({ communityId: null, isCommunity: false });
  expect((await call(`/${id}/groups/${other.id}`, { method: "PUT" })).status).toBe(204);
  expect((await eventsOf(one, "group:community", 1))[0]).toMatchObject({
    groupId: other.id,
    action: "linked",
    communityId,
  });
  expect((await g.call(`/${other.id}`)).body.communityId).toBe(communityId);
  const inside = await g.create({ subject: "Dentro", communityId: id });
  expect([inside.status, inside.body.communityId]).toEqual([201, communityId]);
  const groups = (await call(`/${encodeURIComponent(communityId)}/groups`)).body.items;
  expect(groups).toHaveLength(3);
  expect(groups).toContainEqual({
    id: other.id,
    upstreamGroupId: other.upstreamGroupId,
    subject: other.subject,
    isAnnouncementGroup: false,
  });
  expect(new Set((await call(`/${id}/participants`)).body.waIds)).toEqual(new Set([owner.pn, ana.pn]));
  expect((await call(`/${id}/groups/${other.id}`, { method: "DELETE" })).status).toBe(204);
  expect((await eventsOf(one, "group:community", 2))[1]).toMatchObject({ groupId: other.id, action: "unlinked" });
  expect((await g.call(`/${other.id}`)).body.communityId).toBeNull();
  expect((await call(`/${id}`, { method: "DELETE" })).status).toBe(204);
  expect(gatewaySays(await call(`/${id}/groups`))).toBe("404 GROUP_NOT_FOUND");
});

test("a group that is no community has no groups, and a community is linked to none; nothing is sent", async () => {
  const one = await setup();
  const { g, customer } = one;
  const call = (path: string, options: object = {}) =>
    s.w.gateway(`/v1/communities${path}`, { key: customer.key, ...options });
  const group = (await g.create()).body;
  const [first, second] = [
    (await call("", { body: { phoneId: customer.phone.id, subject: "A" } })).body,
    (await call("", { body: { phoneId: customer.phone.id, subject: "B" } })).body,
  ];
  const seen: string[] = [];
  const heal = s.net.faults.answerIq((iq) => {
    if (iq.attrs["xmlns"] === "w:g2") seen.push(iq.attrs["type"] ?? "");
    return undefined;
  });
  for (const path of [`/${group.id}/groups`, `/${group.id}/participants`])
    expect(gatewaySays(await call(path))).toBe("404 GROUP_NOT_FOUND");
  expect(gatewaySays(await call(`/${group.id}`, { method: "DELETE" }))).toBe("404 GROUP_NOT_FOUND");
  expect(gatewaySays(await g.create({ communityId: group.id }))).toBe("404 GROUP_NOT_FOUND");
  expect(gatewaySays(await call(`/${first.id}/groups/${second.id}`, { method: "PUT" }))).toBe("400 VALIDATION_ERROR");
  heal();
  expect(seen).toEqual([]);
});
