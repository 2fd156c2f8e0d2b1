import { expect, setDefaultTimeout, test } from "bun:test";
import { resolve } from "node:path";
import { ADMIN_TOKEN } from "../support/admin-token.ts";
import { clientOf } from "../support/client.ts";
import { processes } from "../support/processes/process.ts";

// Somebody with curl and a shell, at the doors where this server was once stopped or could be deceived.

setDefaultTimeout(300_000);
const { dataDir, serve } = processes();

const SETTINGS = {
  RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
  RECADO_BODY_TIMEOUT: "2",
  RECADO_CLOUD_URL: "on",
  RECADO_EVOLUTION_URL: "on",
  RECADO_MCP: "on",
};

const GATEWAY = /^\{"error":\{"code":"[A-Z_]+","message":"/;
const PLATFORM = /^\{"message":".*","code":"[A-Z_]+"\}$/;
const CLOUD = /^\{"error":\{"message":"\(#\d+\) /;
const EVOLUTION = /^\{"status":\d+,"error":"/;
const PLAIN = /^\{"error":"/;
/** Of the HTTP server below, which closes the connection. */
const CLOSED = /^(?:HTTP\/1\.1 .*)?Connection: close$|^$/;
const HEALTHY = /^\{"status":"ok"\}$/;
const NOTHING = /^$/;

/** TABLE: how each attack is answered. The first line that fits its name counts. */
const ANSWERS: readonly [name: RegExp, statuses: RegExp, body: RegExp][] = [
  [/^a long path of .+ at (?:console|gateway)$/, /^414$/, GATEWAY],
  [/^a long path of .+ at platform$/, /^414$/, PLATFORM],
  [/^a long path of .+ at graph$/, /^414$/, CLOUD],
  [/^a long path of .+ at evolution$/, /^414$/, EVOLUTION],
  [/^a long path of .+ at (?:metrics|none)$/, /^414$/, PLAIN],
  [/^the odd path .*(?:\.\.|%2e%2e)\//, /^400$/, PLAIN],
  [/^the odd path \/console\/\.\.%5c/, /^400$/, PLAIN],
  [/^the odd path \/gateway/, /^40[14]$/, GATEWAY],
  [/^the odd path \/platform/, /^401$/, PLATFORM],
  [/^the odd path \/graph/, /^401$/, CLOUD],
  [/^the odd path \/evolution/, /^401$/, EVOLUTION],
  [/^a form's part of 15,000 tabs, without a key$/, /^401$/, GATEWAY],
  [/^a form/, /^400$/, GATEWAY],
  [/^framing: a request behind a whole one$/, /^401,401$/, GATEWAY],
  [/^framing: a chunk's size/, /^(?:401,)?400$/, /Connection: close$/],
  [/^framing: line feeds alone$/, /^(?:400|505)$/, CLOSED],
  [/^framing: /, /^400$/, CLOSED],
  [/^what was hidden, in the open$/, /^201$/, /^\{/],
  [/^4 MB at \/gateway\/v1\/messages$/, /^401$/, GATEWAY],
  [/^4 MB at \/gateway\/v1\/admin/, /^403$/, GATEWAY],
  [/^4 MB at \/platform/, /^413$/, PLAIN],
  [/^4 MB at \/graph/, /^401$/, CLOUD],
  [/^4 MB at \/evolution/, /^401$/, EVOLUTION],
  [/^4 MB at \/mcp/, /^401$/, /^\{"jsonrpc":"2\.0","error":/],
  [/^4 MB at \/console/, /^403$/, GATEWAY],
  [/^4 MB at \/metrics$/, /^405$/, /^only GET$/],
  [/^4 MB at \/none$/, /^404$/, PLAIN],
  [/^a slow body$/, /^408$/, NOTHING],
  [/^1,300 wrong credentials: admin$/, /^(?:403,)?429$/, NOTHING],
  [/^1,300 wrong credentials: |^40 wrong passwords$/, /^(?:401,)?429$/, NOTHING],
  [/^health /, /^200$/, HEALTHY],
];

const faultOf = (line: string): string[] => {
  const [name = "", statuses = "", body = ""] = line.split("\t");
  const [, wanted, shape] = ANSWERS.find(([of]) => of.test(name)) ?? [];
  return wanted?.test(statuses) && shape?.test(body) ? [] : [line];
};

test("an attacker with curl and a shell gets refusals in the shape of each API, changes nothing, and keeps nobody from being served", async () => {
  const server = await serve({ ...SETTINGS, RECADO_DATA_DIR: dataDir() });
  const client = clientOf(server, ADMIN_TOKEN);
  const { key } = await client.account();
  const stored = () =>
    Promise.all([client.admin("/accounts"), ...["/v1/phones", "/v1/events"].map((path) => client.gateway(path, key))]);
  const before = await stored();
  const { hostname, port } = new URL(server.url);
  const attacker = Bun.spawn(["bash", resolve(import.meta.dir, "../support/processes/attacker.sh")], {
    env: { PATH: process.env["PATH"] ?? "", HOST: hostname, PORT: port, KEY: key },
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = (await new Response(attacker.stdout).text()).trimEnd().split("\n");
  expect(lines.flatMap(faultOf)).toEqual([]);
  const unused = ANSWERS.filter(([of]) => !lines.some((line) => of.test(line.split("\t")[0] ?? "")));
  expect(unused).toEqual([]);
  expect(await stored()).toEqual(before);
  expect(await client.gateway("/v1/webhooks", key)).toMatchObject([{ label: "in the open" }]);
  expect([server.out(), server.err()].join("").match(/"level":(?:50|60|"error"|"fatal")/)).toBeNull();
});
