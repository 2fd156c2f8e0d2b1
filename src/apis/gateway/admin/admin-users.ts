import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { inviteAsOperator } from "../../../core/tenancy/people/invitations.ts";
import { ROLES } from "../../../core/tenancy/people/roles.ts";
import { createUser, linkForReset } from "../../../core/tenancy/sign-in/recovery.ts";
import { iso } from "../../../kernel/clock.ts";
import { OneOf } from "../../../kernel/schema.ts";
import { FilledText, UserEmail } from "../../shared/docs/texts.ts";
import { requireFreshProof } from "../../shared/person.ts";
import { administratorOf } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { ADMIN_REFUSALS, CONFLICT, Instant } from "../schemas.ts";

const Role = OneOf(ROLES, { title: "MemberRole" });

/** The administrator's routes for users of the platform. */
export const adminUsers = (env: GatewayEnv) =>
  new Elysia()
    .post(
      "/users",
      async ({ body, status, request }) => {
        const { expiresAt, ...made } = await createUser(env, administratorOf(request), body);
        return status(201, { ...made, expiresAt: iso(expiresAt) });
      },
      {
        body: Type.Object({ name: FilledText(1, 200), email: UserEmail, institutionName: FilledText(1, 200) }),
        response: {
          201: Type.Object({
            userId: Type.String(),
            institutionId: Type.String(),
            email: Type.String(),
            link: Type.String(),
            expiresAt: Instant,
          }),
          ...ADMIN_REFUSALS,
          409: CONFLICT,
        },
        detail: {
          operationId: "createUser",
          summary: "Make a user of the platform, with an institution",
          description: "The user chooses a password by the link, which is shown only now.",
        },
      },
    )
    .post(
      "/users/reset",
      async ({ body, status, request }) => {
        requireFreshProof(env, request);
        const { expiresAt, ...made } = await linkForReset(env, administratorOf(request), body.email);
        return status(201, { ...made, expiresAt: iso(expiresAt) });
      },
      {
        body: Type.Object({ email: UserEmail }),
        response: {
          201: Type.Object({ email: Type.String(), link: Type.String(), expiresAt: Instant }),
          ...ADMIN_REFUSALS,
        },
        detail: {
          operationId: "resetUser",
          summary: "Make a link by which a user chooses a new password",
          description: "It is shown only now.",
        },
      },
    )
    .post(
      "/institutions/:id/members",
      async ({ params, body: { email, role = "MEMBER" }, status, request }) => {
        const invited = await inviteAsOperator(env, administratorOf(request), params.id, { email, role });
        const { state, link } = invited;
        return status(201, {
          email: invited.email,
          role: invited.role,
          state,
          ...(link === undefined ? {} : { link }),
        });
      },
      {
        body: Type.Object({ email: UserEmail, role: Type.Optional(Role) }),
        response: {
          201: Type.Object({
            email: Type.String(),
            role: Role,
            state: OneOf(["active", "invited"]),
            link: Type.Optional(Type.String()),
          }),
          ...ADMIN_REFUSALS,
        },
        detail: {
          operationId: "inviteMember",
          summary: "Invite somebody to an institution",
          description: "The invitation is mailed; without a mail server the answer has the link.",
        },
      },
    );
