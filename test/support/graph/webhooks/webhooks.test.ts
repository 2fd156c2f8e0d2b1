import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { ACCOUNT_ID, entriesOf, graphBench, listOf, NUMBER_ID, SECRET, USER, until, valuesOf } from "../fixture.ts";
import type { InboundSeed } from "../index.ts";
import { type Fields, fieldsOf } from "../shape.ts";

const bench = graphBench();
const signatureOf = (raw: string) => `sha256=${createHmac("sha256", SECRET).update(raw).digest("hex")}`;
const text = (body: string, to = NUMBER_ID): InboundSeed => ({ kind: "text", to, from: USER, text: body });

describe("a webhook's bytes", () => {
  test("are signed as they stand, with slashes and everything beyond ASCII escaped", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    await graph.inbound.text({ to: NUMBER_ID, from: USER, name: "Zé", text: "á/b 😀" });
    expect(hooks[0]?.raw).toContain('"body":"\\u00e1\\/b \\ud83d\\ude00"');
    expect(hooks[0]?.raw).not.toMatch(/[^ -~]/);
    expect(hooks[0]?.signature).toBe(signatureOf(hooks[0]?.raw ?? ""));
    expect(hooks[0]?.signature).not.toBe(signatureOf(JSON.stringify(hooks[0]?.body)));
  });

  test.each(["wrong", "altered"] as const)("a signature that is %s does not hold", async (signature) => {
    const { graph, receive } = bench();
    const hooks = receive();
    await graph.inbound.text({ to: NUMBER_ID, from: USER, text: "oi" }, { signature });
    expect(hooks[0]?.signature).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(hooks[0]?.signature).not.toBe(signatureOf(hooks[0]?.raw ?? ""));
  });

  test("can come without a signature, and as anything at all", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    await graph.inbound.batch([text("oi")], { signature: "none" });
    await graph.inbound.raw('{"object" : "whatsapp_business_account"}');
    expect(hooks.map((hook) => hook.signature)).toEqual([
      null,
      signatureOf('{"object" : "whatsapp_business_account"}'),
    ]);
  });
});

describe("the shapes of one POST", () => {
  const shapeOf = (fields: Fields[]) =>
    fields.map((entry) =>
      listOf(entry["changes"]).map((change) =>
        listOf(fieldsOf(change["value"])["messages"]).map((one) => fieldsOf(one["text"])["body"]),
      ),
    );
  const ten = Array.from({ length: 10 }, (_, at) => text(`m${at}`));

  test("one change with ten messages", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    const { wamids } = await graph.inbound.batch(ten);
    expect(shapeOf(entriesOf(hooks[0]))).toEqual([[["m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9"]]]);
    expect(new Set(wamids).size).toBe(10);
  });

  test("one entry with five changes, and five entries", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    await graph.inbound.batch(ten.slice(0, 5), { layout: "changes" });
    await graph.inbound.batch(ten.slice(0, 5), { layout: "entries" });
    expect(shapeOf(entriesOf(hooks[0]))).toEqual([[["m0"], ["m1"], ["m2"], ["m3"], ["m4"]]]);
    expect(shapeOf(entriesOf(hooks[1]))).toEqual([[["m0"]], [["m1"]], [["m2"]], [["m3"]], [["m4"]]]);
  });

  test("two entries for numbers of two accounts; statuses beside messages are a change of their own", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    graph.addNumber({ phoneNumberId: "2", businessAccountId: "999", displayPhoneNumber: "+551140000001" });
    await graph.inbound.batch([
      text("a"),
      text("b", "2"),
      { kind: "status", to: NUMBER_ID, from: USER, wamid: "wamid.elsewhere", status: "failed", code: 131049 },
    ]);
    expect(entriesOf(hooks[0]).map((entry) => [entry["id"], listOf(entry["changes"]).length])).toEqual([
      [ACCOUNT_ID, 2],
      ["999", 1],
    ]);
    expect(valuesOf(hooks[0]).map((value) => fieldsOf(value["metadata"])["phone_number_id"])).toEqual([
      NUMBER_ID,
      NUMBER_ID,
      "2",
    ]);
    expect(valuesOf(hooks[0])[1]).toMatchObject({
      statuses: [{ id: "wamid.elsewhere", status: "failed", errors: [{ code: 131049 }] }],
    });
  });

  test("the same bytes again, and a field without metadata", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    const { delivery } = await graph.inbound.batch([text("oi")]);
    await graph.webhooks.resend(delivery.id);
    await graph.inbound.field({
      businessAccountId: ACCOUNT_ID,
      field: "account_update",
      value: { event: "PARTNER_REMOVED" },
    });
    expect(hooks[1]).toEqual(hooks[0]);
    expect(hooks[2]?.body).toEqual({
      object: "whatsapp_business_account",
      entry: [{ id: ACCOUNT_ID, changes: [{ field: "account_update", value: { event: "PARTNER_REMOVED" } }] }],
    });
  });
});

describe("what users send", () => {
  const KINDS: [seed: InboundSeed, message: Fields][] = [
    [
      { kind: "image", to: NUMBER_ID, from: USER, caption: "c", mediaId: "9" },
      { type: "image", image: { caption: "c", mime_type: "image/jpeg", id: "9" } },
    ],
    [
      { kind: "document", to: NUMBER_ID, from: USER, filename: "a.pdf" },
      { type: "document", document: { filename: "a.pdf", mime_type: "application/pdf" } },
    ],
    [
      { kind: "audio", to: NUMBER_ID, from: USER, voice: true },
      { type: "audio", audio: { voice: true } },
    ],
    [
      { kind: "buttonReply", to: NUMBER_ID, from: USER, id: "b1", title: "t" },
      { type: "interactive", interactive: { type: "button_reply", button_reply: { id: "b1", title: "t" } } },
    ],
    [
      { kind: "listReply", to: NUMBER_ID, from: USER, id: "r1", title: "t" },
      { type: "interactive", interactive: { type: "list_reply", list_reply: { id: "r1", title: "t" } } },
    ],
    [
      { kind: "templateButton", to: NUMBER_ID, from: USER, payload: "p", text: "t" },
      { type: "button", button: { payload: "p", text: "t" } },
    ],
    [
      { kind: "location", to: NUMBER_ID, from: USER, latitude: -23.5, longitude: -46.6, locationName: "n" },
      { type: "location", location: { latitude: -23.5, longitude: -46.6, name: "n" } },
    ],
    [
      { kind: "contacts", to: NUMBER_ID, from: USER, contacts: [{ name: { formatted_name: "Ana" } }] },
      { type: "contacts", contacts: [{ name: { formatted_name: "Ana" } }] },
    ],
    [
      { kind: "reaction", to: NUMBER_ID, from: USER, messageId: "wamid.x" },
      { type: "reaction", reaction: { message_id: "wamid.x" } },
    ],
    [
      { kind: "unsupported", to: NUMBER_ID, from: USER },
      { type: "unsupported", errors: [{ code: 131051 }] },
    ],
    [
      { kind: "other", to: NUMBER_ID, from: USER, type: "order", content: { catalog_id: "1" } },
      { type: "order", order: { catalog_id: "1" } },
    ],
    [
      { kind: "text", to: NUMBER_ID, from: USER, text: "t", quoted: "wamid.q" },
      { type: "text", text: { body: "t" }, context: { from: "551140000000", id: "wamid.q" } },
    ],
  ];
  test.each(KINDS.map(([seed, message]) => [seed.kind, seed, message] as const))(
    "%s has Meta's shape",
    async (_kind, seed, message) => {
      const { graph, receive, clock } = bench();
      const hooks = receive();
      const { wamid } = await graph.inbound.batch([seed]);
      const [value] = valuesOf(hooks[0]);
      expect(listOf(value?.["messages"])).toMatchObject([
        { ...message, id: wamid, from: USER, timestamp: String(Math.floor(clock.now() / 1000)) },
      ]);
      expect(value).toMatchObject({
        messaging_product: "whatsapp",
        metadata: { phone_number_id: NUMBER_ID, display_phone_number: "551140000000" },
      });
    },
  );

  test("a user known by BSUID alone has no number anywhere", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    await graph.inbound.text({ to: NUMBER_ID, from: "BR.777", name: "Ana", text: "oi" });
    const [value] = valuesOf(hooks[0]);
    expect(value?.["contacts"]).toEqual([{ profile: { name: "Ana" }, user_id: "BR.777" }]);
    expect(listOf(value?.["messages"])[0]).toMatchObject({ from_user_id: "BR.777" });
    expect(listOf(value?.["messages"])[0]).not.toHaveProperty("from");
  });
});

describe("deliveries", () => {
  test("what is not answered with 2xx comes again after each wait, the same bytes, every answer on record", async () => {
    const { graph, receive, clock } = bench();
    const hooks = receive([503, 500]);
    const received = graph.inbound.batch([text("oi")]);
    for (const [waitMs, tries] of [
      [1000, 1],
      [5000, 2],
    ] as const) {
      await until(() => hooks.length === tries && clock.pendingTimers === 1);
      clock.advance(waitMs);
    }
    const { delivery } = await received;
    expect(delivery.answers.map((answer) => answer.status)).toEqual([503, 500, 200]);
    expect(hooks.map((hook) => hook.raw)).toEqual([delivery.body, delivery.body, delivery.body]);
    expect(graph.webhooks.journal).toEqual([delivery]);
  });

  test("are given up after the last wait, and an endpoint that is away is on record without a status", async () => {
    const { graph, clock } = bench();
    const gone = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("") });
    graph.webhooks.configure({ url: `http://127.0.0.1:${gone.port}/`, appSecret: SECRET, retryDelaysMs: [1000] });
    await gone.stop(true);
    const received = graph.inbound.batch([text("oi")]);
    await until(() => clock.pendingTimers === 1);
    clock.advance(1000);
    const { delivery } = await received;
    expect(delivery).toMatchObject({ isDone: true, answers: [{ status: null }, { status: null }] });
  });

  test("settled waits for all of them", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    const received = Promise.all(Array.from({ length: 200 }, (_, at) => graph.inbound.batch([text(`m${at}`)])));
    await graph.webhooks.settled();
    expect([
      hooks.length,
      graph.webhooks.journal.every((one) => one.isDone && one.answers.at(-1)?.status === 200),
    ]).toEqual([200, true]);
    await received;
  });

  test("the handshake holds with the right token only; webhooks leave this machine never", async () => {
    const { graph, receive } = bench();
    receive();
    expect(await graph.webhooks.verify("right")).toMatchObject({ isVerified: true, status: 200 });
    expect(await graph.webhooks.verify("wrong")).toMatchObject({ isVerified: false, status: 403 });
    expect(() => graph.webhooks.configure({ url: "https://example.com/", appSecret: SECRET })).toThrow(
      "this machine only",
    );
  });
});

describe("statuses", () => {
  const accepted = async () => {
    const { graph, send } = bench();
    await send({ biz_opaque_callback_data: "m1" });
    return [...graph.sent.keys()][0] ?? "";
  };
  const statusesOf = (hooks: { body: Fields; raw: string; signature: string | null }[]) =>
    hooks.flatMap((hook) => valuesOf(hook).flatMap((value) => listOf(value["statuses"])));

  test("come in the order asked for, repeated if asked for, with our data back and the price on two of them", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    const wamid = await accepted();
    await graph.deliverStatuses(wamid, ["read", "delivered", "sent", "sent"]);
    const statuses = statusesOf(hooks);
    expect(statuses.map((one) => [one["status"], one["pricing"] !== undefined])).toEqual([
      ["read", true],
      ["delivered", false],
      ["sent", true],
      ["sent", true],
    ]);
    expect(
      statuses.every(
        (one) => one["id"] === wamid && one["biz_opaque_callback_data"] === "m1" && one["recipient_id"] === USER,
      ),
    ).toBe(true);
    expect(statuses[0]?.["pricing"]).toEqual({
      billable: false,
      pricing_model: "PMP",
      type: "free_customer_service",
      category: "service",
    });
  });

  test("come in one webhook when batched; an unknown message has none", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    await graph.deliverStatuses(await accepted(), ["sent", "delivered"], { isBatched: true });
    expect([hooks.length, statusesOf(hooks).length]).toEqual([1, 2]);
    const refused = await graph.deliverStatuses("wamid.unknown", ["sent"]).then(String, String);
    expect(refused).toContain("no message wamid.unknown was accepted");
  });

  test("come by themselves when set so, each after its wait", async () => {
    const { graph, receive, clock } = bench();
    const hooks = receive();
    graph.configure({ autoStatuses: ["sent", "delivered"], autoDelayMs: 700 });
    await accepted();
    for (const count of [0, 1]) {
      await until(() => clock.pendingTimers === 1 && hooks.length === count);
      clock.advance(700);
    }
    await graph.webhooks.settled();
    expect(statusesOf(hooks).map((one) => one["status"])).toEqual(["sent", "delivered"]);
  });

  test("hide the number in BSUID mode and the BSUID in number mode", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    const wamid = await accepted();
    for (const contactMode of ["bsuid", "number"] as const) {
      graph.configure({ contactMode });
      await graph.deliverStatuses(wamid, ["sent"]);
    }
    expect(statusesOf(hooks).map((one) => ["recipient_id" in one, "recipient_user_id" in one])).toEqual([
      [false, true],
      [true, false],
    ]);
  });
});
