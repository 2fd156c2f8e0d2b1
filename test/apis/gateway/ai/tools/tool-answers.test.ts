import { describe, expect, test } from "bun:test";
import type { HttpRequest } from "../../../../../src/contract/ports/http.ts";
import { shownCalls, useToolWorld } from "../../../../support/customers/agents/tool-chat.ts";
import { TO } from "../../../../support/customers/customer.ts";
import { REPLIES } from "../../../../support/llm/index.ts";
import {
  dropping,
  type Endpoint,
  endless,
  hanging,
  redirecting,
  tripwire,
} from "../../../../support/servers/hostile.ts";

const s = useToolWorld();
const ASK = ["order_status", { order: "A-7" }] as const;

/** Has the agent call a tool once at an address, and gives what the model was told and what the transcript shows. */
const calledAt = async (url: string, more: Record<string, unknown> = {}) => {
  const c = await s.chat({ url, ...more });
  s.llm.next(REPLIES.calls(ASK), "pronto");
  await c.says("oi");
  const [call] = await shownCalls(c);
  return { told: s.toolAnswers()[0] ?? "", call, sent: c.sent(), messages: JSON.stringify(s.llm.journal) };
};
const answering = (reply: () => Response, more?: Record<string, unknown>) => {
  s.server.reply(reply);
  return calledAt(s.server.url, more);
};

describe("what a tool answers", () => {
  test.each([
    ["JSON", () => Response.json({ a: 1 }), "ANSWERED", '{"a":1}'],
    ["text", () => new Response("a caminho"), "ANSWERED", "a caminho"],
    ["nothing", () => new Response(null, { status: 204 }), "ANSWERED", "Done; the tool said no more."],
    [
      "a refusal",
      () => Response.json({ error: "unknown" }, { status: 404 }),
      "REFUSED",
      'The tool refused with HTTP 404: {"error":"unknown"}',
    ],
    ["a failure", () => new Response("stack trace", { status: 500 }), "FAILED", "The tool failed with HTTP 500."],
    [
      "a page of HTML",
      () => new Response("<!DOCTYPE html><html>", { headers: { "content-type": "text/html" } }),
      "FAILED",
      "The tool answered with a page of HTML instead of data.",
    ],
    [
      "a page that calls itself JSON",
      () => new Response("\n<html><body>"),
      "FAILED",
      "The tool answered with a page of HTML instead of data.",
    ],
    [
      "bytes that are no text",
      () => new Response(new Uint8Array([0xff, 0xfe, 0x41, 0xd8])),
      "FAILED",
      "The tool's answer is no text in UTF-8.",
    ],
    ["a text with NUL", () => new Response("a\0b"), "ANSWERED", "ab"],
  ] as const)("%s is told to the model as it is, or as what it is", async (_, reply, outcome, told) => {
    const result = await answering(reply);
    expect([result.told, result.call.outcome, result.sent]).toEqual([told, outcome, [`${TO}: pronto`]]);
    expect(result.call.answer).toBe(told);
  });

  test("a long text is cut, and says so; an endless one costs 32 KiB", async () => {
    const long = await answering(() => new Response("ã".repeat(30_000)));
    expect([...long.told].length).toBeLessThan(8100);
    expect(long.told).toEndWith("[the rest of the answer was too long]");
    await using server = await endless();
    const { told } = await calledAt(server.url);
    expect(told).toEndWith("[the rest of the answer was too long]");
    expect(server.sentBytes).toBeLessThan(8 * 1024 * 1024);
  });

  test("a redirect is not followed, wherever it leads", async () => {
    await using target = await tripwire();
    await using server = await redirecting(target.url);
    const { told } = await calledAt(server.url);
    expect([told, target.connections]).toEqual(["The tool answered HTTP 302, a redirect: it is not followed.", 0]);
  });

  test("an address that became private is not called", async () => {
    const c = await s.chat();
    await using target = await tripwire({ hostname: "127.0.0.2" });
    await s.w.app.env.db.write(async (tx) =>
      tx.run("UPDATE agent_tools SET url = ?2 WHERE id = ?1", [c.toolId, target.url]),
    );
    s.llm.next(REPLIES.calls(ASK), "pronto");
    await c.says("oi");
    expect([s.toolAnswers(), target.connections]).toEqual([["The tool did not answer (blocked)."], 0]);
  });

  test.each([
    ["that hangs", hanging],
    ["that breaks off", dropping],
  ] as const)(
    "a server %s leaves it open whether the work was done, after ten seconds at most",
    async (_, start: () => Promise<Endpoint>) => {
      const asked: HttpRequest[] = [];
      const { http } = s.w.app.env;
      const { to } = http;
      // the same client, in a hundredth of the time
      http.to = (peer) => {
        const client = to(peer);
        return {
          ...client,
          guarded(request) {
            asked.push(request);
            return client.guarded({ ...request, timeoutMs: (request.timeoutMs ?? 0) / 100 });
          },
        };
      };
      await using server = await start();
      const { told, call, sent } = await calledAt(server.url).finally(() => {
        http.to = to;
      });
      expect(told).toContain("Nobody knows whether it did its work");
      expect([call.outcome, call.httpStatus, sent, asked[0]?.timeoutMs]).toEqual([
        "FAILED",
        null,
        [`${TO}: pronto`],
        10_000,
      ]);
    },
  );

  test("secrets that a server repeats are hidden from the model, the transcript and the log", async () => {
    const token = "Bearer the-token-of-the-shop-4711";
    const { told, call, messages } = await answering(() => Response.json(s.server.calls.at(-1)?.headers ?? {}), {
      headers: { Authorization: token, "X-Pin": "4711" },
    });
    for (const text of [told, call.answer, messages, s.w.logs.join("\n")])
      expect([text.includes("the-token-of-the-shop"), text.includes('"x-pin":"4711"')]).toEqual([false, false]);
    expect(told).toContain("***");
  });

  test.each([
    ["as JSON", JSON.stringify],
    [
      "with all but letters escaped",
      (value: object) =>
        JSON.stringify(value).replaceAll(
          /[^\w:{},"\\]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`,
        ),
    ],
    ["with slashes escaped", (value: object) => JSON.stringify(value).replaceAll("/", "\\/")],
  ])("secrets with marks are hidden however a server spells them: %s", async (_, spell) => {
    const secret = 'pa"ss\\word-1234567890';
    const token = 'Bearer dG9r/ZW4+9753"==';
    const answer = spell({ echo: token, secret, order: "A/7" });
    const { told, call, messages } = await answering(
      () => new Response(answer, { headers: { "content-type": "application/json" } }),
      { secret, headers: { Authorization: token } },
    );
    for (const text of [told, call.answer, messages]) expect(text).not.toMatch(/1234567890|9753/);
    expect(JSON.parse(told)).toEqual({ echo: "***", secret: "***", order: "A/7" });
  });

  test("no part of a secret is left where an answer is cut", async () => {
    const token = "the-token-of-the-shop-".repeat(10);
    const { told } = await answering(() => new Response(`${"x".repeat(7990)}${token}`), {
      headers: { "X-Key": token },
    });
    expect(told).not.toContain("the-to");
  });
});
