import { afterAll, expect, test } from "bun:test";
import { clientOf } from "../../support/client.ts";
import { addOfficialPhone } from "../../support/customers/official-phone.ts";
import { startGraph } from "../../support/graph/index.ts";
import { LLM_KEY, REPLIES, startLlm } from "../../support/llm/index.ts";
import { processes } from "../../support/processes/process.ts";
import { untilTrue } from "../../support/waiting.ts";
import { ADMIN_TOKEN, APP_SECRET } from "../../support/world.ts";

const TIME_LIMIT_MS = 60_000;

const { dataDir, serve } = processes(afterAll);
const graph = startGraph();
const llm = startLlm();
afterAll(() => Promise.all([graph.stop(), llm.stop()]));

test(
  "a run of an agent's questions goes on after kill -9: only the question that was being answered is asked again",
  async () => {
    const settings = {
      RECADO_DATA_DIR: dataDir(),
      RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
      RECADO_META_APP_SECRET: APP_SECRET,
      RECADO_META_GRAPH_URL: graph.url,
      RECADO_LLM_URL: llm.url,
      RECADO_OUTBOUND_ALLOW: "127.0.0.1",
    };
    let server = await serve(settings);
    const { id, key } = await addOfficialPhone(clientOf(server, ADMIN_TOKEN), graph);
    const ask = (path: string, body?: object, method?: string): Promise<any> =>
      clientOf(server, ADMIN_TOKEN).gateway(path, key, body, method);
    const trials = `/v1/phones/${id}/ai-agent/trials`;
    await ask("/v1/account/integrations/llm", { apiKey: LLM_KEY }, "PATCH");
    await ask(`/v1/phones/${id}/ai-agent`, { systemPrompt: "You are the attendant of a bakery." }, "PUT");
    const questions = ["first", "second", "third"].map((text) => ({ text, facts: ["You said"] }));
    await ask(trials, { questions }, "PUT");
    llm.next("You said: first", REPLIES.held(new Promise(() => {})));
    const run = await ask(`${trials}/runs`, undefined, "POST");
    await llm.received(2);
    server.signal("SIGKILL");
    await server.ended;
    server = await serve(settings);
    const read = () => ask(`${trials}/runs/${run.id}`);
    await untilTrue(async () => (await read()).status !== "RUNNING");
    expect(await read()).toMatchObject({ status: "DONE", totals: { questions: 3, passed: 3 } });
    expect(llm.chats().map(({ body }) => body.messages.at(-1).content)).toEqual(["first", "second", "second", "third"]);
  },
  TIME_LIMIT_MS,
);
