import { type AnyElysia, Elysia } from "elysia";
import { publishAnswering } from "../../../core/conversations/answering.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Nothing, OptionalBody, REFUSALS } from "../schemas.ts";

/** Who is writing an answer, for the colleagues. */
export const chatAnswering = (env: GatewayEnv, auth: GatewayAuth): AnyElysia =>
  new Elysia().use(auth).post(
    "/:id/answering",
    async ({ principal, params, status }) => {
      await publishAnswering(env, principal, params.id);
      return status(204, undefined);
    },
    {
      body: OptionalBody({}),
      response: { 204: Nothing, ...REFUSALS },
      detail: {
        ...route({ operationId: "noteAnswering", acts: "none: daily work", isolation: { id: "conversation" } }),
        summary: "Tell colleagues that you are writing an answer in a chat",
        description:
          "Streams get chat:answering, with your name. Repeat it every eight seconds while you write. The contact is " +
          "not told: that is `POST /v1/phones/{id}/presence`.",
      },
    },
  );
