import type { FlowApi, FlowMetadata, UpstreamFlow } from "../../../contract/abilities/flows.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { isUuid, newId } from "../../../kernel/ids.ts";
import { cutPage, unknownCursor } from "../../../kernel/page.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import {
  deleteFlow,
  type FlowRow,
  findFlow,
  findFlowByNativeId,
  insertFlow,
  listFlows,
  updateFlow,
} from "../../../store/tables/messaging/flows.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { getChannel } from "../../channels/channel.ts";
import { requireValue } from "../../channels/links/upstream.ts";
import { urlIssues } from "../../events/subscriptions.ts";
import { requireRoom } from "../../tenancy/accounts/collections.ts";
import type { MessagingEnv } from "../env.ts";

export type { FlowRow as Flow } from "../../../store/tables/messaging/flows.ts";

export type FlowInput = {
  channelId: string;
  name: string;
  categories: readonly string[];
  json?: object;
  endpointUrl?: string;
};

const unknownFlow = () => new AppError("FLOW_NOT_FOUND", { message: "There is no such flow." });

/** @throws AppError FLOW_NOT_FOUND, also for another tenant's flow */
export const getFlow = async (env: MessagingEnv, scope: TenantScope, id: string): Promise<FlowRow> => {
  const flow = await env.db.read((reader) => findFlow(reader, scope, id));
  if (!flow) throw unknownFlow();
  return flow;
};

/** A page of flows, newest first. @throws AppError VALIDATION for a cursor that is not a flow of the tenant */
export const flowsPage = (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, cursor, limit }: { channelId: string | undefined; cursor: string | undefined; limit: number },
): Promise<{ items: FlowRow[]; nextCursor: string | null }> =>
  env.db.read(async (reader) => {
    if (cursor !== undefined && !(await findFlow(reader, scope, cursor))) throw unknownCursor();
    const found = await listFlows(reader, scope, { channelId, beforeId: cursor, limit: limit + 1 });
    return cutPage(found, limit, ({ id }) => id);
  });

/**
 * The flow management of a channel.
 * @throws AppError CHANNEL_NOT_FOUND, also for a kind without flows
 */
const flowApiOf = (env: MessagingEnv, channel: ChannelRow): FlowApi => {
  const api = env.supervisor.linkOf(channel, "live")?.flows;
  if (!api) throw new AppError("CHANNEL_NOT_FOUND", { message: "There is no such channel that has flows." });
  return api;
};

const checkEndpoint = async (env: MessagingEnv, url: string | undefined): Promise<void> => {
  const issues = url === undefined ? [] : await urlIssues(env, "endpointUrl", url);
  if (issues.length > 0) throw invalid(...issues);
};

/** Our address to which the network posts the data of a flow; we forward it. */
const exchangeUrlOf = (env: MessagingEnv, id: string): string => `${env.gatewayUrl()}/v1/flows/data-exchange/${id}`;

/**
 * Creates a flow as a draft. A refused flow is not stored. A flow whose answer was lost is stored without the network's
 * id: `syncFlow` finds it there, or it can be deleted.
 * @throws AppError VALIDATION, CHANNEL_NOT_FOUND, LIMIT_REACHED, and what `requireValue` throws
 */
export const createFlow = async (env: MessagingEnv, scope: TenantScope, input: FlowInput): Promise<FlowRow> => {
  await checkEndpoint(env, input.endpointUrl);
  const channel = await getChannel(env, scope, input.channelId);
  const api = flowApiOf(env, channel);
  const flow = newFlowRow(env, channel, input);
  await env.db.write(async (tx) => {
    await requireRoom(env, tx, { collection: "flows", owner: scope.tenantId });
    await insertFlow(tx, flow);
  });
  const created = await api.create({
    name: input.name,
    categories: input.categories,
    ...(input.endpointUrl === undefined ? {} : { exchangeUrl: exchangeUrlOf(env, flow.id) }),
    ...(input.json === undefined ? {} : { json: input.json }),
  });
  const isNowhere = !created.ok && !(created.kind === "unavailable" && created.mayHaveHappened);
  if (isNowhere) await env.db.write((tx) => deleteFlow(tx, scope, flow.id));
  return record(env, scope, flow.id, requireValue(created));
};

const newFlowRow = (env: MessagingEnv, channel: ChannelRow, { name, categories, endpointUrl }: FlowInput): FlowRow => {
  const createdAt = env.clock.now();
  return {
    id: newId(env),
    tenantId: channel.tenantId,
    channelId: channel.id,
    nativeId: null,
    name,
    categories: [...categories],
    status: "DRAFT",
    endpointUrl: endpointUrl ?? null,
    validationErrors: [],
    createdAt,
    updatedAt: createdAt,
  };
};

const record = async (
  env: MessagingEnv,
  scope: TenantScope,
  id: string,
  changes: Partial<FlowRow>,
): Promise<FlowRow> => {
  const changed = await env.db.write((tx) => updateFlow(tx, scope, id, { ...changes, updatedAt: env.clock.now() }));
  if (!changed) throw unknownFlow();
  return changed;
};

type Synced = { flow: FlowRow; nativeId: string; api: FlowApi };

/** A flow that exists at the network. @throws AppError FLOW_NOT_FOUND or FLOW_NOT_SYNCED */
const syncedFlow = async (env: MessagingEnv, scope: TenantScope, id: string): Promise<Synced> => {
  const flow = await getFlow(env, scope, id);
  if (flow.nativeId === null) throw notSynced();
  return { flow, nativeId: flow.nativeId, api: flowApiOf(env, await getChannel(env, scope, flow.channelId)) };
};

const notSynced = () =>
  new AppError("FLOW_NOT_SYNCED", {
    message: "The network does not have this flow yet; synchronise it, or make it again.",
  });

export type FlowChanges = { name?: string; categories?: readonly string[]; json?: object; endpointUrl?: string };

/**
 * Changes before a refusal stay.
 * @throws AppError VALIDATION, FLOW_NOT_FOUND, FLOW_NOT_SYNCED, and what `requireValue` throws
 */
export const changeFlow = async (
  env: MessagingEnv,
  scope: TenantScope,
  id: string,
  { json, endpointUrl, ...names }: FlowChanges,
): Promise<FlowRow> => {
  await checkEndpoint(env, endpointUrl);
  const { nativeId, api, flow } = await syncedFlow(env, scope, id);
  const metadata: FlowMetadata = {
    ...names,
    ...(endpointUrl === undefined ? {} : { exchangeUrl: exchangeUrlOf(env, id) }),
  };
  if (Object.keys(metadata).length > 0) {
    requireValue(await api.update(nativeId, metadata));
    await record(env, scope, id, {
      name: names.name ?? flow.name,
      categories: [...(names.categories ?? flow.categories)],
      endpointUrl: endpointUrl ?? flow.endpointUrl,
    });
  }
  if (json === undefined) return getFlow(env, scope, id);
  return record(env, scope, id, { validationErrors: requireValue(await api.replaceScreens(nativeId, json)) });
};

/**
 * A published flow can be sent but no longer changed; a deprecated flow can no longer be sent.
 * @throws as `changeFlow`
 */
export const changeFlowStatus = async (
  env: MessagingEnv,
  scope: TenantScope,
  id: string,
  act: "publish" | "deprecate",
): Promise<FlowRow> => {
  const { nativeId, api } = await syncedFlow(env, scope, id);
  requireValue(await api[act](nativeId));
  return record(env, scope, id, { status: act === "publish" ? "PUBLISHED" : "DEPRECATED" });
};

/**
 * Stores the network's details of a flow. A flow whose creation was never answered is looked up by its name.
 * @throws as `changeFlow`
 */
export const syncFlow = async (env: MessagingEnv, scope: TenantScope, id: string): Promise<FlowRow> => {
  const flow = await getFlow(env, scope, id);
  const api = flowApiOf(env, await getChannel(env, scope, flow.channelId));
  return record(
    env,
    scope,
    id,
    flow.nativeId === null ? await foundByName(env, flow, api) : requireValue(await api.read(flow.nativeId)),
  );
};

/**
 * The network's only flow with this name to which no flow of ours refers.
 * @throws AppError FLOW_NOT_SYNCED when there is none, or more than one
 */
const foundByName = async (env: MessagingEnv, { channelId, name }: FlowRow, api: FlowApi): Promise<UpstreamFlow> => {
  const named = requireValue(await api.list()).filter((flow) => flow.name === name);
  const known = await env.db.read((reader) =>
    Promise.all(named.map(({ nativeId }) => findFlowByNativeId(reader, channelId, nativeId))),
  );
  const [found, ...others] = named.filter((_, index) => known[index] === undefined);
  if (!found || others.length > 0) throw notSynced();
  return found;
};

/**
 * Removes a flow here, and at the network while it is a draft there. After an error it stays.
 * @throws AppError FLOW_NOT_FOUND, and what `requireValue` throws
 */
export const removeFlow = async (env: MessagingEnv, scope: TenantScope, id: string): Promise<void> => {
  const flow = await getFlow(env, scope, id);
  if (flow.nativeId !== null)
    requireValue(await flowApiOf(env, await getChannel(env, scope, flow.channelId)).remove(flow.nativeId));
  await env.db.write((tx) => deleteFlow(tx, scope, id));
};

/**
 * The network's id of a flow to send, by our id or the network's own.
 * @throws AppError FLOW_NOT_FOUND or FLOW_NOT_SYNCED
 */
export const upstreamFlowId = async (env: MessagingEnv, channel: ChannelRow, flowId: string): Promise<string> => {
  if (!isUuid(flowId)) return flowId;
  const flow = await env.db.read((reader) => findFlow(reader, channel, flowId));
  if (flow?.channelId !== channel.id) throw unknownFlow();
  if (flow.nativeId === null) throw notSynced();
  return flow.nativeId;
};
