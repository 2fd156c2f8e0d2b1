import { describe, expect, test } from "bun:test";
import {
  ACCOUNT_ID,
  type Answered,
  errorOf,
  graphBench,
  type Hook,
  listOf,
  NUMBER_ID,
  USER,
  until,
  valuesOf,
} from "../fixture.ts";
import { type Fields, fieldsOf } from "../shape.ts";

const bench = graphBench();
const OTHER = "5511988880000";
const codeOf = (answer: Answered) => errorOf(answer)["code"];
const PRODUCT = { messaging_product: "whatsapp" };
const create = (more: Fields = {}) =>
  bench().call("POST", `/v25.0/${NUMBER_ID}/groups`, { ...PRODUCT, subject: "Clube", ...more });
const call = (method: string, path: string, body?: Fields) => bench().call(method, `/v25.0/${path}`, body);
/** All groups that webhooks reported, in their order. */
const updatesIn = (hooks: readonly Hook[]): Fields[] =>
  hooks.flatMap(valuesOf).flatMap((value) => listOf(value["groups"]));
const fieldsIn = (hooks: readonly Hook[]): unknown[] =>
  hooks.flatMap((hook) =>
    listOf(hook.body["entry"]).flatMap(({ changes }) => listOf(changes).map(({ field }) => field)),
  );
/** A group with somebody in it. */
const group = (more: object = {}): string =>
  bench().graph.groups.add({ phoneNumberId: NUMBER_ID, subject: "Clube", participants: [USER], ...more });

describe("making a group", () => {
  test("answers with a request, and reports the group under it", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    const { status, body } = await create({ description: "Às quintas", join_approval_mode: "approval_required" });
    expect([status, Object.keys(body)]).toEqual([200, ["messaging_product", "request_id"]]);
    await until(() => hooks.length > 0);
    const [made] = graph.groups.all.values();
    expect(fieldsIn(hooks)).toEqual(["group_lifecycle_update"]);
    expect(updatesIn(hooks)).toMatchObject([
      {
        type: "group_create",
        request_id: body["request_id"],
        group_id: made?.id,
        subject: "Clube",
        description: "Às quintas",
        invite_link: made?.inviteLink,
        join_approval_mode: "approval_required",
      },
    ]);
    expect(made?.id).toMatch(/^Y2FwaV9ncm91cDo.+ZD$/);
  });

  test.each([
    [{ messaging_product: undefined }],
    [{ subject: undefined }],
    [{ subject: "" }],
    [{ subject: "x".repeat(129) }],
    [{ description: "x".repeat(2049) }],
    [{ join_approval_mode: "AUTO_APPROVE" }],
  ])("is refused with %j", async (more) => {
    expect(codeOf(await create(more))).toBe(100);
    expect(bench().graph.groups.all.size).toBe(0);
  });

  test("is held back until the test says so, or comes to nothing", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    graph.configure({ groupUpdate: "held" });
    const ids = [(await create()).body["request_id"], (await create({ subject: "Outro" })).body["request_id"]].map(
      String,
    );
    await until(() => graph.groups.held.length === 2);
    expect([graph.groups.all.size, hooks.length]).toEqual([0, 0]);
    await graph.groups.refuse(ids[0] ?? "", 131_211);
    await graph.groups.finish(ids[1] ?? "");
    expect([...graph.groups.all.values()].map(({ subject }) => subject)).toEqual(["Outro"]);
    expect(updatesIn(hooks)).toMatchObject([
      { request_id: ids[0], errors: [{ code: 131_211 }] },
      { request_id: ids[1], subject: "Outro" },
    ]);
    expect(() => graph.groups.finish(ids[0] ?? "")).toThrow("there is no request");
  });
});

describe("a group", () => {
  test("shows the fields that are asked for", async () => {
    const id = group();
    expect((await call("GET", id)).body).toEqual({ ...PRODUCT, id });
    const fields = "subject,description,suspended,participants,total_participant_count,join_approval_mode";
    const shown = {
      id,
      ...PRODUCT,
      subject: "Clube",
      description: "",
      suspended: false,
      total_participant_count: 1,
      join_approval_mode: "auto_approve",
    };
    expect((await call("GET", `${id}?fields=${fields}`)).body).toMatchObject({
      ...shown,
      participants: [{ wa_id: USER }],
    });
    expect(codeOf(await call("GET", `${id}?fields=admins`))).toBe(100);
    expect(listOf(fieldsOf((await call("GET", `${NUMBER_ID}/groups`)).body["data"])["groups"])).toMatchObject([
      { id, subject: "Clube" },
    ]);
  });

  test("is nobody's but its account's", async () => {
    const id = group();
    bench().graph.addToken({ token: "another", businessAccountIds: ["1"] });
    expect(codeOf(await bench().call("GET", `/v25.0/${id}`, undefined, "another"))).toBe(100);
    expect(errorOf(await call("GET", "Y2FwaV9ncm91cDoZD"))["error_subcode"]).toBe(33);
    expect(ACCOUNT_ID).not.toBe("1");
  });

  test("changes, is deleted, and both are reported", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    const id = group();
    expect(codeOf(await call("POST", id, PRODUCT))).toBe(100);
    await call("POST", id, { ...PRODUCT, subject: "Novo" });
    await until(() => hooks.length === 1);
    await call("DELETE", id);
    await until(() => hooks.length === 2);
    expect(updatesIn(hooks)).toMatchObject([
      { group_id: id, group_subject: { text: "Novo", update_successful: true } },
      { group_id: id, type: "group_delete" },
    ]);
    expect(graph.groups.all.size).toBe(0);
  });

  test("has a link that can be replaced", async () => {
    const id = group();
    const link = async (method: string) => (await call(method, `${id}/invite_link`)).body["invite_link"];
    const first = await link("GET");
    const second = await link("POST");
    expect([await link("GET"), second === first]).toEqual([second, false]);
  });

  test("does nothing while it is suspended, but shows that it is", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    const id = group();
    await graph.groups.suspend(id);
    for (const [method, path] of [
      ["POST", ""],
      ["DELETE", ""],
      ["GET", "/invite_link"],
      ["DELETE", "/participants"],
    ])
      expect(codeOf(await call(method ?? "", id + path, method === "GET" ? undefined : PRODUCT))).toBe(131_207);
    expect((await call("GET", `${id}?fields=suspended`)).body["suspended"]).toBe(true);
    await graph.groups.unsuspend(id);
    expect(updatesIn(hooks)).toMatchObject([{ type: "group_suspend" }, { type: "group_suspend_cleared" }]);
  });

  test.each(["admins", "leave"])("has no %s", async (edge) => {
    expect(codeOf(await call("POST", `${group()}/${edge}`, PRODUCT))).toBe(2500);
  });
});

describe("people of a group", () => {
  const remove = (id: string, ...users: Fields[]) =>
    call("DELETE", `${id}/participants`, { ...PRODUCT, participants: users });

  test("join by its link, leave, and are taken out for good", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    const id = group({ participants: [] });
    for (const user of [USER, OTHER]) await graph.groups.join(id, user);
    await graph.groups.leave(id, USER);
    await remove(id, { user: `+${OTHER}` }, { user: "+5511900000000" });
    await until(() => hooks.length === 4);
    expect(updatesIn(hooks)).toMatchObject([
      { type: "group_participants_add", added_participants: [{ wa_id: USER }] },
      { type: "group_participants_add", added_participants: [{ wa_id: OTHER }] },
      { type: "group_participants_remove", initiated_by: "participant", removed_participants: [{ wa_id: USER }] },
      {
        initiated_by: "business",
        removed_participants: [{ input: `+${OTHER}` }],
        failed_participants: [{ input: "+5511900000000", errors: [{ code: 131_212 }] }],
      },
    ]);
    expect(() => graph.groups.join(id, OTHER)).toThrow("taken out");
  });

  test("are eight at most, also in a call, and are not put in by the business", async () => {
    const { graph } = bench();
    const many = Array.from({ length: 9 }, (_, n) => `55119888800${n}0`);
    const id = group({ participants: many.slice(0, 8) });
    expect(() => graph.groups.join(id, USER)).toThrow("full");
    expect(codeOf(await remove(id, ...many.map((user) => ({ user }))))).toBe(100);
    expect(codeOf(await remove(id))).toBe(100);
    expect(codeOf(await call("POST", `${id}/participants`, { ...PRODUCT, participants: [{ user: USER }] }))).toBe(
      131_215,
    );
  });

  test("ask to join where they must, and are let in or kept out", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    const id = group({ joinApprovalMode: "approval_required", participants: [] });
    for (const user of [USER, OTHER]) await graph.groups.join(id, user);
    const [first, second] = listOf((await call("GET", `${id}/join_requests`)).body["data"]).map(
      ({ join_request_id: one }) => one,
    );
    expect(updatesIn(hooks)).toMatchObject([
      { type: "group_join_request_created", join_request_id: first, wa_id: USER },
      { join_request_id: second },
    ]);
    expect((await call("POST", `${id}/join_requests`, { ...PRODUCT, join_requests: [first, "x"] })).body).toMatchObject(
      {
        approved_join_requests: [first],
        failed_join_requests: [{ join_request_id: "x", errors: [{ code: 131_213 }] }],
      },
    );
    expect((await call("DELETE", `${id}/join_requests`, { ...PRODUCT, join_requests: [second] })).body).toEqual({
      ...PRODUCT,
      rejected_join_requests: [second],
    });
    expect(graph.groups.all.get(id)?.participants.map(({ waId }) => waId)).toEqual([USER]);
    expect(codeOf(await call("POST", `${id}/join_requests`, { ...PRODUCT, join_requests: [] }))).toBe(100);
  });
});

describe("a message to a group", () => {
  const send = (to: string, more: Fields = {}) => bench().send({ recipient_type: "group", to, ...more });

  test("is taken, and its statuses name the group and a participant", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    const id = group();
    const { body } = await send(id, { biz_opaque_callback_data: "ours" });
    const [{ id: wamid } = {}] = listOf(body["messages"]);
    expect(body).toMatchObject({ contacts: [{ input: id, wa_id: id }], messages: [{ group_id: id }] });
    await graph.deliverStatuses(String(wamid), ["sent", "delivered"]);
    const statuses = hooks.flatMap(valuesOf).flatMap((value) => listOf(value["statuses"]));
    expect(statuses).toMatchObject([
      { status: "sent", recipient_type: "group", recipient_id: id, biz_opaque_callback_data: "ours" },
      { status: "delivered", recipient_id: id, recipient_participant_id: USER },
    ]);
    expect(statuses[0]).not.toHaveProperty("recipient_participant_id");
  });

  test("is refused for an unknown, an empty and a suspended group, and for what groups do not take", async () => {
    const id = group();
    expect(codeOf(await send("Y2FwaV9ncm91cDoZD"))).toBe(131_041);
    expect(codeOf(await bench().send({ to: id }))).toBe(131_009);
    expect(codeOf(await send(USER))).toBe(131_041);
    expect(codeOf(await send(group({ participants: [] })))).toBe(131_020);
    expect(codeOf(await send(id, { type: "location", location: { latitude: 1, longitude: 1 } }))).toBe(131_051);
    await bench().graph.groups.suspend(id);
    expect(codeOf(await send(id))).toBe(131_207);
    expect(bench().graph.sent.size).toBe(0);
  });
});
