import { afterAll, beforeAll, expect, test } from "bun:test";
import { clientOf, EVOLUTION_ENV, type EvolutionClient, evolutionSays } from "../../support/apis/evolution.ts";
import { pairedPhone, type SessionWorld, sessionWorld } from "../../support/session/world.ts";
import type { Contact, Phone } from "../../support/whatsapp/index.ts";

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld(EVOLUTION_ENV);
});
afterAll(() => s.stop());

type Setup = { client: EvolutionClient; owner: Phone; ana: Contact; bia: Contact };
const setup = async (): Promise<Setup> => {
  const { customer, owner } = await pairedPhone(s);
  return { client: clientOf(s.w, customer), owner, ana: s.contact(), bia: s.contact() };
};

test("a group is seen and joined by the code of its link, as Evolution answers it", async () => {
  const { client, owner, ana } = await setup();
  const theirs = s.net.group({ subject: "Feira", members: [ana], owner: ana });
  const code = theirs.group.invite;
  const seen = await client.on(`/group/inviteInfo?inviteCode=${code}`);
  expect([seen.status, seen.body]).toMatchObject([
    200,
    { id: theirs.jid, subject: "Feira", size: 1, isCommunity: false },
  ]);
  expect(theirs.group.members.has(owner.account)).toBe(false);
  const joined = await client.on(`/group/acceptInviteCode?inviteCode=${code}`);
  expect([joined.status, joined.body]).toEqual([200, { accepted: true, groupJid: theirs.jid }]);
  expect(theirs.group.members.has(owner.account)).toBe(true);
  const again = await client.on(`/group/acceptInviteCode?inviteCode=${code}`);
  expect(evolutionSays(again)).toContain("400");
});

test("a change of people answers the network's numbers", async () => {
  const { client, ana, bia } = await setup();
  bia.account.isInvitedOnly = true;
  const made = await client.on("/group/create", { body: { subject: "Família", participants: [ana.pn] } });
  const groupJid = made.body.id;
  const participants = [ana.pn, bia.pn, "5511900009999"];
  const added = await client.on(`/group/updateParticipant?groupJid=${groupJid}`, {
    body: { action: "add", participants },
  });
  expect(added.body.updateParticipants.map(({ status }: { status: string }) => status)).toEqual(["409", "403", "404"]);
  const removed = await client.on("/group/updateParticipant", {
    body: { groupJid, action: "remove", participants: [ana.pn] },
  });
  expect(removed.body.updateParticipants).toMatchObject([{ status: "200" }]);
});

test("people are named by the hidden ids under which a group shows them", async () => {
  const { client, ana, bia } = await setup();
  await client.on("/group/create", { body: { subject: "Feira", participants: [ana.pn, bia.pn] } });
  const made = await client.on("/group/create", { body: { subject: "Família", participants: [`${ana.lid}@lid`] } });
  expect(made.status).toBe(201);
  const groupJid = made.body.id;
  const members = () => s.net.groupOf(groupJid)?.group.members;
  expect(members()?.has(ana.account)).toBe(true);
  const change = (action: string, { lid }: Contact) =>
    client.on("/group/updateParticipant", { body: { groupJid, action, participants: [`${lid}@lid`] } });
  expect((await change("add", bia)).body.updateParticipants).toMatchObject([{ status: "200" }]);
  expect((await change("remove", ana)).body.updateParticipants).toMatchObject([{ status: "200" }]);
  expect([members()?.has(bia.account), members()?.has(ana.account)]).toEqual([true, false]);
});

test("who adds people is changed, and the group may stand in the body or in the query", async () => {
  const { client, ana } = await setup();
  const made = await client.on("/group/create", { body: { subject: "Família", participants: [ana.pn] } });
  const groupJid = made.body.id;
  const mode = "all_member_add";
  const changed = await client.on("/group/updateMemberAddMode", { body: { groupJid, mode } });
  expect([changed.status, changed.body]).toEqual([201, { update: "success", mode }]);
  expect(s.net.groupOf(groupJid)?.group.settings.has("all_member_add")).toBe(true);
  const unnamed = await client.on("/group/updateMemberAddMode", { body: { mode: "admin_add" } });
  expect(unnamed.status).toBe(400);
  expect(s.net.groupOf(groupJid)?.group.settings.has("all_member_add")).toBe(true);
});
