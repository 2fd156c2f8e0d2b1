import { type ChannelId, newId, type TenantId } from "../../../../src/kernel/ids.ts";
import { insertAiConversation, insertAiTurn } from "../../../../src/store/tables/ai/ai-conversations.ts";
import { insertTrialRun, putTrialSet } from "../../../../src/store/tables/ai/trials.ts";
import { giveAgent, giveKey, type LlmWorld } from "../../llm/world.ts";
import type { Answer, World } from "../../world.ts";
import { type Customer, newCustomer, sendsOf, TO } from "../customer.ts";

/** A customer whose phone has an agent with a provider's key, and the messages of contacts to it. */
export type Chat = Omit<Customer, "sent"> & {
  /** Lets a contact write, and waits for all effects. Returns the network's id of the message. */
  says(text: string, from?: string): Promise<string>;
  /** The sends of the phone, in order: recipient and text. */
  sent(): string[];
  agent(verb?: string, method?: string): Promise<Answer>;
  /** A call about the conversations, or about one. */
  talk(path?: string, call?: { method?: string; body?: unknown }): Promise<Answer>;
  /** The conversation with a contact. @throws without one. */
  with(from?: string): Promise<any>;
  turns(from?: string): Promise<any[]>;
};

export const keyOf = (from = TO): string => encodeURIComponent(`pn:${from}`);

export const newChat = async ({ w }: Pick<LlmWorld, "w">, more: object = {}): Promise<Chat> => {
  const customer = await newCustomer(w);
  await giveKey(w, customer);
  await giveAgent(w, customer, more);
  return chatOf(w, customer);
};

/** The same for a customer that has a phone already. */
export const chatOf = (w: LlmWorld["w"], customer: Customer): Chat => {
  const { key, phone } = customer;
  const base = `/v1/phones/${phone.id}/ai-agent`;
  const talk: Chat["talk"] = (path = "", call = {}) => w.gateway(`${base}/conversations${path}`, { key, ...call });
  const shown = async (path: string) => {
    const { status, body, text } = await talk(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return body;
  };
  return {
    ...customer,
    async says(text, from = TO) {
      const { wamid } = await w.graph.inbound.text({ to: phone.phoneNumberId, from, text });
      await w.settle();
      return wamid;
    },
    sent: () => sendsOf(w, customer).map(({ to, text }) => `${to}: ${text.body}`),
    agent: (verb = "", method = "POST") => w.gateway(base + verb, { key, method }),
    talk,
    with: (from) => shown(`/${keyOf(from)}`),
    turns: (from) => shown(`/${keyOf(from)}/messages`),
  };
};

/** The messages of the provider's last chat, by roles. */
export const askedIn = ({ llm }: Pick<LlmWorld, "llm">): { role: string; content: string }[] =>
  llm.chats().at(-1)?.body.messages ?? [];

/** The contacts of every tenant's agent. */
export const AI_CONTACT = "pn:5511999990009";

/** Stores a run of an agent's questions, and gives its id. */
export const trialRun = async (
  w: World,
  { name, tenantId, channelId }: { name: string; tenantId: TenantId; channelId: ChannelId },
): Promise<string> => {
  const id = newId(w.app.env);
  const now = w.clock.now();
  const run = { id, tenantId, channelId, cause: "REQUEST", status: "DONE", model: `${name}-model` } as const;
  const questions = [{ text: `${name} question`, facts: [`${name} fact`], expectUnknown: false }];
  await w.app.env.db.write(async (tx) => {
    await putTrialSet(tx, { tenantId, channelId, questions, updatedAt: now });
    await insertTrialRun(tx, { ...run, errorReason: null, callTools: false, createdAt: now, endedAt: now }, questions);
  });
  return id;
};

/** Stores a conversation with one turn, and gives their ids. */
export const aiConversation = async (
  w: World,
  { name, tenantId, channelId }: { name: string; tenantId: TenantId; channelId: ChannelId },
) => {
  const ids = { aiConversationId: newId(w.app.env), aiTurnId: newId(w.app.env) };
  const at = w.clock.now();
  const nothing = { handoffReason: null, handoffAt: null, closedAt: null };
  const ofTurn = {
    tokensEstimate: 1,
    chatMessageId: null,
    messageId: null,
    sentMessageId: null,
    retrievedChunkIds: null,
  };
  await w.app.env.db.write(async (tx) => {
    await insertAiConversation(tx, {
      ...nothing,
      id: ids.aiConversationId,
      tenantId,
      channelId,
      contactKey: AI_CONTACT,
      status: "AI",
      turnCount: 1,
      lastTurnAt: at,
      createdAt: at,
    });
    await insertAiTurn(tx, {
      ...ofTurn,
      id: ids.aiTurnId,
      conversationId: ids.aiConversationId,
      role: "USER",
      content: `${name} words to the agent`,
      createdAt: at,
    });
  });
  return ids;
};
