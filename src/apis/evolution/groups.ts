import { type TProperties, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { TIMERS } from "../../contract/abilities/timers.ts";
import { setTimer } from "../../core/channels/timers.ts";
import { createGroup } from "../../core/groups/creation.ts";
import {
  changeGroup,
  distinct,
  type Group,
  groupsPage,
  requireGroupOn,
  resetInviteLink,
} from "../../core/groups/groups.ts";
import { joinByInvitation, lookAtInvitation } from "../../core/groups/invites.ts";
import { getInviteLink, leaveGroup, setGroupPicture } from "../../core/groups/membership.ts";
import { changePeople } from "../../core/groups/people.ts";
import { refreshGroup, refreshGroups } from "../../core/groups/refresh.ts";
import { acceptAll } from "../../core/messaging/sending/accept.ts";
import { invalid } from "../../kernel/errors.ts";
import { issue, OneOf, Text } from "../../kernel/schema.ts";
import { personIn } from "../shared/compatible/addresses.ts";
import { pictureSource } from "../shared/compatible/files.ts";
import { groupView, inviteCodeIn, invitedView, statusOfOutcome } from "../shared/compatible/groups.ts";
import { askedBy, MAX_LONG_BODY_BYTES } from "../shared/http/request.ts";
import { type EvolutionAuth, instanceOf, type Principal, refuseMoreSends, refuseWithout } from "./auth.ts";
import type { EvolutionEnv } from "./env.ts";
import { peopleView, personJid, withPeople } from "./group-views.ts";
import { routeOptions } from "./route-options.ts";

const read = routeOptions({ scope: "groups.read", link: "required" });
const write = routeOptions({ scope: "groups.write", link: "required" });
const GroupQuery = Type.Object({ groupJid: Text(1, 128) });
const InviteQuery = Type.Object({ inviteCode: Text(1, 512) });
/** Programs name the group in the query or in the body. */
const GroupNamed = Type.Object({ groupJid: Type.Optional(Text(1, 128)) });
type Named = { query: { groupJid?: string }; body?: unknown };

/** @throws AppError VALIDATION if neither names the group */
const namedIn = ({ query, body }: Named): string => {
  const named = query.groupJid ?? (body as { groupJid?: string } | undefined)?.groupJid;
  if (named === undefined) throw invalid(issue("groupJid", "required", "must be given"));
  return named;
};
const groupBody = <Fields extends TProperties>(fields: Fields) => Type.Object({ ...GroupNamed.properties, ...fields });

/** The most people whom one request invites: each gets a message. */
const MOST_INVITED = 10;

/** The people of an invitation, each once. @throws AppError VALIDATION for an address of many people */
const invited = (numbers: readonly string[]): string[] => {
  const many = numbers.findIndex((number) =>
    /^(?:group|newsletter|broadcast):|@(?:g\.us|newsletter|broadcast)$/.test(number.trim()),
  );
  if (many !== -1) throw invalid(issue(`numbers.${many}`, "forbidden", "must be a person"));
  return distinct(numbers.map(personIn));
};

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

/** TABLE: Evolution's words for who adds people, as rules. */
const ADD_MODES = { admin_add: { onlyAdminsAdd: true }, all_member_add: { onlyAdminsAdd: false } } as const;

const inviteView = (link: string) => ({ inviteUrl: link, inviteCode: inviteCodeIn(link) });

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
          participants: participants.map(personIn),
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
      async ({ principal, request, query, body: { groupJid, ...changes } }) => {
        const { id } = await groupIn(principal, request, namedIn({ query, body: { groupJid } }));
        await changeGroup(env, principal, id, changes);
        return status(201, { update: "success" });
      },
      { query: GroupNamed, body: groupBody({ subject: Text(1, 128) }), detail: { ...write } },
    )
    .post(
      "/updateGroupDescription/:instance",
      async ({ principal, request, query, body: { groupJid, ...changes } }) => {
        const { id } = await groupIn(principal, request, namedIn({ query, body: { groupJid } }));
        await changeGroup(env, principal, id, changes);
        return status(201, { update: "success" });
      },
      { query: GroupNamed, body: groupBody({ description: Text(0, 2048) }), detail: { ...write } },
    )
    .post(
      "/updateGroupPicture/:instance",
      async ({ principal, request, query, body }) => {
        const picture = pictureSource(env, { field: "image", file: body.image });
        const { id } = await groupIn(principal, request, namedIn({ query, body }));
        await setGroupPicture(env, principal, { id, picture });
        return status(201, { update: "success" });
      },
      {
        query: GroupNamed,
        body: groupBody({ image: Type.String({ minLength: 1 }) }),
        detail: { ...routeOptions({ scope: "groups.write", link: "required", maxBodyBytes: MAX_LONG_BODY_BYTES }) },
      },
    )
    .post(
      "/updateParticipant/:instance",
      async ({ principal, request, query, body }) => {
        const { action, participants } = body;
        const { id } = await groupIn(principal, request, namedIn({ query, body }));
        const people = { id, waIds: participants.map(personIn), verb: VERBS[action] };
        const outcomes = await changePeople(env, principal, people);
        const updateParticipants =
          outcomes === true ? [] : outcomes.map((one) => ({ jid: personJid(one.waId), status: statusOfOutcome(one) }));
        return status(201, { updateParticipants });
      },
      {
        query: GroupNamed,
        body: groupBody({
          action: OneOf(ACTIONS),
          participants: Type.Array(Text(1, 64), { minItems: 1, maxItems: 50 }),
        }),
        detail: { ...write },
      },
    )
    .post(
      "/updateSetting/:instance",
      async ({ principal, request, query, body }) => {
        const { id } = await groupIn(principal, request, namedIn({ query, body }));
        await changeGroup(env, principal, id, { rules: RULES[body.action] });
        return status(201, { updateSetting: "success" });
      },
      { query: GroupNamed, body: groupBody({ action: OneOf(SETTINGS) }), detail: { ...write } },
    )
    .post(
      "/updateMemberAddMode/:instance",
      async ({ principal, request, query, body }) => {
        const { id } = await groupIn(principal, request, namedIn({ query, body }));
        await changeGroup(env, principal, id, { rules: ADD_MODES[body.mode] });
        return status(201, { update: "success", mode: body.mode });
      },
      { query: GroupNamed, body: groupBody({ mode: OneOf(["admin_add", "all_member_add"]) }), detail: { ...write } },
    )
    .post(
      "/toggleEphemeral/:instance",
      async ({ principal, request, query, body }) => {
        const { upstreamGroupId: to } = await groupIn(principal, request, namedIn({ query, body }));
        await setTimer(env, principal, { id: instanceOf(request).id, to, seconds: body.expiration });
        return status(201, { success: true });
      },
      {
        query: GroupNamed,
        body: groupBody({ expiration: Type.Union(TIMERS.map((seconds) => Type.Literal(seconds))) }),
        detail: { ...write },
      },
    )
    .post(
      "/sendInvite/:instance",
      async ({ principal, request, query, body }) => {
        const refusal = refuseWithout(principal, "messages.write");
        if (refusal) return refusal;
        const people = invited(body.numbers);
        const { id } = await groupIn(principal, request, namedIn({ query, body }));
        const exceeded = refuseMoreSends(env, principal, people.length - 1);
        if (exceeded) return exceeded;
        const inviteUrl = await getInviteLink(env, principal, id);
        const text = [body.description, inviteUrl].filter(Boolean).join("\n\n");
        const invitations = people.map((to) => ({
          channelId: instanceOf(request).id,
          to,
          type: "text" as const,
          content: { text },
        }));
        const options = { environment: "live", mustBeConnected: true, infersAnswers: true } as const;
        await acceptAll(env, principal, invitations, { ...options, ...askedBy(principal, request) });
        return { send: true, inviteUrl };
      },
      {
        query: GroupNamed,
        body: groupBody({
          description: Type.Optional(Text(0, 2048)),
          numbers: Type.Array(Text(1, 256), { minItems: 1, maxItems: MOST_INVITED }),
        }),
        detail: { ...routeOptions({ scope: "groups.write", link: "required", countsAsSend: true }) },
      },
    )
    .get(
      "/inviteInfo/:instance",
      async ({ principal, request, query: { inviteCode: code } }) =>
        invitedView(await lookAtInvitation(env, principal, { channelId: instanceOf(request).id, code })),
      { query: InviteQuery, detail: { ...read } },
    )
    .get(
      "/acceptInviteCode/:instance",
      async ({ principal, request, query: { inviteCode: code } }) => {
        const invitation = { channelId: instanceOf(request).id, code };
        const { state, groupId } = await joinByInvitation(env, principal, invitation);
        return { accepted: state === "joined", groupJid: groupId };
      },
      { query: InviteQuery, detail: { ...write } },
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
