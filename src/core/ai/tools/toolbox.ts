import type { ToolCall, ToolDefinition } from "../../../contract/ports/llm.ts";
import { sha256 } from "../../../kernel/crypto.ts";
import { AppError } from "../../../kernel/errors.ts";
import { type MessageId, newId } from "../../../kernel/ids.ts";
import { canonicalJson, type Json } from "../../../kernel/texts/json.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import type { AgentRow } from "../../../store/tables/ai/agents.ts";
import { hasTurnText } from "../../../store/tables/ai/ai-conversations.ts";
import {
  findToolCall,
  insertToolCall,
  listTools,
  type ToolCallRow,
  type ToolRow,
} from "../../../store/tables/ai/tools.ts";
import type { AiEnv } from "../env.ts";
import { type Fence, newFence } from "../fence.ts";
import { writeLightly } from "../provider.ts";
import { BUILT_IN_TOOLS } from "./built-in-names.ts";
import { type Act, type Answered, BUILT_INS, type OfferedTool } from "./built-ins.ts";
import { type Called, type CalledFor, callHttpTool } from "./calling.ts";
import { argumentFault, shownParameters } from "./tool-schema.ts";

/** The turn that an answer is for: its conversation and contact are those of every call. */
export type AnswersFor = CalledFor & { conversationId: string; turnId: string; messageId: MessageId };

/** Whether the answer may still be given: the agent leads the conversation, and the message was not deleted. */
type MayAct = (r: Reader) => Promise<boolean>;

/** The tools of an agent for one answer, and what their calls have asked for. */
export type Toolbox = {
  definitions: readonly ToolDefinition[];
  fence: Fence;
  /**
   * Carries out a call of the model, and gives the text for it, between marks. Never throws for a wrong call. The repeat
   * of a call that did not fail is told the same, and is not carried out. `isTimeOver`: the model is told so, and the
   * call is not carried out.
   */
  call(call: ToolCall, moment: { isTimeOver: boolean }): Promise<string>;
  /** Why a person is to go on; undefined if no call asked for that. */
  handsOver(): string | undefined;
  /** Makes the changes that calls asked for, and records those calls. Without an answer only the handing over. */
  settle(tx: Tx, said: { hasAnswer: boolean }): Promise<void>;
};

/** The most calls for one answer. */
const MAX_CALLS = 8;
/** The most changes of each kind for one answer. */
const MAX_ACTS: Readonly<Record<Act["kind"], number>> = { send: 3, tag: 5, "hand over": 1 };
/** The longest arguments that are recorded, in UTF-16 units; a call with longer ones is refused. */
const MAX_RECORDED = 8 * 1024;

/** `isSimulated`: in a test, nothing was done and nobody was called. */
export type Result = Omit<Called, "durationMs"> & {
  act?: Act | undefined;
  durationMs?: number;
  isSimulated?: boolean;
};
/** A call with what became of it. `id`: the same for a repeat of the call in its turn, whatever the order of the calls. */
export type MadeCall = Result & { id: string; call: ToolCall; kind: ToolCallRow["kind"]; durationMs: number };

/** How calls are carried out and recorded: for the answer to a contact, or in a test. */
export type Hands = {
  /** What is known of a call that was made before a crash. */
  callBefore(id: string): Promise<ToolCallRow | undefined>;
  /** Whether a call may be carried out now. */
  mayCall(): Promise<boolean>;
  callHttp(tool: ToolRow, call: { id: string; given: Json }): Promise<Result>;
  callBuiltIn(tool: OfferedTool, given: Json): Promise<Answered & { isSimulated?: boolean }>;
  /** `made.act`: the change that the call asked for, which is still to be made. */
  record(made: MadeCall): Promise<void>;
  /** The change that a call asked for has been made. */
  settled(tx: Tx, id: string): void;
};

export const refused = (answer: string): Result => ({ outcome: "REFUSED", answer, httpStatus: null });

const callId = (turnId: string, { name, arguments: given }: ToolCall): string =>
  `call_${sha256(canonicalJson([turnId, name, given])).slice(0, 32)}`;

const kindOf = (name: string): ToolCallRow["kind"] =>
  BUILT_IN_TOOLS.some((one) => one === name) ? "BUILT_IN" : "HTTP";

/** The tools of an agent for the answer to a turn; undefined for an agent without tools. */
export const openToolbox = (
  env: AiEnv,
  agent: AgentRow,
  about: AnswersFor,
  mayAct: MayAct,
): Promise<Toolbox | undefined> => toolboxWith(env, agent, about, handsFor(env, about, mayAct));

/** The tools of an agent, whose calls these hands carry out; undefined for an agent without tools. */
export const toolboxWith = async (
  env: AiEnv,
  agent: AgentRow,
  about: CalledFor & { turnId: string },
  hands: Hands,
): Promise<Toolbox | undefined> => {
  const http = await env.db.read((reader) => listTools(reader, agent.channelId));
  const builtIns: OfferedTool[] = [];
  for (const name of BUILT_IN_TOOLS) {
    const tool = agent.builtInTools.includes(name) ? await BUILT_INS[name](env, about) : undefined;
    if (tool) builtIns.push(tool);
  }
  if (http.length + builtIns.length === 0) return undefined;
  return toolboxOf(env, { http, builtIns, turnId: about.turnId, hands });
};

const definitionsOf = (http: readonly ToolRow[], builtIns: readonly OfferedTool[]): ToolDefinition[] => [
  ...http.map(({ name, description, parameters }) => ({ name, description, parameters: shownParameters(parameters) })),
  ...builtIns.map(({ name, description, parameters }) => ({ name, description, parameters })),
];

type Contents = { http: ToolRow[]; builtIns: OfferedTool[]; turnId: string; hands: Hands };

const toolboxOf = (env: AiEnv, { http, builtIns, turnId, hands }: Contents): Toolbox => {
  const fence = newFence(env);
  const acts: { act: Act; id: string }[] = [];
  /** What became of the calls for this answer, by their ids. */
  const done = new Map<string, Result>();
  let calls = 0;

  /** What a tool said to the same call, for this answer or before a crash. A failed call may be made again. */
  const saidBefore = async (id: string): Promise<string | undefined> => {
    const known = done.get(id) ?? (await hands.callBefore(id));
    return known && known.outcome !== "FAILED" && (done.has(id) || known.httpStatus !== null)
      ? known.answer
      : undefined;
  };
  const callBuiltIn = async (tool: OfferedTool, given: Json): Promise<Result> => {
    const { acts: kind } = tool;
    if (kind && acts.filter(({ act }) => act.kind === kind).length >= MAX_ACTS[kind])
      return refused("That is as often as it may be done for one answer.");
    try {
      const { isRefused = false, ...told } = await hands.callBuiltIn(tool, given);
      return { outcome: isRefused ? "REFUSED" : "ANSWERED", httpStatus: null, ...told };
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "OVERLOADED") throw error;
      return refused(error.message);
    }
  };
  const resultOf = async (call: ToolCall, id: string, isTimeOver: boolean): Promise<Result> => {
    if (isTimeOver) return refused("The time for calls is over: answer now.");
    if (calls > MAX_CALLS) return refused("That were too many calls: answer now.");
    const tool = http.find(({ name }) => name === call.name);
    const builtIn = builtIns.find(({ name }) => name === call.name);
    const schema = tool?.parameters ?? builtIn?.parameters;
    if (!schema) return refused("There is no such tool.");
    const fault = argumentFault(schema as Json, call.arguments);
    if (fault !== undefined) return refused(fault);
    if (!(await hands.mayCall())) return refused("This message waits for no answer any more.");
    const given = call.arguments ?? {};
    if (tool) return hands.callHttp(tool, { id, given });
    return builtIn ? callBuiltIn(builtIn, given) : refused("There is no such tool.");
  };

  return {
    definitions: definitionsOf(http, builtIns),
    fence,
    async call(call, { isTimeOver }) {
      calls += 1;
      const id = callId(turnId, call);
      const said = await saidBefore(id);
      if (said !== undefined) return fence.around(said);
      const begunAt = env.clock.now();
      const result = await resultOf(call, id, isTimeOver);
      done.set(id, result);
      const { act, durationMs = env.clock.now() - begunAt } = result;
      if (act) acts.push({ act, id });
      await hands.record({ ...result, id, call, kind: kindOf(call.name), durationMs });
      return fence.around(result.answer);
    },
    handsOver: () => acts.find(({ act }) => act.kind === "hand over")?.act.reason,
    async settle(tx, { hasAnswer }) {
      for (const { act, id } of acts) {
        if (!hasAnswer && act.kind !== "hand over") continue;
        await act.run(tx);
        hands.settled(tx, id);
      }
    },
  };
};

/** Calls for a contact's message. What a call says of a deleted message is not recorded. */
const handsFor = (env: AiEnv, about: AnswersFor, mayAct: MayAct): Hands => {
  const waiting = new Map<string, ToolCallRow>();
  return {
    callBefore: (id) => env.db.read((reader) => findToolCall(reader, about.turnId, id)),
    mayCall: () => env.db.read(mayAct),
    callHttp: (tool, call) => callHttpTool(env, tool, { ...call, about, isTest: false }),
    callBuiltIn: (tool, given) => tool.run(given),
    async record(made) {
      const row = rowOf(env, about, made);
      if (made.act) waiting.set(made.id, row);
      else
        await writeLightly(env, async (tx) => {
          if (await hasTurnText(tx, about)) insertToolCall(tx, row);
        });
      env.metrics.count("recado_agent_tool_calls_total", { kind: row.kind, outcome: row.outcome });
    },
    settled(tx, id) {
      const row = waiting.get(id);
      if (row) insertToolCall(tx, row);
    },
  };
};

/** The arguments of a call as JSON; longer ones are left out. */
export const writtenArguments = ({ arguments: given }: ToolCall): string => {
  const written = JSON.stringify(given ?? {})
    .toWellFormed()
    .replaceAll("\\u0000", "");
  return written.length > MAX_RECORDED ? "{}" : written;
};

const rowOf = (
  env: AiEnv,
  { conversationId, turnId }: AnswersFor,
  { id: callKey, call, kind, outcome, answer, httpStatus, durationMs }: MadeCall,
): ToolCallRow => ({
  id: newId(env),
  conversationId,
  turnId,
  callKey,
  tool: call.name,
  kind,
  arguments: writtenArguments(call),
  outcome,
  answer,
  httpStatus,
  durationMs,
  createdAt: env.clock.now(),
});
