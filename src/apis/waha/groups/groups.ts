import { Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { pictureOfPerson } from "../../../core/channels/people.ts";
import { createGroup } from "../../../core/groups/creation.ts";
import {
  changeGroup,
  type Group,
  type GroupChanges,
  groupsPage,
  removeGroup,
  requireGroupOn,
  resetInviteLink,
} from "../../../core/groups/groups.ts";
import { joinByInvitation, lookAtInvitation } from "../../../core/groups/invites.ts";
import { getInviteLink, leaveGroup, setGroupPicture } from "../../../core/groups/membership.ts";
import { changePeople, type PeopleVerb } from "../../../core/groups/people.ts";
import { refreshGroup, refreshGroups } from "../../../core/groups/refresh.ts";
import { OneOf, Text } from "../../../kernel/schema.ts";
import { groupJidOf, personIn } from "../../shared/compatible/addresses.ts";
import { groupView, inviteCodeIn, invitedView, membersView, statusOfOutcome } from "../../shared/compatible/groups.ts";
import { MAX_LONG_BODY_BYTES } from "../../shared/http/request.ts";
import { chatIdOfNumber } from "../addresses.ts";
import { type Principal, sessionOf, type WahaAuth } from "../auth.ts";
import type { WahaEnv } from "../env.ts";
import { FileBody, pictureIn } from "../files.ts";
import { cut, Flag, MOST, PAGING, pageIn, SortOrder, sorted } from "../pages.ts";
import { routeOptions } from "../route-options.ts";

const Person = Type.Object({ id: Text(1, 64) });
const People = (minItems: number) => Type.Array(Person, { minItems, maxItems: 50 });
const PeopleBody = Type.Object({ participants: People(1) });
const AdminsOnly = Type.Object({ adminsOnly: Type.Optional(Type.Boolean()) });

const SORTS = { id: groupJidOf, subject: ({ subject }: Group) => subject } as const;
const ListQuery = Type.Object({
  ...PAGING,
  sortBy: Type.Optional(OneOf(["", "id", "subject"])),
  sortOrder: SortOrder,
  exclude: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 10 })])),
});

/** The network's answer for one person. */
const personId = (waId: string): string =>
  waId.startsWith("lid:") ? `${waId.slice("lid:".length)}@lid` : chatIdOfNumber(waId);

const named = ({ id }: { id: string }): string => personIn(id);

const withPeople = (group: Group) => ({ ...groupView(group), participants: membersView(group, personId) });

const peopleOf = ({ participants }: Group) =>
  participants.map(({ waId, isAdmin }) => ({
    id: personId(waId),
    ...(waId.startsWith("lid:") ? {} : { pn: chatIdOfNumber(waId) }),
    role: isAdmin ? "admin" : "participant",
  }));

const read = { ...routeOptions({ scope: "groups.read", link: "required" }) };
const write = { ...routeOptions({ scope: "groups.write", link: "required" }) };
const withFile = {
  ...routeOptions({ scope: "groups.write", link: "required", maxBodyBytes: MAX_LONG_BODY_BYTES }),
};
const DONE = { success: true } as const;
/** The answer to a change that was made. */
const yes = (): Response => Response.json(true);

type Asked = { principal: Principal; request: Request; params: { id: string } };

/** What the routes of groups do. A group that another phone of the account shares is a separate group. */
const actsOn = (env: WahaEnv) => {
  /** The group of this session. */
  const groupIn = ({ principal, request, params: { id } }: Asked): Promise<Group> =>
    requireGroupOn(env, principal, { channelId: sessionOf(request).id, groupJid: id });
  return {
    groupIn,
    /** The group as the network has it now. */
    freshGroup: async (asked: Asked): Promise<Group> => refreshGroup(env, asked.principal, (await groupIn(asked)).id),
    change: async (asked: Asked, changes: GroupChanges): Promise<void> =>
      void (await changeGroup(env, asked.principal, (await groupIn(asked)).id, changes)),
    all: async (principal: Principal, channelId: Group["channelId"]): Promise<Group[]> => {
      await refreshGroups(env, principal, channelId);
      return (await groupsPage(env, principal, { channelId, withSuspended: true, cursor: undefined, limit: MOST }))
        .items;
    },
    changeRoles: async (asked: Asked, people: readonly { id: string }[], verb: PeopleVerb) => {
      const { id } = await groupIn(asked);
      const outcomes = await changePeople(env, asked.principal, { id, waIds: people.map(named), verb });
      return outcomes === true
        ? []
        : outcomes.map((one) => ({ jid: personId(one.waId), status: statusOfOutcome(one) }));
    },
  };
};
type Acts = ReturnType<typeof actsOn>;

/** The groups as a list, and joining one. */
const lists = (env: WahaEnv, auth: WahaAuth, { all }: Acts) =>
  new Elysia()
    .use(auth)
    .post(
      "/",
      async ({ principal, request, body: { name: subject, participants } }) => {
        const { id: channelId } = sessionOf(request);
        const { group } = await createGroup(env, principal, {
          channelId,
          subject,
          participants: participants.map(named),
        });
        return status(201, withPeople(group));
      },
      { body: Type.Object({ name: Text(1, 128), participants: People(0) }), detail: write },
    )
    .get(
      "/",
      async ({ principal, request, query }) => {
        const found = await all(principal, sessionOf(request).id);
        const rows = query.sortBy ? sorted(found, SORTS[query.sortBy], query.sortOrder) : found;
        const isBare = [query.exclude ?? []].flat().join(",").split(",").includes("participants");
        // the engine answers the groups by their ids
        return Object.fromEntries(
          cut(rows, pageIn(query)).map((group) => [groupJidOf(group), isBare ? groupView(group) : withPeople(group)]),
        );
      },
      { query: ListQuery, detail: read },
    )
    .get(
      "/count",
      async ({ principal, request }) => ({ count: (await all(principal, sessionOf(request).id)).length }),
      { detail: read },
    )
    .post(
      "/refresh",
      async ({ principal, request }) => {
        await refreshGroups(env, principal, sessionOf(request).id);
        return DONE;
      },
      { detail: write },
    )
    .get(
      "/join-info",
      async ({ principal, request, query: { code } }) =>
        invitedView(await lookAtInvitation(env, principal, { channelId: sessionOf(request).id, code })),
      { query: Type.Object({ code: Text(1, 512) }), detail: read },
    )
    .post(
      "/join",
      async ({ principal, request, body: { code } }) => {
        const { groupId } = await joinByInvitation(env, principal, { channelId: sessionOf(request).id, code });
        return { id: groupJidOf({ upstreamGroupId: groupId }) };
      },
      { body: Type.Object({ code: Text(1, 512) }), detail: write },
    );

/** One group, its subject and description. */
const oneGroup = (env: WahaEnv, auth: WahaAuth, { groupIn, freshGroup, change }: Acts) =>
  new Elysia()
    .use(auth)
    .get("/:id", async (asked) => withPeople(await freshGroup(asked)), { detail: read })
    .delete(
      "/:id",
      async (asked) => {
        await removeGroup(env, asked.principal, (await groupIn(asked)).id);
        return "";
      },
      { detail: write },
    )
    .post(
      "/:id/leave",
      async (asked) => {
        await leaveGroup(env, asked.principal, (await groupIn(asked)).id);
        return "";
      },
      { detail: write },
    )
    .put(
      "/:id/subject",
      async ({ body: { subject }, ...asked }) => {
        await change(asked, { subject });
        return yes();
      },
      { body: Type.Object({ subject: Text(1, 128) }), detail: write },
    )
    .put(
      "/:id/description",
      async ({ body: { description }, ...asked }) => {
        await change(asked, { description });
        return yes();
      },
      { body: Type.Object({ description: Text(0, 2048) }), detail: write },
    );

/** The picture of a group. */
const pictures = (env: WahaEnv, auth: WahaAuth, { groupIn }: Acts) =>
  new Elysia()
    .use(auth)
    .get(
      "/:id/picture",
      async (asked) => {
        const { channelId, ...group } = await groupIn(asked);
        const { url } = await pictureOfPerson(env, asked.principal, { id: channelId, to: groupJidOf(group) });
        return { url };
      },
      { query: Type.Object({ refresh: Flag }), detail: read },
    )
    .put(
      "/:id/picture",
      async ({ body: { file }, ...asked }) => {
        const picture = pictureIn(env, { field: "file", file });
        await setGroupPicture(env, asked.principal, { id: (await groupIn(asked)).id, picture });
        return DONE;
      },
      { body: Type.Object({ file: FileBody }), detail: withFile },
    )
    .delete(
      "/:id/picture",
      async (asked) => {
        await setGroupPicture(env, asked.principal, { id: (await groupIn(asked)).id, picture: null });
        return DONE;
      },
      { detail: write },
    );

/** The code by which people join a group. */
const inviteCodes = (env: WahaEnv, auth: WahaAuth, { groupIn }: Acts) =>
  new Elysia()
    .use(auth)
    .get(
      "/:id/invite-code",
      async (asked) => inviteCodeIn(await getInviteLink(env, asked.principal, (await groupIn(asked)).id)),
      { detail: read },
    )
    .post(
      "/:id/invite-code/revoke",
      async (asked) => inviteCodeIn(await resetInviteLink(env, asked.principal, (await groupIn(asked)).id)),
      { detail: write },
    );

/** What members of a group may do. */
const rules = (auth: WahaAuth, { freshGroup, change }: Acts) =>
  new Elysia()
    .use(auth)
    .get(
      "/:id/settings/security/info-admin-only",
      async (asked) => ({ adminsOnly: (await freshGroup(asked)).rules?.onlyAdminsEdit ?? false }),
      { detail: read },
    )
    .put(
      "/:id/settings/security/info-admin-only",
      async ({ body: { adminsOnly = true }, ...asked }) => {
        await change(asked, { rules: { onlyAdminsEdit: adminsOnly } });
        return yes();
      },
      { body: AdminsOnly, detail: write },
    )
    .get(
      "/:id/settings/security/messages-admin-only",
      async (asked) => ({ adminsOnly: (await freshGroup(asked)).rules?.onlyAdminsSend ?? false }),
      { detail: read },
    )
    .put(
      "/:id/settings/security/messages-admin-only",
      async ({ body: { adminsOnly = true }, ...asked }) => {
        await change(asked, { rules: { onlyAdminsSend: adminsOnly } });
        return yes();
      },
      { body: AdminsOnly, detail: write },
    )
    .get(
      "/:id/settings/security/member-add-mode",
      async (asked) => ({ membersCanAddNewMember: !(await freshGroup(asked)).rules?.onlyAdminsAdd }),
      { detail: read },
    )
    .put(
      "/:id/settings/security/member-add-mode",
      async ({ body: { membersCanAddNewMember = true }, ...asked }) => {
        await change(asked, { rules: { onlyAdminsAdd: !membersCanAddNewMember } });
        return yes();
      },
      { body: Type.Object({ membersCanAddNewMember: Type.Optional(Type.Boolean()) }), detail: write },
    )
    .get(
      "/:id/settings/security/membership-approval",
      async (asked) => ({
        newMembersApprovalRequired: (await freshGroup(asked)).joinApprovalMode === "APPROVAL_REQUIRED",
      }),
      { detail: read },
    )
    .put(
      "/:id/settings/security/membership-approval",
      async ({ body: { newMembersApprovalRequired = false }, ...asked }) => {
        await change(asked, { joinApprovalMode: newMembersApprovalRequired ? "APPROVAL_REQUIRED" : "AUTO_APPROVE" });
        return yes();
      },
      { body: Type.Object({ newMembersApprovalRequired: Type.Optional(Type.Boolean()) }), detail: write },
    );

/** The members of a group. */
const people = (auth: WahaAuth, { freshGroup, changeRoles }: Acts) =>
  new Elysia()
    .use(auth)
    .get("/:id/participants", async (asked) => membersView(await freshGroup(asked), personId), {
      detail: read,
    })
    .get("/:id/participants/v2", async (asked) => peopleOf(await freshGroup(asked)), { detail: read })
    .post(
      "/:id/participants/add",
      ({ body: { participants }, ...asked }) => changeRoles(asked, participants, "addParticipants"),
      { body: PeopleBody, detail: write },
    )
    .post(
      "/:id/participants/remove",
      ({ body: { participants }, ...asked }) => changeRoles(asked, participants, "removeParticipants"),
      { body: PeopleBody, detail: write },
    )
    .post("/:id/admin/promote", ({ body: { participants }, ...asked }) => changeRoles(asked, participants, "promote"), {
      body: PeopleBody,
      detail: write,
    })
    .post("/:id/admin/demote", ({ body: { participants }, ...asked }) => changeRoles(asked, participants, "demote"), {
      body: PeopleBody,
      detail: write,
    });

/** The groups of a session. */
export const groups = (env: WahaEnv, auth: WahaAuth) => {
  const acts = actsOn(env);
  return new Elysia({ prefix: "/api/:session/groups" })
    .use(lists(env, auth, acts))
    .use(oneGroup(env, auth, acts))
    .use(pictures(env, auth, acts))
    .use(inviteCodes(env, auth, acts))
    .use(rules(auth, acts))
    .use(people(auth, acts));
};
