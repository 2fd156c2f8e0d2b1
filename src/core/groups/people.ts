import type { GroupsApi, JoinDecision, JoinRequest, PeopleChange } from "../../contract/abilities/groups.ts";
import { AppError } from "../../kernel/errors.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { requireValue } from "../channels/links/upstream.ts";
import { notOffered } from "../channels/refusals.ts";
import type { GroupsEnv } from "./env.ts";
import { askableGroup, distinct, usableGroup } from "./groups.ts";

const MAX_DECISIONS = 100;

type PeopleInput = { id: string; waIds: readonly string[] };

/** TABLE: the changes of people, and the words for a network that does not offer the call. */
const CHANGES = {
  addParticipants: "add people to a group",
  removeParticipants: "remove people from a group",
  promote: "make a person an administrator of a group",
  demote: "take away the administration of a group",
} as const satisfies Partial<Record<keyof GroupsApi, string>>;
export type PeopleVerb = keyof typeof CHANGES;

/**
 * Asks the network to add, remove, promote or demote people (numbers with or without `+`, or user ids). Returns the
 * outcome for each, or `true` if the network reports it later. The list of participants changes when the network's
 * report comes.
 *
 * @throws AppError as `usableGroup`, NOT_OFFERED_UPSTREAM if the network has no such call, and what `requireValue`
 * throws.
 */
export const changePeople = async (
  env: GroupsEnv,
  scope: TenantScope,
  { id, waIds, verb }: PeopleInput & { verb: PeopleVerb },
): Promise<PeopleChange> => {
  const { group, api } = await usableGroup(env, scope, id);
  const change = api[verb];
  if (!change) throw notOffered(CHANGES[verb]);
  return requireValue(await change(group.upstreamGroupId, distinct(waIds)));
};

type RequestPage = { id: string; limit: number; after: string | undefined };

/** A page of a group's join requests, from the network. Throws as `askableGroup`, and what `requireValue` throws. */
export const joinRequestsPage = async (
  env: GroupsEnv,
  scope: TenantScope,
  { id, ...page }: RequestPage,
): Promise<{ items: JoinRequest[]; nextCursor: string | null }> => {
  const { group, api } = await askableGroup(env, scope, id);
  const { requests, after } = requireValue(await api.joinRequests(group.upstreamGroupId, page));
  return { items: requests, nextCursor: after };
};

type Decision = {
  id: string;
  joinRequestIds: readonly string[];
  decision: Extract<keyof GroupsApi, "approve" | "reject">;
};

/**
 * Approves or rejects up to 100 join requests. The result names the requests that the network could not process.
 *
 * @throws AppError EMPTY_BATCH, BATCH_TOO_LARGE, as `usableGroup`, and what `requireValue` throws.
 */
export const decideJoinRequests = async (
  env: GroupsEnv,
  scope: TenantScope,
  { id, joinRequestIds, decision }: Decision,
): Promise<JoinDecision> => {
  if (joinRequestIds.length === 0)
    throw new AppError("EMPTY_BATCH", { message: "At least one join request must be named." });
  if (joinRequestIds.length > MAX_DECISIONS)
    throw new AppError("BATCH_TOO_LARGE", { message: `At most ${MAX_DECISIONS} join requests may be named.` });
  const { group, api } = await usableGroup(env, scope, id);
  return requireValue(await api[decision](group.upstreamGroupId, [...new Set(joinRequestIds)]));
};
