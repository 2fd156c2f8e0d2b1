import { expect, test } from "bun:test";
import { HOURS, inline, useKnowledge } from "../../../support/customers/agents/knowledge.ts";
import { newCustomer } from "../../../support/customers/customer.ts";
import { REPLIES } from "../../../support/llm/index.ts";
import { giveAgent } from "../../../support/llm/world.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";

const { w, llm, c, k } = useKnowledge();

const attempt = (body: object) => w.gateway(`/v1/phones/${c.phone.id}/ai-agent/test`, { key: c.key, body });
const listed = (query = "", key = c.key) => w.gateway(`/v1/ai/agents${query}`, { key });

test("with its knowledge the trial answers as a contact is answered, and names the passages that it used", async () => {
  const { id: documentId } = await k.learn(inline(HOURS, { title: "Horários" }));
  llm.reset();
  const { body } = await attempt({ message: "quando abrimos", withKnowledge: true });
  expect(body.passages).toEqual([
    { id: expect.any(String), documentId, title: "Horários", text: HOURS, similarity: expect.any(Number) },
  ]);
  expect(body.passages[0].similarity).toBeGreaterThan(0);
  const [chat] = llm.chats();
  expect(chat?.body.messages[0].content).toContain(HOURS);
  expect(chat?.body.messages.at(-1)).toEqual({ role: "user", content: "quando abrimos" });
  expect(llm.embeddings().length).toBe(1);
});

test("without it nothing is searched, and the answer names no passages", async () => {
  await k.learn(inline());
  llm.reset();
  const { body } = await attempt({ message: "quando abrimos" });
  expect(body).not.toHaveProperty("passages");
  expect([llm.embeddings().length, llm.chats().length]).toEqual([0, 1]);
});

test("an agent without documents has no passages, and the provider is asked once", async () => {
  llm.reset();
  const { body } = await attempt({ message: "quando abrimos", withKnowledge: true });
  expect(body.passages).toEqual([]);
  expect(llm.journal.length).toBe(1);
});

test("another prompt holds for the trial alone; a search that the provider refuses asks no model", async () => {
  await k.learn(inline());
  llm.reset();
  await attempt({ message: "quando abrimos", withKnowledge: true, systemPromptOverride: "Responda em versos." });
  expect(llm.chats()[0]?.body.messages[0].content).toStartWith("Responda em versos.");
  llm.reset();
  llm.next(REPLIES.refused(401, "Incorrect API key provided.", "invalid_api_key"));
  expect(gatewaySays(await attempt({ message: "quando abrimos", withKnowledge: true }))).toBe("502 AI_PROVIDER_ERROR");
  expect(llm.chats()).toEqual([]);
  expect(fieldsOf(await attempt({ message: "oi", withKnowledge: "yes" }))).toEqual(["withKnowledge"]);
});

test("the list has every agent of the account with its documents and today's tokens, and no other's", async () => {
  const other = await newCustomer(w);
  await giveAgent(w, other);
  await k.learn(inline());
  const { body } = await listed();
  expect(body).toEqual({
    items: [expect.objectContaining({ phoneId: c.phone.id, documentCount: 1, usedTokens: expect.any(Number) })],
    nextCursor: null,
  });
  expect(body.items[0].usedTokens).toBeGreaterThan(0);
  expect((await listed(`?phoneId=${c.phone.id}`)).body.items.length).toBe(1);
  expect((await listed(`?phoneId=${other.phone.id}`)).body.items).toEqual([]);
  expect((await listed("", other.key)).body.items[0]).toMatchObject({ documentCount: 0, usedTokens: 0 });
});

test("the list has pages, the newest phone first", async () => {
  const second = await w.wabaPhone(c.key);
  await giveAgent(w, { ...c, phone: second });
  const first = (await listed("?limit=1")).body;
  expect(first.items.map(({ phoneId }: { phoneId: string }) => phoneId)).toEqual([second.id]);
  const rest = (await listed(`?limit=1&cursor=${first.nextCursor}`)).body;
  expect([rest.items[0].phoneId, rest.nextCursor]).toEqual([c.phone.id, null]);
});
