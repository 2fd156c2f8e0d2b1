import { afterAll, beforeAll, expect, test } from "bun:test";
import { type GroupUser, groupUser } from "../../../../support/customers/groups.ts";
import { gatewaySays } from "../../../../support/refusals.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../../../support/session/world.ts";
import type { Contact } from "../../../../support/whatsapp/index.ts";
import { child, stanza } from "../../../../support/whatsapp/wire/stanza.ts";

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

test("a group is made with people, read, listed and refreshed; the events are those of official numbers", async () => {
  const one = await setup();
  const { g, ana, bia, owner } = one;
  bia.account.isInvitedOnly = true;
  const made = await g.create({ description: "Segundas", participants: [ana.pn, bia.pn] });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    subject: "Clube do livro",
    description: "Segundas",
    joinApprovalMode: "AUTO_APPROVE",
    participants: [
      { waId: owner.pn, isAdmin: true },
      { waId: ana.pn, isAdmin: false },
    ],
    participantOutcomes: [
      { waId: ana.pn, outcome: "done" },
      { waId: bia.pn, outcome: "invitation-needed", code: 403 },
    ],
  });
  const { id, upstreamGroupId } = made.body;
  expect((await g.call(`/${id}?refresh=true`)).body).toMatchObject({
    description: "Segundas",
    inviteLink: expect.stringContaining("https://chat.whatsapp.com/"),
    rules: { onlyAdminsSend: false, onlyAdminsEdit: false, onlyAdminsAdd: true },
  });
  expect((await g.call(`/${encodeURIComponent(upstreamGroupId)}`)).body.id).toBe(id);
  expect((await g.call(`?phoneId=${one.customer.phone.id}`)).body.items).toMatchObject([{ id }]);
  expect((await eventsOf(one, "group:lifecycle", 1)).map(({ action, groupId }) => [action, groupId])).toEqual([
    ["created", id],
  ]);
});

test("a group that was not given its description is answered without it", async () => {
  const { g } = await setup();
  const heal = s.net.faults.answerIq((iq) =>
    child(iq, "description") ? stanza("iq", { type: "error" }, [stanza("error", { code: "406" })]) : undefined,
  );
  const made = await g.create({ description: "Segundas" });
  heal();
  expect([made.status, made.body.description]).toEqual([201, ""]);
  expect((await g.call(`/${made.body.id}`)).body.description).toBe("");
});

test("groups that others made are known after a refresh of the list, and after any update", async () => {
  const one = await setup();
  const { g, ana, owner, customer } = one;
  const theirs = s.net.group({ subject: "De Ana", members: [ana, owner], owner: ana });
  await eventsOf(one, "group:lifecycle", 1);
  const list = await g.call(`?phoneId=${customer.phone.id}&refresh=true`);
  expect(list.body.items).toMatchObject([
    { upstreamGroupId: theirs.jid, subject: "De Ana", participants: [{ waId: ana.pn, isAdmin: true }, {}] },
  ]);
  expect(gatewaySays(await g.call(`/${list.body.items[0].id}`, { method: "PATCH", body: { subject: "Nossa" } }))).toBe(
    "400 UPSTREAM_BAD_REQUEST",
  );
});

test("people are added, promoted, demoted and removed, with what became of each", async () => {
  const one = await setup();
  const { g, ana, bia } = one;
  const { id } = (await g.create({ participants: [ana.pn] })).body;
  const people = (method: string, path: string, ...waIds: unknown[]) =>
    g.call(`/${id}/${path}`, { method, body: { waIds } });
  const added = await people("POST", "participants", `+${ana.pn}`, bia.pn);
  expect([added.status, added.body.participants]).toEqual([
    200,
    [
      { waId: ana.pn, outcome: "already", code: 409 },
      { waId: bia.pn, outcome: "done" },
    ],
  ]);
  expect((await people("POST", "admins", bia.pn)).body).toMatchObject({ participants: [{ outcome: "done" }] });
  await eventsOf(one, "group:participants", 2);
  const isAdmin = async () =>
    (await g.call(`/${id}`)).body.participants.find(({ waId }: { waId: string }) => waId === bia.pn)?.isAdmin;
  expect(await isAdmin()).toBe(true);
  expect((await people("DELETE", "admins", bia.pn)).status).toBe(200);
  await eventsOf(one, "group:participants", 3);
  expect(await isAdmin()).toBe(false);
  expect((await people("DELETE", "participants", bia.pn)).status).toBe(200);
  expect((await eventsOf(one, "group:participants", 4)).map(({ action, waIds }) => [action, waIds])).toEqual([
    ["join", [bia.pn]],
    ["promote", [bia.pn]],
    ["demote", [bia.pn]],
    ["remove", [bia.pn]],
  ]);
});

test("subject, join mode and rules are changed; a group is left and is then unknown", async () => {
  const one = await setup();
  const { g } = one;
  const { id } = (await g.create()).body;
  const rules = { onlyAdminsSend: true, onlyAdminsAdd: false };
  const body = { subject: "Outro", joinApprovalMode: "APPROVAL_REQUIRED", rules };
  expect((await g.call(`/${id}`, { method: "PATCH", body })).body).toMatchObject(body);
  const changes = (await eventsOf(one, "group:settings", 4)).map((data) => ({ ...data, groupId: undefined }));
  expect(changes).toContainEqual({
    joinApprovalMode: "APPROVAL_REQUIRED",
    by: one.owner.pn,
  });
  const link = (await g.call(`/${id}/invite-link`)).body.inviteLink;
  expect((await g.call(`/${id}/invite-link/reset`, { method: "POST" })).body.inviteLink).not.toBe(link);
  expect(gatewaySays(await g.call(`/${id}`, { method: "DELETE" }))).toBe("400 UPSTREAM_BAD_REQUEST");
  expect((await g.call(`/${id}/leave`, { method: "POST" })).status).toBe(204);
  expect(gatewaySays(await g.call(`/${id}`))).toBe("404 GROUP_NOT_FOUND");
});

test("a message in the official format goes to the group; what sessions do not have fails", async () => {
  const { g, ana, customer } = await setup();
  const { id } = (await g.create({ participants: [ana.pn] })).body;
  const send = (type: string, payload: object) =>
    g.call(`/${id}/messages`, { method: "POST", body: { type, payload } });
  const sent = await send("text", { body: "olá grupo" });
  expect(sent.status).toBe(202);
  await s.w.settle();
  await ana.until(({ text }) => text === "olá grupo");
  const refused = await send("template", { name: "a", language: { code: "pt_BR" } });
  await s.w.settle();
  expect((await customer.message(refused.body.messageId)).status).toBe("FAILED");
});

test("the sixth group of a day is refused by Recado, with the time to wait", async () => {
  const { g } = await setup();
  for (let count = 0; count < 5; count++) expect((await g.create()).status).toBe(201);
  const refused = await g.create();
  expect(gatewaySays(refused)).toBe("429 RATE_LIMITED");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(80_000);
});

test("X-170 a session that no phone is linked with has no groups", async () => {
  const { key } = await s.w.account();
  const phone = (await s.w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "A phone" } })).body;
  const asked = await s.w.gateway("/v1/groups", { key, body: { phoneId: phone.id, subject: "x" } });
  expect(gatewaySays(asked)).toBe("404 PHONE_NOT_FOUND");
});
