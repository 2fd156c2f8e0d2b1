import { Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { createGroup } from "../../core/groups/creation.ts";
import { changeGroup, type Group, groupsPage, requireGroupOn, resetInviteLink } from "../../core/groups/groups.ts";
import { getInviteLink, leaveGroup, setGroupPicture } from "../../core/groups/membership.ts";
import { changePeople } from "../../core/groups/people.ts";
import { refreshGroup, refreshGroups } from "../../core/groups/refresh.ts";
import { SECOND_MS } from "../../kernel/clock.ts";
import { OneOf, Text } from "../../kernel/schema.ts";
import { MAX_LONG_BODY_BYTES } from "../shared/http/request.ts";
import { type EvolutionAuth, instanceOf, type Principal } from "./auth.ts";
import type { EvolutionEnv } from "./env.ts";
import { pictureSource } from "./files.ts";
import { addressOfNumber, groupJidOf, numberOf } from "./message-views.ts";
import { routeOptions } from "./route-options.ts";

const read = routeOptions({ scope: "groups.read", link: "required" });
const write = routeOptions({ scope: "groups.write", link: "required" });
const GroupQuery = Type.Object({ groupJid: Text(1, 128) });

const personJid = (waId: string): string => (waId.startsWith("lid:") ? `${waId.slice(4)}@lid` : addressOfNumber(waId));

const peopleView = ({ participants }: Group) =>
  participants.map(({ waId, isAdmin }) => ({ id: personJid(waId), admin: isAdmin ? "admin" : null }));

const groupView = (group: Group) => ({
  id: groupJidOf(group),
  subject: group.subject,
  subjectOwner: null,
  subjectTime: null,
  pictureUrl: null,
  size: group.totalParticipantCount,
  creation: Math.floor(group.createdAt / SECOND_MS),
  owner: null,
  desc: group.description,
  restrict: group.rules?.onlyAdminsEdit ?? false,
  announce: group.rules?.onlyAdminsSend ?? false,
});
const withPeople = (group: Group) => ({ ...groupView(group), participants: peopleView(group) });

/** The maximum number of groups in one answer. */
const MOST_GROUPS = 1000;

/** TABLE: Evolution's changes of people. */
const VERBS = { add: "addParticipants", remove: "removeParticipants", promote: "promote", demote: "demote" } as const;
const ACTIONS = ["add", "remove", "promote", "demote"] as const;

/** TABLE: Evolution's settings of a group, as rules. */
const RULES = {
  announcement: { onlyAdminsSend: true },
  not_announcement: { onlyAdminsSend: false },
  locked: { onlyAdminsEdit: true },
  unlocked: { onlyAdminsEdit: false },
} as const;
const SETTINGS = ["announcement", "not_announcement", "locked", "unlocked"] as const;

const inviteView = (link: string) => ({ inviteUrl: link, inviteCode: link.slice(link.lastIndexOf("/") + 1) });

/** The groups of an instance. */
export const groups = (env: EvolutionEnv, auth: EvolutionAuth) => {
  /** The group of this instance. A group that another phone of the account shares is a separate group. */
  const groupIn = (principal: Principal, request: Request, groupJid: string): Promise<Group> =>
    requireGroupOn(env, principal, { channelId: instanceOf(request).id, groupJid });

  return new Elysia({ prefix: "/group" })
    .use(auth)
    .post(
      "/create/:instance",
      async ({ principal, request, body: { subject, description, participants } }) => {
        const { group } = await createGroup(env, principal, {
          channelId: instanceOf(request).id,
          subject,
          ...(description ? { description } : {}),
          participants: participants.map(numberOf),
        });
        return status(201, withPeople(group));
      },
      {
        body: Type.Object({
          subject: Text(1, 128),
          description: Type.Optional(Text(0, 2048)),
          participants: Type.Array(Text(1, 64), { minItems: 1, maxItems: 50 }),
        }),
        detail: { ...write },
      },
    )
    .get(
      "/fetchAllGroups/:instance",
      async ({ principal, request, query: { getParticipants } }) => {
        const { id: channelId } = instanceOf(request);
        await refreshGroups(env, principal, channelId);
        const page = { channelId, withSuspended: true, cursor: undefined, limit: MOST_GROUPS };
        const { items } = await groupsPage(env, principal, page);
        return items.map(getParticipants === "true" ? withPeople : groupView);
      },
      { query: Type.Object({ getParticipants: Type.Optional(Type.String()) }), detail: { ...read } },
    )
    .get(
      "/findGroupInfos/:instance",
      async ({ principal, request, query: { groupJid } }) =>
        withPeople(await refreshGroup(env, principal, (await groupIn(principal, request, groupJid)).id)),
      { query: GroupQuery, detail: { ...read } },
    )
    .get(
      "/participants/:instance",
      async ({ principal, request, query: { groupJid } }) => ({
        participants: peopleView(await refreshGroup(env, principal, (await groupIn(principal, request, groupJid)).id)),
      }),
      { query: GroupQuery, detail: { ...read } },
    )
    .get(
      "/inviteCode/:instance",
      async ({ principal, request, query: { groupJid } }) =>
        inviteView(await getInviteLink(env, principal, (await groupIn(principal, request, groupJid)).id)),
      { query: GroupQuery, detail: { ...read } },
    )
    .post(
      "/revokeInviteCode/:instance",
      async ({ principal, request, query: { groupJid } }) => {
        const link = await resetInviteLink(env, principal, (await groupIn(principal, request, groupJid)).id);
        return status(201, { revoked: true, ...inviteView(link) });
      },
      { query: GroupQuery, detail: { ...write } },
    )
    .post(
      "/updateGroupSubject/:instance",
      async ({ principal, request, query: { groupJid }, body }) => {
        await changeGroup(env, principal, (await groupIn(principal, request, groupJid)).id, body);
        return status(201, { update: "success" });
      },
      { query: GroupQuery, body: Type.Object({ subject: Text(1, 128) }), detail: { ...write } },
    )
    .post(
      "/updateGroupDescription/:instance",
      async ({ principal, request, query: { groupJid }, body }) => {
        await changeGroup(env, principal, (await groupIn(principal, request, groupJid)).id, body);
        return status(201, { update: "success" });
      },
      { query: GroupQuery, body: Type.Object({ description: Text(0, 2048) }), detail: { ...write } },
    )
    .post(
      "/updateGroupPicture/:instance",
      async ({ principal, request, query: { groupJid }, body: { image } }) => {
        const picture = pictureSource(env, { field: "image", file: image });
        await setGroupPicture(env, principal, { id: (await groupIn(principal, request, groupJid)).id, picture });
        return status(201, { update: "success" });
      },
      {
        query: GroupQuery,
        body: Type.Object({ image: Type.String({ minLength: 1 }) }),
        detail: { ...routeOptions({ scope: "groups.write", link: "required", maxBodyBytes: MAX_LONG_BODY_BYTES }) },
      },
    )
    .post(
      "/updateParticipant/:instance",
      async ({ principal, request, query: { groupJid }, body: { action, participants } }) => {
        const { id } = await groupIn(principal, request, groupJid);
        const people = { id, waIds: participants.map(numberOf), verb: VERBS[action] };
        const outcomes = await changePeople(env, principal, people);
        const updateParticipants =
          outcomes === true ? [] : outcomes.map(({ waId, outcome }) => ({ jid: personJid(waId), status: outcome }));
        return status(201, { updateParticipants });
      },
      {
        query: GroupQuery,
        body: Type.Object({
          action: OneOf(ACTIONS),
          participants: Type.Array(Text(1, 64), { minItems: 1, maxItems: 50 }),
        }),
        detail: { ...write },
      },
    )
    .post(
      "/updateSetting/:instance",
      async ({ principal, request, query: { groupJid }, body: { action } }) => {
        const { id } = await groupIn(principal, request, groupJid);
        await changeGroup(env, principal, id, { rules: RULES[action] });
        return status(201, { updateSetting: "success" });
      },
      { query: GroupQuery, body: Type.Object({ action: OneOf(SETTINGS) }), detail: { ...write } },
    )
    .delete(
      "/leaveGroup/:instance",
      async ({ principal, request, query: { groupJid } }) => {
        await leaveGroup(env, principal, (await groupIn(principal, request, groupJid)).id);
        return { groupJid, leave: true };
      },
      { query: GroupQuery, detail: { ...write } },
    );
};
