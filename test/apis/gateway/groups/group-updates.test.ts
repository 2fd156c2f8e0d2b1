import { describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, receivedBy } from "../../../support/customers/customer.ts";
import { heldRequest, useGroups } from "../../../support/customers/groups.ts";
import { secondsAt } from "../../../support/networks/waba-posts.ts";
import { gatewaySays } from "../../../support/refusals.ts";

const { w, c, g } = useGroups();

const ELSEWHERE = "Y2FwaV9ncm91cDoxNzA1NTU1MDEzOToxMjAzNjM0MDQ2OTQyMzM4MjAZD";
const USER = "5511999990001";
const view = async (id: string) => (await g.call(`/${encodeURIComponent(id)}`)).body;
const types = () => c.hook.arrived.map(({ body }) => body.type);

/** Updates of groups of the customer's phone, in one envelope and in this order. */
const notify = async (field: string, ...groups: object[]) => {
  const metadata = { display_phone_number: c.phone.number, phone_number_id: c.phone.phoneNumberId };
  await w.graph.inbound.field({
    businessAccountId: "1",
    field,
    value: { messaging_product: "whatsapp", metadata, groups },
  });
  await w.settle();
};
const about = (group_id: string, more: object) => ({ timestamp: "1795200000", group_id, ...more });
/** The upstream sends its last webhook once more, to the byte, and then with other bytes around the same update. */
const repeat = async () => {
  const { id = -1, body = "{}" } = w.graph.webhooks.journal.at(-1) ?? {};
  await w.graph.webhooks.resend(id);
  await w.graph.inbound.raw({ ...JSON.parse(body), isAgain: true });
  await w.settle();
};

describe("updates of groups", () => {
  test("X-200 EP-G09 that a group was made, suspended, released and deleted is published once each, in order", async () => {
    const { id: groupId, upstreamGroupId } = await g.group();
    await repeat();
    for (const change of [w.graph.groups.suspend, w.graph.groups.unsuspend]) {
      await change(upstreamGroupId);
      await repeat();
    }
    await g.followed(`/${groupId}`, { method: "DELETE" });
    await repeat();
    expect(receivedBy(c.hook, "group:lifecycle")).toEqual(
      ["created", "suspended", "unsuspended", "deleted"].map((action) => ({ groupId, upstreamGroupId, action })),
    );
  });

  test("X-203 EP-G09 its new status is published too", async () => {
    const { id: groupId, upstreamGroupId } = await g.group();
    await w.graph.groups.suspend(upstreamGroupId);
    await w.settle();
    expect(await view(groupId)).toMatchObject({ suspended: true });
    await w.graph.groups.unsuspend(upstreamGroupId);
    await w.settle();
    expect(await view(groupId)).toMatchObject({ suspended: false });
    expect(receivedBy(c.hook, "group:status")).toEqual([
      { groupId, status: "SUSPENDED", suspended: true },
      { groupId, status: "ACTIVE", suspended: false },
    ]);
  });

  test("X-201 X-176 EP-G09 who joins, leaves and is taken out is published once each, and shown", async () => {
    const made = await g.group();
    const groupId = made.id;
    await g.joined(made, USER, "5511999990002");
    await repeat();
    expect((await view(groupId)).participants).toEqual(
      [USER, "5511999990002"].map((waId) => ({ waId, joinedAt: expect.stringMatching(/Z$/) })),
    );
    await w.graph.groups.leave(made.upstreamGroupId, USER);
    await repeat();
    await g.followed(`/${groupId}/participants`, {
      method: "DELETE",
      body: { waIds: ["5511999990002", "5511999990003"] },
    });
    await repeat();
    expect(receivedBy(c.hook, "group:participants")).toEqual([
      { groupId, action: "join", waIds: [USER] },
      { groupId, action: "join", waIds: ["5511999990002"] },
      { groupId, action: "leave", waIds: [USER] },
      { groupId, action: "remove", waIds: ["5511999990002"] },
    ]);
    expect(await view(groupId)).toMatchObject({ participants: [], totalParticipantCount: 0 });
  });

  test("X-202 EP-G09 another subject or description is published once, and shown", async () => {
    const { id: groupId } = await g.group();
    await g.followed(`/${groupId}`, { method: "PATCH", body: { subject: "Novo" } });
    await repeat();
    await g.followed(`/${groupId}`, { method: "PATCH", body: { subject: "Dois", description: "sim" } });
    expect(receivedBy(c.hook, "group:settings")).toEqual([
      { groupId, subject: "Novo" },
      { groupId, subject: "Dois", description: "sim" },
    ]);
  });

  test("X-202 a change that the network reports as not made is not published, and a refresh shows the truth", async () => {
    const { id, subject } = await g.group();
    w.graph.configure({ groupUpdate: "held" });
    await g.call(`/${id}`, { method: "PATCH", body: { subject: "Recusado" } });
    await w.graph.groups.refuse(await heldRequest(w, c), 131000);
    await w.settle();
    expect(receivedBy(c.hook, "group:settings")).toEqual([]);
    expect((await g.call(`/${id}?refresh=true`)).body.subject).toBe(subject);
  });

  test("X-200 X-201 one envelope may hold updates of several groups", async () => {
    const [one, two] = [await g.group({ subject: "a" }), await g.group({ subject: "b" })];
    c.hook.arrived.length = 0;
    await notify(
      "group_status_update",
      about(one.upstreamGroupId, { type: "group_suspend" }),
      about(two.upstreamGroupId, { type: "group_suspend" }),
    );
    expect(new Set(receivedBy(c.hook, "group:status").map(({ groupId }) => groupId))).toEqual(
      new Set([one.id, two.id]),
    );
  });

  test("X-200 a group that was made elsewhere is published, listed and used like any other", async () => {
    await notify(
      "group_lifecycle_update",
      about(ELSEWHERE, {
        type: "group_create",
        request_id: "theirs",
        subject: "De outro lugar",
        join_approval_mode: "approval_required",
      }),
    );
    const [found] = (await g.call(`?phoneId=${c.phone.id}`)).body.items;
    expect(found).toMatchObject({
      upstreamGroupId: ELSEWHERE,
      subject: "De outro lugar",
      joinApprovalMode: "APPROVAL_REQUIRED",
      inviteLink: null,
    });
    expect(receivedBy(c.hook)).toEqual([{ groupId: found.id, upstreamGroupId: ELSEWHERE, action: "created" }]);
  });

  test("X-184 X-201 an unknown group becomes known by its updates, and a refresh brings the rest", async () => {
    const upstreamGroupId = w.graph.groups.add({
      phoneNumberId: c.phone.phoneNumberId,
      subject: "Antigo",
      participants: ["5511999990002"],
    });
    await w.graph.groups.join(upstreamGroupId, USER);
    await w.settle();
    const { id: groupId, subject, participants } = await view(upstreamGroupId);
    expect([subject, participants.map(({ waId }: any) => waId)]).toEqual(["", [USER]]);
    expect(receivedBy(c.hook)).toEqual([{ groupId, action: "join", waIds: [USER] }]);
    const { body } = await g.call(`/${groupId}?refresh=true`);
    expect([body.subject, body.totalParticipantCount]).toEqual(["Antigo", 2]);
  });

  test("X-200 the deletion of an unknown group is not published", async () => {
    await notify("group_lifecycle_update", about(ELSEWHERE, { type: "group_delete" }));
    expect([types(), (await g.call(`?phoneId=${c.phone.id}`)).body.items]).toEqual([[], []]);
  });

  test("X-175 X-201 who joins before the network reports the group joins the one that was asked for", async () => {
    w.graph.configure({ groupUpdate: "held" });
    const creating = g.create({ subject: "Novo", joinApprovalMode: "APPROVAL_REQUIRED" });
    const requestId = await heldRequest(w, c);
    await notify(
      "group_participants_update",
      about(ELSEWHERE, { type: "group_participants_add", added_participants: [{ wa_id: USER }] }),
    );
    await notify(
      "group_lifecycle_update",
      about(ELSEWHERE, { type: "group_create", request_id: requestId, subject: "Novo" }),
    );
    const made = (await creating).body;
    expect(made).toMatchObject({
      upstreamGroupId: ELSEWHERE,
      subject: "Novo",
      joinApprovalMode: "APPROVAL_REQUIRED",
      participants: [{ waId: USER }],
      totalParticipantCount: 1,
    });
    expect((await g.call(`?phoneId=${c.phone.id}`)).body.items).toEqual([made]);
    expect(new Set(receivedBy(c.hook).map(({ groupId }) => groupId))).toEqual(new Set([made.id]));
  });

  test("G-013 an update of another account's phone is not published here", async () => {
    const other = await newCustomer(w);
    await notify("group_lifecycle_update", about(ELSEWHERE, { type: "group_create", subject: "Meu" }));
    expect([
      other.hook.arrived,
      (await w.gateway(`/v1/groups?phoneId=${other.phone.id}`, { key: other.key })).body.items,
    ]).toEqual([[], []]);
    await w.gateway(`/v1/groups/${ELSEWHERE}`, { key: other.key }).then(({ status }) => expect(status).toBe(404));
  });

  test("join requests and what is not understood are not published", async () => {
    const made = await g.group({ joinApprovalMode: "APPROVAL_REQUIRED" });
    c.hook.arrived.length = 0;
    await g.joined(made, USER);
    await notify("group_lifecycle_update", about(made.upstreamGroupId, { type: "group_of_tomorrow" }));
    expect([types(), await view(made.id)]).toEqual([[], made]);
  });
});

describe("updates that come late, or in another order", () => {
  const at = (agoMs: number) => ({ timestamp: secondsAt(w.clock.now() - agoMs) });
  const items = async () => (await g.call(`?phoneId=${c.phone.id}`)).body.items;
  const joined = { type: "group_participants_add", added_participants: [{ wa_id: USER }] };
  const removed = {
    type: "group_participants_remove",
    initiated_by: "business",
    removed_participants: [{ wa_id: USER }],
  };

  test("GAP-X22 of a group that was deleted brings it back in no list, and is not published", async () => {
    const { id, upstreamGroupId } = await g.group();
    await g.followed(`/${id}`, { method: "DELETE" });
    c.hook.arrived.length = 0;
    await notify("group_participants_update", about(upstreamGroupId, joined));
    await notify("group_lifecycle_update", about(upstreamGroupId, { type: "group_create", subject: "De novo" }));
    await notify("group_lifecycle_update", about(upstreamGroupId, { type: "group_delete", ...at(0) }));
    await notify(
      "group_lifecycle_update",
      about(upstreamGroupId, { type: "group_delete", errors: [{ code: 131_000, message: "again" }] }),
    );
    expect([types(), await items()]).toEqual([[], []]);
    for (const one of [id, upstreamGroupId]) expect(gatewaySays(await g.call(`/${one}`))).toBe("404 GROUP_NOT_FOUND");
  });

  test("X-175 a group whose deletion is reported before its creation was not made", async () => {
    w.graph.configure({ groupUpdate: "held" });
    const creating = g.create();
    const request_id = await heldRequest(w, c);
    await notify("group_lifecycle_update", about(ELSEWHERE, { type: "group_delete" }));
    await notify("group_lifecycle_update", about(ELSEWHERE, { type: "group_create", request_id, subject: "Novo" }));
    expect(gatewaySays(await creating)).toBe("400 UPSTREAM_BAD_REQUEST");
    expect([types(), await items()]).toEqual([[], []]);
  });

  test("GAP-X22 X-186 a refused change does not bring back a deleted group; a refused deletion does", async () => {
    const { id, upstreamGroupId } = await g.group();
    w.graph.configure({ groupUpdate: "held" });
    await g.call(`/${id}`, { method: "DELETE" });
    await notify(
      "group_settings_update",
      about(upstreamGroupId, {
        request_id: "earlier",
        group_subject: { text: "x", update_successful: false, errors: [{ code: 131_000, message: "no" }] },
      }),
    );
    expect([gatewaySays(await g.call(`/${id}`)), await items()]).toEqual(["404 GROUP_NOT_FOUND", []]);
    await w.graph.groups.refuse(await heldRequest(w, c), 131_000);
    await w.settle();
    expect((await g.call(`/${id}`)).status).toBe(200);
  });

  test("X-203 of a suspension that is over already does not suspend the group", async () => {
    const { id, upstreamGroupId } = await g.group();
    await notify("group_status_update", about(upstreamGroupId, { type: "group_suspend_cleared", ...at(0) }));
    await notify("group_status_update", about(upstreamGroupId, { type: "group_suspend", ...at(60_000) }));
    expect([(await view(id)).suspended, receivedBy(c.hook, "group:status")]).toEqual([
      false,
      [{ groupId: id, status: "ACTIVE", suspended: false }],
    ]);
  });

  test("X-202 of settings counts for what no later update has changed, also an update of its creation", async () => {
    const settings = (subject: string, description?: string) => ({
      group_subject: { text: subject },
      ...(description === undefined ? {} : { group_description: { text: description } }),
    });
    await notify("group_settings_update", about(ELSEWHERE, { ...settings("Novo"), ...at(0) }));
    await notify("group_settings_update", about(ELSEWHERE, { ...settings("Velho", "sim"), ...at(60_000) }));
    await notify("group_settings_update", about(ELSEWHERE, { ...settings("Mais velho"), ...at(90_000) }));
    await notify(
      "group_lifecycle_update",
      about(ELSEWHERE, { type: "group_create", subject: "Primeiro", description: "não", ...at(120_000) }),
    );
    const [{ id: groupId, ...shown }] = await items();
    expect(shown).toMatchObject({ subject: "Novo", description: "sim" });
    expect(receivedBy(c.hook, "group:settings")).toEqual([
      { groupId, subject: "Novo" },
      { groupId, description: "sim" },
    ]);
  });

  test("X-201 X-176 of who came counts for each of those who have not gone since", async () => {
    const { id: groupId, upstreamGroupId } = await g.group();
    await notify("group_participants_update", about(upstreamGroupId, { ...removed, ...at(0) }));
    await notify(
      "group_participants_update",
      about(upstreamGroupId, {
        ...joined,
        added_participants: [{ wa_id: USER }, { wa_id: "5511999990002" }],
        ...at(60_000),
      }),
    );
    await notify("group_participants_update", about(upstreamGroupId, { ...joined, ...at(90_000) }));
    expect((await view(groupId)).participants).toMatchObject([{ waId: "5511999990002" }]);
    expect(receivedBy(c.hook, "group:participants")).toEqual([
      { groupId, action: "remove", waIds: [USER] },
      { groupId, action: "join", waIds: ["5511999990002"] },
    ]);
  });

  test("X-203 a time that is yet to come overtakes nothing that is reported from now on", async () => {
    const { id, upstreamGroupId } = await g.group();
    await notify("group_status_update", about(upstreamGroupId, { type: "group_suspend", ...at(-DAY_MS) }));
    await notify("group_status_update", about(upstreamGroupId, { type: "group_suspend_cleared", ...at(0) }));
    expect((await view(id)).suspended).toBe(false);
  });
});
