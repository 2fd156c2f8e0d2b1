import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { PERSON_OUTCOMES } from "../../../contract/abilities/groups.ts";
import { changePeople, decideJoinRequests, joinRequestsPage, type PeopleVerb } from "../../../core/groups/people.ts";
import { isoOrNull } from "../../../kernel/clock.ts";
import { numberPattern } from "../../../kernel/numbers/phone-numbers.ts";
import { queryNumber } from "../../../kernel/page.ts";
import { described, OneOf, Text } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route, routeOptions } from "../route-options.ts";
import { InstantOrNull, Nothing, Page, QueryLimit, UPSTREAM_REFUSALS } from "../schemas.ts";

const BSUID = "^[A-Z]{2}\\.(ENT\\.)?[A-Za-z0-9]{1,128}$";
const LID = "^lid:[0-9]{5,20}$";
const WaId = Type.String({
  pattern: `${numberPattern({ min: 6, max: 15, first: "1-9", takesBarePlus: true })}|${BSUID}|${LID}`,
  description: "must be an E.164 number",
});
/** People of a request, as clients name them. */
export const WaIds = (minItems: number) => Type.Array(WaId, { minItems, maxItems: 50 });
const PeopleBody = Type.Object(
  { waIds: described(WaIds(1), "Numbers or ids; at most 50", ["5511988887777"]) },
  { title: "GroupPeopleRequest" },
);
const DecisionBody = Type.Object(
  {
    joinRequestIds: Type.Array(Text(1, 256), {
      description: "The requests that are decided; at most 100",
      examples: [["jr_1042"]],
    }),
  },
  { title: "JoinDecisionRequest" },
);

const JoinRequestView = Type.Object(
  {
    joinRequestId: Type.String({ description: "The network's id of the request to join", examples: ["jr_1042"] }),
    waId: Type.String({ description: "The person's number or id", examples: ["5511988887777"] }),
    requestedAt: described(InstantOrNull, "When the person asked; null if unknown", "2026-11-22T12:00:00.000Z"),
  },
  { title: "JoinRequest" },
);
const Failed = Type.Array(
  Type.Object(
    {
      joinRequestId: Type.String({ description: "The network's id of the request to join", examples: ["jr_1042"] }),
      error: Type.String({ description: "Why, in the words of the other side", examples: ["UPSTREAM_REFUSED"] }),
    },
    { title: "FailedJoinRequest" },
  ),
);
const Ids = Type.Array(Type.String());

/** The outcome for each person of a change, if the network reports it at once. */
export const OutcomesView = Type.Array(
  Type.Object(
    {
      waId: Type.String({ description: "The person's number or id", examples: ["5511988887777"] }),
      outcome: OneOf(PERSON_OUTCOMES, { title: "GroupOutcome", description: "What happened to this person" }),
      code: Type.Optional(Type.Integer({ description: "The network's own number", examples: [131047] })),
    },
    { title: "GroupPersonOutcome" },
  ),
  { description: "`code` is the network's own number" },
);
const changed = {
  200: Type.Object({ participants: OutcomesView }),
  204: Nothing,
  ...UPSTREAM_REFUSALS,
};

/** `limit` of the lists of groups: 25 by default, at most 100. */
export const limitOf = (limit: string | undefined): number =>
  queryNumber("limit", limit, { fallback: 25, min: 1, max: 100 });

/** The device that is linked for a phone answers; of several nodes one has it. */
const link = routeOptions({ link: "required" });

/**
 * The participants and join requests of a group. If the network reports the outcome for each person at once, a change
 * answers 200 with it; else 204, and an event follows.
 */
export const groupPeople = (env: GatewayEnv, auth: GatewayAuth) => {
  const change = async (
    principal: Parameters<typeof changePeople>[1],
    id: string,
    waIds: string[],
    verb: PeopleVerb,
  ) => {
    const outcomes = await changePeople(env, principal, { id, waIds, verb });
    return outcomes === true ? undefined : { participants: [...outcomes] };
  };
  return new Elysia({
    prefix: "/v1/groups",
    tags: ["groups"],
    detail: { ...link, ...inPath({ id: Type.String({ description: "The group's id here, or the network's" }) }) },
  })
    .use(auth)
    .post(
      "/:id/participants",
      async ({ principal, params, body, status }) => {
        const outcomes = await change(principal, params.id, body.waIds, "addParticipants");
        return outcomes ? status(200, outcomes) : status(204, undefined);
      },
      {
        body: PeopleBody,
        response: changed,
        detail: {
          ...route({ operationId: "addGroupParticipants", acts: "none: daily work", isolation: { id: "group" } }),
          summary: "Add people to a group, or invite people who require an invitation",
          description: "200 has the outcome for each person. A network that reports no outcomes gives 204.",
        },
      },
    )
    .delete(
      "/:id/participants",
      async ({ principal, params, body, status }) => {
        const outcomes = await change(principal, params.id, body.waIds, "removeParticipants");
        return outcomes ? status(200, outcomes) : status(204, undefined);
      },
      {
        body: PeopleBody,
        response: changed,
        detail: {
          ...route({ operationId: "removeGroupParticipants", acts: "none: daily work", isolation: { id: "group" } }),
          summary: "Remove people from a group",
          description: "200 has the outcome for each person. A network that reports no outcomes gives 204.",
        },
      },
    )
    .post(
      "/:id/admins",
      async ({ principal, params, body, status }) => {
        const outcomes = await change(principal, params.id, body.waIds, "promote");
        return outcomes ? status(200, outcomes) : status(204, undefined);
      },
      {
        body: PeopleBody,
        response: changed,
        detail: {
          ...route({ operationId: "promoteGroupParticipants", acts: "none: daily work", isolation: { id: "group" } }),
          summary: "Make people administrators of a group",
          description:
            "200 has the outcome for each person. A network that reports no outcomes gives 204. Not every " +
            "network offers it.",
        },
      },
    )
    .delete(
      "/:id/admins",
      async ({ principal, params, body, status }) => {
        const outcomes = await change(principal, params.id, body.waIds, "demote");
        return outcomes ? status(200, outcomes) : status(204, undefined);
      },
      {
        body: PeopleBody,
        response: changed,
        detail: {
          ...route({ operationId: "demoteGroupParticipants", acts: "none: daily work", isolation: { id: "group" } }),
          summary: "Remove the administrator role from people in a group",
          description:
            "200 has the outcome for each person. A network that reports no outcomes gives 204. Not every " +
            "network offers it.",
        },
      },
    )
    .get(
      "/:id/join-requests",
      async ({ principal, params, query }) => {
        const { items, nextCursor } = await joinRequestsPage(env, principal, {
          id: params.id,
          after: query.after,
          limit: limitOf(query.limit),
        });
        return {
          items: items.map(({ requestedAt, ...request }) => ({ ...request, requestedAt: isoOrNull(requestedAt) })),
          nextCursor,
        };
      },
      {
        query: Type.Object({
          limit: QueryLimit(100, 25),
          after: Type.Optional(described(Text(1, 2048), "The `nextCursor` of the page before")),
        }),
        response: { 200: Page(JoinRequestView), ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "listGroupJoinRequests", isolation: { id: "group" } }),
          summary: "List the requests to join a group",
          description: "Pages follow each other by `after`.",
        },
      },
    )
    .post(
      "/:id/join-requests/approve",
      async ({ principal, params, body }) => {
        const { decided, failed } = await decideJoinRequests(env, principal, {
          id: params.id,
          ...body,
          decision: "approve",
        });
        return { success: true, approved: decided, failed };
      },
      {
        body: DecisionBody,
        response: {
          200: Type.Object({
            success: Type.Boolean({ description: "True, even if `failed` names some requests" }),
            approved: described(Ids, "Ids of the requests that were approved", ["jr_1042"]),
            failed: described(Failed, "Requests that the network did not carry out, and why"),
          }),
          ...UPSTREAM_REFUSALS,
        },
        detail: {
          ...route({ operationId: "approveGroupJoinRequests", acts: "none: daily work", isolation: { id: "group" } }),
          summary: "Approve requests to join a group",
          description: "At most 100 requests. `failed` names those that the network did not process.",
        },
      },
    )
    .post(
      "/:id/join-requests/reject",
      async ({ principal, params, body }) => {
        const { decided, failed } = await decideJoinRequests(env, principal, {
          id: params.id,
          ...body,
          decision: "reject",
        });
        return { success: true, rejected: decided, failed };
      },
      {
        body: DecisionBody,
        response: {
          200: Type.Object({
            success: Type.Boolean({ description: "True, even if `failed` names some requests" }),
            rejected: described(Ids, "Ids of the requests that were rejected", ["jr_1042"]),
            failed: described(Failed, "Requests that the network did not carry out, and why"),
          }),
          ...UPSTREAM_REFUSALS,
        },
        detail: {
          ...route({ operationId: "rejectGroupJoinRequests", acts: "none: daily work", isolation: { id: "group" } }),
          summary: "Reject requests to join a group",
          description: "At most 100 requests. `failed` names those that the network did not process.",
        },
      },
    );
};
