import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { changePassword } from "../../core/tenancy/own-user.ts";
import { endSession, sessionsOf } from "../../core/tenancy/sessions.ts";
import { iso } from "../../kernel/clock.ts";
import { AnyText, Nullable, Text } from "../../kernel/schema.ts";
import { actingAs, type FaceEnv } from "../shared/face-env.ts";
import { visitorOf } from "../shared/request.ts";
import { type PlatformAuth, userOf } from "./auth.ts";
import { Instant, Nothing, REFUSALS } from "./schemas.ts";

const SessionView = Type.Object({
  id: Type.String(),
  isCurrent: Type.Boolean(),
  address: Type.String(),
  userAgent: Nullable(Type.String()),
  createdAt: Instant,
  expiresAt: Instant,
});

/** What a user does about itself, whichever institution it acts for. */
export const user = (env: FaceEnv, auth: PlatformAuth) =>
  new Elysia({ prefix: "/v1/auth", tags: ["auth"] })
    .use(auth)
    .post(
      "/change-password",
      ({ principal, body, request }) =>
        changePassword(
          actingAs(env, principal),
          { userId: userOf(principal).userId, institutionId: principal.isPending ? undefined : principal.tenantId },
          body,
          visitorOf(request),
        ),
      {
        userOnly: true,
        body: Type.Object({ currentPassword: AnyText(), newPassword: Text(8, 1024) }),
        response: { 200: Type.Object({ token: Type.String() }), ...REFUSALS },
        detail: { operationId: "changePassword", summary: "Change the password; all sessions of the user end, and the answer has the token of a new one" },
      },
    )
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
        response: { 200: Type.Object({ data: Type.Array(SessionView) }), ...REFUSALS },
        detail: { operationId: "listSessions", summary: "List the user's sessions; each login begins one" },
      },
    )
    .delete(
      "/sessions/:sessionId",
      async ({ principal, params, status }) => {
        await endSession(actingAs(env, principal), userOf(principal).userId, params.sessionId);
        return status(204, undefined);
      },
      { userOnly: true, response: { 204: Nothing, ...REFUSALS }, detail: { operationId: "endSession", summary: "End a session; its tokens open nothing any more" } },
    );
