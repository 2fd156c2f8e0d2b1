import {
  type GroupsApi,
  JOIN_MODES,
  type JoinDecision,
  type JoinMode,
  type JoinRequest,
  type UpstreamGroup,
} from "../../src/contract/abilities/groups.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { type Graph, isSuccess, nextPageOf } from "../meta/graph.ts";
import { numberOf, textOf } from "../meta/json.ts";
import { askerOf } from "./credentials.ts";
import { millisecondsOf } from "./inbound/change.ts";
import { waIdOf } from "./inbound/people.ts";

const GROUP_FIELDS = [
  "subject",
  "description",
  "suspended",
  "creation_timestamp",
  "participants",
  "total_participant_count",
  "join_approval_mode",
];
const PRODUCT = { messaging_product: "whatsapp" };
/** The maximum number of people in one call of the network, and in a group. */
const PEOPLE_PER_CALL = 8;

/** Groups of the number. `send` is the link's: messages to groups are sent like all messages. */
export const wabaGroups = (host: ChannelHost, graph: Graph): Omit<GroupsApi, "send"> => {
  const ask = askerOf(host, graph);

  const inviteLink = (method: "GET" | "POST") => (groupId: string) =>
    ask(
      () => ({ method, path: [groupId, "invite_link"] }),
      (answer) => textOf(answer["invite_link"]),
    );

  const decide = (method: "POST" | "DELETE", decided: string) => (groupId: string, ids: readonly string[]) =>
    ask(
      () => ({ method, path: [groupId, "join_requests"], body: { ...PRODUCT, join_requests: [...ids] } }),
      (answer) => decisionIn(answer, decided),
    );

  const changePeople = (method: "POST" | "DELETE") => async (groupId: string, people: readonly string[]) => {
    for (let from = 0; from < people.length; from += PEOPLE_PER_CALL) {
      const participants = people.slice(from, from + PEOPLE_PER_CALL).map(participantOf);
      const result = await ask(
        () => ({ method, path: [groupId, "participants"], body: { ...PRODUCT, participants } }),
        isTaken,
      );
      if (!result.ok) return result;
    }
    return { ok: true, value: true } as const;
  };

  return {
    create: ({ subject, description, joinApprovalMode }) =>
      ask(
        ({ phoneNumberId }) => ({
          method: "POST",
          path: [phoneNumberId, "groups"],
          body: {
            ...PRODUCT,
            subject,
            ...(description === undefined ? {} : { description }),
            join_approval_mode: joinApprovalMode.toLowerCase(),
          },
        }),
        (answer) => {
          const requestId = textOf(answer["request_id"]);
          return requestId === undefined ? undefined : { requestId };
        },
      ),
    read: (groupId) => ask(() => ({ method: "GET", path: [groupId], fields: GROUP_FIELDS }), groupIn),
    update: (groupId, changes) =>
      ask(() => ({ method: "POST", path: [groupId], body: { ...PRODUCT, ...changes } }), isTaken),
    remove: (groupId) => ask(() => ({ method: "DELETE", path: [groupId] }), isTaken),
    addParticipants: changePeople("POST"),
    removeParticipants: changePeople("DELETE"),
    inviteLink: inviteLink("GET"),
    resetInviteLink: inviteLink("POST"),
    joinRequests: (groupId, { limit, after }) =>
      ask(
        () => ({
          method: "GET",
          path: [groupId, "join_requests"],
          query: { limit: String(limit), ...(after === undefined ? {} : { after }) },
        }),
        requestsIn,
      ),
    approve: decide("POST", "approved_join_requests"),
    reject: decide("DELETE", "rejected_join_requests"),
  };
};

/** A join mode as the network writes it; undefined for any other. */
export const joinModeOf = (value: unknown): JoinMode | undefined =>
  JOIN_MODES.find((mode) => mode === textOf(value)?.toUpperCase());

/** Delayed work is answered with the id of the request. */
const isTaken = (answer: Json): true | undefined => (answer["request_id"] === undefined ? isSuccess(answer) : true);

const participantOf = (waId: string): Json => (/^\d+$/.test(waId) ? { user: `+${waId}` } : { user_id: waId });

const groupIn = (group: Json): UpstreamGroup | undefined => {
  const subject = textOf(group["subject"]);
  if (subject === undefined) return undefined;
  const participants = listOf(group["participants"]).flatMap((one) => waIdOf(recordOf(one)) ?? []);
  return {
    subject,
    description: textOf(group["description"]) ?? "",
    joinApprovalMode: joinModeOf(group["join_approval_mode"]) ?? "AUTO_APPROVE",
    isSuspended: group["suspended"] === true,
    participants,
    totalParticipantCount: numberOf(group["total_participant_count"]) ?? participants.length,
  };
};

const requestsIn = (answer: Json): { requests: JoinRequest[]; after: string | null } | undefined => {
  if (!Array.isArray(answer["data"])) return undefined;
  return {
    requests: answer["data"].flatMap((one) => requestIn(recordOf(one)) ?? []),
    after: nextPageOf(answer) ?? null,
  };
};

const requestIn = (request: Json): JoinRequest | undefined => {
  const [joinRequestId, waId] = [textOf(request["join_request_id"]), waIdOf(request)];
  return joinRequestId === undefined || waId === undefined
    ? undefined
    : { joinRequestId, waId, requestedAt: millisecondsOf(request["creation_timestamp"]) || null };
};

const decisionIn = (answer: Json, decided: string): JoinDecision | undefined => {
  if (answer[decided] === undefined && answer["failed_join_requests"] === undefined) return undefined;
  return {
    decided: listOf(answer[decided]).flatMap((id) => textOf(id) ?? []),
    failed: listOf(answer["failed_join_requests"]).flatMap((one) => failedIn(recordOf(one)) ?? []),
  };
};

const failedIn = (failed: Json): JoinDecision["failed"][number] | undefined => {
  const joinRequestId = textOf(failed["join_request_id"]);
  if (joinRequestId === undefined) return undefined;
  const { title, message, error_data: data } = recordOf(listOf(failed["errors"])[0]);
  return {
    joinRequestId,
    error: textOf(message) ?? textOf(title) ?? textOf(recordOf(data)["details"]) ?? "the network gave no reason",
  };
};
