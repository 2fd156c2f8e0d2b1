import { AppError } from "../../kernel/errors.ts";
import { type ChannelId, newId, type TenantId } from "../../kernel/ids.ts";
import { cutPage } from "../../kernel/page.ts";
import type { Reader } from "../../store/engine/db.ts";
import {
  type AgentRow,
  deleteAgent,
  findAgent,
  forgetPast,
  type ListedAgentRow,
  listAgents,
  putAgent,
} from "../../store/tables/ai/agents.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { requireChannel } from "../channels/refusals.ts";
import { type AgentBudget, usedToday } from "./budget.ts";
import type { AiEnv } from "./env.ts";
import { FORGET_BATCH } from "./forget.ts";
import { readDefaultModel } from "./provider.ts";
import type { BuiltInTool } from "./tools/built-in-names.ts";
import { noteAgentChange } from "./trials/changes.ts";

export type { AgentRow as Agent } from "../../store/tables/ai/agents.ts";

const CONTEXT_WINDOW_TURNS = 10;
const RAG_TOP_K = 4;
const CONVERSATION_TTL_DAYS = 30;

/** The settings of an agent; a missing field takes its default. */
export type AgentInput = {
  systemPrompt: string;
  model?: string;
  enabled?: boolean;
  handoffRules?: { keywords?: readonly string[]; afterTurns?: number | null };
  contextWindowTurns?: number;
  ragTopK?: number;
  conversationTtlDays?: number;
  greeting?: string | null;
  respectHours?: boolean;
  closedText?: string | null;
  runTrialsOnChange?: boolean;
  transcribesVoice?: boolean;
  speaks?: boolean;
  voice?: string | null;
  sees?: { images?: boolean; documents?: boolean };
  budget?: { [Name in keyof AgentBudget]?: number | null };
  builtInTools?: readonly BuiltInTool[];
};

/** @throws AppError CHANNEL_NOT_FOUND for a channel of another account, and AGENT_NOT_FOUND. */
export const requireAgent = async (reader: Reader, scope: TenantScope, channelId: string): Promise<AgentRow> => {
  const channel = await requireChannel(reader, scope, channelId);
  const agent = await findAgent(reader, scope, channel.id);
  if (!agent) throw new AppError("AGENT_NOT_FOUND", { message: "The channel has no agent." });
  return agent;
};

/** @throws AppError CHANNEL_NOT_FOUND and AGENT_NOT_FOUND. */
export const getAgent = (env: Pick<AiEnv, "db">, scope: TenantScope, channelId: string): Promise<AgentRow> =>
  env.db.read((reader) => requireAgent(reader, scope, channelId));

/** `usedTokens`: since midnight UTC. */
export type ListedAgent = ListedAgentRow & { usedTokens: number };

type AgentsPage = { channelId: string | undefined; cursor: string | undefined; limit: number };

/**
 * The agents of an account; the agent of the newest channel comes first. The cursor is a channel's id, so any id is
 * valid.
 */
export const agentsPage = (
  env: Pick<AiEnv, "db" | "clock">,
  scope: TenantScope,
  { channelId, cursor, limit }: AgentsPage,
): Promise<{ items: ListedAgent[]; nextCursor: string | null }> =>
  env.db.read(async (reader) => {
    const filter = { channelId: channelId as ChannelId | undefined, before: cursor, limit: limit + 1 };
    const page = cutPage(await listAgents(reader, scope, filter), limit, ({ channelId: id }) => id);
    const items: ListedAgent[] = [];
    for (const agent of page.items) items.push({ ...agent, usedTokens: await usedToday(env, reader, agent) });
    return { ...page, items };
  });

/**
 * Creates a channel's agent, or replaces its settings; the id and the documents stay. A new agent starts empty: the
 * remains of an earlier one are removed first.
 *
 * @throws AppError CHANNEL_NOT_FOUND.
 */
export const saveAgent = async (
  env: AiEnv,
  scope: TenantScope,
  channelId: string,
  input: AgentInput,
): Promise<AgentRow> => {
  for (;;) {
    const saved = await env.db.write(async (tx) => {
      const channel = await requireChannel(tx, scope, channelId);
      const known = await findAgent(tx, scope, channel.id);
      if (!known && (await forgetPast(tx, channel.id, FORGET_BATCH))) return undefined;
      const row = agentRow(
        env,
        {
          known,
          channelId: channel.id,
          tenantId: channel.tenantId,
          fallbackModel: await readDefaultModel(env, tx, scope),
        },
        input,
      );
      await putAgent(tx, row);
      if (known && answersOtherwise(known, row)) await noteAgentChange(env, tx, row.channelId);
      return row;
    });
    if (saved) return saved;
  }
};

const answersOtherwise = (one: AgentRow, other: AgentRow): boolean =>
  one.systemPrompt !== other.systemPrompt || one.model !== other.model || one.ragTopK !== other.ragTopK;

type AgentContext = { known: AgentRow | undefined; channelId: ChannelId; tenantId: TenantId; fallbackModel: string };

const agentRow = (
  env: AiEnv,
  { known, channelId, tenantId, fallbackModel }: AgentContext,
  input: AgentInput,
): AgentRow => {
  const now = env.clock.now();
  return {
    channelId,
    tenantId,
    id: known?.id ?? newId(env),
    systemPrompt: input.systemPrompt,
    model: input.model ?? fallbackModel,
    ...switched(known, input.enabled ?? false, now),
    ...limitsOf(input),
    contextWindowTurns: input.contextWindowTurns ?? CONTEXT_WINDOW_TURNS,
    ragTopK: input.ragTopK ?? RAG_TOP_K,
    conversationTtlDays: input.conversationTtlDays ?? CONVERSATION_TTL_DAYS,
    greeting: filledOf(input.greeting),
    respectsHours: input.respectHours ?? false,
    closedText: filledOf(input.closedText),
    builtInTools: [...new Set(input.builtInTools)],
    runsTrialsOnChange: input.runTrialsOnChange ?? false,
    ...sensesOf(input),
    createdAt: known?.createdAt ?? now,
    updatedAt: now,
  };
};

const limitsOf = ({ handoffRules, budget }: AgentInput) => ({
  keywords: [...(handoffRules?.keywords ?? [])],
  afterTurns: handoffRules?.afterTurns ?? null,
  dailyTokens: budget?.dailyTokens ?? null,
  dailyTokensPerContact: budget?.dailyTokensPerContact ?? null,
});

const sensesOf = ({ transcribesVoice = false, speaks = false, voice = null, sees = {} }: AgentInput) => ({
  transcribesVoice,
  speaks,
  voice,
  seesImages: sees.images ?? false,
  seesDocuments: sees.documents ?? false,
});

/** A blank text counts as absent. */
const filledOf = (text: string | null | undefined): string | null => (text?.trim() ? text : null);

/** An agent that was never enabled has no conversations to finish, so `disabledAt` stays null. */
const switched = (
  known: AgentRow | undefined,
  isEnabled: boolean,
  now: number,
): Pick<AgentRow, "isEnabled" | "disabledAt"> => {
  if (isEnabled) return { isEnabled, disabledAt: null };
  return { isEnabled, disabledAt: known?.isEnabled ? now : (known?.disabledAt ?? null) };
};

/** Enables or disables an agent; without a change it stays unchanged. Throws CHANNEL_NOT_FOUND and AGENT_NOT_FOUND. */
export const switchAgent = (env: AiEnv, scope: TenantScope, channelId: string, isEnabled: boolean): Promise<AgentRow> =>
  env.db.write(async (tx) => {
    const known = await requireAgent(tx, scope, channelId);
    if (known.isEnabled === isEnabled) return known;
    const now = env.clock.now();
    const agent = { ...known, ...switched(known, isEnabled, now), updatedAt: now };
    await putAgent(tx, agent);
    return agent;
  });

/**
 * Deletes an agent with its documents and conversations. They are hidden at once and removed by a job.
 *
 * @throws AppError CHANNEL_NOT_FOUND and AGENT_NOT_FOUND.
 */
export const removeAgent = (env: AiEnv, scope: TenantScope, channelId: string): Promise<void> =>
  env.db.write(async (tx) => {
    const { channelId: id } = await requireAgent(tx, scope, channelId);
    await deleteAgent(tx, id);
    env.jobs.enqueue(tx, "agent.forget", { channelId: id });
  });
