import { describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { type Answered, errorOf, graphBench, listOf, NUMBER_ID, USER, valuesOf } from "../fixture.ts";
import { type Fields, fieldsOf } from "../shape.ts";

const bench = graphBench();
const PATH = `/v25.0/${NUMBER_ID}/calls`;
const post = (fields: Fields) => bench().call("POST", PATH, { messaging_product: "whatsapp", ...fields });
const connect = (fields: Fields = {}) =>
  post({ action: "connect", to: USER, session: { sdp_type: "offer", sdp: "v=0" }, ...fields });
const permit = (status: "temporary" | "permanent" | "no_permission" = "temporary") =>
  bench().graph.calls.permit({ phoneNumberId: NUMBER_ID, user: USER, status });
const codeOf = (answer: Answered) => errorOf(answer)["code"];
const idOf = ({ body }: Answered) => String(listOf(body["calls"])[0]?.["id"]);
const answered = (action: string, call_id: string, sdp = "v=1") =>
  post({ action, call_id, session: { sdp_type: "answer", sdp } });

describe("a call of the business", () => {
  test("is taken with the user's permission, named, and reported with what was carried along", async () => {
    const hooks = bench().receive();
    permit();
    const { status, body } = await connect({ biz_opaque_callback_data: "ours" });
    const id = String(listOf(body["calls"])[0]?.["id"]);
    expect([status, id.startsWith("wacid.")]).toEqual([200, true]);
    const { calls } = bench().graph;
    await calls.ring(id);
    await calls.answer(id, "v=2");
    await calls.accept(id);
    bench().clock.advance(8000);
    await calls.end(id);
    const [ringing, connected, accepted, ended] = hooks.flatMap(valuesOf);
    expect([listOf(ringing?.["statuses"])[0], listOf(accepted?.["statuses"])[0]]).toMatchObject([
      { id, type: "call", status: "RINGING", recipient_id: USER, biz_opaque_callback_data: "ours" },
      { id, status: "ACCEPTED" },
    ]);
    const head = { id, to: USER, from: "551140000000", direction: "BUSINESS_INITIATED" };
    expect(listOf(connected?.["calls"])[0]).toMatchObject({
      ...head,
      event: "connect",
      session: { sdp_type: "answer", sdp: "v=2" },
    });
    expect(listOf(ended?.["calls"])[0]).toMatchObject({
      ...head,
      event: "terminate",
      status: "COMPLETED",
      duration: "8",
    });
  });

  const REFUSED: [why: string, fields: Fields, code: number][] = [
    ["no product", { messaging_product: "messenger" }, 100],
    ["no session", { session: undefined }, 100],
    ["an answer for an offer", { session: { sdp_type: "answer", sdp: "v=0" } }, 100],
    ["no offer", { session: { sdp_type: "offer" } }, 100],
    ["nobody", { to: undefined }, 100],
    ["no number", { to: "somebody" }, 131009],
    ["an unknown user id", { to: undefined, recipient: "US.404" }, 131009],
    ["an unknown action", { action: "sing" }, 100],
    ["too much carried along", { biz_opaque_callback_data: "x".repeat(513) }, 100],
  ];
  test.each(REFUSED)("with %s is refused", async (_, fields, code) => {
    permit();
    expect(codeOf(await connect(fields))).toBe(code);
    expect(bench().graph.calls.all.size).toBe(0);
  });

  test("without permission is 401 138006, also when it has run out; without calling 401 138000", async () => {
    const refused = await connect();
    expect([refused.status, codeOf(refused)]).toEqual([401, 138006]);
    permit();
    bench().clock.advance(7 * DAY_MS);
    expect(codeOf(await connect())).toBe(138006);
    permit("permanent");
    bench().clock.advance(70 * DAY_MS);
    expect((await connect()).status).toBe(200);
    bench().graph.configure({ isCallingEnabled: false });
    expect(codeOf(await connect())).toBe(138000);
  });
});

describe("a call of a user", () => {
  test("is prepared, accepted with the same answer, and ended, each once", async () => {
    const { id, delivery } = await bench().graph.calls.offer({ to: NUMBER_ID, from: USER, sdp: "v=9" });
    expect(JSON.parse(delivery.body)).toMatchObject({
      entry: [
        {
          changes: [
            {
              field: "calls",
              value: {
                contacts: [{ wa_id: USER }],
                calls: [{ id, from: USER, event: "connect", session: { sdp: "v=9" } }],
              },
            },
          ],
        },
      ],
    });
    expect(codeOf(await answered("accept", id))).toBe(131009);
    expect((await answered("pre_accept", id)).body).toEqual({ messaging_product: "whatsapp", success: true });
    expect(codeOf(await answered("accept", id, "v=2"))).toBe(131009);
    expect((await answered("accept", id)).status).toBe(200);
    expect([codeOf(await answered("accept", id)), codeOf(await post({ action: "reject", call_id: id }))]).toEqual([
      100, 100,
    ]);
    expect((await post({ action: "terminate", call_id: id })).status).toBe(200);
    expect(codeOf(await post({ action: "terminate", call_id: id }))).toBe(100);
  });

  test("is rejected while it rings; one of the business, or of nobody, is not", async () => {
    const { id } = await bench().graph.calls.offer({ to: NUMBER_ID, from: USER });
    permit();
    const ours = idOf(await connect());
    expect((await post({ action: "reject", call_id: id })).status).toBe(200);
    for (const call_id of [id, ours, "wacid.nobody", undefined])
      expect(codeOf(await post({ action: "reject", call_id }))).toBe(100);
    expect(codeOf(await answered("pre_accept", ours))).toBe(100);
  });
});

describe("permission", () => {
  const asked = async (query = `user_wa_id=${USER}`) =>
    (await bench().call("GET", `/v25.0/${NUMBER_ID}/call_permissions?${query}`)).body;
  const request = () =>
    bench().send({
      type: "interactive",
      text: undefined,
      interactive: { type: "call_permission_request", action: { name: "call_permission_request" } },
    });

  test("is read with what the business may still do", async () => {
    expect(await asked()).toMatchObject({
      permission: { status: "no_permission" },
      actions: [{ can_perform_action: true }, { action_name: "start_call", can_perform_action: false }],
    });
    permit();
    const expiration = Math.floor((bench().clock.now() + 7 * DAY_MS) / 1000);
    expect(await asked()).toMatchObject({
      permission: { status: "temporary", expiration_time: expiration },
      actions: [{}, { can_perform_action: true }],
    });
    permit("permanent");
    expect(fieldsOf((await asked())["permission"])).toEqual({ status: "permanent" });
  });

  test("is asked for once a day and twice a week (138009)", async () => {
    expect((await request()).status).toBe(200);
    expect(codeOf(await request())).toBe(138009);
    bench().clock.advance(DAY_MS);
    expect((await request()).status).toBe(200);
    bench().clock.advance(DAY_MS);
    expect(codeOf(await request())).toBe(138009);
    bench().clock.advance(6 * DAY_MS);
    expect((await request()).status).toBe(200);
  });

  test("is given and taken by a reply, which is a message", async () => {
    const hooks = bench().receive();
    await bench().graph.calls.reply({ to: NUMBER_ID, from: USER, response: "accept" });
    expect((await connect()).status).toBe(200);
    expect(hooks.flatMap(valuesOf)[0]).toMatchObject({
      messages: [
        {
          from: USER,
          type: "interactive",
          interactive: { type: "call_permission_reply", call_permission_reply: { response: "accept" } },
        },
      ],
    });
    await bench().graph.calls.reply({ to: NUMBER_ID, from: USER, response: "reject" });
    expect(codeOf(await connect())).toBe(138006);
  });

  test("and calls can be driven over HTTP", async () => {
    const order = (path: string, body: Fields) =>
      fetch(`${bench().graph.url}/_sim/${path}`, { method: "POST", body: JSON.stringify(body) }).then((answer) =>
        answer.json(),
      );
    await order("calls/permit", { phoneNumberId: NUMBER_ID, user: USER, status: "permanent" });
    const id = idOf(await connect());
    for (const [path, more] of [
      ["ring", {}],
      ["answer", { sdp: "v=1" }],
      ["accept", {}],
      ["end", { status: "FAILED", code: 138004 }],
    ] as const)
      expect(await order(`calls/${path}`, { id, ...more })).toHaveProperty("result");
    expect(await order("journal/calls", {})).toMatchObject({ result: [{ id, state: "ended" }] });
    expect(await order("calls/ring", { id: "wacid.nobody" })).toHaveProperty("error");
  });
});
