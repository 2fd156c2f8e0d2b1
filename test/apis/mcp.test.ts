import { describe, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { READING_TOOLS } from "../../src/apis/mcp/reading-tools.ts";
import type { Call } from "../../src/apis/mcp/tool.ts";
import { newCustomer } from "../support/customers/customer.ts";
import { useEach, useWorld } from "../support/use-world.ts";
import { startWorld, type World } from "../support/world.ts";

const w = useWorld({ env: { RECADO_MCP: "on", RECADO_MCP_SENDS: "on" } });
const c = useEach(() => newCustomer(w));
const MARIA = "5511988887777";
const NOBODY = "00000000-0000-4000-8000-000000000000";

const connected = async (key: string, on: World = w): Promise<Client> => {
  const client = new Client({ name: "a-model", version: "1.0.0" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${on.app.url}/mcp`), { requestInit: { headers: { "x-api-key": key } } }),
  );
  return client;
};

/** The JSON that a tool answers. */
const used = async (client: Client, name: string, input: object = {}) => {
  const result = await client.callTool({ name, arguments: { ...input } });
  const [content] = result.content as { text: string }[];
  return { isError: result.isError === true, body: JSON.parse(content?.text ?? "") };
};

const toolsOf = async (client: Client) => (await client.listTools()).tools;
const toolsUsed = async () => {
  const { body } = await w.gateway("/v1/admin/audit?action=mcp.call", { admin: true });
  return body.items.map(({ target, actor }: { target: string; actor: string }) => [target, actor.split(":")[0]]);
};

describe("a language model with a key", () => {
  test("finds out who it is, which phones there are, what was written, and what became of it", async () => {
    const client = await connected(c.key);
    expect((await used(client, "get_account")).body).toMatchObject({ id: c.accountId });
    expect((await used(client, "list_phones")).body).toMatchObject([{ id: c.phone.id }]);
    const sent = await used(client, "send_message", { phoneId: c.phone.id, to: MARIA, text: "O pedido está pronto" });
    expect(sent).toMatchObject({ isError: false, body: { status: "QUEUED" } });
    await w.settle();
    const { messageId } = sent.body;
    expect((await used(client, "search_messages", { q: "pedido" })).body.items).toMatchObject([{ id: messageId }]);
    const [chat] = (await used(client, "find_chats", { phoneId: c.phone.id })).body.items;
    expect((await used(client, "answer_chat", { chatId: chat.id, text: "Até logo" })).isError).toBe(false);
    await w.settle();
    expect((await used(client, "read_chat", { chatId: chat.id })).body.items).toHaveLength(2);
    expect((await used(client, "why_not_delivered", { messageId, phoneId: c.phone.id })).body).toMatchObject({
      explanation: expect.stringContaining("The network has the message"),
      phone: { id: c.phone.id },
    });
  });

  test("explains why a message failed", async () => {
    w.graph.failNext(1, { kind: "error", code: 131_026 }, { phoneNumberId: c.phone.phoneNumberId });
    const client = await connected(c.key);
    const sent = await used(client, "send_message", { phoneId: c.phone.id, to: MARIA, text: "Oi" });
    await w.settle();
    const why = await used(client, "why_not_delivered", {
      messageId: sent.body.messageId,
      phoneId: c.phone.id,
    });
    expect(why.body.explanation).toStartWith("The message failed and is not tried again. The reason is: ");
  });

  test("reads resources by their addresses", async () => {
    const client = await connected(c.key);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["recado://account", "recado://phones", "recado://chats"]);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(3);
    const { contents } = await client.readResource({ uri: `recado://phones/${c.phone.id}` });
    expect(contents).toMatchObject([{ mimeType: "application/json", text: expect.stringContaining(c.phone.id) }]);
    for (const uri of [
      `recado://phones/${NOBODY}`,
      "recado://phones/../admin",
      "recado://secrets",
      "file:///etc/passwd",
    ])
      expect(client.readResource({ uri })).rejects.toThrow();
  });

  test("every use of a tool is in the audit log, with the key that it was used with", async () => {
    const before = (await toolsUsed()).length;
    const client = await connected(c.key);
    await used(client, "get_account");
    await used(client, "get_message", { messageId: NOBODY });
    await used(client, "get_usage"); // two requests
    const entries = await toolsUsed();
    expect(entries.slice(0, entries.length - before)).toEqual([
      ["get_usage", "key"],
      ["get_message", "key"],
      ["get_account", "key"],
    ]);
  });

  test("bad input and refusals are results that name the trouble, and nothing is sent", async () => {
    const client = await connected(c.key);
    const before = w.graph.journal.length;
    const bad = await used(client, "send_message", { phoneId: "mine", to: MARIA });
    expect(bad).toMatchObject({ isError: true, body: { issues: [{ path: "text" }, { path: "phoneId" }] } });
    const unknown = await used(client, "send_message", { phoneId: NOBODY, to: MARIA, text: "Oi" });
    expect(unknown).toMatchObject({
      isError: true,
      body: { status: 404, answer: { error: { code: "PHONE_NOT_FOUND" } } },
    });
    expect(client.callTool({ name: "drop_tables", arguments: {} })).rejects.toThrow();
    await w.settle();
    expect(w.graph.journal.length).toBe(before);
  });
});

describe("what is too much", () => {
  test("a longer answer than a model can read stays JSON, with its beginning and what to do", async () => {
    const said = `"${"\\".repeat(3900)}"`;
    for (let n = 0; n < 30; n++)
      await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: MARIA, text: said, at: w.clock.now() });
    await w.settle();
    const client = await connected(c.key);
    const { body } = await used(client, "search_messages", { limit: 100 });
    expect(body).toEqual({
      isCut: true,
      message: expect.stringContaining("Ask for less"),
      characters: expect.any(Number),
      beginning: expect.stringMatching(/^\{"items":\[/),
    });
    expect(JSON.stringify(body).length).toBeLessThan(100_000);
    expect((await used(client, "search_messages", { limit: 2 })).body.items).toHaveLength(2);
    const { contents } = await client.readResource({ uri: "recado://chats" });
    expect(JSON.parse((contents[0] as { text: string }).text).items).toHaveLength(1);
  });

  test("a batch is refused, because its messages would not be counted; so is what is no JSON", async () => {
    const posted = (body: string) =>
      fetch(`${w.app.url}/mcp`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "x-api-key": c.key,
        },
        body,
      });
    const call = { jsonrpc: "2.0", method: "tools/call", params: { name: "get_account", arguments: {} } };
    const before = (await toolsUsed()).length;
    const batch = await posted(JSON.stringify([1, 2].map((id) => ({ ...call, id }))));
    expect([batch.status, await batch.json()]).toEqual([
      400,
      { jsonrpc: "2.0", id: null, error: { code: -32_000, message: expect.stringContaining("batches") } },
    ]);
    expect((await posted("{")).status).toBe(400);
    expect((await toolsUsed()).length).toBe(before);
    expect((await posted(JSON.stringify({ ...call, id: 1 }))).status).toBe(200);
    expect((await toolsUsed()).length).toBe(before + 1);
  });

  test("a key that is revoked meanwhile opens nothing any more", async () => {
    const keys = `/v1/admin/accounts/${c.accountId}/api-keys`;
    const { body } = await w.gateway(keys, { admin: true, body: { name: "for a model" } });
    const client = await connected(body.key);
    await used(client, "get_account");
    await w.gateway(`/v1/admin/api-keys/${body.id}/revoke`, { admin: true, method: "POST" });
    expect(client.listTools()).rejects.toThrow();
    expect(client.callTool({ name: "get_account", arguments: {} })).rejects.toThrow();
  });
});

describe("the rights of the key", () => {
  test("another account's things are not there", async () => {
    const other = await newCustomer(w);
    const client = await connected(other.key);
    expect(await used(client, "get_phone", { phoneId: c.phone.id })).toMatchObject({
      isError: true,
      body: { status: 404 },
    });
    const sent = await used(client, "send_message", { phoneId: c.phone.id, to: MARIA, text: "Oi" });
    expect(sent).toMatchObject({ isError: true, body: { status: 404 } });
  });

  test("a key that may only read sends nothing", async () => {
    const { body } = await w.gateway(`/v1/admin/accounts/${c.accountId}/api-keys`, {
      admin: true,
      body: { name: "a reader", readOnly: true },
    });
    const client = await connected(body.key);
    const before = w.graph.journal.length;
    const sent = await used(client, "send_message", { phoneId: c.phone.id, to: MARIA, text: "Oi" });
    expect(sent).toMatchObject({ isError: true, body: { answer: { error: { code: "KEY_SCOPE_MISSING" } } } });
    expect(w.graph.journal.length).toBe(before);
    expect((await toolsUsed())[0]).toEqual(["send_message", "key"]); // what was refused is in the log too
  });

  test("without a key, or with a wrong one, nothing is open, not even the list of tools", async () => {
    const asked = (headers: Record<string, string>) =>
      fetch(`${w.app.url}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
    const [none, wrong, right] = [
      await asked({}),
      await asked({ "x-api-key": "ak_live_wrong" }),
      await asked({ authorization: `Bearer ${c.key}` }),
    ];
    expect([none.status, none.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="recado"']);
    expect([wrong.status, right.status]).toEqual([401, 200]);
    const page = await asked({ "x-api-key": c.key, origin: "https://evil.example" });
    expect(page.status).toBe(403);
    const large = await fetch(`${w.app.url}/mcp`, {
      method: "POST",
      headers: { "x-api-key": c.key },
      body: "x".repeat(300_000),
    });
    expect([large.status, (await fetch(`${w.app.url}/mcp`)).status]).toEqual([413, 405]);
  });
});

test("a tool passes on only parameters that its route takes", async () => {
  const { paths, components } = await Bun.file("test/snapshots/openapi.gateway.json").json();
  const namesOf = (path: string): string[] =>
    paths[path].get.parameters.map((one: { $ref?: string; name: string }) =>
      one.$ref ? components.parameters[one.$ref.split("/").at(-1) ?? ""].name : one.name,
    );
  const queries: [path: string, names: string[]][] = [];
  const asked: Call = async (_method, path, { query = {} } = {}) => {
    if (Object.keys(query).length > 0) queries.push([path.replaceAll(NOBODY, "{id}"), Object.keys(query)]);
    return {};
  };
  for (const { input, run } of READING_TOOLS)
    await run(asked, Object.fromEntries(Object.keys(input.properties).map((name) => [name, NOBODY])));
  expect(queries).not.toEqual([]);
  for (const [path, names] of queries) expect(namesOf(path), path).toEqual(expect.arrayContaining(names));
});

describe("what the operator allows", () => {
  test("the server is off by default, and offers no tool that writes unless that is on too", async () => {
    const closed = await startWorld();
    const reading = await startWorld({ env: { RECADO_MCP: "on" } });
    try {
      expect((await fetch(`${closed.app.url}/mcp`, { method: "POST" })).status).toBe(404);
      const { key } = await reading.account();
      const client = await connected(key, reading);
      const tools = await toolsOf(client);
      expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
      expect(client.callTool({ name: "send_message", arguments: {} })).rejects.toThrow("there is no tool");
      expect((await toolsOf(await connected(c.key))).length).toBeGreaterThan(tools.length);
    } finally {
      await Promise.all([closed.stop(), reading.stop()]);
    }
  });
});
