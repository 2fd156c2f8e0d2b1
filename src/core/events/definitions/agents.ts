import { HOUR_MS } from "../../../kernel/clock.ts";
import type { BudgetName } from "../../domain-event.ts";
import { BY_CHANNEL, type Definitions, TO_ACCOUNTS } from "./definition.ts";
import { ANA, AT, CONVERSATION_ID, idOf } from "./samples.ts";

/** Agents that answer with a language model. */

export type AgentEvents = {
  "agent.handoff": {
    conversationId: string;
    contactKey: string;
    reason: string;
    manual: boolean;
    turnCount: number;
    handoffAt: number;
  };
  "agent.budget_exhausted": {
    budget: BudgetName;
    conversationId: string | null;
    contactKey: string | null;
    dailyTokens: number;
    usedTokens: number;
    resetsAt: number;
  };
  "agent.document": {
    documentId: string;
    title: string | null;
    status: "READY" | "FAILED";
    chunkCount: number;
    errorReason: string | null;
  };
  "agent.worsened": {
    runId: string;
    comparedWith: string;
    cause: "REQUEST" | "CHANGE";
    questionCount: number;
    passedCount: number;
    brokenCount: number;
    broken: { question: string; missing: string[] }[];
  };
};

export const AGENT_EVENTS = {
  "agent.handoff": {
    ordering: { by: "contact", keyOf: ({ contactKey }) => contactKey },
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [
      {
        conversationId: CONVERSATION_ID,
        contactKey: ANA.canonicalKey,
        reason: "keyword",
        manual: false,
        turnCount: 4,
        handoffAt: AT,
      },
    ],
  },
  "agent.budget_exhausted": {
    ordering: { by: "contact or channel", keyOf: (spent) => spent.contactKey ?? BY_CHANNEL.keyOf(spent) },
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [
      {
        budget: "contact",
        conversationId: CONVERSATION_ID,
        contactKey: ANA.canonicalKey,
        dailyTokens: 50_000,
        usedTokens: 50_212,
        resetsAt: AT + 12 * HOUR_MS,
      },
    ],
  },
  "agent.document": {
    ordering: BY_CHANNEL,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [{ documentId: CONVERSATION_ID, title: "Cardápio", status: "READY", chunkCount: 12, errorReason: null }],
  },
  "agent.worsened": {
    ordering: BY_CHANNEL,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [
      {
        runId: idOf(12),
        comparedWith: idOf(11),
        cause: "CHANGE",
        questionCount: 12,
        passedCount: 10,
        brokenCount: 1,
        broken: [{ question: "Vocês abrem no domingo?", missing: ["não abrimos no domingo"] }],
      },
    ],
  },
} satisfies Definitions<AgentEvents>;
