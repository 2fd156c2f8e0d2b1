import { newId } from "../../../kernel/ids.ts";
import type { AgentRow } from "../../../store/tables/ai/agents.ts";
import type { AiEnv } from "../env.ts";
import type { Act } from "./built-ins.ts";
import { callHttpTool, NOBODY } from "./calling.ts";
import { type Hands, refused, type Toolbox, toolboxWith, writtenArguments } from "./toolbox.ts";
import type { TriedCall } from "./tools.ts";

/** TABLE: what a model is told in a test, as if the change were made with its answer. */
const SIMULATED: Readonly<Record<Act["kind"], string>> = {
  send: "It is sent after your answer.",
  tag: "The tag is changed with your answer.",
  "hand over": "A person of the team goes on after your answer.",
};
const NOT_CALLED = "This is a test: the tool was not called, and nobody knows what it would say.";

export type TriedToolbox = { toolbox: Toolbox; calls: readonly TriedCall[] };

/**
 * The tools of an agent in a test, and what their calls came to; undefined for an agent without tools. Changes are
 * simulated, and what is read is read of a contact that nobody is. HTTP tools are called only with `callTools`, marked as
 * tests.
 */
export const openTriedToolbox = async (
  env: AiEnv,
  agent: AgentRow,
  { callTools }: { callTools: boolean },
): Promise<TriedToolbox | undefined> => {
  const calls: TriedCall[] = [];
  const { tenantId, channelId } = agent;
  const about = { tenantId, channelId, contactKey: NOBODY, conversationId: null, messageId: null, turnId: newId(env) };
  const hands: Hands = {
    callBefore: () => Promise.resolve(undefined),
    mayCall: () => Promise.resolve(true),
    callHttp(tool, call) {
      return callTools
        ? callHttpTool(env, tool, { ...call, about, isTest: true })
        : Promise.resolve({ ...refused(NOT_CALLED), isSimulated: true });
    },
    callBuiltIn({ acts: kind, run }, given) {
      if (!kind) return run(given);
      const act: Act = { kind, run: () => Promise.resolve() };
      return Promise.resolve({ answer: SIMULATED[kind], act, isSimulated: true });
    },
    async record({ call, kind, outcome, answer, httpStatus, durationMs, isSimulated = false }) {
      const shown = { tool: call.name, kind, arguments: writtenArguments(call), answer, httpStatus, durationMs };
      calls.push({ ...shown, outcome: isSimulated ? "SIMULATED" : outcome });
    },
    settled: () => undefined,
  };
  const toolbox = await toolboxWith(env, agent, about, hands);
  return toolbox && { toolbox, calls };
};
