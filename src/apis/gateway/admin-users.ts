import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { inviteAsOperator } from "../../core/tenancy/invitations.ts";
import { createUser, linkForReset } from "../../core/tenancy/recovery.ts";
import { ROLES } from "../../core/tenancy/roles.ts";
import { iso } from "../../kernel/clock.ts";
import { OneOf, Text } from "../../kernel/schema.ts";
import { asAdmin } from "./auth.ts";
import type { GatewayEnv } from "./env.ts";
import { ADMIN_REFUSALS, Instant } from "./schemas.ts";

const Role = OneOf(ROLES);
const Email = Text(1, 254);

/** The administrator's routes for users of the platform. */
export const adminUsers = (env: GatewayEnv) =>
  new Elysia()
    .post(
      "/users",
      async ({ body, status, request }) => {
        const { expiresAt, ...made } = await createUser(asAdmin(env, request), body);
        return status(201, { ...made, expiresAt: iso(expiresAt) });
      },
      {
        body: Type.Object({ name: Text(1, 200), email: Email, institutionName: Text(1, 200) }),
        response: {
          201: Type.Object({
            userId: Type.String(),
            institutionId: Type.String(),
            email: Type.String(),
            link: Type.String(),
            expiresAt: Instant,
          }),
          ...ADMIN_REFUSALS,
        },
        detail: {
          operationId: "createUser",
          summary: "Make a user with an institution; the link, by which the user chooses a password, is shown only now",
        },
      },
    )
    .post(
      "/users/reset",
      async ({ body, status, request }) => {
        const { expiresAt, ...made } = await linkForReset(asAdmin(env, request), body.email);
        return status(201, { ...made, expiresAt: iso(expiresAt) });
      },
      {
        body: Type.Object({ email: Email }),
        response: {
          201: Type.Object({ email: Type.String(), link: Type.String(), expiresAt: Instant }),
          ...ADMIN_REFUSALS,
        },
        detail: {
          operationId: "resetUser",
          summary: "Make a link by which a user chooses a new password; it is shown only now",
        },
      },
    )
    .post(
      "/institutions/:id/members",
      async ({ params, body: { email, role = "MEMBER" }, status, request }) => {
        const invited = await inviteAsOperator(asAdmin(env, request), params.id, { email, role });
        const { state, link } = invited;
        return status(201, {
          email: invited.email,
          role: invited.role,
          state,
          ...(link === undefined ? {} : { link }),
        });
      },
      {
        body: Type.Object({ email: Email, role: Type.Optional(Role) }),
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
          summary: "Invite somebody to an institution; without a mail server the answer has the link",
        },
      },
    );
