import { describe, expect, test } from "bun:test";
import {
  ACCOUNT_ID,
  type Answered,
  entriesOf,
  errorOf,
  graphBench,
  listOf,
  NUMBER_ID,
  TOKEN,
  USER,
  until,
  valuesOf,
} from "./fixture.ts";
import { CATALOGUE_CODES, type Failure } from "./index.ts";
import { fieldsOf, textOf } from "./shape.ts";

const bench = graphBench();
const codeOf = (answer: Answered) => errorOf(answer)["code"];

describe("a failure on order", () => {
  test("of any code has Graph's envelope, and nothing was accepted", async () => {
    const { graph, send } = bench();
    for (const code of CATALOGUE_CODES) {
      graph.failNext(1, { kind: "error", code, details: "why" });
      const { body } = await send();
      expect(body).toMatchObject({
        error: { code, type: "OAuthException", error_data: { messaging_product: "whatsapp", details: "why" } },
      });
      expect(String(fieldsOf(body["error"])["fbtrace_id"])).toHaveLength(23);
    }
    expect(graph.sent.size).toBe(0);
  });

  const ANSWERS: [code: number, status: number, message: string, isTransient: boolean][] = [
    [2, 503, "(#2) API Service", true],
    [10, 403, "(#10) Application does not have permission for this action", false],
    [190, 401, "Invalid OAuth access token - Cannot parse access token", false],
    [368, 403, "(#368) Temporarily blocked for policies violations", false],
    [613, 429, "(#613) Calls to this api have exceeded the rate limit", false],
    [130429, 400, "(#130429) Rate limit hit", false],
    [131000, 500, "(#131000) Something went wrong", true],
    [131047, 400, "(#131047) Re-engagement message", false],
    [131057, 500, "(#131057) Account in maintenance mode", true],
    [132001, 404, "(#132001) Template name does not exist in the translation", false],
    [133004, 503, "(#133004) Server temporarily unavailable", true],
  ];
  test.each(ANSWERS)("of code %d is HTTP %d with its title", async (code, status, message, isTransient) => {
    const { graph, send } = bench();
    graph.failNext(1, { kind: "error", code });
    const answer = await send();
    expect([answer.status, errorOf(answer)["message"], errorOf(answer)["is_transient"] === true]).toEqual([
      status,
      message,
      isTransient,
    ]);
  });

  test("strikes so many good sends and no more; a bad one uses up nothing; statuses can be overruled", async () => {
    const { graph, send } = bench();
    graph.failNext(2, { kind: "error", code: 130429, httpStatus: 429 });
    expect(codeOf(await send({ text: {} }))).toBe(131008);
    const answers = [await send(), await send(), await send()];
    expect(answers.map((one) => one.status)).toEqual([429, 429, 200]);
  });

  test("for a recipient lasts until cleared and leaves others alone", async () => {
    const { graph, send } = bench();
    graph.failRecipient(`+${USER}`, { kind: "error", code: 131026 });
    expect([codeOf(await send()), codeOf(await send({ to: "5511900000000" })), codeOf(await send())]).toEqual([
      131026,
      undefined,
      131026,
    ]);
    graph.clearFailures();
    expect((await send()).status).toBe(200);
  });

  test("can be for another operation, or for any", async () => {
    const { graph, call, send } = bench();
    graph.failNext(1, { kind: "http", status: 502 }, { operation: "number.get" });
    expect((await send()).status).toBe(200);
    const page = await fetch(`${graph.url}/${NUMBER_ID}`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect([page.status, page.headers.get("content-type")]).toEqual([502, "text/html; charset=utf-8"]);
    graph.failNext(1, { kind: "error", code: 2 }, { operation: "any" });
    expect((await call("GET", `/${ACCOUNT_ID}/subscribed_apps`)).status).toBe(503);
  });

  const LOST: Failure["kind"][] = ["reset", "half"];
  const requestOf = (url: string, signal?: AbortSignal) =>
    fetch(`${url}/${NUMBER_ID}/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ messaging_product: "whatsapp", to: USER, text: { body: "oi" } }),
      ...(signal ? { signal } : {}),
    });
  const isWhole = (url: string) =>
    requestOf(url)
      .then((answer) => answer.text())
      .then(
        () => true,
        () => false,
      );

  for (const kind of LOST) {
    for (const isAccepted of [false, true]) {
      test(`${kind} loses the answer of a message that was ${isAccepted ? "" : "not "}accepted`, async () => {
        const { graph } = bench();
        graph.failNext(1, kind === "reset" ? { kind, isAccepted } : { kind: "half", isAccepted });
        expect(await isWhole(graph.url)).toBe(false);
        expect([graph.sent.size, graph.journal.length, graph.journal[0]?.broken, graph.journal[0]?.status]).toEqual([
          isAccepted ? 1 : 0,
          1,
          kind === "half" ? "half" : "reset",
          null,
        ]);
        expect(await isWhole(graph.url)).toBe(true);
      });
    }
  }

  test("hang never answers, accepted or not, and the webhooks of what was accepted still come", async () => {
    const { graph, receive } = bench();
    const hooks = receive();
    graph.configure({ autoStatuses: ["sent"] });
    graph.failNext(1, { kind: "hang", isAccepted: true });
    const patience = new AbortController();
    const answer = requestOf(graph.url, patience.signal).then(
      () => "answered",
      () => "gave up",
    );
    await until(() => hooks.length === 1);
    patience.abort();
    expect([await answer, graph.journal[0]?.broken, graph.sent.size]).toEqual(["gave up", "hang", 1]);
  });

  test("no-id is a 200 without messages, garbage a 200 without JSON, http a page", async () => {
    const { graph, send } = bench();
    graph.failNext(1, { kind: "no-id" });
    expect((await send()).body).toEqual({ messaging_product: "whatsapp", contacts: [] });
    graph.failNext(1, { kind: "garbage", isAccepted: true });
    const garbage = await requestOf(graph.url);
    expect(garbage.status).toBe(200);
    expect(await garbage.text()).toStartWith("<html>");
    graph.failNext(1, { kind: "http", status: 500 });
    expect((await requestOf(graph.url)).status).toBe(500);
    expect(graph.sent.size).toBe(1);
  });

  test("failed-status accepts with 200 and reports it by webhook, with our own data and no contacts", async () => {
    const { graph, send, receive } = bench();
    const hooks = receive();
    graph.failNext(1, { kind: "failed-status", code: 131026, details: "gone" });
    expect((await send({ biz_opaque_callback_data: "m1" })).status).toBe(200);
    await until(() => hooks.length === 1);
    const [value] = valuesOf(hooks[0]);
    expect(listOf(value?.["statuses"])).toMatchObject([
      {
        status: "failed",
        biz_opaque_callback_data: "m1",
        recipient_id: USER,
        errors: [{ code: 131026, error_data: { details: "gone" } }],
      },
    ]);
    expect(value).not.toHaveProperty("contacts");
    expect(entriesOf(hooks[0])).toMatchObject([{ id: ACCOUNT_ID }]);
  });
});

describe("the 24 hours", () => {
  test("outside of them a text is refused at once or later, as set; a template and a reaction pass", async () => {
    const { graph, send, receive } = bench();
    const hooks = receive();
    graph.configure({ window: "sync" });
    expect(codeOf(await send())).toBe(131047);
    expect((await send({ type: "template", template: { name: "any", language: { code: "pt_BR" } } })).status).toBe(200);
    const [wamid] = [...graph.sent.keys()];
    expect((await send({ type: "reaction", reaction: { message_id: wamid, emoji: "👍" } })).status).toBe(200);
    graph.configure({ window: "async" });
    expect((await send()).status).toBe(200);
    await until(() => hooks.length === 1);
    expect(listOf(valuesOf(hooks[0])[0]?.["statuses"])).toMatchObject([
      { status: "failed", errors: [{ code: 131047 }] },
    ]);
  });

  test("they begin with a message of the user to this number and end 24 hours later", async () => {
    const { graph, send, clock, receive } = bench();
    receive();
    graph.configure({ window: "sync" });
    await graph.inbound.text({ to: NUMBER_ID, from: USER, text: "oi" });
    clock.advance(86_399_999);
    expect((await send()).status).toBe(200);
    expect(codeOf(await send({ to: "5511900000000" }))).toBe(131047);
    clock.advance(1);
    expect(codeOf(await send())).toBe(131047);
  });
});

describe("many messages", () => {
  test("3000 sends at once are all accepted, and the summary counts those of the same callback data", async () => {
    const { graph, send } = bench();
    const answers = await Promise.all(
      Array.from({ length: 3000 }, (_, at) =>
        send({ to: String(5511900000000 + at), biz_opaque_callback_data: `m${at % 2999}` }),
      ),
    );
    expect(answers.every((one) => one.status === 200)).toBe(true);
    const { count, messages } = graph.sentSummary();
    expect([count, messages.length, new Set(messages.map((one) => one.wamid)).size]).toEqual([3000, 3000, 3000]);
    expect(messages.filter((one) => one.count === 2).map((one) => one.bizOpaque)).toEqual(["m0", "m0"]);
  });
});

describe("a process of its own", () => {
  test("prints its url and is driven and read over /_sim", async () => {
    const child = Bun.spawn([process.execPath, Bun.fileURLToPath(import.meta.resolve("./main.ts"))], {
      stdout: "pipe",
      stderr: "inherit",
    });
    try {
      const line = await child.stdout.getReader().read();
      const printed: unknown = JSON.parse(new TextDecoder().decode(line.value));
      const url = textOf(fieldsOf(printed)["url"]);
      const order = async (name: string, args: unknown) => {
        const answer = await fetch(`${url}/_sim/${name}`, { method: "POST", body: JSON.stringify(args) });
        return { status: answer.status, ...fieldsOf(await answer.json()) };
      };
      expect(
        (
          await order("numbers", {
            phoneNumberId: "1",
            businessAccountId: "2",
            displayPhoneNumber: "+551140000000",
            tokens: ["t"],
          })
        ).status,
      ).toBe(200);
      expect((await order("failures", { failure: { kind: "error", code: 130429 } })).status).toBe(200);
      const send = () =>
        fetch(`${url}/1/messages`, {
          method: "POST",
          headers: { authorization: "Bearer t", "content-type": "application/json" },
          body: JSON.stringify({
            messaging_product: "whatsapp",
            to: USER,
            text: { body: "oi" },
            biz_opaque_callback_data: "m1",
          }),
        });
      expect([(await send()).status, (await send()).status]).toEqual([400, 200]);
      const summary = await fetch(`${url}/_sim/journal/messages`).then((answer) => answer.json());
      expect(summary).toMatchObject({ result: { count: 1, messages: [{ to: USER, bizOpaque: "m1", count: 1 }] } });
      expect(await fetch(`${url}/_sim/journal`).then((answer) => answer.json())).toMatchObject({
        result: [{ status: 400 }, { status: 200 }],
      });
      expect((await order("numbers", { phoneNumberID: "slip" })).status).toBe(400);
      expect((await order("nothing", {})).status).toBe(404);
    } finally {
      child.kill();
      await child.exited;
    }
  });
});
