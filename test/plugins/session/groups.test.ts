import { describe, expect, test } from "bun:test";
import sharp from "sharp";
import type { GroupsApi } from "../../../src/contract/abilities/groups.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/kernel/clock.ts";
import { received, receivingChannel } from "../../support/session/receiving.ts";
import { untilTrue } from "../../support/waiting.ts";
import type { Stanza } from "../../support/whatsapp/wire/stanza.ts";

const channel = receivingChannel();
const groups = (): Required<GroupsApi> => channel().link.groups as Required<GroupsApi>;

/** The questions about groups from now on. */
const watched = (): Stanza[] => {
  const seen: Stanza[] = [];
  channel().net.faults.answerIq((iq) => {
    if (iq.attrs["xmlns"] === "w:g2") seen.push(iq);
    return undefined;
  });
  return seen;
};
const contentOf = (iq: Stanza | undefined): Stanza => [iq?.content ?? []].flat()[0] as Stanza;
const made = async (participants: string[] = []) => {
  const result = await groups().create({ subject: "Equipe", joinApprovalMode: "AUTO_APPROVE", participants });
  if (!result.ok) throw new Error(JSON.stringify(result));
  const [event] = (await received(channel().host, "group")).slice(-1);
  if (event?.what !== "created") throw new Error("no group was reported");
  return { ...result.value, groupId: event.groupId, event };
};

describe("a new group", () => {
  test("W26-14 names people by LID with their number beside it, and by number where no LID is known", async () => {
    const { ana, bia, net, phone } = channel();
    net.faults.hideLid(bia);
    const seen = watched();
    const group = await made([ana.pn ?? "", bia.pn ?? ""]);
    const create = contentOf(seen[0]);
    expect(create.attrs).toEqual({ subject: "Equipe", key: group.requestId });
    expect((create.content as Stanza[]).map(({ attrs }) => attrs)).toEqual([
      { jid: ana.lidJid, phone_number: ana.jid },
      { jid: bia.jid },
    ]);
    expect(group.people).toEqual([
      { waId: ana.pn as string, outcome: "done" },
      { waId: bia.pn as string, outcome: "done" },
    ]);
    expect(group.event).toMatchObject({ requestId: group.requestId, subject: "Equipe", admins: [phone.pn] });
  });

  test("W26-14 the network refuses a bare LID of somebody who has a number", async () => {
    const { ana, net, phone } = channel();
    const device = phone.devices[0];
    const asked = {
      tag: "create",
      attrs: { subject: "x" },
      content: [{ tag: "participant", attrs: { jid: ana.lidJid } }],
    };
    const { answerGroups } = await import("../../support/whatsapp/answers/group-iqs.ts");
    const network = { accounts: new Map([[`lid:${ana.lid}`, ana.account]]) } as Parameters<typeof answerGroups>[0];
    expect(
      device &&
        answerGroups(network, phone.account, { tag: "iq", attrs: { to: "@g.us", type: "set" }, content: [asked] }),
    ).toEqual({
      code: 400,
      text: "bad-request",
    });
    expect(net.stat.unhandled).toEqual([]);
  });

  test("is reported once, although the network announces it too", async () => {
    const group = await made();
    const { host, net } = channel();
    await net.until(() => net.stat.acks.some(({ type }) => type === "notification"));
    expect(host.events.filter((event) => event.kind === "group").map(({ nativeId }) => nativeId)).toEqual(
      host.events.filter((event) => event.kind === "group").map(() => `created/${group.groupId}`),
    );
  });

  test("says of each person why they are not in it", async () => {
    const { ana, bia } = channel();
    ana.account.isInvitedOnly = true;
    bia.account.blocksGroups = true;
    const { people } = await made([ana.pn ?? "", bia.pn ?? "", "5511900009999"]);
    expect(people).toEqual([
      { waId: ana.pn as string, outcome: "invitation-needed", code: 403 },
      { waId: bia.pn as string, outcome: "blocked", code: 401 },
      { waId: "5511900009999", outcome: "not-on-network" },
    ]);
  });

  test("there are five in a day, and the sixth is refused with nothing sent", async () => {
    const { host } = channel();
    for (let count = 0; count < 5; count++) await made();
    const seen = watched();
    const refused = await groups().create({ subject: "a sixth", joinApprovalMode: "AUTO_APPROVE" });
    expect(refused).toMatchObject({ ok: false, kind: "unavailable", isOwnLimit: true, mayHaveHappened: false });
    expect(seen).toEqual([]);
    host.clock.advance(DAY_MS);
    expect(await groups().create({ subject: "a sixth", joinApprovalMode: "AUTO_APPROVE" })).toMatchObject({ ok: true });
  });
});

describe("an existing group", () => {
  test("people are added, promoted, demoted and removed, each with what became of them", async () => {
    const { ana, bia, host } = channel();
    const { groupId } = await made([ana.pn ?? ""]);
    const people = [ana.pn ?? "", bia.pn ?? ""];
    expect(await groups().addParticipants(groupId, people)).toEqual({
      ok: true,
      value: [
        { waId: ana.pn as string, outcome: "already", code: 409 },
        { waId: bia.pn as string, outcome: "done" },
      ],
    });
    expect(await groups().promote(groupId, [bia.pn ?? ""])).toMatchObject({ value: [{ outcome: "done" }] });
    expect(await groups().read(groupId)).toMatchObject({
      value: { admins: [channel().phone.pn, bia.pn], totalParticipantCount: 3 },
    });
    expect(await groups().demote(groupId, [bia.pn ?? ""])).toMatchObject({ value: [{ outcome: "done" }] });
    expect(await groups().removeParticipants(groupId, [bia.pn ?? ""])).toMatchObject({ value: [{ outcome: "done" }] });
    const said = (await received(host, "group", 5)).flatMap((event) =>
      event.what === "participants" ? [[event.action, event.waIds]] : [],
    );
    const waIds = [bia.pn as string];
    expect(said).toEqual([
      ["join", waIds],
      ["promote", waIds],
      ["demote", waIds],
      ["remove", waIds],
    ]);
  });

  test("subject, description, join mode, rules, invite link and join requests", async () => {
    const { ana, net, host } = channel();
    const { groupId } = await made();
    expect(await groups().update(groupId, { subject: "Nova", description: "um" })).toEqual({ ok: true, value: true });
    expect(await groups().update(groupId, { description: "dois" })).toEqual({ ok: true, value: true });
    expect(await groups().setJoinMode(groupId, "APPROVAL_REQUIRED")).toEqual({ ok: true, value: true });
    const rules = { onlyAdminsSend: true, onlyAdminsEdit: true, onlyAdminsAdd: false };
    expect(await groups().setRules(groupId, rules)).toEqual({ ok: true, value: true });
    expect(await groups().read(groupId)).toMatchObject({
      value: { subject: "Nova", description: "dois", joinApprovalMode: "APPROVAL_REQUIRED", rules },
    });
    const first = await groups().inviteLink(groupId);
    const second = await groups().resetInviteLink(groupId);
    expect(first.ok && first.value).toStartWith("https://chat.whatsapp.com/");
    expect(second).not.toEqual(first);
    expect(await groups().inviteLink(groupId)).toEqual(second);
    net.groupOf(groupId)?.ask(ana);
    const asked = await groups().joinRequests(groupId, { limit: 10, after: undefined });
    expect(asked).toMatchObject({ value: { requests: [{ joinRequestId: ana.pn, waId: ana.pn }], after: null } });
    expect(await groups().approve(groupId, [ana.pn ?? ""])).toEqual({
      ok: true,
      value: { decided: [ana.pn as string], failed: [] },
    });
    expect(await groups().reject(groupId, [ana.pn ?? ""])).toMatchObject({ value: { decided: [] } });
    await untilTrue(() => host.events.some((event) => event.kind === "group" && event.what === "participants"));
  });

  test("a picture is set and removed; what is no picture is refused with nothing sent", async () => {
    const { net } = channel();
    const { groupId } = await made();
    const bytes = await sharp({ create: { width: 64, height: 32, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    expect(await groups().setPicture(groupId, { bytes })).toEqual({ ok: true, value: true });
    expect(net.groupOf(groupId)?.group.picture?.bytes.slice(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    expect(await groups().setPicture(groupId, { bytes: Buffer.from("no picture") })).toMatchObject({ kind: "refused" });
    expect(await groups().setPicture(groupId, null)).toEqual({ ok: true, value: true });
    expect(net.groupOf(groupId)?.group.picture).toBeUndefined();
  });

  test("somebody who is no administrator is refused in words, and a member who leaves has left", async () => {
    const { ana, phone, net, host } = channel();
    const group = net.group({ subject: "De Ana", members: [ana, phone], owner: ana });
    expect(await groups().update(group.jid, { subject: "Nossa" })).toMatchObject({
      kind: "refused",
      error: { code: 403, message: "this account is not an administrator, or not a member" },
    });
    expect(await groups().leave(group.jid)).toEqual({ ok: true, value: true });
    expect(await groups().read(group.jid)).toMatchObject({ kind: "refused" });
    const [last] = (await received(host, "group", 2)).slice(-1);
    expect(last).toMatchObject({ what: "participants", action: "leave", waIds: [phone.pn] });
  });

  test("the twenty-first change of a minute is held back, and says for how long", async () => {
    const { host } = channel();
    const { groupId } = await made();
    for (let count = 0; count < 20; count++) await groups().setRules(groupId, { onlyAdminsSend: count % 2 === 0 });
    const seen = watched();
    expect(await groups().update(groupId, { subject: "x" })).toMatchObject({
      isOwnLimit: true,
      retryAfterMs: MINUTE_MS,
    });
    expect(seen).toEqual([]);
    host.clock.advance(MINUTE_MS);
    expect(await groups().update(groupId, { subject: "x" })).toEqual({ ok: true, value: true });
  });

  test("no answer is an unavailable network, and what may have happened is said", async () => {
    const { link } = channel();
    const { groupId } = await made();
    await link.close();
    expect(await groups().read(groupId)).toMatchObject({ kind: "unavailable", mayHaveHappened: false });
  });
});
