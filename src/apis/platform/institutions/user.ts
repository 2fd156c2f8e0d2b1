import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { acceptInvitation, join } from "../../../core/tenancy/people/invitations.ts";
import { changePassword, deleteOwnUser } from "../../../core/tenancy/people/own-user.ts";
import { requestVerification, verifyEmail } from "../../../core/tenancy/people/user-links.ts";
import { requestReset, resetPassword } from "../../../core/tenancy/sign-in/recovery.ts";
import { endSession, readSessions } from "../../../core/tenancy/sign-in/sessions.ts";
import { iso } from "../../../kernel/clock.ts";
import { AnyText, described, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { FilledText } from "../../shared/docs/texts.ts";
import { Id, inPath } from "../../shared/fields.ts";
import { visitorOf } from "../../shared/http/request.ts";
import { type PlatformAuth, requireToken, requireUser } from "../auth.ts";
import type { PlatformEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, Nothing, REFUSALS, SECOND_STEP_FIELDS } from "../schemas.ts";
import { LoginView, loginView, SignedInView } from "./account.ts";

const Accepted = Type.Object(
  { status: OneOf(["accepted"], { description: "A mail is sent if the address is known" }) },
  { title: "AcceptedMail" },
);
const SessionView = Type.Object(
  {
    id: Id("The session's id"),
    isCurrent: Type.Boolean({ description: "Whether it is the session of this request" }),
    address: Type.String({ description: "The IP address of the sign-in", examples: ["203.0.113.7"] }),
    userAgent: Nullable(
      Type.String({ description: "The browser that logged in; null if unknown", examples: ["Mozilla/5.0"] }),
    ),
    createdAt: described(Instant, "When the user signed in"),
    expiresAt: described(Instant, "When the session ends", "2026-11-29T12:00:00.000Z"),
  },
  { title: "Session" },
);

/**
 * Routes without a token: they request a link by e-mail, or use one. No response reveals whether an e-mail address
 * belongs to a user.
 */
export const links = (env: PlatformEnv) =>
  new Elysia({ prefix: "/v1/auth", tags: ["auth"], detail: { security: [] } })
    .post("/join", async ({ body, status, request }) => status(201, await join(env, body, visitorOf(request))), {
      body: Type.Object({
        token: described(AnyText(1), "The token of the mailed link", "Zk3vX9pQ2rT7wL5m"),
        name: described(FilledText(1, 200), "The name of the user", "Maria Souza"),
        password: described(Text(8, 1024), "At least 8 characters", "uma-senha-longa"),
      }),
      response: { 201: SignedInView, ...REFUSALS },
      detail: {
        ...route({
          operationId: "join",
          access: "public",
          acts: ["member.add", "session.begin"],
          isolation: { token: "invitationToken" },
        }),
        summary: "Register by the link of an invitation, and accept it",
        description: "The user's e-mail address is that of the invitation.",
      },
    })
    .post(
      "/verify-email",
      async ({ body, status, request }) => {
        await verifyEmail(env, body.token, visitorOf(request));
        return status(204, undefined);
      },
      {
        body: Type.Object({ token: described(AnyText(1), "The token of the mailed link", "Zk3vX9pQ2rT7wL5m") }),
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({
            operationId: "verifyEmail",
            access: "public",
            acts: ["user.verify-email"],
            isolation: { token: "invitationToken" },
          }),
          summary: "Verify the user's e-mail by the link in a mail",
          description: "`token` is that of the link in the mail.",
        },
      },
    )
    .post(
      "/forgot-password",
      async ({ body, status }) => {
        await requestReset(env, body.email);
        return status(202, { status: "accepted" as const });
      },
      {
        body: Type.Object({ email: described(Text(1, 254), "The e-mail address of the user", "maria@example.com") }),
        response: { 202: Accepted, ...REFUSALS },
        detail: {
          ...route({
            operationId: "forgotPassword",
            access: "public",
            acts: "none: part of another",
            isolation: { email: "email" },
          }),
          summary: "Mail a link with which a user chooses a new password",
          description: "The answer is the same whether or not the e-mail is known.",
        },
      },
    )
    .post(
      "/reset-password",
      async ({ body, request }) => loginView(await resetPassword(env, body, visitorOf(request))),
      {
        body: Type.Object({
          token: described(AnyText(1), "The token of the mailed link", "Zk3vX9pQ2rT7wL5m"),
          password: described(Text(8, 1024), "The new one, of at least 8 characters", "uma-senha-longa"),
          ...SECOND_STEP_FIELDS,
        }),
        response: { 200: LoginView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "resetPassword",
            access: "public",
            acts: ["user.reset-password", "session.begin"],
            isolation: { token: "invitationToken" },
          }),
          summary: "Choose a new password by a link",
          description:
            "All sessions of the user end. The answer is that of a login. A user with a second step of sign-in " +
            "gets 403 SECOND_STEP_REQUIRED without a valid `totp` or `recovery`; the link then stays valid.",
        },
      },
    );

/** The routes of a user's own profile, in any institution. */
export const user = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({
    prefix: "/v1/auth",
    tags: ["auth"],
    detail: inPath({ sessionId: Id("The session, as `GET /v1/auth/sessions` lists it") }),
  })
    .use(auth)
    .post(
      "/change-password",
      ({ principal, body, request }) =>
        changePassword(
          env,
          { ...requireUser(principal), institutionId: principal.isPending ? undefined : principal.tenantId },
          body,
          visitorOf(request),
        ),
      {
        body: Type.Object({
          currentPassword: described(AnyText(), "The present password of the user", "uma-senha-longa"),
          newPassword: described(Text(8, 1024), "At least 8 characters", "outra-senha-longa"),
        }),
        response: {
          200: Type.Object({
            token: Type.String({
              description: "The value for `Authorization: Bearer` from now on",
              examples: ["eyJhbGciOiJFZERTQSJ9.exemplo.assinatura"],
            }),
          }),
          ...REFUSALS,
        },
        detail: {
          ...route({
            operationId: "changePassword",
            access: "pending",
            acts: ["user.change-password"],
            isolation: "own",
          }),
          summary: "Change the password",
          description: "All sessions of the user end. The answer has the token of a new one.",
        },
      },
    )
    .post(
      "/request-verification",
      async ({ principal, status }) => {
        await requestVerification(env, requireUser(principal).userId);
        return status(202, { status: "accepted" as const });
      },
      {
        response: { 202: Accepted, ...REFUSALS },
        detail: {
          ...route({
            operationId: "requestVerification",
            access: "pending",
            acts: "none: part of another",
            isolation: "own",
          }),
          summary: "Mail the link that verifies the user's e-mail again",
          description: "The mail goes to the address that the user signs in with.",
        },
      },
    )
    .post(
      "/delete-user",
      async ({ principal, body, status, request }) => {
        await deleteOwnUser(env, requireUser(principal), body.password, visitorOf(request));
        return status(204, undefined);
      },
      {
        body: Type.Object({ password: described(AnyText(), "The present password of the user", "uma-senha-longa") }),
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({
            operationId: "deleteUser",
            access: "pending",
            acts: ["account.change", "member.remove", "user.delete"],
            isolation: "own",
          }),
          summary: "Delete the user itself",
          description: "Institutions of which it is the only member are closed.",
        },
      },
    )
    .post("/accept-invitation", ({ principal, body }) => acceptInvitation(env, requireToken(principal), body.token), {
      body: Type.Object({ token: described(AnyText(1), "The token of the mailed link", "Zk3vX9pQ2rT7wL5m") }),
      response: { 200: SignedInView, ...REFUSALS },
      detail: {
        ...route({
          operationId: "acceptInvitation",
          access: "pending",
          acts: ["member.add"],
          isolation: { token: "invitationToken" },
        }),
        summary: "Accept an invitation to the user's own e-mail",
        description: "The answer has a token for that institution.",
      },
    })
    .get(
      "/sessions",
      async ({ principal }) => {
        const { userId, sessionId } = requireUser(principal);
        const sessions = await readSessions(env, userId);
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
        response: {
          200: Type.Object(
            { data: Type.Array(SessionView, { description: "Every session of the user that has not ended" }) },
            { title: "SessionList" },
          ),
          ...REFUSALS,
        },
        detail: {
          ...route({ operationId: "listSessions", access: "pending", isolation: "own" }),
          summary: "List the user's sessions",
          description: "Each login begins a session.",
        },
      },
    )
    .delete(
      "/sessions/:sessionId",
      async ({ principal, params, status }) => {
        await endSession(env, requireUser(principal), params.sessionId);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({
            operationId: "endSession",
            access: "pending",
            acts: ["session.end"],
            isolation: { sessionId: "signIn" },
          }),
          summary: "End a session",
          description: "Its tokens are refused from now on.",
        },
      },
    );
