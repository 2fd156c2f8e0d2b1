import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { acceptUpstream, confirmHandshake } from "../../core/inbound.ts";
import { readText } from "../shared/bodies.ts";
import type { FaceEnv } from "../shared/face-env.ts";
import { refuseStranger } from "./auth.ts";
import { REFUSALS } from "./schemas.ts";

const Text = Type.Optional(Type.String());

/** Where upstreams call. Verified by their own signatures, not by an API key. */
export const receivers = (env: FaceEnv) =>
  new Elysia({ prefix: "/v1", tags: ["receivers"] })
    .get(
      "/upstream-webhook",
      async ({ query, request }) => {
        const token = query["hub.verify_token"];
        const isOurs = query["hub.mode"] === "subscribe" && token !== undefined && (await confirmHandshake(env, token));
        if (!isOurs) return refuseStranger(env, request, "FORBIDDEN");
        return new Response(query["hub.challenge"] ?? "", { headers: { "content-type": "text/plain", "x-content-type-options": "nosniff" } });
      },
      {
        query: Type.Object({ "hub.mode": Text, "hub.verify_token": Text, "hub.challenge": Text }),
        detail: {
          operationId: "verifyUpstreamWebhook",
          summary: "The upstream's handshake",
          security: [],
          responses: { 200: { description: "The challenge" }, 403: { description: "Wrong verify token" } },
        },
      },
    )
    .post(
      "/upstream-webhook",
      async ({ body, request }) => {
        await acceptUpstream(env, body, request.headers);
        return { received: true };
      },
      {
        parse: [readText, "text"],
        body: Type.String(),
        response: { 200: Type.Object({ received: Type.Boolean() }), 400: REFUSALS[400], 403: REFUSALS[403] },
        detail: { operationId: "receiveUpstreamWebhook", summary: "The upstream's events; answered once they are on disk", security: [] },
      },
    );
