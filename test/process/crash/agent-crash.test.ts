import { afterAll, expect, test } from "bun:test";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { clientOf } from "../../support/client.ts";
import { addOfficialPhone, type OfficialPhone } from "../../support/customers/official-phone.ts";
import { startGraph } from "../../support/graph/index.ts";
import { LLM_KEY, REPLIES, startLlm } from "../../support/llm/index.ts";
import { processes, type Server } from "../../support/processes/process.ts";
import { roundsOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";
import { pauses, realTime, untilTrue } from "../../support/waiting.ts";
import { ADMIN_TOKEN, APP_SECRET } from "../../support/world.ts";

const ROUNDS = roundsOf(8);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
/** From before the answer has arrived until after it has been written. */
const LONGEST_MS = 12;
const TIME_LIMIT_MS = 120_000;

const { dataDir, serve } = processes(afterAll);
const graph = startGraph();
const llm = startLlm();
afterAll(() => Promise.all([graph.stop(), llm.stop()]));

type Turn = { role: string; content: string };

test(
  `X-030 kill -9 around the provider's answer has it asked again where it must, and leaves one answer and one greeting (${ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const settings = {
      RECADO_DATA_DIR: dataDir(),
      RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
      RECADO_META_APP_SECRET: APP_SECRET,
      RECADO_META_GRAPH_URL: graph.url,
      RECADO_LLM_URL: llm.url,
      RECADO_OUTBOUND_ALLOW: "127.0.0.1",
    };
    let server = await serve(settings);
    const phone = await phoneWithAgent(server);
    for (let round = 0; round < ROUNDS; round++) {
      const gate = Promise.withResolvers<void>();
      llm.next(REPLIES.held(gate.promise, `answer ${round}`));
      llm.answer(() => `answer ${round}`);
      graph.webhooks.configure({ url: `${server.url}/gateway/v1/upstream-webhook`, appSecret: APP_SECRET });
      const asked = llm.journal.length;
      const from = `551199999000${round}`;
      await graph.inbound.text({ to: phone.phoneNumberId, from, text: `question ${round}` });
      await llm.received(asked + 1);
      if (round > 0) gate.resolve(); // in the first round the answer has never come
      await realTime(random.float() * LONGEST_MS);
      server.signal("SIGKILL");
      await server.ended;
      server = await serve(settings);
      const turns = await answered(server, phone, from);
      expect(turns.map(({ role, content }) => `${role} ${content}`)).toEqual([
        `USER question ${round}`,
        "ASSISTANT Bem-vindo!",
        `ASSISTANT answer ${round}`,
      ]);
    }
    await untilTrue(async () => graph.sent.size > ROUNDS); // a turn is said before its message has been sent
    const answers = [...graph.sent.values()].map(({ body }) => JSON.stringify([body["to"], body["text"]]));
    // what was being sent at the moment may count as failed, and is not sent again
    expect(answers.length).toBeGreaterThan(ROUNDS);
    expect(new Set(answers).size).toBe(answers.length);
    expect(llm.chats().length).toBeGreaterThan(ROUNDS);
    console.log(JSON.stringify({ asked: llm.chats().length, sent: answers.length }));
  },
  TIME_LIMIT_MS,
);

const phoneWithAgent = async (server: Server): Promise<OfficialPhone> => {
  const client = clientOf(server, ADMIN_TOKEN);
  const phone = await addOfficialPhone(client, graph);
  const { id, key } = phone;
  await client.gateway("/v1/account/integrations/llm", key, { apiKey: LLM_KEY }, "PATCH");
  await client.gateway(
    `/v1/phones/${id}/ai-agent`,
    key,
    { systemPrompt: "You are the attendant of a bakery.", enabled: true, greeting: "Bem-vindo!" },
    "PUT",
  );
  return phone;
};

/** What was said once the agent has answered. */
const answered = async (server: Server, { id, key }: OfficialPhone, from: string): Promise<Turn[]> => {
  for (const pause = pauses(); ; await pause()) {
    const turns = await clientOf(server, ADMIN_TOKEN).gateway<Turn[]>(
      `/v1/phones/${id}/ai-agent/conversations/${encodeURIComponent(`pn:${from}`)}/messages`,
      key,
    );
    if (turns.some(({ content }) => content.startsWith("answer"))) return turns;
  }
};
