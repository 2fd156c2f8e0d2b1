import { expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { processes } from "../../support/processes/process.ts";

const { dataDir, program, run, serve } = processes();

const accountOn = async (data: string): Promise<{ key: string }> => {
  const { out } = await run(["account", "create", "--name", "A bakery"], { RECADO_DATA_DIR: data });
  return { key: JSON.parse(out).key };
};

test("a program that starts recado mcp gets the tools, with the rights of its key and no others", async () => {
  const data = dataDir();
  const server = await serve({ RECADO_DATA_DIR: data });
  const { key } = await accountOn(data);
  const started = async (...flags: string[]) => {
    const client = new Client({ name: "a-model", version: "1.0.0" });
    const [command = "", ...args] = program;
    const env = { RECADO_URL: server.gatewayUrl, RECADO_API_KEY: key };
    await client.connect(new StdioClientTransport({ command, args: [...args, "mcp", ...flags], env }));
    return client;
  };
  const reader = await started();
  const { tools } = await reader.listTools();
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
  const account = await reader.callTool({ name: "get_account", arguments: {} });
  expect(account).toMatchObject({ content: [{ text: expect.stringContaining("A bakery") }] });
  await reader.close();
  const writer = await started("--allow-sends");
  expect((await writer.listTools()).tools.map(({ name }) => name)).toContain("send_message");
  await writer.close();
});

test("recado mcp says what is missing, and starts nothing", async () => {
  const home = { RECADO_DATA_DIR: dataDir() };
  const missing = await run(["mcp"], home);
  expect([missing.code, missing.out, missing.err]).toEqual([
    2,
    "",
    expect.stringContaining("RECADO_API_KEY is missing"),
  ]);
  const nowhere = await run(["mcp"], { ...home, RECADO_API_KEY: "ak_live_x" });
  expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining("no server runs on this machine")]);
  const wrong = await run(["mcp", "--url", "ftp://example.com"], { ...home, RECADO_API_KEY: "ak_live_x" });
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("http:// or https:// URL")]);
});
