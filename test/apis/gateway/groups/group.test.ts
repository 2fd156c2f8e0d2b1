import { describe, expect, test } from "bun:test";
import { newCustomer, receivedBy, rowsOf } from "../../../support/customers/customer.ts";
import { heldRequest, NOBODY, useGroups } from "../../../support/customers/groups.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";

const { w, c, g } = useGroups();

const rows = () => rowsOf(w, "SELECT * FROM groups WHERE tenant_id = ?1", [c.accountId]);
const upstreamOf = ({ upstreamGroupId }: { upstreamGroupId: string }) => w.graph.groups.all.get(upstreamGroupId);

describe("one group", () => {
  test("X-178 X-254 it is found by our id and the upstream's, and not by another account", async () => {
    const made = await g.group();
    for (const id of [made.id, made.upstreamGroupId, encodeURIComponent(made.upstreamGroupId)])
      expect((await g.call(`/${id}`)).body).toEqual(made);
    const other = await newCustomer(w);
    for (const id of [made.id, made.upstreamGroupId])
      expect(gatewaySays(await g.call(`/${id}`, { key: other.key }))).toBe("404 GROUP_NOT_FOUND");
  });

  test("X-177 X-178 an id with a group domain is taken as it stands", async () => {
    const group = {
      timestamp: "1739321024",
      group_id: "120363404694233820@g.us",
      type: "group_create",
      subject: "De outro lugar",
    };
    const metadata = { display_phone_number: c.phone.number, phone_number_id: c.phone.phoneNumberId };
    const value = { messaging_product: "whatsapp", metadata, groups: [group] };
    await w.graph.inbound.field({ businessAccountId: "1", field: "group_lifecycle_update", value });
    await w.settle();
    const found = (await g.call(`/${group.group_id}`)).body;
    expect(found).toMatchObject({ upstreamGroupId: group.group_id, subject: "De outro lugar" });
    expect((await g.call(`/${found.id}`)).body).toEqual(found);
  });

  const ROUTES = [
    ["GET", "", undefined],
    ["GET", "?refresh=true", undefined],
    ["PATCH", "", { subject: "x" }],
    ["DELETE", "", undefined],
    ["POST", "/participants", { waIds: ["5511999990001"] }],
    ["DELETE", "/participants", { waIds: ["5511999990001"] }],
    ["POST", "/admins", { waIds: ["5511999990001"] }],
    ["DELETE", "/admins", { waIds: ["5511999990001"] }],
    ["GET", "/join-requests", undefined],
    ["POST", "/join-requests/approve", { joinRequestIds: ["a"] }],
    ["POST", "/join-requests/reject", { joinRequestIds: ["a"] }],
    ["POST", "/invite-link/reset", undefined],
    ["POST", "/leave", undefined],
    ["POST", "/messages", { type: "text", payload: { body: "oi" } }],
  ] as const;
  const READS = ["GET "];
  const withBody = (method: string, body: object | undefined) => ({ method, ...(body ? { body } : {}) });

  test.each(ROUTES)("X-179 %s {id}%s: an id that is no group of the account is unknown", async (method, path, body) => {
    for (const id of [NOBODY, "Y2FwaV9ncm91cDoZD"])
      expect(gatewaySays(await g.call(`/${id}${path}`, withBody(method, body)))).toBe("404 GROUP_NOT_FOUND");
  });

  test.each(ROUTES.filter(([method]) => method !== "GET"))(
    "X-199 %s {id}%s: with a suspended group nothing is done",
    async (method, path, body) => {
      const made = await g.group();
      await g.joined(made, "5511999990001");
      await w.graph.groups.suspend(made.upstreamGroupId);
      await w.settle();
      const before = w.graph.journal.length;
      expect(gatewaySays(await g.call(`/${made.id}${path}`, withBody(method, body)))).toBe("409 GROUP_SUSPENDED");
      await w.settle();
      expect(w.graph.journal.length).toBe(before);
      expect((await g.call(`/${made.id}`)).body).toMatchObject({ subject: made.subject, suspended: true });
    },
  );

  test.each(ROUTES.filter(([method, path]) => !READS.includes(`${method} ${path}`)))(
    "GAP-X22 %s {id}%s: a phone that is not connected is not asked",
    async (method, path, body) => {
      const made = await g.group();
      await w.gateway(`/v1/phones/${c.phone.id}/logout`, { key: c.key, method: "POST" });
      const before = w.graph.journal.length;
      expect(gatewaySays(await g.call(`/${made.id}${path}`, withBody(method, body)))).toBe("409 PHONE_NOT_CONNECTED");
      await w.settle();
      expect(w.graph.journal.length).toBe(before);
      expect((await g.call(`/${made.id}`)).body).toEqual(made);
    },
  );

  test("X-184 the network is asked for a refresh alone", async () => {
    const made = await g.group();
    const upstream = upstreamOf(made);
    if (upstream) Object.assign(upstream, { subject: "Mudou", inviteLink: "https://chat.whatsapp.com/NEW" });
    const before = w.graph.journal.length;
    expect((await g.call(`/${made.id}`)).body).toEqual(made);
    expect((await g.call(`/${made.id}?refresh=false`)).body).toEqual(made);
    expect(w.graph.journal.length).toBe(before);
    const refreshed = (await g.call(`/${made.id}?refresh=true`)).body;
    expect(refreshed).toEqual({ ...made, subject: "Mudou", inviteLink: "https://chat.whatsapp.com/NEW" });
    expect((await g.call(`/${made.id}`)).body).toEqual(refreshed);
  });

  test("X-176 X-184 a refresh brings who is in a group, and keeps since when where that is known", async () => {
    const made = await g.group();
    await g.joined(made, "5511999990001");
    const [{ joinedAt }] = (await g.call(`/${made.id}`)).body.participants;
    expect(joinedAt).toEndWith("Z");
    const unheard = w.graph.groups.add({
      phoneNumberId: c.phone.phoneNumberId,
      subject: "x",
      participants: ["5511999990002"],
    });
    upstreamOf(made)?.participants.push(...(w.graph.groups.all.get(unheard)?.participants ?? []));
    w.clock.advance(60_000);
    expect((await g.call(`/${made.id}?refresh=true`)).body).toMatchObject({
      participants: [
        { waId: "5511999990001", joinedAt },
        { waId: "5511999990002", joinedAt: null },
      ],
      totalParticipantCount: 2,
    });
  });

  test("X-184 a suspended group can be refreshed, which shows when it no longer is", async () => {
    const made = await g.group();
    await w.graph.groups.suspend(made.upstreamGroupId);
    await w.settle();
    expect((await g.call(`/${made.id}?refresh=true`)).body).toEqual({ ...made, suspended: true });
    const upstream = upstreamOf(made);
    if (upstream) upstream.isSuspended = false;
    expect((await g.call(`/${made.id}?refresh=true`)).body).toEqual(made);
  });

  test("X-185 subject and description change alone and together, upstream too", async () => {
    const made = await g.group({ description: "antes" });
    const patch = async (body: object) => (await g.followed(`/${made.id}`, { method: "PATCH", body })).body;
    expect(await patch({ subject: "Novo" })).toEqual({ ...made, subject: "Novo" });
    expect(await patch({ description: "" })).toEqual({ ...made, subject: "Novo", description: "" });
    expect(await patch({ subject: "Os dois", description: "sim" })).toEqual({
      ...made,
      subject: "Os dois",
      description: "sim",
    });
    expect(upstreamOf(made)).toMatchObject({ subject: "Os dois", description: "sim" });
    const before = w.graph.journal.length;
    expect(
      (await g.call(`/${made.id}`, { method: "PATCH", body: { joinApprovalMode: "AUTO_APPROVE" } })).body,
    ).toMatchObject({ subject: "Os dois" });
    expect(w.graph.journal.length).toBe(before);
  });

  test("X-185 GAP-X23 how people join cannot be changed upstream: nothing is sent, nor the rest changed", async () => {
    const made = await g.group();
    const before = w.graph.journal.length;
    const answer = await g.call(`/${made.id}`, {
      method: "PATCH",
      body: { subject: "Novo", joinApprovalMode: "APPROVAL_REQUIRED" },
    });
    expect(gatewaySays(answer)).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(answer.body.error.details).toEqual({ reason: "NOT_OFFERED_BY_UPSTREAM" });
    expect(w.graph.journal.length).toBe(before);
    expect((await g.call(`/${made.id}`)).body).toEqual(made);
  });

  test("X-185 the body of a change is checked, and a refusal of the upstream changes nothing", async () => {
    const made = await g.group();
    const patch = (body: object) => g.call(`/${made.id}`, { method: "PATCH", body });
    expect(fieldsOf(await patch({ subject: "" }))).toEqual(["subject"]);
    expect(fieldsOf(await patch({ description: "x".repeat(2049) }))).toEqual(["description"]);
    expect(fieldsOf(await patch({ joinApprovalMode: "x" }))).toEqual(["joinApprovalMode"]);
    w.graph.failNext(1, { kind: "error", code: 100 }, { operation: "group.update" });
    expect(gatewaySays(await patch({ subject: "Novo" }))).toBe("400 UPSTREAM_BAD_REQUEST");
    expect((await g.call(`/${made.id}`)).body).toEqual(made);
  });

  test("X-186 GAP-X22 a deleted group is unknown at once, and its deletion is published when the network says so", async () => {
    const made = await g.group();
    c.hook.arrived.length = 0;
    w.graph.configure({ groupUpdate: "held" });
    expect((await g.call(`/${made.id}`, { method: "DELETE" })).status).toBe(204);
    for (const method of ["GET", "DELETE"])
      expect(gatewaySays(await g.call(`/${made.id}`, { method }))).toBe("404 GROUP_NOT_FOUND");
    expect((await g.call(`?phoneId=${c.phone.id}`)).body.items).toEqual([]);
    await w.settle();
    expect(receivedBy(c.hook)).toEqual([]);
    await w.graph.groups.finish(await heldRequest(w, c));
    await w.settle();
    expect(receivedBy(c.hook, "group:lifecycle")).toEqual([
      { groupId: made.id, upstreamGroupId: made.upstreamGroupId, action: "deleted" },
    ]);
    expect([await rows(), upstreamOf(made)]).toMatchObject([
      [{ subject: "", participants: "[]", invite_link: null }],
      undefined,
    ]); // all that is kept of it is that it was
  });

  test("X-186 a group that the network reports as not deleted is there again", async () => {
    const made = await g.group();
    c.hook.arrived.length = 0;
    w.graph.configure({ groupUpdate: "held" });
    await g.call(`/${made.id}`, { method: "DELETE" });
    await w.graph.groups.refuse(await heldRequest(w, c), 131000);
    await w.settle();
    expect((await g.call(`/${made.id}`)).body).toEqual(made);
    expect(receivedBy(c.hook)).toEqual([]);
  });

  test("X-194 the invite link is replaced, and the one before no longer works", async () => {
    const made = await g.group();
    const { status, body } = await g.call(`/${made.id}/invite-link/reset`, { method: "POST" });
    expect([status, body]).toEqual([200, { inviteLink: upstreamOf(made)?.inviteLink ?? "" }]);
    expect(body.inviteLink).not.toBe(made.inviteLink);
    expect((await g.call(`/${made.id}`)).body).toEqual({ ...made, inviteLink: body.inviteLink });
  });

  test("X-195 GAP-X23 leaving is not offered upstream: nothing is sent", async () => {
    const made = await g.group();
    const before = w.graph.journal.length;
    const answer = await g.call(`/${made.id}/leave`, { method: "POST" });
    expect(gatewaySays(answer)).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(answer.body.error.details).toEqual({ reason: "NOT_OFFERED_BY_UPSTREAM" });
    expect(w.graph.journal.length).toBe(before);
    expect((await g.call(`/${made.id}`)).body).toEqual(made);
  });

  test("they go with their phone", async () => {
    const made = await g.group();
    await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" });
    expect(gatewaySays(await g.call(`/${made.id}`))).toBe("404 GROUP_NOT_FOUND");
    await w.settle();
    expect(await rows()).toEqual([]);
  });
});
