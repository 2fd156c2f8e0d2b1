import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { type Customer, sendsOf } from "../../../support/customers/customer.ts";
import { knownTemplate } from "../../../support/customers/templates.ts";
import {
  batchOf,
  batchRows,
  bulkSender,
  cancel,
  newBatch,
  numbers,
  passes,
  postBatch,
  sentBy,
  useSender,
} from "../../../support/tenants/bulk.ts";
import { connectedChannel, made } from "../../../support/tenants/platform.ts";
import type { Answer } from "../../../support/world.ts";

const { network, w, who } = useSender();

const act = (id: string, what: "pause" | "resume") =>
  w.platform(`/v1/bulk/${id}/${what}`, { key: who.key, method: "POST" });
const recipients = (id: string, query = "") => w.platform(`/v1/bulk/${id}/recipients${query}`, { key: who.key });
const isoIn = (ms: number) => new Date(w.clock.now() + ms).toISOString();
const sent = () => sentBy(network, who.channelId).map(({ to }) => to);

describe("POST /v1/bulk/{batchId}/pause and /resume", () => {
  test("a paused batch sends nothing, and goes on at its pace where it was; each recipient gets one message", async () => {
    const id = await newBatch(w, who, { recipients: numbers(8) });
    await passes(w, 2500);
    const before = sent();
    const paused = made(await act(id, "pause"), 200);
    expect([before.length, paused.status, paused.pausedAt]).toEqual([3, "RUNNING", isoIn(0)]);
    await passes(w, 2 * DAY_MS);
    expect(sent()).toEqual(before);
    expect(made(await act(id, "pause"), 200).pausedAt).toBe(paused.pausedAt);
    const resumedAt = w.clock.now();
    expect(made(await act(id, "resume"), 200)).toMatchObject({
      status: "RUNNING",
      pausedAt: null,
      sent: 3,
      pending: 5,
    });
    expect(made(await act(id, "resume"), 200).pausedAt).toBeNull();
    await passes(w, MINUTE_MS);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", sent: 8, failed: 0 });
    expect(sent()).toEqual(numbers(8));
    const after = sentBy(network, who.channelId).slice(3);
    expect(after.map(({ at }) => at - resumedAt)).toEqual([0, 1000, 2000, 3000, 4000]);
  });

  test("a paused batch can be cancelled; one that has ended can be neither paused nor resumed", async () => {
    const id = await newBatch(w, who, { recipients: numbers(3) });
    made(await act(id, "pause"), 200);
    made(await cancel(w, who, id), 200);
    const before = await batchRows(w, who);
    for (const what of ["pause", "resume"] as const)
      expect(await act(id, what)).toMatchObject({ status: 409, body: { code: "BATCH_FINISHED" } });
    expect(await batchRows(w, who)).toEqual(before);
  });

  test("the time that a batch was paused is no waiting for its channel", async () => {
    const { id: channelId } = await w
      .platform("/v1/channels", { key: who.key, body: { name: "x", type: "CHAT_SESSION" } })
      .then((answer) => made(answer, 201));
    const id = await newBatch(w, { ...who, channelId });
    expect((await batchOf(w, who, id)).waitingSince).toBe(isoIn(0));
    made(await act(id, "pause"), 200);
    await passes(w, 2 * DAY_MS);
    expect(made(await act(id, "resume"), 200)).toMatchObject({ status: "QUEUED", waitingSince: isoIn(0) });
    await passes(w, 23 * HOUR_MS);
    expect((await batchOf(w, who, id)).status).toBe("QUEUED");
    await passes(w, 2 * HOUR_MS);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "FAILED", failed: 2 });
  });
});

describe("startsAt", () => {
  test("nothing is sent before it, and everything from it on", async () => {
    const startsAt = isoIn(3 * DAY_MS);
    const id = await newBatch(w, who, { startsAt });
    await passes(w, 3 * DAY_MS - 1);
    expect([sent(), (await batchOf(w, who, id)).status]).toEqual([[], "QUEUED"]);
    await passes(w, MINUTE_MS);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", sent: 2, startsAt, startedAt: startsAt });
  });

  test("a batch that is paused and resumed before its start begins at its start", async () => {
    const startsAt = isoIn(DAY_MS);
    const id = await newBatch(w, who, { startsAt });
    made(await act(id, "pause"), 200);
    made(await act(id, "resume"), 200);
    await passes(w, DAY_MS + MINUTE_MS);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", startedAt: startsAt });
  });

  test.each([
    ["in the past", -1],
    ["more than a year ahead", 365 * DAY_MS + 1],
  ])("%s is refused by its field, and nothing is stored", async (_, ms) => {
    const { status, body } = await postBatch(w, who, { startsAt: isoIn(ms) });
    expect([status, body.errors.map(({ path }: { path: string }) => path)]).toEqual([400, ["startsAt"]]);
    expect(await batchRows(w, who)).toEqual([]);
  });
});

describe("POST /v1/bulk/{batchId}/recipients", () => {
  const add = (id: string, recipients: unknown) =>
    w.platform(`/v1/bulk/${id}/recipients`, { key: who.key, body: { recipients } });

  test("a batch that is made paused takes more, in order, and each person gets one message once it is resumed", async () => {
    const [one = "", two = "", three = ""] = numbers(3);
    const id = await newBatch(w, who, { recipients: [one], paused: true });
    await passes(w, MINUTE_MS);
    expect([sent(), (await batchOf(w, who, id)).pausedAt]).toEqual([[], expect.any(String)]);
    expect(made(await add(id, [two, one]), 200)).toMatchObject({ total: 3, pending: 2, failed: 1 });
    expect(made(await add(id, [{ to: three }]), 200)).toMatchObject({ total: 4, pending: 3, failed: 1 });
    made(await act(id, "resume"), 200);
    await passes(w, MINUTE_MS);
    expect(sent()).toEqual([one, two, three]);
    expect((await add(id, [one])).body.code).toBe("BATCH_FINISHED");
  });

  test("what is added to a running batch is sent too", async () => {
    const id = await newBatch(w, who);
    made(await add(id, numbers(2, 50)), 200);
    await passes(w, MINUTE_MS);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", sent: 4 });
  });

  test("faulty ones, ones without a value, and more than 10,000 in all are refused, and nothing is added", async () => {
    const id = await newBatch(w, who, {
      text: "oi {{n}}",
      recipients: [{ to: numbers(1)[0], variables: { n: "" } }],
      paused: true,
    });
    const people = (first: number) => numbers(1000, first).map((to) => ({ to, variables: { n: "1" } }));
    const pathsOf = ({ body }: Answer) => body.errors.map(({ path }: { path: string }) => path);
    expect(pathsOf(await add(id, ["abc"]))).toEqual(["recipients.0.to", "recipients.0.variables.n"]);
    for (let n = 1; n < 10; n++) made(await add(id, people(n * 1000)), 200);
    expect(pathsOf(await add(id, people(20_000)))).toEqual(["recipients"]);
    expect((await batchOf(w, who, id)).total).toBe(9001);
    made(await add(id, people(20_000).slice(1)), 200);
  });

  test("more than the day has left are refused", async () => {
    const small = await bulkSender(w, "FREE");
    const id = await newBatch(w, small, { recipients: numbers(60), paused: true });
    const answer = await w.platform(`/v1/bulk/${id}/recipients`, {
      key: small.key,
      body: { recipients: numbers(60, 100) },
    });
    expect([answer.status, (await batchOf(w, small, id)).total]).toEqual([429, 60]);
  });
});

describe("GET /v1/bulk/{batchId}/recipients", () => {
  test("each recipient once, in order, with its values, its state and its reason, in pages and by status", async () => {
    const [one = "", two = ""] = numbers(2);
    const id = await newBatch(w, who, {
      text: "oi {{n}}",
      recipients: [one, one, two].map((to, n) => ({ to, variables: { n: String(n) } })),
    });
    await passes(w, MINUTE_MS);
    const all = made(await recipients(id), 200);
    const error = { code: "DUPLICATE_RECIPIENT", message: expect.any(String) };
    expect(all).toEqual({
      data: [
        {
          position: 0,
          to: one,
          variables: { n: "0" },
          status: "SENT",
          messageId: expect.any(String),
          messageStatus: "SENT",
          error: null,
        },
        { position: 1, to: one, variables: { n: "1" }, status: "FAILED", messageId: null, messageStatus: null, error },
        {
          position: 2,
          to: two,
          variables: { n: "2" },
          status: "SENT",
          messageId: expect.any(String),
          messageStatus: "SENT",
          error: null,
        },
      ],
      nextCursor: null,
    });
    const first = made(await recipients(id, "?limit=2"), 200);
    expect([first.data, first.nextCursor]).toEqual([all.data.slice(0, 2), "1"]);
    expect(made(await recipients(id, "?limit=2&cursor=1"), 200)).toEqual({ data: all.data.slice(2), nextCursor: null });
    expect(made(await recipients(id, "?status=FAILED"), 200).data).toEqual([all.data[1]]);
    for (const query of ["?limit=0", "?limit=1001", "?cursor=x", "?cursor=-1", "?status=NONE"])
      expect((await recipients(id, query)).body.code).toBe("VALIDATION_ERROR");
  });

  test("another institution's are a 404", async () => {
    const stranger = await bulkSender(w);
    expect(await recipients(await newBatch(w, stranger))).toMatchObject({
      status: 404,
      body: { code: "BATCH_NOT_FOUND" },
    });
  });
});

describe("a batch with a template", () => {
  const template = { name: "hello", language: "pt_BR", variables: ["{{nome}}", "de {{ cidade }}"] };
  const people = numbers(2).map((to, n) => ({ to, variables: { nome: `Ana ${n}`, cidade: "{{nome}}" } }));

  test("each gets the template with its own values, and the batch shows it", async () => {
    const { id: channelId, phoneNumberId } = await connectedChannel(w, who);
    await knownTemplate(w, channelId, { name: "hello" });
    const id = await newBatch(w, { ...who, channelId }, { text: undefined, template, recipients: people });
    await passes(w, MINUTE_MS);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", sent: 2, text: null, template });
    const bodies = sendsOf(w, { phone: { phoneNumberId } as Customer["phone"] });
    expect(
      bodies.map(({ to, template: { components } }) => [
        to,
        components[0].parameters.map(({ text }: { text: string }) => text),
      ]),
    ).toEqual(people.map(({ to, variables: { nome } }) => [to, [nome, "de {{nome}}"]]));
  });

  test.each<[what: string, fields: object, path: string]>([
    ["neither a text nor a template", { text: undefined }, "text"],
    ["both", { template }, "template"],
    [
      "a variable without its value",
      { text: undefined, template, recipients: numbers(1) },
      "recipients.0.variables.nome",
    ],
    [
      "values that are longer than any template",
      {
        text: undefined,
        template: { ...template, variables: Array(50).fill("{{nome}}") },
        recipients: [{ to: numbers(1)[0], variables: { nome: "x".repeat(1000) } }],
      },
      "recipients.0",
    ],
  ])("%s is refused by the field, and nothing is stored", async (_, fields, path) => {
    const { status, body } = await postBatch(w, who, fields);
    expect([status, body.errors?.[0]?.path]).toEqual([400, path]);
    expect(await batchRows(w, who)).toEqual([]);
  });

  test("one that the network has not approved, or cannot have, is refused before anything is stored", async () => {
    const { id: channelId } = await connectedChannel(w, who);
    const asked = { text: undefined, template, recipients: people };
    const headerMedia = { type: "image", url: "https://10.0.0.1/{{nome}}" };
    expect(
      await postBatch(w, { ...who, channelId }, { ...asked, template: { name: "hello", headerMedia } }),
    ).toMatchObject({ status: 400, body: { errors: [{ path: "template.headerMedia.url" }] } });
    expect(await postBatch(w, { ...who, channelId }, asked)).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", errors: [{ path: "name" }] },
    });
    expect((await postBatch(w, who, asked)).status).toBe(400);
    expect(await batchRows(w, who)).toEqual([]);
  });
});
