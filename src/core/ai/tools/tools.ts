import { AppError, invalid } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { type Issue, issue } from "../../../kernel/schema.ts";
import type { Json } from "../../../kernel/texts/json.ts";
import type { Reader } from "../../../store/engine/db.ts";
import type { AgentRow } from "../../../store/tables/ai/agents.ts";
import {
  deleteTool,
  findTool,
  insertTool,
  listTools,
  TOOL_OUTCOMES,
  type ToolCallRow,
  type ToolRow,
  updateTool,
} from "../../../store/tables/ai/tools.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { headerIssues, type OwnHeaders, sealedHeaders, takesValuesElsewhere } from "../../events/own-headers.ts";
import { requireRoom } from "../../tenancy/accounts/collections.ts";
import { type Allowance, allowOperation, type LimitEnv, secondsUntilReset } from "../../tenancy/accounts/limits.ts";
import { type Caller, recordAct } from "../../tenancy/audit/audit.ts";
import { requireAgent } from "../agents.ts";
import type { AiEnv } from "../env.ts";
import { BUILT_IN_TOOLS } from "./built-in-names.ts";
import { type Called, callHttpTool, NOBODY } from "./calling.ts";
import { argumentFault, parameterIssues } from "./tool-schema.ts";
import { secretRow, toolHeaders } from "./tool-secrets.ts";

export { TOOL_KINDS, TOOL_OUTCOMES, type ToolRow as Tool } from "../../../store/tables/ai/tools.ts";

/** `SIMULATED`: nothing was done and nobody was called; the answer to a contact would do it. */
export const TRIED_OUTCOMES = [...TOOL_OUTCOMES, "SIMULATED"] as const;

/** A call of a tool in a test of an agent. */
export type TriedCall = Pick<ToolCallRow, "tool" | "kind" | "arguments" | "answer" | "httpStatus" | "durationMs"> & {
  outcome: (typeof TRIED_OUTCOMES)[number];
};

/** A tool as its account declares it. A missing `secret` keeps the current one; a masked header keeps its value. */
export type ToolInput = {
  name: string;
  description: string;
  parameters: Json;
  url: string;
  secret?: string;
  headers?: OwnHeaders;
};

/** A tool by its channel and its id. */
export type ToolKey = { channelId: string; id: string };

const unknownTool = () => new AppError("TOOL_NOT_FOUND", { message: "The agent has no such tool." });

/** The tools of a channel's agent, by name. Throws CHANNEL_NOT_FOUND and AGENT_NOT_FOUND. */
export const readTools = (env: AiEnv, scope: TenantScope, channelId: string): Promise<ToolRow[]> =>
  env.db.read(async (reader) => listTools(reader, (await requireAgent(reader, scope, channelId)).channelId));

const requireTool = async (
  r: Reader,
  scope: TenantScope,
  { channelId, id }: ToolKey,
): Promise<{ agent: AgentRow; tool: ToolRow }> => {
  const agent = await requireAgent(r, scope, channelId);
  const tool = await findTool(r, scope, agent.channelId, id);
  if (!tool) throw unknownTool();
  return { agent, tool };
};

/** @throws AppError CHANNEL_NOT_FOUND, AGENT_NOT_FOUND and TOOL_NOT_FOUND. */
export const getTool = (env: AiEnv, scope: TenantScope, key: ToolKey): Promise<ToolRow> =>
  env.db.read(async (reader) => (await requireTool(reader, scope, key)).tool);

const urlFaults = async (env: AiEnv, url: string): Promise<Issue[]> => {
  const refusal = await env.http.refusalOf(url);
  if (refusal !== undefined) return [issue("url", "format", refusal)];
  const { username, password } = new URL(url);
  return username || password ? [issue("url", "format", "must have no user and no password; use `headers`")] : [];
};

/** Headers of the signature and of the repeat, which the server sets. */
const OWN_HEADERS = ["idempotency-key"];

const headerFaults = (headers: OwnHeaders = {}): Issue[] => {
  const taken = Object.keys(headers).find((name) => OWN_HEADERS.includes(name.toLowerCase()));
  return taken === undefined ? headerIssues(headers) : [issue("headers", "pattern", `${taken} cannot be set`)];
};

/** @throws AppError VALIDATION */
const checkInput = async (env: AiEnv, { name, parameters, url, headers }: ToolInput): Promise<void> => {
  const isTaken = BUILT_IN_TOOLS.some((one) => one === name);
  const issues = [
    ...(isTaken ? [issue("name", "pattern", "is the name of a built-in tool")] : []),
    ...parameterIssues(parameters),
    ...(await urlFaults(env, url)),
    ...headerFaults(headers),
  ];
  if (issues.length > 0) throw invalid(...issues);
};

const requireFreeName = async (r: Reader, { channelId }: AgentRow, { name }: ToolInput, id?: string): Promise<void> => {
  const isTaken = (await listTools(r, channelId)).some((tool) => tool.name === name && tool.id !== id);
  if (isTaken) throw invalid(issue("name", "pattern", "is the name of another tool of the agent"));
};

const acted = ({ id, tenantId }: ToolRow, action: "tool.create" | "tool.change" | "tool.delete") => ({
  action,
  target: id,
  tenantId,
  details: {},
});

/**
 * Adds a tool to an agent.
 *
 * @throws AppError VALIDATION for a schema that not every provider takes, for a URL that may not be called, for headers
 *   that cannot be set and for a name that is taken, CHANNEL_NOT_FOUND, AGENT_NOT_FOUND, and LIMIT_REACHED.
 */
export const createTool = async (
  env: AiEnv,
  caller: Caller,
  channelId: string,
  { secret, headers = {}, ...input }: ToolInput & { secret: string },
): Promise<ToolRow> => {
  await checkInput(env, { ...input, headers });
  return env.db.write(async (tx) => {
    const agent = await requireAgent(tx, caller, channelId);
    await requireFreeName(tx, agent, input);
    await requireRoom(env, tx, { collection: "tools", owner: agent.channelId });
    const id = newId(env);
    const now = env.clock.now();
    const tool: ToolRow = {
      ...input,
      id,
      tenantId: agent.tenantId,
      channelId: agent.channelId,
      secret: env.secrets.seal(secretRow(id), secret),
      headers: sealedHeaders(env, toolHeaders({ id, headers: null }), headers),
      createdAt: now,
      updatedAt: now,
    };
    await insertTool(tx, tool);
    await recordAct(env, tx, caller, acted(tool, "tool.create"));
    return tool;
  });
};

/**
 * Replaces a tool; its id stays. Missing headers mean none.
 *
 * @throws AppError as `createTool`, TOOL_NOT_FOUND, and VALIDATION for masked headers with a URL on another host: the
 *   stored values must not be sent there.
 */
export const replaceTool = async (
  env: AiEnv,
  caller: Caller,
  key: ToolKey,
  { secret, headers = {}, ...input }: ToolInput,
): Promise<ToolRow> => {
  await checkInput(env, { ...input, headers });
  return env.db.write(async (tx) => {
    const { agent, tool } = await requireTool(tx, caller, key);
    await requireFreeName(tx, agent, input, tool.id);
    if (takesValuesElsewhere(tool, { url: input.url, headers }))
      throw invalid(issue("headers", "required", "must be given anew with all values, because url is of another host"));
    const changed: ToolRow = {
      ...tool,
      ...input,
      ...(secret === undefined ? {} : { secret: env.secrets.seal(secretRow(tool.id), secret) }),
      headers: sealedHeaders(env, toolHeaders(tool), headers),
      updatedAt: env.clock.now(),
    };
    await updateTool(tx, changed);
    await recordAct(env, tx, caller, acted(changed, "tool.change"));
    return changed;
  });
};

/** @throws AppError CHANNEL_NOT_FOUND, AGENT_NOT_FOUND and TOOL_NOT_FOUND. */
export const removeTool = (env: AiEnv, caller: Caller, key: ToolKey): Promise<void> =>
  env.db.write(async (tx) => {
    const { tool } = await requireTool(tx, caller, key);
    await deleteTool(tx, tool.channelId, tool.id);
    await recordAct(env, tx, caller, acted(tool, "tool.delete"));
  });

const TESTS_PER_MINUTE = 10;

/** Counts a test of a tenant's tools: at most 10 within a minute. */
export const allowToolTest = (env: LimitEnv, { tenantId }: TenantScope): Allowance =>
  allowOperation(env, tenantId, "tool.test", TESTS_PER_MINUTE);

/** The refusal after 10 tests of a tenant's tools within a minute. */
export const toolTestRefusal = (env: LimitEnv, scope: TenantScope): AppError | undefined => {
  const allowance = allowToolTest(env, scope);
  return allowance.isExceeded
    ? new AppError("OPERATION_LIMIT_REACHED", {
        message: `At most ${TESTS_PER_MINUTE} tests of tools may be made in a minute.`,
        retryAfterSeconds: secondsUntilReset(env, allowance),
      })
    : undefined;
};

/**
 * Calls a tool once with these arguments, marked as a test, and gives its answer as a model would get it. Stores
 * nothing.
 *
 * @throws AppError CHANNEL_NOT_FOUND, AGENT_NOT_FOUND, TOOL_NOT_FOUND, VALIDATION for arguments that are not of the
 *   tool's schema, and OPERATION_LIMIT_REACHED after 10 tests of the tenant within a minute.
 */
export const testTool = async (
  env: AiEnv,
  scope: TenantScope,
  key: ToolKey,
  given: Json,
): Promise<Called & { id: string }> => {
  const tool = await getTool(env, scope, key);
  const fault = argumentFault(tool.parameters, given);
  if (fault !== undefined) throw invalid(issue("arguments", "format", fault));
  const limit = toolTestRefusal(env, scope);
  if (limit) throw limit;
  const id = newId(env);
  const { tenantId, channelId } = tool;
  const about = { tenantId, channelId, contactKey: NOBODY, conversationId: null, messageId: null };
  return { ...(await callHttpTool(env, tool, { id, given, about, isTest: true })), id };
};
