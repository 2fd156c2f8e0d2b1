import { afterAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { clientOf } from "../support/client.ts";
import { pdfOf } from "../support/files/documents.ts";
import { startGraph } from "../support/graph/index.ts";
import { LLM_KEY, startLlm } from "../support/llm/index.ts";
import { processes } from "../support/processes/process.ts";
import { startMailSink } from "../support/servers/smtp.ts";
import { fileServer } from "../support/session/file-server.ts";
import { patiently, startGateway } from "../support/session/gateway-process.ts";
import { previewFormat } from "../support/session/picture.ts";
import { ADMIN_TOKEN, addWabaNumber } from "../support/world.ts";

// What a program loads only when it is needed: a binary must have it inside.

const tools = processes(afterAll);
const { dataDir, folder, run, serve } = tools;

test("a picture that a session sends has a preview", async () => {
  const gateway = await startGateway(tools);
  try {
    expect(await previewFormat(gateway)).toBe("jpeg");
  } finally {
    await gateway.end();
  }
});

test("who has registered logs in with the password alone, also after a restart", async () => {
  const settings = { RECADO_DATA_DIR: dataDir() };
  const first = await serve(settings);
  const post = (url: string, body: object) =>
    fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const made = await post(`${first.url}/platform/v1/auth/register`, {
    name: "Ana",
    email: "ana@example.com",
    password: "password-1",
    institutionName: "Padaria",
  });
  expect(made.status).toBe(201);
  first.signal("SIGTERM");
  await first.ended;
  const { url } = await serve(settings);
  const logIn = (password: string) =>
    post(`${url}/platform/v1/auth/login`, { email: "ana@example.com", password }).then(({ status }) => status);
  expect([await logIn("password-2"), await logIn("password-1")]).toEqual([401, 200]);
});

test("X-051 an agent learns pages and PDF files", async () => {
  const [graph, llm] = [startGraph(), startLlm()];
  await using site = fileServer((path) =>
    path.endsWith(".pdf")
      ? new Response(pdfOf(["Fechamos aos domingos."], { title: "Domingos" }), {
          headers: { "content-type": "application/pdf" },
        })
      : new Response("<html><head><title>Horário</title></head><body><p>Abrimos às oito horas.</p></body></html>", {
          headers: { "content-type": "text/html; charset=utf-8" },
        }),
  );
  try {
    const server = await serve({
      RECADO_DATA_DIR: dataDir(),
      RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
      RECADO_META_GRAPH_URL: graph.url,
      RECADO_LLM_URL: llm.url,
      RECADO_OUTBOUND_ALLOW: "127.0.0.1",
      RECADO_GATEWAY_RATE: "1000000",
    });
    const client = clientOf(server, ADMIN_TOKEN);
    const { key } = await client.account();
    const { number: _, ...credentials } = addWabaNumber(graph);
    const { id } = await client.gateway<{ id: string }>("/v1/phones", key, {
      type: "WABA",
      label: "A phone",
      credentials,
    });
    const agent = `/v1/phones/${id}/ai-agent`;
    await client.gateway(agent, key, { systemPrompt: "You are the attendant of a bakery." }, "PUT");
    await client.gateway("/v1/account/integrations/llm", key, { apiKey: LLM_KEY }, "PATCH");
    const learnt = async (file: string) => {
      const { id: added } = await client.gateway<Document>(`${agent}/knowledge`, key, {
        source: "URL",
        url: `${site.url}/${file}`,
      });
      return patiently(`${file} is not learnt`, async () => {
        const document = await client.gateway<Document>(`${agent}/knowledge/${added}`, key);
        return ["PENDING", "PROCESSING"].includes(document.status) ? undefined : document;
      });
    };
    expect(await learnt("horario.html")).toMatchObject({ status: "READY", title: "Horário", chunkCount: 1 });
    expect(await learnt("domingos.pdf")).toMatchObject({ status: "READY", title: "Domingos", chunkCount: 1 });
  } finally {
    await Promise.all([graph.stop(), llm.stop()]);
  }
});

type Document = { id: string; status: string };

test("X-150 who does not pay is reminded by mail", async () => {
  const sink = await startMailSink();
  try {
    const server = await serve({
      RECADO_DATA_DIR: dataDir(),
      RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
      RECADO_SMTP_URL: sink.url,
      RECADO_MAIL_FROM: "Recado <cobranca@recado.example>",
      RECADO_OUTBOUND_ALLOW: "127.0.0.1",
    });
    const { admin, health } = clientOf(server, ADMIN_TOKEN);
    const { id } = await admin<{ id: string }>("/accounts", {
      name: "Padaria",
      billingEmail: "contas@padaria.example",
    });
    const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
    await admin(`/accounts/${id}/invoices`, { totalCents: 12_990, dueDate: yesterday });
    await admin("/jobs/dunning/run", {});
    await patiently("no mail comes", () => health().then(() => sink.received[0]));
    expect(sink.received[0]).toMatchObject({ to: ["contas@padaria.example"] });
  } finally {
    await sink.stop();
  }
});

test("a plugin is loaded in TypeScript, with the files beside it and the packages below it", async () => {
  const [dir, data] = [folder(), dataDir()];
  mkdirSync(join(dir, "pigeon/node_modules/loft"), { recursive: true });
  const write = (file: string, text: string) => writeFileSync(join(dir, "pigeon", file), text);
  write("node_modules/loft/package.json", `{"name":"loft","version":"1.0.0","main":"main.cjs"}`);
  write("node_modules/loft/main.cjs", `module.exports = { loft: "loft" };`);
  write("names.ts", `export const name = (part: string): string => "pigeon of the " + part;`);
  write(
    "plugin.ts",
    `import { loft } from "loft";\nimport { name } from "./names.ts";\nexport default { contract: "2.0", name: "pigeon", version: "1.0.0", hosts: [], create: () => { throw new Error(name(loft)); } };`,
  );
  const { code, err } = await run(["plugin", "check", join(dir, "pigeon")], { RECADO_DATA_DIR: data });
  expect(code).toBe(1);
  expect(err).toContain("plugin.ts: Error: pigeon of the loft");
});
