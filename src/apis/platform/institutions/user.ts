import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { acceptInvitation, join } from "../../../core/tenancy/people/invitations.ts";
import { changePassword, deleteOwnUser } from "../../../core/tenancy/people/own-user.ts";
import { requestVerification, verifyEmail } from "../../../core/tenancy/people/user-links.ts";
import { requestReset, resetPassword } from "../../../core/tenancy/sign-in/recovery.ts";
import { endSession, sessionsOf } from "../../../core/tenancy/sign-in/sessions.ts";
import { iso } from "../../../kernel/clock.ts";
import { AnyText, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { FilledText } from "../../shared/docs/texts.ts";
import { visitorOf } from "../../shared/http/request.ts";
import { type PlatformAuth, tokenOf, userOf } from "../auth.ts";
import type { PlatformEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";
import { Instant, Nothing, REFUSALS, SECOND_STEP_FIELDS } from "../schemas.ts";
import { LoginView, loginView, SignedInView } from "./account.ts";

const Accepted = Type.Object({ status: OneOf(["accepted"]) }, { title: "AcceptedMail" });
const SessionView = Type.Object(
  {
    id: Type.String(),
    isCurrent: Type.Boolean(),
    address: Type.String(),
    userAgent: Nullable(Type.String()),
    createdAt: Instant,
    expiresAt: Instant,
  },
  { title: "Session" },
);

/**
 * Routes without a token: they request a link by e-mail, or use one. No response reveals whether an e-mail address
 * belongs to a user.
 */
export const links = (env: PlatformEnv) =>
  new Elysia({ prefix: "/v1/auth", tags: ["auth"], detail: { ...routeOptions({ access: "public" }), security: [] } })
    .post("/join", async ({ body, status, request }) => status(201, await join(env, body, visitorOf(request))), {
      body: Type.Object({ token: AnyText(1), name: FilledText(1, 200), password: Text(8, 1024) }),
      response: { 201: SignedInView, ...REFUSALS },
      detail: {
        operationId: "join",
        summary: "Register by the link of an invitation, and accept it",
      },
    })
    .post(
      "/verify-email",
      async ({ body, status, request }) => {
        await verifyEmail(env, body.token, visitorOf(request));
        return status(204, undefined);
      },
      {
        body: Type.Object({ token: AnyText(1) }),
        response: { 204: Nothing, ...REFUSALS },
        detail: { operationId: "verifyEmail", summary: "Verify the user's e-mail by the link in a mail" },
      },
    )
    .post(
      "/forgot-password",
      async ({ body, status }) => {
        await requestReset(env, body.email);
        return status(202, { status: "accepted" as const });
      },
      {
        body: Type.Object({ email: Text(1, 254) }),
        response: { 202: Accepted, ...REFUSALS },
        detail: {
          operationId: "forgotPassword",
          summary: "Have a link mailed by which a user chooses a new password",
          description: "The answer is the same whether or not the e-mail is known.",
        },
      },
    )
    .post(
      "/reset-password",
      async ({ body, request }) => loginView(await resetPassword(env, body, visitorOf(request))),
      {
        body: Type.Object({ token: AnyText(1), password: Text(8, 1024), ...SECOND_STEP_FIELDS }),
        response: { 200: LoginView, ...REFUSALS },
        detail: {
          operationId: "resetPassword",
          summary: "Choose a new password by a link",
          description:
            "All sessions of the user end. The answer is that of a login. Who has a second step of sign-in gets 403 " +
            "SECOND_STEP_REQUIRED without a right `totp` or `recovery`; the link stays good then.",
        },
      },
    );

/** The routes of a user's own profile, in any institution. */
export const user = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({ prefix: "/v1/auth", tags: ["auth"], detail: routeOptions({ access: "pending" }) })
    .use(auth)
    .post(
      "/change-password",
      ({ principal, body, request }) =>
        changePassword(
          env,
          { ...userOf(principal), institutionId: principal.isPending ? undefined : principal.tenantId },
          body,
          visitorOf(request),
        ),
      {
        userOnly: true,
        body: Type.Object({
          currentPassword: { ...AnyText(), description: "The present password of the user" },
          newPassword: Text(8, 1024),
        }),
        response: { 200: Type.Object({ token: Type.String() }), ...REFUSALS },
        detail: {
          operationId: "changePassword",
          summary: "Change the password",
          description: "All sessions of the user end. The answer has the token of a new one.",
        },
      },
    )
    .post(
      "/request-verification",
      async ({ principal, status }) => {
        await requestVerification(env, userOf(principal).userId);
        return status(202, { status: "accepted" as const });
      },
      {
        userOnly: true,
        response: { 202: Accepted, ...REFUSALS },
        detail: {
          operationId: "requestVerification",
          summary: "Have the link mailed again that verifies the user's e-mail",
        },
      },
    )
    .post(
      "/delete-user",
      async ({ principal, body, status, request }) => {
        await deleteOwnUser(env, userOf(principal), body.password, visitorOf(request));
        return status(204, undefined);
      },
      {
        userOnly: true,
        body: Type.Object({ password: { ...AnyText(), description: "The present password of the user" } }),
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          operationId: "deleteUser",
          summary: "Delete the user itself",
          description: "Institutions of which it is the only member are closed.",
        },
      },
    )
    .post("/accept-invitation", ({ principal, body }) => acceptInvitation(env, tokenOf(principal), body.token), {
      userOnly: true,
      body: Type.Object({ token: AnyText(1) }),
      response: { 200: SignedInView, ...REFUSALS },
      detail: {
        operationId: "acceptInvitation",
        summary: "Accept an invitation to the user's own e-mail",
        description: "The answer has a token for that institution.",
      },
    })
    .get(
      "/sessions",
      async ({ principal }) => {
        const { userId, sessionId } = userOf(principal);
        const sessions = await sessionsOf(env, userId);
        return {
          data: sessions.map(({ id, address, userAgent, createdAt, expiresAt }) => ({
            id,
            isCurrent: id === sessionId,
            address,
            userAgent,
            createdAt: iso(createdAt),
            expiresAt: iso(expiresAt),
          })),
        };
      },
      {
        userOnly: true,
        response: { 200: Type.Object({ data: Type.Array(SessionView) }, { title: "SessionList" }), ...REFUSALS },
        detail: {
          operationId: "listSessions",
          summary: "List the user's sessions",
          description: "Each login begins one.",
        },
      },
    )
    .delete(
      "/sessions/:sessionId",
      async ({ principal, params, status }) => {
        await endSession(env, userOf(principal), params.sessionId);
        return status(204, undefined);
      },
      {
        userOnly: true,
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          operationId: "endSession",
          summary: "End a session",
          description: "Its tokens are refused from now on.",
        },
      },
    );
