import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { clientOf } from "../support/client.ts";
import { processes, type Server } from "../support/processes/process.ts";
import { untilTrue } from "../support/waiting.ts";
import { ADMIN_TOKEN } from "../support/world.ts";

// A refusal reaches a client that is still writing. The client is Node's own: programs over it (axios, got, n8n) see a
// broken connection before they look for an answer, unlike curl and fetch.

setDefaultTimeout(120_000);
const { dataDir, serve, folder } = processes();

const CLIENT = `
import { readFileSync } from "node:fs";
import { request } from "node:http";
const { url, asks } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const once = ({ path, headers = {}, size, chunked }) => new Promise((resolve) => {
  const sent = chunked ? { ...headers, "transfer-encoding": "chunked" } : { ...headers, "content-length": size };
  const outgoing = request(url + path, { method: "POST", agent: false, headers: { "content-type": "application/json", ...sent } }, (answer) => {
    let text = "";
    answer.on("data", (some) => (text += some));
    answer.on("end", () => resolve(answer.statusCode + " " + ((answer.headers["x-request-id"] ?? answer.headers["x-fb-trace-id"]) ? "named" : "") + (text ? "" : "no body")));
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
  const asked = join(folder(), "asks.json");
  writeFileSync(asked, JSON.stringify({ url, asks }));
  const child = Bun.spawn(["node", file, asked], { stdout: "pipe", stderr: "inherit" });
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
  RECADO_MCP: "on",
  RECADO_META_APP_SECRET: "of-the-app-of-the-test",
  RECADO_PROCESSOR_API_KEY: "of-the-processor",
  RECADO_PROCESSOR_WEBHOOK_TOKEN: "of-the-processor-webhooks",
};

test("a refusal reaches Node's own client in 39 of 39 tries", async () => {
  const server = await serve({ ...SETTINGS, RECADO_DATA_DIR: dataDir() });
  const { key } = await clientOf(server, ADMIN_TOKEN).account();
  const knowledge = "/gateway/v1/phones/none/ai-agent/knowledge/files";
  const seen = await seenByNode(server, [
    { path: "/gateway/v1/messages", size: 4 * MIB, tries: 39 },
    { path: "/platform/v1/auth/login", size: 4 * MIB, tries: 39 },
    { path: knowledge, headers: { "x-api-key": key }, size: 11 * MIB, tries: 39 },
  ]);
  expect(seen).toEqual([["401 named"], ["413 named"], ["413 named"]]);
});

/** What a client sees for a body of 4 MiB, the same in chunks, and one of 200 kB. */
type Statuses = [announced: number, chunked: number, short: number];
const EACH = (status: number): Statuses => [status, status, status];

test("so does every early refusal of every API, with its own status, whatever the body's length, announced or not", async () => {
  const server = await serve({ ...SETTINGS, RECADO_DATA_DIR: dataDir() });
  const { key } = await clientOf(server, ADMIN_TOKEN).account();
  const json = { "x-api-key": key };
  const admin = { "x-admin-token": ADMIN_TOKEN };
  const form = { ...json, "content-type": "multipart/form-data; boundary=none" };
  const long = "x".repeat(9000);
  const cases: [path: string, headers: Record<string, string>, statuses: Statuses][] = [
    // a stranger is asked for credentials before anything else
    ["/gateway/v1/messages", {}, EACH(401)],
    ["/gateway/v1/messages", { "x-api-key": "wrong" }, EACH(401)],
    ["/gateway/v1/none", {}, EACH(401)],
    ["/gateway/v1/admin/accounts", {}, EACH(403)],
    ["/gateway/v1/payment-webhook", { "asaas-access-token": "wrong" }, EACH(401)],
    ["/platform/v1/channels", {}, EACH(401)],
    ["/platform/v1/none", {}, EACH(401)],
    ["/platform/v1/channels/%00", {}, EACH(401)],
    ["/graph/v24.0/123/messages", {}, EACH(401)],
    ["/graph/v24.0/123/messages", { authorization: "Bearer wrong" }, EACH(401)],
    ["/graph/none", {}, EACH(401)],
    ["/evolution/message/sendText/none", {}, EACH(401)],
    ["/evolution/message/sendText/none", { apikey: "wrong" }, EACH(401)],
    ["/mcp", {}, EACH(401)],
    ["/mcp", { "x-api-key": "wrong" }, EACH(401)],
    // who is known, and who needs no credentials, has a limit
    ["/gateway/v1/messages", json, [413, 413, 400]],
    ["/gateway/v1/messages", { ...json, "content-type": "text/plain" }, [413, 413, 400]],
    ["/gateway/v1/none", json, [413, 404, 404]],
    ["/gateway/v1/phones/none/media", { ...json, "content-type": "image/png" }, [413, 404, 404]],
    ["/gateway/v1/media/files", form, EACH(400)],
    ["/gateway/v1/admin/accounts", admin, [413, 413, 400]],
    ["/gateway/v1/upstream-webhook", {}, EACH(403)],
    ["/platform/v1/auth/login", {}, [413, 413, 400]],
    ["/evolution/message/sendText/none", { apikey: key }, [413, 404, 404]],
    ["/evolution/none", { apikey: key }, [413, 404, 404]],
    ["/mcp", json, [413, 413, 400]],
    // no API has them
    ["/metrics", {}, EACH(405)],
    ["/none", {}, EACH(404)],
    ["/console/none", {}, EACH(404)],
    ...["/gateway/v1/", "/platform/v1/", "/graph/v24.0/", "/evolution/", "/mcp/", "/"].map(
      (under): (typeof cases)[number] => [`${under}${long}`, {}, EACH(414)],
    ),
  ];
  const sizes = [{ size: 4 * MIB }, { size: 4 * MIB, chunked: true }, { size: 200_000 }];
  const asks = cases.flatMap(([path, headers]) => sizes.map((one): Ask => ({ path, headers, ...one, tries: 3 })));
  const seen = await seenByNode(server, asks);
  const named = (path: string, headers: object) => `${path.slice(0, 40)} ${Object.keys(headers).join()}`;
  const statusesOf = (at: number) =>
    sizes.map((_, n) => (seen[at * sizes.length + n] ?? []).map((one) => one.split(" ")[0]).join("|"));
  expect(cases.map(([path, headers], at) => `${named(path, headers)} ${statusesOf(at).join()}`)).toEqual(
    cases.map(([path, headers, statuses]) => `${named(path, headers)} ${statuses.join()}`),
  );
});

/** Each path asked with a body of a known length, and with one in chunks. */
const inBothForms = (path: string, headers: Record<string, string>): Ask[] => [
  { path, headers, size: 4 * MIB, tries: 3 },
  { path, headers, size: 4 * MIB, chunked: true, tries: 3 },
];

test("so do 429, of strangers and of those who are known, and 503 of what is not set up", async () => {
  const { RECADO_PROCESSOR_API_KEY: _, ...others } = SETTINGS;
  const rates = { RECADO_GATEWAY_RATE: "1", RECADO_ADDRESS_RATE: "1" };
  const server = await serve({ ...others, ...rates, RECADO_DATA_DIR: dataDir() });
  const { key } = await clientOf(server, ADMIN_TOKEN).account();
  const asks: [path: string, headers: Record<string, string>][] = [
    ["/gateway/v1/messages", {}],
    ["/gateway/v1/messages", { "x-api-key": key }],
    ["/platform/v1/channels", {}],
    ["/graph/v24.0/123/messages", {}],
    ["/evolution/message/sendText/none", {}],
    ["/mcp", { "x-api-key": key }],
  ];
  await seenByNode(
    server,
    asks.map(([path, headers]) => ({ path, headers, size: 2, tries: 2 })),
  );
  const seen = await seenByNode(
    server,
    asks.flatMap(([path, headers]) => inBothForms(path, headers)),
  );
  expect(seen).toEqual(seen.map(() => ["429 named"]));
  expect(await seenByNode(server, inBothForms("/gateway/v1/payment-webhook", {}))).toEqual([
    ["503 named"],
    ["503 named"],
  ]);
});

test("so does 503 where other bodies have used up what is held in memory", async () => {
  const path = "/gateway/v1/upstream-webhook";
  const headers = { "x-hub-signature-256": `sha256=${"0".repeat(64)}` };
  const budget = { RECADO_BODY_BUDGET: "32", RECADO_BODY_TIMEOUT: "600" }; // 4 MiB for an address that nobody knows
  const server = await serve({ ...SETTINGS, ...budget, RECADO_DATA_DIR: dataDir() });
  const held = connect(Number(new URL(server.url).port), "127.0.0.1");
  try {
    const head = [
      `POST ${path} HTTP/1.1`,
      "Host: 127.0.0.1",
      `Content-Length: ${4 * MIB}`,
      "Content-Type: application/json",
    ];
    held.write([...head, `X-Hub-Signature-256: ${headers["x-hub-signature-256"]}`, "", ""].join("\r\n"));
    held.write(Buffer.alloc(3 * MIB, 32));
    const asks = inBothForms(path, headers);
    await untilTrue(async () => (await seenByNode(server, asks)).every((one) => one.join() === "503 named"));
    expect(await seenByNode(server, asks)).toEqual([["503 named"], ["503 named"]]);
  } finally {
    held.destroy();
  }
});

test.skipIf(Bun.which("curl") === null)(
  "so does one to curl, which stops writing: it ends well and has the whole body",
  async () => {
    const server = await serve({ ...SETTINGS, RECADO_DATA_DIR: dataDir() });
    const { key } = await clientOf(server, ADMIN_TOKEN).account();
    const file = join(folder(), "body");
    writeFileSync(file, Buffer.alloc(4 * MIB, 32));
    const asks = [
      ["/gateway/v1/messages", [], 401],
      ["/gateway/v1/messages", ["-H", `X-API-Key: ${key}`], 413],
      ["/platform/v1/auth/login", [], 413],
      ["/graph/v24.0/123/messages", [], 401],
      ["/evolution/message/sendText/none", [], 401],
      ["/mcp", [], 401],
    ] as const;
    for (const [path, headers, status] of asks)
      for (const chunked of [[], ["-H", "Transfer-Encoding: chunked"]]) {
        const body = ["--data-binary", `@${file}`, "-H", "Content-Type: application/json"];
        const child = Bun.spawn([
          "curl",
          "-s",
          "-w",
          "\n%{http_code}",
          ...body,
          ...headers,
          ...chunked,
          server.url + path,
        ]);
        const [text, code] = [await new Response(child.stdout).text(), await child.exited];
        const [answer = "", seen] = text.split(/\n(?=\d+$)/);
        expect([path, code, seen]).toEqual([path, 0, String(status)]);
        expect(JSON.parse(answer)).toBeObject();
      }
  },
);

/** What a raw client sees on one connection, until it has two answers or the server closes it. */
const seenRaw = (
  { url }: Server,
  first: string,
  react: (socket: Socket, text: string) => void,
): Promise<{ text: string; isClosed: boolean }> =>
  new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(first));
    const end = (isClosed: boolean) => {
      socket.destroy();
      resolve({ text, isClosed });
    };
    socket.on("data", (some) => {
      text += some;
      react(socket, text);
      if (text.split("HTTP/1.1 401").length > 2) end(false);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => end(true));
  });

const postOf = (length: number) =>
  `POST /gateway/v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

test("who never ends a refused body loses the connection; who has ended it keeps it", async () => {
  const server = await serve({ ...SETTINGS, RECADO_DATA_DIR: dataDir() });
  let drip: ReturnType<typeof setInterval> | undefined;
  const endless = await seenRaw(server, `${postOf(100_000)}a`, (socket, text) => {
    if (text.endsWith("\r\n0\r\n\r\n")) drip ??= setInterval(() => socket.write("a"), 100);
  });
  clearInterval(drip);
  expect(endless).toMatchObject({ isClosed: true });
  expect(endless.text).toContain("HTTP/1.1 401");
  let isRepeated = false;
  const whole = await seenRaw(server, `${postOf(4)}abcd`, (socket) => {
    if (!isRepeated) socket.write(`${postOf(4)}abcd`);
    isRepeated = true;
  });
  expect(whole).toMatchObject({ isClosed: false });
}, 30_000);
