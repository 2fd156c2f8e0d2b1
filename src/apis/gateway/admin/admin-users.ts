import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { inviteAsOperator } from "../../../core/tenancy/people/invitations.ts";
import { ROLES } from "../../../core/tenancy/people/roles.ts";
import { createUser, linkForReset } from "../../../core/tenancy/sign-in/recovery.ts";
import { iso } from "../../../kernel/clock.ts";
import { described, OneOf } from "../../../kernel/schema.ts";
import { FilledText, UserEmail } from "../../shared/docs/texts.ts";
import { Id, inPath } from "../../shared/fields.ts";
import { requireFreshProof } from "../../shared/person.ts";
import { administratorOf } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { ADMIN_REFUSALS, CONFLICT, Instant } from "../schemas.ts";

const Role = OneOf(ROLES, { title: "MemberRole" });

/** The administrator's routes for users of the platform. */
export const adminUsers = (env: GatewayEnv) =>
  new Elysia({ detail: inPath({ id: Id("The institution, as `POST /v1/admin/users` answered it", "institution") }) })
    .post(
      "/users",
      async ({ body, status, request }) => {
        const { expiresAt, ...made } = await createUser(env, administratorOf(request), body);
        return status(201, { ...made, expiresAt: iso(expiresAt) });
      },
      {
        body: Type.Object({
          name: described(FilledText(1, 200), "The user's own name", "Maria Souza"),
          email: described(UserEmail, "The e-mail address for signing in", "maria@example.com"),
          institutionName: described(
            FilledText(1, 200),
            "The name of the new institution, which the user owns",
            "Padaria Estrela",
          ),
        }),
        response: {
          201: Type.Object({
            userId: Id("The new user", "user"),
            institutionId: Id("The new institution", "institution"),
            email: Type.String({ description: "The e-mail address for signing in", examples: ["maria@example.com"] }),
            link: Type.String({
              description: "Opens once; absent if it was mailed",
              examples: ["https://recado.example/convite/Zk3vX9pQ"],
            }),
            expiresAt: described(Instant, "The link opens until this time", "2026-11-29T12:00:00.000Z"),
          }),
          ...ADMIN_REFUSALS,
          409: CONFLICT,
        },
        detail: {
          ...route({
            operationId: "createUser",
            acts: ["user.create", "institution.create"],
            isolation: "administrator",
          }),
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
        body: Type.Object({ email: described(UserEmail, "The e-mail address of the user", "maria@example.com") }),
        response: {
          201: Type.Object({
            email: Type.String({ description: "The e-mail address of the user", examples: ["maria@example.com"] }),
            link: Type.String({
              description: "Opens once; absent if it was mailed",
              examples: ["https://recado.example/convite/Zk3vX9pQ"],
            }),
            expiresAt: described(Instant, "The link opens until this time", "2026-11-29T12:00:00.000Z"),
          }),
          ...ADMIN_REFUSALS,
        },
        detail: {
          ...route({ operationId: "resetUser", acts: ["user.make-link"], isolation: "administrator" }),
          summary: "Make a link with which a user chooses a new password",
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
        body: Type.Object({
          email: described(UserEmail, "The invited person", "maria@example.com"),
          role: Type.Optional(described(Role, "The role of the person; MEMBER by default", "ADMIN")),
        }),
        response: {
          201: Type.Object({
            email: Type.String({ description: "The invited person", examples: ["maria@example.com"] }),
            role: described(Role, "The role of the person", "ADMIN"),
            state: OneOf(["active", "invited"], {
              description: "`invited` until the person accepts",
              examples: ["invited"],
            }),
            link: Type.Optional(
              Type.String({
                description: "Opens once; absent if it was mailed",
                examples: ["https://recado.example/convite/Zk3vX9pQ"],
              }),
            ),
          }),
          ...ADMIN_REFUSALS,
        },
        detail: {
          ...route({ operationId: "inviteMember", acts: ["member.invite"], isolation: "administrator" }),
          summary: "Invite a person to an institution",
          description: "The invitation is mailed; without a mail server the answer has the link.",
        },
      },
    );
