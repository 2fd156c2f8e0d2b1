import { beforeEach, describe, expect, test } from "bun:test";
import { GROUP_MESSAGE_TYPES } from "../../../../src/contract/abilities/groups.ts";
import { MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, receivedBy, sendsOf, tracesOf, wamidOf } from "../../../support/customers/customer.ts";
import { groupUser, NOBODY, useGroups } from "../../../support/customers/groups.ts";
import { ofNumber, post as postEnvelope } from "../../../support/networks/waba-posts.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { startWorld } from "../../../support/world.ts";

const { w, c, g } = useGroups();
let made: any;
beforeEach(async () => {
  made = await g.group();
  await g.joined(made, "5511999990001", "5511999990002");
  c.hook.arrived.length = 0;
});

const post = (body: object, id: string = made.id) => g.call(`/${id}/messages`, { body });
const TEXT = { type: "text", payload: { body: "olá" } };
/** Has a message accepted and everything done about it; its id. */
const sent = async (body: object = TEXT): Promise<string> => {
  const answer = await post(body);
  if (answer.status !== 202) throw new Error(`not accepted: ${answer.status} ${answer.text}`);
  await w.settle();
  return answer.body.messageId;
};
const LINK = { link: "https://files.example.com/a" };
const PAYLOADS = {
  text: { body: "olá", preview_url: true },
  image: { ...LINK, caption: "Uma foto" },
  video: LINK,
  audio: { ...LINK, voice: true },
  document: { ...LINK, filename: "a.pdf" },
  sticker: LINK,
  template: { name: "ola", language: { code: "pt_BR" } },
} satisfies Record<(typeof GROUP_MESSAGE_TYPES)[number], object>;

describe("POST /v1/groups/{id}/messages", () => {
  test.each(GROUP_MESSAGE_TYPES)("X-196 X-197 X-198 %s goes to the group as it was given", async (type) => {
    const answer = await post({ type, payload: PAYLOADS[type] });
    expect([answer.status, Object.keys(answer.body)]).toEqual([202, ["messageId"]]);
    await w.settle();
    expect(sendsOf(w, c)).toEqual([
      {
        messaging_product: "whatsapp",
        recipient_type: "group",
        to: made.upstreamGroupId,
        type,
        [type]: PAYLOADS[type],
        biz_opaque_callback_data: answer.body.messageId,
      },
    ]);
    expect(await c.message(answer.body.messageId)).toMatchObject({ messageId: answer.body.messageId, status: "SENT" });
  });

  test("X-197 what we know nothing of goes along, and the upstream's id names the group too", async () => {
    const payload = { body: "olá", something: { new: [1, "ü", null, { deep: true }] } };
    await post({ type: "text", payload }, encodeURIComponent(made.upstreamGroupId));
    await w.settle();
    expect(sendsOf(w, c).map(({ text }) => text)).toEqual([payload]);
  });

  test("X-198 GAP-X22 its statuses are published like those of every message, of the group", async () => {
    const messageId = await sent();
    await w.graph.deliverStatuses(wamidOf(w, messageId), ["sent", "delivered", "read", "read"]);
    await w.settle();
    const to = { canonicalKey: `group:${made.upstreamGroupId}`, type: "group", pn: null, lid: null };
    expect(receivedBy(c.hook, "message:status")).toMatchObject(
      ["sent", "delivered", "read"].map((status) => ({ messageId, status, to })),
    );
    expect(await c.message(messageId)).toMatchObject({ status: "READ" });
  });

  test("X-198 what the upstream refuses fails, with its reason", async () => {
    w.graph.failNext(1, { kind: "error", code: 131051 });
    const messageId = await sent();
    expect(await c.message(messageId)).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringContaining("UPSTREAM_BAD_REQUEST"),
    });
    expect(receivedBy(c.hook, "message:status")).toMatchObject([{ messageId, status: "failed" }]);
  });

  test("X-198 a send whose answer was lost is not sent again, and its status resolves it", async () => {
    w.graph.failNext(1, { kind: "reset", isAccepted: true });
    const messageId = await sent();
    expect(await c.message(messageId)).toMatchObject({ status: "QUEUED" });
    await w.graph.deliverStatuses(wamidOf(w, messageId), ["sent"]);
    await w.settle();
    expect(await c.message(messageId)).toMatchObject({ status: "SENT" });
    await w.advance(5 * MINUTE_MS);
    expect(sendsOf(w, c)).toHaveLength(1);
  });

  test("GAP-X22 GAP-G47 a text to a group is edited like every text that was sent, and nothing else is", async () => {
    const edit = async (id: string) =>
      gatewaySays(
        await w.gateway(`/v1/messages/${id}/edit`, { key: c.key, body: { phoneId: c.phone.id, text: "oi" } }),
      );
    const [text, image] = [await sent(), await sent({ type: "image", payload: LINK })];
    expect([await edit(text), await edit(image)]).toEqual(["202", "400 UNSUPPORTED_TYPE"]);
    await w.settle();
    expect(receivedBy(c.hook, "message:operation_failed")).toMatchObject([
      { messageId: text, operation: "edit", code: "UPSTREAM_UNSUPPORTED" },
    ]);
  });

  test("X-198 messages to one group arrive in their order", async () => {
    const bodies = Array.from({ length: 10 }, (_, n) => `mensagem ${n}`);
    for (const body of bodies) await post({ type: "text", payload: { body } });
    await w.settle();
    expect(sendsOf(w, c).map(({ text }) => text.body)).toEqual(bodies);
  });

  test("X-196 X-197 type and payload are checked, and nothing happens", async () => {
    const before = await tracesOf(w, c);
    for (const [fields, body] of [
      [["type"], { type: "location", payload: {} }],
      [["type"], { payload: { body: "x" } }],
      [["payload"], { type: "text" }],
      [["payload"], { type: "text", payload: "olá" }],
      [["payload"], { type: "text", payload: ["olá"] }],
      [["payload"], { type: "text", payload: null }],
      [["payload"], { type: "text", payload: {} }],
      [["payload"], { type: "text", payload: { body: "" } }],
      [["payload"], { type: "text", payload: { body: "olá", more: "x".repeat(64 * 1024) } }],
      [["payload"], { type: "image", payload: { caption: "x" } }],
      [["payload"], { type: "audio", payload: { id: "1", ...LINK } }],
      [["payload"], { type: "template", payload: { name: "ola" } }],
    ] as const)
      expect(fieldsOf(await post(body))).toEqual([...fields]);
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test("X-197 no other send takes the upstream's own format, or a group of this network", async () => {
    const before = await tracesOf(w, c);
    expect(fieldsOf(await c.send({ type: "native", content: { type: "text", payload: { body: "olá" } } }))).toEqual([
      "type",
    ]);
    expect(gatewaySays(await c.send({ to: `group:${made.upstreamGroupId}` }))).toBe("400 INVALID_TO");
    expect(gatewaySays(await c.send({ to: made.upstreamGroupId }))).toBe("400 INVALID_TO");
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test("X-179 X-254 groups that are unknown or another account's are sent nothing", async () => {
    const other = await newCustomer(w);
    const before = await tracesOf(w, c);
    for (const id of [NOBODY, "unknown"]) expect(gatewaySays(await post(TEXT, id))).toBe("404 GROUP_NOT_FOUND");
    for (const id of [made.id, made.upstreamGroupId])
      expect(gatewaySays(await g.call(`/${id}/messages`, { key: other.key, body: TEXT }))).toBe("404 GROUP_NOT_FOUND");
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test("an invalid body to an unknown group is invalid", async () => {
    expect(fieldsOf(await post({ type: "text", payload: {} }, NOBODY))).toEqual(["payload"]);
  });
});

test("G-100 GAP-G07 messages to groups count among the requests, and not among the sends", async () => {
  const limited = await startWorld({ env: { RECADO_GATEWAY_RATE: "30", RECADO_GATEWAY_SEND_RATE: "1" } });
  try {
    const customer = await newCustomer(limited);
    const user = groupUser(limited, customer);
    const group = await user.group();
    await user.joined(group, "5511999990001");
    limited.clock.advance(MINUTE_MS);
    const statuses: number[] = [];
    for (let n = 0; n < 31; n++) statuses.push((await user.call(`/${group.id}/messages`, { body: TEXT })).status);
    expect(statuses).toEqual([...Array<number>(30).fill(202), 429]);
  } finally {
    await limited.stop();
  }
});

test("M26-2 a participant is charged for once, whether a receipt names the number, the user id or both", async () => {
  const id = await sent();
  const names = [
    { recipient_participant_id: "5511999990001", recipient_participant_user_id: "BR.1" },
    { recipient_participant_user_id: "BR.1" },
    { recipient_participant_id: "5511999990001", recipient_participant_user_id: "BR.1" },
    { recipient_participant_id: "5511999990002" },
  ];
  const pricing = { billable: true, pricing_model: "PMP", type: "regular", category: "service" };
  for (const [n, name] of names.entries())
    await postEnvelope(w, [
      ofNumber(c, {
        statuses: [
          {
            id: wamidOf(w, id),
            status: n === 2 ? "read" : "delivered",
            timestamp: String(Math.floor(w.clock.now() / 1000)),
            recipient_id: made.upstreamGroupId,
            recipient_type: "group",
            ...name,
            pricing,
          },
        ],
      }),
    ]);
  const { lines } = (await w.gateway("/v1/billing/ledger", { key: c.key })).body;
  expect(lines).toMatchObject([{ country: "BR", category: "SERVICE", state: "DUE", count: 2, amountMicros: 70_000 }]);
});
