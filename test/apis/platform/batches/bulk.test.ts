import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { rowsOf } from "../../../support/customers/customer.ts";
import { type SessionNetwork, sessionNetwork } from "../../../support/session/scripted-sends.ts";
import {
  batchOf,
  batchRows,
  bulkSender,
  cancel,
  newBatch,
  numbers,
  passes,
  postBatch,
  type Sender,
  sentBy,
} from "../../../support/tenants/bulk.ts";
import { gatewayKeyOf, made, wabaChannel, webhookAt } from "../../../support/tenants/platform.ts";
import { startWorld, type World } from "../../../support/world.ts";

const MINUTE = 60_000;

let network: SessionNetwork;
let w: World;
let who: Sender;
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin] });
});
beforeEach(async () => {
  await w.advance(MINUTE); // each test has the calls of a minute
  who = await bulkSender(w);
});
afterAll(() => w.stop());

describe("POST /v1/bulk", () => {
  test("a batch is the sender of its messages, by its name", async () => {
    const { batchId } = made(await postBatch(w, who, { name: "Natal", recipients: numbers(1) }), 202);
    await passes(w, 10_000);
    const key = await gatewayKeyOf(w, who);
    for (const sentBy of ["batch", `batch:${batchId}`]) {
      const { items } = made(await w.gateway(`/v1/messages?sentBy=${sentBy}`, { key }), 200);
      expect(items.map((one: any) => one.sentBy)).toEqual([{ kind: "batch", id: batchId, name: "Natal" }]);
    }
    const { items } = made(await w.gateway("/v1/messages?sentBy=key", { key }), 200);
    expect(items).toEqual([]);
  });

  test("P-330 P-340 P-341 P-342 P-354 P-355 a batch is accepted and sent: one message.sent each, one bulk.completed", async () => {
    const hook = w.receiver();
    await webhookAt(w, who.key, hook, { events: ["message.sent", "bulk.completed", "bulk.failed"] });
    const createdAt = new Date(w.clock.now()).toISOString();
    const made202 = made(await postBatch(w, who, { name: "Natal", recipients: numbers(3) }), 202);
    const { batchId } = made202;
    expect(made202).toEqual({
      batchId: expect.any(String),
      channelId: who.channelId,
      status: "QUEUED",
      total: 3,
      createdAt,
    });
    await passes(w, 10_000);
    const counts = { total: 3, sent: 3, failed: 0, pending: 0, cancelled: 0 };
    const times = {
      createdAt,
      startsAt: null,
      pausedAt: null,
      startedAt: createdAt,
      finishedAt: new Date(Date.parse(createdAt) + 2000).toISOString(),
      waitingSince: null,
      respectHours: false,
      opensAt: null,
      sendOptions: null,
      fallback: null,
    };
    const shown = {
      batchId,
      channelId: who.channelId,
      name: "Natal",
      status: "COMPLETED",
      ...counts,
      delay: 1000,
      jitter: 0,
      ...times,
    };
    expect(await batchOf(w, who, batchId)).toEqual({ ...shown, text: "olá", template: null, errors: [] });
    const received = hook.arrived.map(({ body }) => body);
    expect(received.filter(({ type }) => type === "message.sent").map(({ to }) => to)).toEqual(numbers(3));
    const types = await rowsOf(
      w,
      "SELECT type FROM events WHERE tenant_id = ?1 AND audience = 'platform' ORDER BY seq",
      [who.id],
    );
    expect(types).toEqual(["message.sent", "message.sent", "message.sent", "bulk.completed"].map((type) => ({ type })));
    expect(received.filter(({ type }) => type !== "message.sent")).toMatchObject([
      {
        event: "bulk:completed",
        type: "bulk.completed",
        batchId,
        channelId: who.channelId,
        environment: "live",
        status: "COMPLETED",
        total: 3,
        sent: 3,
        failed: 0,
      },
    ]);
  });

  test("P-348 without a delay and a jitter it has 3000 ms and 0.3; without a name it has none", async () => {
    const id = await newBatch(w, who, { delay: undefined, jitter: undefined });
    expect(await batchOf(w, who, id)).toMatchObject({ name: null, delay: 3000, jitter: 0.3 });
  });

  const [one = "", two = ""] = numbers(2);
  const long = "x".repeat(4097);
  test.each([
    ["P-344 no recipients", { recipients: [] }, ["recipients"]],
    ["P-344 1001 recipients", { recipients: numbers(1001) }, ["recipients"]],
    ["recipients that are none", { recipients: [one, null] }, ["recipients.1"]],
    [
      "wrong numbers",
      { recipients: ["abc", { to: "+5511999990002" }, one, "1234567", `${one}\n`, "1234567890123456", "01199999000"] },
      [0, 1, 3, 4, 5, 6].map((n) => `recipients.${n}.to`),
    ],
    ["P-346 4097 characters", { text: long }, ["text"]],
    ["an empty text", { text: "" }, ["text"]],
    [
      "P-346 4097 characters with the values",
      { text: `${"😀".repeat(4091)}{{a}}`, recipients: [{ to: one, variables: { a: "😀".repeat(6) } }] },
      ["recipients.0"],
    ],
    [
      "nothing but an empty value",
      { text: "{{a}}", recipients: [{ to: one, variables: { a: "" } }] },
      ["recipients.0"],
    ],
    [
      "a few values that would make a text of a gigabyte",
      { text: "{{a}}".repeat(800), recipients: [{ to: one, variables: { a: "x".repeat(900_000) } }] },
      ["recipients.0"],
    ],
    [
      "variables without values",
      { text: "{{ a }} {{b}}", recipients: [one, { to: two, variables: { a: "1" } }] },
      ["0.variables.a", "0.variables.b", "1.variables.b"].map((path) => `recipients.${path}`),
    ],
    [
      "a value that is no text",
      { text: "{{a}}", recipients: [{ to: one, variables: { a: 1 } }] },
      ["recipients.0.variables.a"],
    ],
    [
      "a variable of which every object has something",
      { text: "{{constructor}}{{__proto__}}", recipients: [one] },
      ["recipients.0.variables.constructor", "recipients.0.variables.__proto__"],
    ],
    ["P-347 999 ms", { delay: 999 }, ["delay"]],
    ["more than an hour", { delay: 3_600_001 }, ["delay"]],
    ["half a millisecond", { delay: 1000.5 }, ["delay"]],
    ["P-349 a jitter over 0.3", { jitter: 0.31 }, ["jitter"]],
    ["a negative jitter", { jitter: -0.1 }, ["jitter"]],
    ["a name of 101 characters", { name: "x".repeat(101) }, ["name"]],
    ["no channel", { channelId: undefined }, ["channelId"]],
  ])("%s: 400 naming the fields, and nothing is kept", async (_, fields, paths) => {
    const { status, body } = await postBatch(w, who, fields);
    expect([status, body.code, body.errors?.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      "VALIDATION_ERROR",
      paths,
    ]);
    expect(body.errors.every((fault: object) => "message" in fault && "validation" in fault)).toBe(true);
    expect(await batchRows(w, who)).toEqual([]);
  });

  test("P-344 a batch of which everything is wrong names its first faults", async () => {
    const { body } = await postBatch(w, who, {
      text: Array.from({ length: 300 }, (_, n) => `{{v${n}}}`).join(""),
      recipients: numbers(1000),
    });
    expect(body.errors).toHaveLength(100);
  });

  test.each([
    ["P-344 1000 recipients", { recipients: numbers(1000) }],
    ["P-346 4096 characters", { text: "😀".repeat(4096) }],
    [
      "P-346 4096 characters with the values",
      { text: `${"x".repeat(4091)}{{a}}`, recipients: [{ to: one, variables: { a: "😀".repeat(5) } }] },
    ],
    ["P-347 1000 ms", { delay: 1000 }],
    ["an hour, and no jitter", { delay: 3_600_000, jitter: 0 }],
    ["P-349 a jitter of 0.3", { jitter: 0.3 }],
    ["numbers of 8 and 15 digits", { recipients: ["12345678", "123456789012345"] }],
    ["braces that hold no name", { text: "{ {{}} {{a b}} {{{}}} }} {{" }],
    ["a value that no variable asks for", { recipients: [{ to: one, variables: { a: "1" } }] }],
  ])("%s: accepted", async (_, fields) => {
    // it waits for its channel
    const { status, body } = await postBatch(w, { ...who, channelId: (await wabaChannel(w, who.key)).id }, fields);
    expect([status, body.total]).toEqual([202, "recipients" in fields ? fields.recipients.length : 2]);
  });

  test("each gets the text with its own values", async () => {
    const recipients = [
      { to: one, variables: { nome: "Ana", "ordem.número_1-a": "7" } },
      { to: two, variables: { nome: "{{nome}} $& {{ordem.número_1-a}}", "ordem.número_1-a": "" } },
    ];
    await newBatch(w, who, { text: "Olá {{nome}}, {{ nome }}! {{ordem.número_1-a}} {{}} {nome}", recipients });
    await passes(w, 5000);
    expect(sentBy(network, who.channelId).map(({ text }) => text)).toEqual([
      "Olá Ana, Ana! 7 {{}} {nome}",
      "Olá {{nome}} $& {{ordem.número_1-a}}, {{nome}} $& {{ordem.número_1-a}}!  {{}} {nome}",
    ]);
  });

  test("P-342 a repeated number, in any spelling, gets one message; its repeats are errors from the start", async () => {
    const [ana, anaWithoutNine] = ["5511999990002", "551199990002"];
    const id = await newBatch(w, who, { recipients: [ana, one, ana, { to: anaWithoutNine }] });
    const repeated = { code: "DUPLICATE_RECIPIENT", message: expect.any(String) };
    const errors = [ana, anaWithoutNine].map((to) => ({ to, ...repeated }));
    const batch = await batchOf(w, who, id);
    expect(batch).toMatchObject({ total: 4, failed: 2, errors });
    expect(batch.pending + batch.sent).toBe(2); // the first may be on its way already
    await passes(w, 5000);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", sent: 2, failed: 2 });
    expect(sentBy(network, who.channelId).map(({ to }) => to)).toEqual([ana ?? "", one]);
  });

  test("P-345 a fourth batch of one channel is refused until one has ended; test keys are counted separately", async () => {
    const other = { ...who, channelId: (await wabaChannel(w, who.key)).id };
    for (let n = 0; n < 3; n++) await newBatch(w, other);
    const before = await batchRows(w, who);
    expect(await postBatch(w, other)).toMatchObject({
      status: 409,
      body: { message: expect.any(String), code: "BATCH_LIMIT_REACHED" },
    });
    expect(await batchRows(w, who)).toEqual(before);
    expect((await postBatch(w, who)).status).toBe(202);
    expect((await postBatch(w, { ...other, key: who.testKey })).status).toBe(202);
    made(await cancel(w, who, String(before[0]?.["batch_id"])), 200);
    expect((await postBatch(w, other)).status).toBe(202);
  });

  test("P-345 of six at the same moment three are accepted", async () => {
    const statuses = (
      await Promise.all(Array.from({ length: 6 }, () => postBatch(w, who, { recipients: numbers(5) })))
    ).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([202, 202, 202, 409, 409, 409]);
  });

  test("an unknown or foreign channel is a 404, a wrong body a 400, and nothing is stored", async () => {
    const stranger = await bulkSender(w);
    for (const channelId of [stranger.channelId, "none"]) {
      expect(await postBatch(w, { ...who, channelId })).toMatchObject({
        status: 404,
        body: { code: "CHANNEL_NOT_FOUND" },
      });
      expect((await postBatch(w, { ...who, channelId }, { recipients: ["abc"] })).status).toBe(400);
    }
    expect([...(await batchRows(w, who)), ...(await batchRows(w, stranger))]).toEqual([]);
  });
});

describe("a test key", () => {
  test("P-119 P-331 its batch is simulated, on a channel of any state, and published as a test", async () => {
    const hook = w.receiver();
    await webhookAt(w, who.key, hook, { events: ["bulk.completed", "bulk.failed"] });
    const { id: channelId } = await wabaChannel(w, who.key);
    const id = await newBatch(w, { key: who.testKey, channelId }, { recipients: ["999119990000", ...numbers(1)] });
    const failing = await newBatch(w, { key: who.testKey, channelId }, { recipients: ["999119990000"] });
    await passes(w, 5000);
    expect(await batchOf(w, who, id)).toMatchObject({
      status: "COMPLETED",
      sent: 1,
      failed: 1,
      errors: [{ to: "999119990000", code: "UPSTREAM_BAD_REQUEST", message: expect.stringContaining("131026") }],
    });
    expect(await batchOf(w, who, failing)).toMatchObject({ status: "FAILED", sent: 0, failed: 1 });
    const received = new Map(hook.arrived.map(({ body }) => [body.batchId, body]));
    expect([hook.arrived.length, received.get(id), received.get(failing)]).toMatchObject([
      2,
      { type: "bulk.completed", environment: "test", status: "COMPLETED", sent: 1, failed: 1 },
      { type: "bulk.failed", environment: "test", status: "FAILED", sent: 0, failed: 1 },
    ]);
    expect(await rowsOf(w, "SELECT DISTINCT environment FROM messages WHERE tenant_id = ?1", [who.id])).toEqual([
      { environment: "test" },
    ]);
    expect([...w.graph.sent.values()]).toEqual([]);
  });
});

describe("GET /v1/bulk", () => {
  test("P-354 lists batches, newest first, by status and channel, in pages, without their errors", async () => {
    const other = { ...who, channelId: (await wabaChannel(w, who.key)).id };
    const ids: string[] = [];
    for (const [sender, fields] of [[who], [other], [who, { recipients: ["12345678", "12345678"] }], [other]] as [
      Sender,
      object?,
    ][]) {
      ids.unshift(await newBatch(w, sender, fields));
      await passes(w, 3000);
    }
    const list = async (query = "") => made(await w.platform(`/v1/bulk${query}`, { key: who.key }), 200);
    const idsOf = async (query: string) => (await list(query)).data.map(({ batchId }: { batchId: string }) => batchId);
    const all = await list();
    expect(
      all.data.map(({ batchId, status, sent, failed, pending }: Record<string, unknown>) => [
        batchId,
        status,
        sent,
        failed,
        pending,
      ]),
    ).toEqual([
      [ids[0], "QUEUED", 0, 0, 2],
      [ids[1], "COMPLETED", 1, 1, 0],
      [ids[2], "QUEUED", 0, 0, 2],
      [ids[3], "COMPLETED", 2, 0, 0],
    ]);
    expect(all.meta).toEqual({ total: 4, limit: 20, offset: 0, hasMore: false });
    expect(all.data.some((one: object) => "errors" in one)).toBe(false);
    expect(await idsOf("?status=QUEUED")).toEqual([ids[0], ids[2]]);
    expect(await idsOf(`?channelId=${who.channelId}`)).toEqual([ids[1], ids[3]]);
    expect(await idsOf(`?channelId=${who.channelId}&status=QUEUED`)).toEqual([]);
    expect(await list("?page=2&limit=3")).toMatchObject({
      data: [{ batchId: ids[3] }],
      meta: { total: 4, limit: 3, offset: 3, hasMore: false },
    });
    for (const query of ["?status=DONE", "?page=0", "?limit=101"])
      expect((await w.platform(`/v1/bulk${query}`, { key: who.key })).body.code).toBe("VALIDATION_ERROR");
  });

  test("P-340 an unknown batch and another institution's are a 404, to look at and to cancel, and go on", async () => {
    const stranger = await bulkSender(w);
    const theirs = await newBatch(w, stranger, { recipients: numbers(3) });
    for (const id of [theirs, "none"]) {
      expect(await w.platform(`/v1/bulk/${id}`, { key: who.key })).toMatchObject({
        status: 404,
        body: { code: "BATCH_NOT_FOUND" },
      });
      expect(await cancel(w, who, id)).toMatchObject({
        status: 404,
        body: { message: expect.any(String), code: "BATCH_NOT_FOUND" },
      });
    }
    expect(made(await w.platform("/v1/bulk", { key: who.key }), 200).data).toEqual([]);
    await passes(w, 5000);
    expect(await batchOf(w, stranger, theirs)).toMatchObject({ status: "COMPLETED", sent: 3 });
  });
});
