import type { GroupsApi, JoinDecision, JoinRequest } from "../../contract/groups.ts";
import { AppError } from "../../kernel/errors.ts";
import { asDigits } from "../../kernel/phone-numbers.ts";
import type { TenantScope } from "../../store/scope.ts";
import { valueOf } from "../channels/upstream.ts";
import type { GroupsEnv } from "./env.ts";
import { askableGroup, usableGroup } from "./groups.ts";

const MAX_DECISIONS = 100;

type PeopleInput = { id: string; waIds: readonly string[] };

/**
 * Asks the network to add people (numbers with or without `+`, or user ids) to a group. The list of participants
 * changes when the network's webhook comes.
 *
 * @throws AppError as `usableGroup`, and what `valueOf` throws.
 */
export const addParticipants = async (
  env: GroupsEnv,
  scope: TenantScope,
  { id, waIds }: PeopleInput,
): Promise<void> => {
  const { group, api } = await usableGroup(env, scope, id);
  valueOf(await api.addParticipants(group.upstreamGroupId, distinct(waIds)));
};

/** Asks the network to remove people from a group, as `addParticipants` adds them. */
export const removeParticipants = async (
  env: GroupsEnv,
  scope: TenantScope,
  { id, waIds }: PeopleInput,
): Promise<void> => {
  const { group, api } = await usableGroup(env, scope, id);
  valueOf(await api.removeParticipants(group.upstreamGroupId, distinct(waIds)));
};

const distinct = (waIds: readonly string[]): string[] => [...new Set(waIds.map(asDigits))];

type RequestPage = { id: string; limit: number; after: string | undefined };

/** A page of a group's join requests, from the network. Throws as `askableGroup`, and what `valueOf` throws. */
export const joinRequestsPage = async (
  env: GroupsEnv,
  scope: TenantScope,
  { id, ...page }: RequestPage,
): Promise<{ items: JoinRequest[]; nextCursor: string | null }> => {
  const { group, api } = await askableGroup(env, scope, id);
  const { requests, after } = valueOf(await api.joinRequests(group.upstreamGroupId, page));
  return { items: requests, nextCursor: after };
};

type Decision = {
  id: string;
  joinRequestIds: readonly string[];
  decision: Extract<keyof GroupsApi, "approve" | "reject">;
};

/**
 * Approves or rejects up to 100 join requests. The result names those that the network could not process.
 *
 * @throws AppError EMPTY_BATCH, BATCH_TOO_LARGE, as `usableGroup`, and what `valueOf` throws.
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
  return valueOf(await api[decision](group.upstreamGroupId, [...new Set(joinRequestIds)]));
};
