import { describe, expect, test } from "bun:test";
import { newChat } from "../../../../support/customers/agents/ai-chat.ts";
import { useToolWorld } from "../../../../support/customers/agents/tool-chat.ts";
import { giveTool, ORDER_TOOL } from "../../../../support/customers/agents/tools.ts";
import { rowsOf } from "../../../../support/customers/customer.ts";
import { tripwire } from "../../../../support/servers/hostile.ts";
import { WEBHOOK_SECRET } from "../../../../support/world.ts";

const s = useToolWorld();
const OBJECT = { type: "object", properties: {} };
const nested = (depth: number): object =>
  depth === 0 ? { type: "string" } : { type: "object", properties: { a: nested(depth - 1) } };
const countTools = async (accountId: string): Promise<number> =>
  (await rowsOf(s.w, "SELECT id FROM agent_tools WHERE tenant_id = ?1", [accountId])).length;

describe("the tools of an agent", () => {
  test("are listed by name without any secret, got, replaced and deleted", async () => {
    const c = await s.chat({ headers: { "X-Shop-Token": "the-token-of-the-shop" } });
    const path = `/v1/phones/${c.phone.id}/ai-agent/tools`;
    const ask = (more = "", call: object = {}) => s.w.gateway(path + more, { key: c.key, ...call });
    const { body, text } = await ask();
    expect(body).toMatchObject([{ id: c.toolId, name: "order_status", headers: { "X-Shop-Token": "********" } }]);
    expect([text.includes(WEBHOOK_SECRET), text.includes("the-token-of")]).toEqual([false, false]);
    const { secret: _, ...rest } = ORDER_TOOL;
    const kept = { ...rest, name: "order", url: s.server.url, headers: { "X-Shop-Token": "********" } };
    expect((await ask(`/${c.toolId}`, { method: "PUT", body: kept })).body).toMatchObject({ name: "order" });
    const tried = await ask(`/${c.toolId}/test`, { body: { arguments: { order: "A-1" } } });
    expect(tried.body).toMatchObject({ outcome: "ANSWERED", httpStatus: 200, answer: '{"status":"a caminho"}' });
    expect(s.server.calls[0]).toMatchObject({
      headers: { "x-gateway-test": "true", "x-shop-token": "the-token-of-the-shop" },
      body: { id: tried.body.callId, data: { isTest: true, conversationId: null } },
    });
    expect((await ask(`/${c.toolId}`, { method: "DELETE" })).status).toBe(204);
    expect([(await ask()).body, (await ask(`/${c.toolId}`)).status]).toEqual([[], 404]);
  });

  test("keep their secrets sealed, and give a stored header to no other host", async () => {
    const c = await s.chat({ headers: { "X-Shop-Token": "the-token-of-the-shop" } });
    const [row] = await rowsOf(s.w, "SELECT secret, headers FROM agent_tools WHERE id = ?1", [c.toolId]);
    expect(JSON.stringify(row)).not.toMatch(new RegExp(`${WEBHOOK_SECRET}|the-token-of`));
    await using other = await tripwire();
    const moved = await s.w.gateway(`/v1/phones/${c.phone.id}/ai-agent/tools/${c.toolId}`, {
      key: c.key,
      method: "PUT",
      body: { ...ORDER_TOOL, url: other.url, headers: { "X-Shop-Token": "********" } },
    });
    expect([moved.status, other.connections]).toEqual([400, 0]);
  });

  test.each([
    ["a name with a blank", { name: "order status" }],
    ["a name of a built-in tool", { name: "hand_over" }],
    ["a private address", { url: "https://10.0.0.1/tools" }],
    ["the metadata service", { url: "http://169.254.169.254/latest" }],
    ["another scheme", { url: "ftp://127.0.0.1/tools" }],
    ["a password in the URL", { url: "http://u:p@127.0.0.1:9/tools" }],
    ["a short secret", { secret: "short" }],
    ["a header of the signature", { headers: { "X-Gateway-Signature": "x" } }],
    ["the header of the repeat", { headers: { "idempotency-key": "x" } }],
    ["a schema that is no object", { parameters: { type: "string" } }],
    ["a keyword that not every provider takes", { parameters: { ...OBJECT, anyOf: [] } }],
    ["a pattern", { parameters: { type: "object", properties: { a: { type: "string", pattern: "(a+)+$" } } } }],
    ["a format", { parameters: { type: "object", properties: { a: { type: "string", format: "email" } } } }],
    [
      "a field that is an object without fields",
      { parameters: { ...OBJECT, properties: { a: { type: "object", properties: {} } } } },
    ],
    ["a field without a type", { parameters: { type: "object", properties: { a: {} } } }],
    ["a list of types", { parameters: { type: "object", properties: { a: { type: ["string", "null"] } } } }],
    ["a name that begins like a prototype's", { parameters: { ...OBJECT, properties: { __x: { type: "string" } } } }],
    ["a required field that it lacks", { parameters: { ...OBJECT, required: ["toString"] } }],
    ["a schema that is too deep", { parameters: nested(6) }],
    [
      "a schema of too many fields",
      {
        parameters: {
          type: "object",
          properties: Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${n}`, { type: "string" }])),
        },
      },
    ],
    ["a schema that is too long", { parameters: { ...OBJECT, description: "x".repeat(9000) } }],
  ] as const)("are refused with %s, and nothing is stored", async (_, wrong) => {
    const c = await newChat(s);
    const { status } = await giveTool(s.w, c, { url: s.server.url, ...wrong });
    expect([status, await countTools(c.accountId), s.server.calls]).toEqual([400, 0, []]);
  });

  test("are tested ten times in a minute at most, with arguments of the schema alone", async () => {
    const c = await s.chat();
    const ask = (given: object) =>
      s.w.gateway(`/v1/phones/${c.phone.id}/ai-agent/tools/${c.toolId}/test`, {
        key: c.key,
        body: { arguments: given },
      });
    expect([(await ask({ other: 1 })).status, s.server.calls.length]).toEqual([400, 0]);
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) statuses.push((await ask({ order: `${n}` })).status);
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1), s.server.calls.length]).toEqual([
      10, 429, 10,
    ]);
  });
});
