import { expect, test } from "bun:test";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld({ env: { RECADO_CLOUD_URL: "on", RECADO_EVOLUTION_URL: "on", RECADO_MCP: "on" } });

/** TABLE: requests to every door: what it has, what it refuses, and what it does not know. */
const ASKED: [method: string, path: string][] = [
  ["GET", "/health"],
  ["GET", "/health/ready"],
  ["GET", "/versao"],
  ["GET", "/metrics"],
  ["GET", "/nothing"],
  ["GET", "/files/none?exp=1&sig=x"],
  ["GET", "/gateway/v1/phones"],
  ["GET", "/gateway/openapi.json"],
  ["GET", "/gateway/docs"],
  ["GET", "/gateway/v1/%00"],
  ["POST", "/gateway/v1/upstream-webhook"],
  ["DELETE", "/gateway/v1/phones"],
  ["POST", "/gateway/v1/admin/accounts"],
  ["OPTIONS", "/gateway/v1/phones"],
  ["GET", "/platform/v1/channels"],
  ["POST", "/platform/v1/auth/login"],
  ["GET", "/platform/v1/none"],
  ["GET", "/graph/v26.0/1"],
  ["POST", "/graph/v26.0/1/messages"],
  ["GET", "/evolution/instance/fetchInstances"],
  ["POST", "/evolution/none"],
  ["POST", "/mcp"],
  ["GET", "/mcp"],
  ["GET", "/console"],
  ["GET", "/console/session"],
  ["GET", "/console/none"],
  ["GET", "/console/gateway/v1/phones"],
  ["POST", "/console/sign-in"],
  ["PUT", "/console/reset-password"],
  ["GET", "/console/icon.svg"],
];

test.each(ASKED)("%s %s is answered with nosniff, whatever the answer is", async (method, path) => {
  const answer = await fetch(w.app.url + path, { method, ...(method === "POST" ? { body: "{broken" } : {}) });
  expect([answer.status, answer.headers.get("x-content-type-options")]).toEqual([answer.status, "nosniff"]);
});

test("so is an answer with a key, an unreadable body, and one that is too large", async () => {
  const { key } = await w.account();
  const headers = { "x-api-key": key, "content-type": "application/json" };
  for (const body of ["{broken", "x".repeat(2 * 1024 * 1024)]) {
    const answer = await fetch(`${w.app.url}/gateway/v1/phones`, { method: "POST", headers, body });
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  }
  const list = await fetch(`${w.app.url}/gateway/v1/phones`, { headers });
  expect([list.status, list.headers.get("x-content-type-options")]).toEqual([200, "nosniff"]);
});
