import { afterAll, expect, test } from "bun:test";
import { clientOf } from "../../support/client.ts";
import { startGraph } from "../../support/graph/index.ts";
import { LLM_KEY, REPLIES, startLlm } from "../../support/llm/index.ts";
import { processes } from "../../support/processes/process.ts";
import { untilTrue } from "../../support/waiting.ts";
import { ADMIN_TOKEN, APP_SECRET, addWabaNumber } from "../../support/world.ts";

const { dataDir, serve } = processes();
const graph = startGraph();
const llm = startLlm();
afterAll(() => Promise.all([graph.stop(), llm.stop()]));

const PARAGRAPH = "uma frase comum que enche o parágrafo. ".repeat(18);
const TEXT = Array.from({ length: 150 }, (_, n) => `assunto ${n}: ${PARAGRAPH}`).join("\n\n");

type Document = { id: string; status: string; chunkCount: number };

test("X-056 a document that is learnt when the process is killed is learnt after it, and what was paid for is not asked for twice", async () => {
  const settings = {
    RECADO_DATA_DIR: dataDir(),
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    RECADO_META_APP_SECRET: APP_SECRET,
    RECADO_META_GRAPH_URL: graph.url,
    RECADO_OUTBOUND_ALLOW: "127.0.0.1",
    RECADO_LLM_URL: llm.url,
    RECADO_GATEWAY_RATE: "1000000",
  };
  const first = await serve(settings);
  const client = clientOf(first, ADMIN_TOKEN);
  const { key } = await client.account();
  const { number: _, ...credentials } = addWabaNumber(graph);
  const phone = await client.gateway<{ id: string }>("/v1/phones", key, {
    type: "WABA",
    label: "A phone",
    credentials,
  });
  const agent = `/v1/phones/${phone.id}/ai-agent`;
  const set = (path: string, method: string, body: object) =>
    fetch(`${first.gatewayUrl}${path}`, {
      method,
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  await set(agent, "PUT", { systemPrompt: "You are the attendant of a bakery." });
  await set("/v1/account/integrations/llm", "PATCH", { apiKey: LLM_KEY });
  llm.answer(() => (llm.journal.length === 3 ? REPLIES.held(new Promise(() => {})) : undefined));
  const { id } = await client.gateway<Document>(`${agent}/knowledge`, key, { source: "TEXT_INLINE", text: TEXT });
  await llm.received(3);
  first.signal("SIGKILL");
  await first.ended;
  llm.reset();

  const again = clientOf(await serve(settings), ADMIN_TOKEN);
  const read = () => again.gateway<Document>(`${agent}/knowledge/${id}`, key);
  await untilTrue(async () => !["PROCESSING", "PENDING"].includes((await read()).status));
  const document = await read();
  expect(document.status).toBe("READY");
  expect(document.chunkCount).toBeGreaterThan(140);
  expect(llm.embeddings().map(({ body }) => body.input.length)).toEqual([document.chunkCount - 128]);
}, 120_000);
