import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { clientOf } from "../support/client.ts";
import { processes, type Server } from "../support/process.ts";
import { ADMIN_TOKEN } from "../support/world.ts";

// A refusal reaches a client that is still writing. The client is Node's own: programs over it (axios, got, n8n) see a
// broken connection before they look for an answer, unlike curl and fetch.

setDefaultTimeout(120_000);
const { dataDir, serve, folder } = processes();

const CLIENT = `
import { request } from "node:http";
const { url, asks } = JSON.parse(process.argv[2]);
const once = ({ path, headers = {}, size, chunked }) => new Promise((resolve) => {
  const sent = chunked ? { ...headers, "transfer-encoding": "chunked" } : { ...headers, "content-length": size };
  const outgoing = request(url + path, { method: "POST", agent: false, headers: { "content-type": "application/json", ...sent } }, (answer) => {
    let text = "";
    answer.on("data", (some) => (text += some));
    answer.on("end", () => resolve(answer.statusCode + " " + (answer.headers["x-request-id"] ? "named" : "") + (text ? "" : "no body")));
    answer.on("error", (error) => resolve(error.code));
  });
  outgoing.on("error", (error) => resolve(error.code));
  outgoing.end(Buffer.alloc(size, 32));
});
const seen = [];
for (const ask of asks) {
  const results = new Set();
  for (let n = 0; n < ask.tries; n++) results.add((await once(ask)).trim());
  seen.push([...results]);
}
console.log(JSON.stringify(seen));
`;

type Ask = { path: string; headers?: Record<string, string>; size: number; chunked?: boolean; tries: number };

/** What Node's client sees of each request, over all tries. */
const seenByNode = async ({ url }: Server, asks: Ask[]): Promise<string[][]> => {
  const file = join(folder(), "client.mjs");
  writeFileSync(file, CLIENT);
  const child = Bun.spawn(["node", file, JSON.stringify({ url, asks })], { stdout: "pipe", stderr: "inherit" });
  const text = await new Response(child.stdout).text();
  return JSON.parse(text);
};

const MIB = 1024 * 1024;
const SETTINGS = {
  RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
  RECADO_GATEWAY_RATE: "100000",
  RECADO_ADDRESS_RATE: "100000",
  RECADO_CLOUD_URL: "on",
  RECADO_EVOLUTION_URL: "on",
};

test("a refusal reaches Node's own client in 39 of 39 tries", async () => {
  const server = await serve({ ...SETTINGS, RECADO_DATA_DIR: dataDir() });
  const { key } = await clientOf(server, ADMIN_TOKEN).account();
  const knowledge = "/gateway/v1/phones/none/ai-agent/knowledge/files";
  const seen = await seenByNode(server, [
    { path: "/gateway/v1/messages", size: 4 * MIB, tries: 39 },
    { path: "/platform/v1/auth/login", size: 4 * MIB, tries: 39 },
    { path: knowledge, headers: { "x-api-key": key }, size: 10 * MIB + 1, tries: 39 },
  ]);
  expect(seen).toEqual([["413 named"], ["413 named"], ["413 named"]]);
});

test("so does every early refusal of every API, whatever the body's length, announced or not", async () => {
  const server = await serve({ ...SETTINGS, RECADO_DATA_DIR: dataDir() });
  const { key } = await clientOf(server, ADMIN_TOKEN).account();
  const json = { "x-api-key": key };
  const paths: [path: string, headers?: Record<string, string>][] = [
    ["/gateway/v1/messages"],
    ["/gateway/v1/messages", json],
    ["/gateway/v1/none", json],
    ["/gateway/v1/phones/none/media", { ...json, "content-type": "image/png" }],
    ["/gateway/v1/media/files", { ...json, "content-type": "multipart/form-data; boundary=none" }],
    ["/gateway/v1/messages", { ...json, "content-type": "text/plain" }],
    ["/gateway/v1/upstream-webhook"],
    ["/gateway/v1/messages", { "x-api-key": "wrong" }],
    ["/gateway/v1/admin/accounts"],
    ["/platform/v1/channels"],
    ["/platform/v1/none"],
    ["/platform/v1/channels/%00"],
    ["/platform/v1/auth/login"],
    ["/graph/v24.0/123/messages"],
    ["/evolution/message/sendText/none"],
    ["/mcp"],
    ["/none"],
    [`/gateway/v1/${"x".repeat(9000)}`],
    ["/console/none"],
  ];
  const asks = paths.flatMap(([path, headers = {}]): Ask[] => [
    { path, headers, size: 4 * MIB, tries: 3 },
    { path, headers, size: 4 * MIB, chunked: true, tries: 3 },
    { path, headers, size: 200_000, tries: 3 },
  ]);
  const seen = await seenByNode(server, asks);
  const lost = asks.flatMap((ask, at) => {
    const isAnswered = seen[at]?.every((one) => /^[45]\d\d\b/.test(one));
    return isAnswered ? [] : [`${ask.path} ${ask.size} ${ask.chunked ?? false}: ${seen[at]?.join()}`];
  });
  expect(lost).toEqual([]);
});
