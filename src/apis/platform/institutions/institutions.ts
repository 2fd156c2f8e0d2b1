import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { inviteMember, withdrawInvitation } from "../../../core/tenancy/people/invitations.ts";
import {
  changeRole,
  type MemberView as Listed,
  readMembers,
  removeMember,
} from "../../../core/tenancy/people/members.ts";
import { ROLES } from "../../../core/tenancy/people/roles.ts";
import { createInstitution } from "../../../core/tenancy/people/users.ts";
import { iso } from "../../../kernel/clock.ts";
import { described, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { UserEmail } from "../../shared/docs/texts.ts";
import { Id, inPath } from "../../shared/fields.ts";
import { type PlatformAuth, requireMember, requireUser } from "../auth.ts";
import { bothApis } from "../both-apis.ts";
import type { PlatformEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, Nothing, REFUSALS } from "../schemas.ts";

const Role = OneOf(ROLES, { title: "MemberRole" });
const MemberView = Type.Object(
  {
    userId: Nullable(Id("The user id of the member; null while the person is only invited", "user")),
    name: Nullable(
      Type.String({
        description: "The name of the member; null while the person is only invited",
        examples: ["Maria Souza"],
      }),
    ),
    email: Type.String({ description: "The e-mail address of the member", examples: ["maria@example.com"] }),
    role: described(Role, "The role of the member", "ADMIN"),
    state: OneOf(["active", "invited"], { description: "`invited` until the person accepts", examples: ["invited"] }),
    invitationId: Type.Optional(
      described(
        Id("Present while the person is only invited", "invitation"),
        "The id of the invitation; present while the person is only invited",
      ),
    ),
    expiresAt: Type.Optional(
      described(
        Instant,
        "When the invitation ends; present while the person is only invited",
        "2026-11-29T12:00:00.000Z",
      ),
    ),
  },
  { title: "Member" },
);
const InvitedView = Type.Composite(
  [
    MemberView,
    Type.Object({
      link: Type.Optional(
        Type.String({
          description: "Opens once; absent if it was mailed",
          examples: ["https://recado.example/convite/Zk3vX9pQ"],
        }),
      ),
    }),
  ],
  {
    title: "InvitedMember",
  },
);

const memberView = (one: Listed): Static<typeof MemberView> =>
  one.state === "active" ? one : { ...one, expiresAt: iso(one.expiresAt) };

/** Invitations per minute of one institution. */
const INVITATIONS_PER_MINUTE = 10;

/** The routes of institutions and their members. */
export const institutions = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({
    prefix: "/v1/institutions",
    tags: ["institutions"],
    detail: inPath({
      institutionId: Id("The institution, as `GET /v1/auth/institutions` lists it", "institution"),
      userId: Id("The member's user id", "user"),
      invitationId: Id("The invitation, as the list of members names it", "invitation"),
    }),
  })
    .use(bothApis(env, auth))
    .use(auth)
    .post(
      "/",
      async ({ principal, body, status }) =>
        status(201, await createInstitution(env, requireUser(principal), body.name)),
      {
        body: Type.Object({ name: described(Text(1, 120), "The name of the business", "Padaria Estrela") }),
        response: {
          201: Type.Object({
            id: Id("The institution's id"),
            name: Type.String({ description: "The name of the business", examples: ["Padaria Estrela"] }),
          }),
          ...REFUSALS,
        },
        detail: {
          ...route({
            operationId: "createInstitution",
            access: "user",
            acts: ["institution.create"],
            isolation: "own",
          }),
          summary: "Create a further institution",
          description: "The user becomes its owner. `selectInstitution` gives a token for it.",
        },
      },
    )
    .post(
      "/:institutionId/members",
      async ({ principal, params, body: { email, role = "MEMBER" }, status }) => {
        const { link, ...invited } = await inviteMember(env, requireMember(principal), params.institutionId, {
          email,
          role,
        });
        return status(201, { ...memberView(invited), ...(link === undefined ? {} : { link }) });
      },
      {
        body: Type.Object({
          email: described(UserEmail, "The invited person", "maria@example.com"),
          role: Type.Optional(described(Role, "The role of the person; MEMBER by default", "ADMIN")),
        }),
        response: { 201: InvitedView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "addMember",
            perMinute: INVITATIONS_PER_MINUTE,
            power: "members.write",
            acts: ["member.invite"],
            isolation: { institutionId: "account" },
          }),
          summary: "Invite a person to the institution",
          description: "Whether or not the e-mail is a user's. Without a mail server the answer has the link.",
        },
      },
    )
    .get(
      "/:institutionId/members",
      async ({ principal, params }) => ({
        data: (await readMembers(env, principal.tenantId, params.institutionId)).map(memberView),
      }),
      {
        response: {
          200: Type.Object(
            { data: Type.Array(MemberView, { description: "Every member and every invited person" }) },
            { title: "MemberList" },
          ),
          ...REFUSALS,
        },
        detail: {
          ...route({ operationId: "listMembers", power: "members.read", isolation: { institutionId: "account" } }),
          summary: "List the institution's members and invited people",
          description: "A person who is only invited has an `invitationId` and no `userId`.",
        },
      },
    )
    .patch(
      "/:institutionId/members/:userId",
      async ({ principal, params, body }) =>
        memberView(
          await changeRole(env, requireMember(principal), params.institutionId, {
            userId: params.userId,
            role: body.role,
          }),
        ),
      {
        body: Type.Object({ role: described(Role, "The new role of the member", "ADMIN") }),
        response: { 200: MemberView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "changeMemberRole",
            power: "members.write",
            acts: ["member.change-role"],
            isolation: { institutionId: "account", userId: "user" },
          }),
          summary: "Change what a member may do",
          description: "The institution keeps at least one OWNER.",
        },
      },
    )
    .delete(
      "/:institutionId/members/:userId",
      async ({ principal, params, status }) => {
        await removeMember(env, requireMember(principal), params.institutionId, params.userId);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({
            operationId: "removeMember",
            power: "members.read",
            acts: ["member.remove"],
            isolation: { institutionId: "account", userId: "user" },
          }),
          summary: "Remove a member, or leave",
          description: "The institution keeps at least one OWNER.",
        },
      },
    )
    .delete(
      "/:institutionId/invitations/:invitationId",
      async ({ principal, params, status }) => {
        await withdrawInvitation(env, requireMember(principal), params.institutionId, params.invitationId);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({
            operationId: "withdrawInvitation",
            power: "members.write",
            acts: ["member.withdraw"],
            isolation: { institutionId: "account", invitationId: "invitation" },
          }),
          summary: "Revoke an invitation",
          description: "Its link stops working at once.",
        },
      },
    );
