import { describe, expect, test } from "bun:test";
import { newCustomer, receivedBy, rowsOf } from "../../../support/customers/customer.ts";
import { heldOf, heldRequest, NOBODY, useGroups } from "../../../support/customers/groups.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { untilTrue } from "../../../support/world.ts";

const { w, c, g } = useGroups();

const rows = () => rowsOf(w, "SELECT * FROM groups WHERE tenant_id = ?1", [c.accountId]);
const upstreamOf = ({ upstreamGroupId }: { upstreamGroupId: string }) => w.graph.groups.all.get(upstreamGroupId);

describe("POST /v1/groups", () => {
  test("X-175 X-177 X-174 a group is made upstream and shown as the network reports it", async () => {
    const { status, body } = await g.create({ description: "Às quintas" });
    expect(status).toBe(201);
    const upstream = upstreamOf(body);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      upstreamGroupId: upstream?.id,
      phoneId: c.phone.id,
      subject: "Clube do livro",
      description: "Às quintas",
      joinApprovalMode: "AUTO_APPROVE",
      inviteLink: upstream?.inviteLink,
      participants: [],
      totalParticipantCount: 0,
      suspended: false,
      createdAt: new Date(w.clock.now()).toISOString(),
    });
    expect(upstream).toMatchObject({
      subject: "Clube do livro",
      description: "Às quintas",
      joinApprovalMode: "auto_approve",
      phoneNumberId: c.phone.phoneNumberId,
    });
    expect((await g.call(`/${body.id}`)).body).toEqual(body);
  });

  test("X-174 people may have to be approved", async () => {
    const made = await g.group({ joinApprovalMode: "APPROVAL_REQUIRED" });
    expect([made.joinApprovalMode, upstreamOf(made)?.joinApprovalMode]).toEqual([
      "APPROVAL_REQUIRED",
      "approval_required",
    ]);
  });

  test("X-172 X-173 the longest subject and description are taken, in code points", async () => {
    expect(await g.group({ subject: "😀".repeat(128), description: "é".repeat(2048) })).toMatchObject({
      subject: "😀".repeat(128),
    });
    expect(await g.group({ subject: "a" })).toMatchObject({ subject: "a", description: "" });
  });

  test("X-171 X-172 X-173 X-174 the body is checked, and nothing happens", async () => {
    const before = w.graph.journal.length;
    for (const [field, value] of [
      ["phoneId", undefined],
      ["phoneId", "nobody"],
      ["subject", undefined],
      ["subject", ""],
      ["subject", "x".repeat(129)],
      ["description", "x".repeat(2049)],
      ["joinApprovalMode", "auto_approve"],
      ["joinApprovalMode", null],
    ] as const)
      expect(fieldsOf(await g.create({ [field]: value }))).toEqual([field]);
    expect([w.graph.journal.length, await rows()]).toEqual([before, []]);
  });

  test("X-170 phones that are unknown, another account's or no official number have no groups", async () => {
    const other = await newCustomer(w);
    const session = (await w.gateway("/v1/phones", { key: c.key, body: { type: "SESSION", label: "A phone" } })).body
      .id;
    const before = w.graph.journal.length;
    for (const phoneId of [NOBODY, other.phone.id, session]) {
      expect(gatewaySays(await g.create({ phoneId }))).toBe("404 PHONE_NOT_FOUND");
      expect(gatewaySays(await g.call(`?phoneId=${phoneId}`))).toBe("404 PHONE_NOT_FOUND");
    }
    expect(w.graph.journal.length).toBe(before);
  });

  test("GAP-X22 a phone that is not connected makes no groups", async () => {
    await w.gateway(`/v1/phones/${c.phone.id}/logout`, { key: c.key, method: "POST" });
    const before = w.graph.journal.length;
    expect(gatewaySays(await g.create())).toBe("409 PHONE_NOT_CONNECTED");
    expect([w.graph.journal.length, await rows()]).toEqual([before, []]);
  });

  test("GAP-X22 a refusal of the upstream is passed on, and the group is nowhere", async () => {
    w.graph.failNext(1, { kind: "error", code: 131215 }, { operation: "group.create" });
    const answer = await g.create();
    expect(gatewaySays(answer)).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(answer.body.error.details.upstreamError.code).toBe(131215);
    expect(await rows()).toEqual([]);
  });

  test("X-175 a group that the network reports as not made is refused, and nowhere", async () => {
    w.graph.configure({ groupUpdate: "held" });
    const creating = g.create();
    const requestId = await heldRequest(w, c);
    await untilTrue(async () => (await rows()).length > 0);
    await w.graph.groups.refuse(requestId, 131211, "The business has too many groups.");
    const answer = await creating;
    expect(gatewaySays(answer)).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(answer.body.error.details.upstreamError).toMatchObject({ code: 131211 });
    await w.settle();
    expect([await rows(), receivedBy(c.hook)]).toEqual([[], []]);
  });

  test("X-175 what the network does not report in 10 seconds is not waited for; a late update brings the group", async () => {
    w.graph.configure({ groupUpdate: "held" });
    const creating = g.create({ joinApprovalMode: "APPROVAL_REQUIRED" });
    const requestId = await heldRequest(w, c);
    await untilTrue(async () => (await rows()).length > 0);
    await w.advance(9_999);
    expect(await Promise.race([creating, Promise.resolve("waits")])).toBe("waits");
    await w.advance(1);
    const answer = await creating;
    expect(gatewaySays(answer)).toBe("502 UPSTREAM_UNAVAILABLE");
    expect(answer.body.error.details).toEqual({ requestId });
    expect((await g.call(`?phoneId=${c.phone.id}`)).body.items).toEqual([]);
    await w.graph.groups.finish(requestId);
    await w.settle();
    const [late] = (await g.call(`?phoneId=${c.phone.id}`)).body.items;
    expect(late).toMatchObject({ subject: "Clube do livro", joinApprovalMode: "APPROVAL_REQUIRED" });
    expect(receivedBy(c.hook, "group:lifecycle")).toEqual([
      { groupId: late.id, upstreamGroupId: late.upstreamGroupId, action: "created" },
    ]);
  });

  test("X-175 a late update that it could not be made leaves nothing, also after a restart", async () => {
    w.graph.configure({ groupUpdate: "held" });
    const creating = g.create();
    const requestId = await heldRequest(w, c);
    await untilTrue(async () => (await rows()).length > 0);
    await w.advance(10_000);
    expect(gatewaySays(await creating)).toBe("502 UPSTREAM_UNAVAILABLE");
    await w.restart();
    await w.graph.groups.refuse(requestId, 131214);
    await w.settle();
    expect([await rows(), receivedBy(c.hook)]).toEqual([[], []]);
  });

  test("X-175 a group whose request was never answered is published and listed all the same", async () => {
    w.graph.failNext(1, { kind: "reset", isAccepted: true }, { operation: "group.create" });
    const asked = { phoneId: c.phone.id, subject: "Perdido" };
    expect(gatewaySays(await g.followed("", { method: "POST", body: asked }))).toBe("502 UPSTREAM_UNAVAILABLE");
    const { items } = (await g.call(`?phoneId=${c.phone.id}`)).body;
    expect(items).toMatchObject([{ subject: "Perdido" }]);
    expect(receivedBy(c.hook, "group:lifecycle")).toMatchObject([{ groupId: items[0].id, action: "created" }]);
  });

  test("X-175 two groups that are made at once stay apart", async () => {
    w.graph.configure({ groupUpdate: "held" });
    const creating = [g.create({ subject: "Um" }), g.create({ subject: "Dois" })];
    await untilTrue(() => heldOf(w, c).length === 2);
    for (const id of heldOf(w, c).toReversed()) await w.graph.groups.finish(id);
    const made = (await Promise.all(creating)).map(({ body }) => body);
    expect(made.map(({ subject }) => subject)).toEqual(["Um", "Dois"]);
    expect(made.map((one) => upstreamOf(one)?.subject)).toEqual(["Um", "Dois"]);
    expect(await rows()).toHaveLength(2);
  });
});

describe("GET /v1/groups", () => {
  test("X-180 X-182 X-183 the list wants a phone, and its limits hold", async () => {
    expect(fieldsOf(await g.call(""))).toEqual(["phoneId"]);
    for (const limit of ["0", "101", "x"])
      expect(fieldsOf(await g.call(`?phoneId=${c.phone.id}&limit=${limit}`))).toEqual(["limit"]);
    expect((await g.call(`?phoneId=${c.phone.id}&limit=100`)).body).toEqual({ items: [], nextCursor: null });
    expect(fieldsOf(await g.call(`?phoneId=${c.phone.id}&cursor=${NOBODY}`))).toEqual(["cursor"]);
    expect(fieldsOf(await g.call(`?phoneId=${c.phone.id}&includeSuspended=yes`))).toEqual(["includeSuspended"]);
  });

  test("X-182 X-183 G-006 25 of them come at once, and the rest by the cursor, none twice", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 30; n++) {
      w.clock.advance(1);
      ids.unshift((await g.group({ subject: `Grupo ${n}` })).id);
    }
    const first = (await g.call(`?phoneId=${c.phone.id}`)).body;
    const rest = (await g.call(`?phoneId=${c.phone.id}&cursor=${first.nextCursor}`)).body;
    expect([first.items.length, first.nextCursor, rest.items.length, rest.nextCursor]).toEqual([
      25,
      first.items.at(-1).id,
      5,
      null,
    ]);
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(ids);
  });

  test("X-181 suspended groups are listed for who asks for them", async () => {
    const kept = await g.group({ subject: "a" });
    w.clock.advance(1);
    const suspended = await g.group({ subject: "b" });
    await w.graph.groups.suspend(suspended.upstreamGroupId);
    await w.settle();
    const list = async (more = ""): Promise<string[]> =>
      (await g.call(`?phoneId=${c.phone.id}${more}`)).body.items.map(({ id }: any) => id);
    expect(await list()).toEqual([kept.id]);
    expect(await list("&includeSuspended=false")).toEqual([kept.id]);
    expect(await list("&includeSuspended=true")).toEqual([suspended.id, kept.id]);
  });
});
