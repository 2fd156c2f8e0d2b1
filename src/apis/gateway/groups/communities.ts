import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  changeLink,
  communitiesPage,
  communityParticipants,
  createCommunity,
  deactivateCommunity,
  linkedGroups,
} from "../../../core/groups/communities.ts";
import { described, Nullable, Text, Uuid } from "../../../kernel/schema.ts";
import { Cursor, IDS, inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route, routeOptions } from "../route-options.ts";
import { Nothing, Page, QueryLimit, UPSTREAM_REFUSALS } from "../schemas.ts";
import { limitOf } from "./group-people.ts";
import { GroupView, groupView } from "./group-views.ts";

const CreateBody = Type.Object(
  {
    phoneId: described(Uuid(), "The phone that makes the community", IDS.phone),
    subject: described(Text(1, 100), "The name of the community", "Bairro da Padaria"),
    description: Type.Optional(
      described(Text(0, 2048), "A text about the community; at most 2,048 characters", "Clientes e entregadores"),
    ),
  },
  { title: "CreateCommunityRequest" },
);
const LinkedView = Type.Object(
  {
    id: Nullable(
      Type.String({ format: "uuid", description: "The group's id here; null if the phone is not known to be in it" }),
    ),
    upstreamGroupId: Type.String({
      description: "The network's id of the group",
      examples: ["120363000000000001@g.us"],
    }),
    subject: Type.String({ description: "The group's name", examples: ["Entregas"] }),
    isAnnouncementGroup: Type.Boolean({
      description: "Whether it is the group for the announcements of the community",
      examples: [false],
    }),
  },
  { title: "LinkedGroup" },
);
const done = { 204: Nothing, ...UPSTREAM_REFUSALS };

/** The device that is linked for a phone answers; of several nodes one has it. */
const link = routeOptions({ link: "required" });

/** Communities: groups to which other groups are linked. Every route of groups takes a community too. */
export const communities = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/communities",
    tags: ["groups"],
    detail: {
      ...link,
      ...inPath({
        id: Type.String({ description: "The community's id here, or the network's" }),
        groupId: Type.String({ description: "The group's id here, or the network's" }),
      }),
    },
  })
    .use(auth)
    .post(
      "/",
      async ({ principal, body: { phoneId: channelId, ...input }, status }) =>
        status(201, groupView(await createCommunity(env, principal, { channelId, ...input }))),
      {
        body: CreateBody,
        response: { 201: GroupView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "createCommunity", acts: "none: daily work", isolation: { phoneId: "channel" } }),
          summary: "Make a community, with its announcement group",
          description: "Counts as a new group. Its announcement group is listed among the groups. SESSION only.",
        },
      },
    )
    .get(
      "/",
      async ({ principal, query: { phoneId: channelId, cursor, limit } }) => {
        const page = { channelId, cursor, limit: limitOf(limit) };
        const { items, nextCursor } = await communitiesPage(env, principal, page);
        return { items: items.map(groupView), nextCursor };
      },
      {
        query: Type.Object({
          phoneId: described(Uuid(), "The phone whose communities are listed"),
          limit: QueryLimit(100, 25),
          cursor: Type.Optional(Cursor(Uuid())),
        }),
        response: { 200: Page(GroupView), ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "listCommunities", isolation: { phoneId: "channel", cursor: "group" } }),
          summary: "List a phone's communities, newest first",
          description: "As they are stored here: `GET /v1/groups?refresh=true` asks the network.",
        },
      },
    )
    .get(
      "/:id/groups",
      async ({ principal, params }) => ({
        items: (await linkedGroups(env, principal, params.id)).map(({ groupId, ...group }) => ({
          ...group,
          upstreamGroupId: groupId,
        })),
      }),
      {
        response: {
          200: Type.Object({ items: Type.Array(LinkedView, { description: "The groups of the community" }) }),
          ...UPSTREAM_REFUSALS,
        },
        detail: {
          ...route({ operationId: "listCommunityGroups", isolation: { id: "group" } }),
          summary: "List the groups of a community",
          description: "From the network, with its announcement group.",
        },
      },
    )
    .put(
      "/:id/groups/:groupId",
      async ({ principal, params: { id, groupId }, status }) => {
        await changeLink(env, principal, { id, groupId, change: "link" });
        return status(204, undefined);
      },
      {
        response: done,
        detail: {
          ...route({
            operationId: "linkCommunityGroup",
            acts: "none: daily work",
            isolation: { id: "group", groupId: "group" },
          }),
          summary: "Link a group to a community",
          description: "The phone must administer both. Its members become members of the community.",
        },
      },
    )
    .delete(
      "/:id/groups/:groupId",
      async ({ principal, params: { id, groupId }, status }) => {
        await changeLink(env, principal, { id, groupId, change: "unlink" });
        return status(204, undefined);
      },
      {
        response: done,
        detail: {
          ...route({
            operationId: "unlinkCommunityGroup",
            acts: "none: daily work",
            isolation: { id: "group", groupId: "group" },
          }),
          summary: "Unlink a group from a community",
          description: "The group stays, with its members.",
        },
      },
    )
    .get(
      "/:id/participants",
      async ({ principal, params }) => ({ waIds: [...(await communityParticipants(env, principal, params.id))] }),
      {
        response: {
          200: Type.Object(
            {
              waIds: Type.Array(Type.String(), {
                description: "Numbers, or ids of people without a known number",
                examples: [["5511988887777"]],
              }),
            },
            { title: "CommunityParticipants" },
          ),
          ...UPSTREAM_REFUSALS,
        },
        detail: {
          ...route({ operationId: "listCommunityParticipants", isolation: { id: "group" } }),
          summary: "List the people in the groups of a community",
          description: "From the network; at most 10,000.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ principal, params, status }) => {
        await deactivateCommunity(env, principal, params.id);
        return status(204, undefined);
      },
      {
        response: done,
        detail: {
          ...route({ operationId: "deactivateCommunity", acts: "none: daily work", isolation: { id: "group" } }),
          summary: "End a community",
          description: "Its announcement group ends with it, and its other groups stay. Only its maker may.",
        },
      },
    );
