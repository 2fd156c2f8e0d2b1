import { expect, test } from "bun:test";
import { CLOUD_ENV, cloudClientOf } from "../../../support/apis/cloud.ts";
import { clientOf, EVOLUTION_ENV } from "../../../support/apis/evolution.ts";
import { newCustomer } from "../../../support/customers/customer.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld({ env: { ...CLOUD_ENV, ...EVOLUTION_ENV, RECADO_MCP: "on" }, logLevel: "debug" });
const c = useEach(() => newCustomer(w));

type Answered = { status: number; headers: Headers };
const linesOf = ({ headers }: Answered): any[] => {
  const id = headers.get("x-request-id") ?? "none";
  return w.logs.filter((line) => line.includes(`"requestId":"${id}"`)).map((line) => JSON.parse(line));
};
const fromPlatform = (key: string): Promise<Answered> => w.platform("/v1/channels", { key });
const fromMcp = (key: string): Promise<Answered> => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  return fetch(`${w.app.url}/mcp`, { method: "POST", headers: { ...headers, "x-api-key": key }, body });
};

test("every request is found in the log by the id of its answer, also a refused one, in every API", async () => {
  const [cloud, evolution] = [await cloudClientOf(w, c), clientOf(w, c)];
  const platformKey = await w.platformKey((await w.institution()).token);
  const answers: [api: string, status: number, answer: Answered][] = [
    ["gateway", 200, await w.gateway("/v1/phones", { key: c.key })],
    ["gateway", 401, await w.gateway("/v1/phones", { key: "of-nobody" })],
    ["gateway", 403, await w.gateway("/v1/admin/accounts", { key: c.key })],
    ["platform", 200, await fromPlatform(platformKey)],
    ["platform", 401, await fromPlatform("of-nobody")],
    ["cloud", 200, await cloud.ask(`/${cloud.number.numberId}`)],
    ["cloud", 401, await cloud.ask(`/${cloud.number.numberId}`, { token: null })],
    ["evolution", 201, await evolution.on("/message/sendText", { body: { number: "5511999990001", text: "olá" } })],
    ["evolution", 401, await evolution.on("/message/sendText", { key: "of-nobody", body: {} })],
    ["mcp", 200, await fromMcp(c.key)],
    ["mcp", 401, await fromMcp("")],
  ];
  for (const [api, status, answer] of answers) {
    expect([api, answer.status]).toEqual([api, status]);
    const lines = linesOf(answer).filter((line) => line.msg === "request answered" && line.api === api);
    expect(lines).toMatchObject([{ level: "debug", status }]);
  }
});

test("a request that failed for a reason of ours or of the network is in the log of the level info", async () => {
  const { phoneNumberId } = c.phone;
  w.graph.failNext(1, { kind: "reset" }, { operation: "profile.get", phoneNumberId });
  const path = `/v1/phones/${c.phone.id}/business-profile`;
  const answer = await w.gateway(path, { key: c.key });
  expect(answer.status).toBe(502);
  expect(linesOf(answer)).toMatchObject([
    { level: "info", msg: "request answered", method: "GET", route: "/v1/phones/:id/business-profile" },
  ]);
});

test("no line of a request has its query, its body or its key", async () => {
  const answer = await w.gateway(`/v1/events?type=message:status&cursor=00000000-0000-4000-8000-00000000beef`, {
    key: c.key,
  });
  const lines = JSON.stringify(linesOf(answer));
  expect(lines).toContain("request answered");
  for (const part of ["beef", "message:status", c.key]) expect(lines).not.toContain(part);
});
