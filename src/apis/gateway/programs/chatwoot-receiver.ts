import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { acceptFromChatwoot } from "../../../core/chatwoot/replies.ts";
import { described } from "../../../kernel/schema.ts";
import { parsedJson } from "../../../kernel/texts/json.ts";
import { Id, inPath } from "../../shared/fields.ts";
import { bodyReaders } from "../../shared/http/bodies.ts";
import { MAX_WEBHOOK_BYTES } from "../../shared/http/request.ts";
import { notingForgery } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { APP_REFUSALS, QueryText, RawJson, REFUSALS } from "../schemas.ts";

/** What Chatwoot calls when agents write. The secret in its address authenticates it, because it signs nothing. */
export const chatwootReceiver = (env: GatewayEnv) =>
  new Elysia({
    prefix: "/v1",
    tags: ["receivers"],
    detail: inPath({ webhookId: Id("The connection", "webhook") }),
  }).post(
    "/chatwoot/:webhookId",
    async ({ params, query, body, request }) => {
      const address = { id: params.webhookId, secret: query.secret ?? "" };
      await acceptFromChatwoot(env, address, parsedJson(new TextDecoder().decode(body))).catch((refusal: unknown) => {
        throw notingForgery(env, request, refusal);
      });
      return Response.json({ received: true });
    },
    {
      parse: [bodyReaders(env).readRaw, "json"], // the second is for the description alone
      query: Type.Object({ secret: described(QueryText, "The secret of the connection") }),
      body: RawJson({ event: "message_created", id: 1042, message_type: "outgoing", content: "Olá!" }),
      response: {
        200: Type.Object(
          { received: Type.Boolean({ description: "True: what was to be sent is stored" }) },
          { title: "ChatwootReceived" },
        ),
        400: REFUSALS[400],
        403: REFUSALS[403],
        413: REFUSALS[413],
        429: REFUSALS[429],
        503: APP_REFUSALS[503],
      },
      detail: {
        ...route({
          operationId: "receiveChatwootWebhook",
          acts: "none: a network asks",
          isolation: "none: the secret names the connection",
          access: "signature",
          maxBodyBytes: MAX_WEBHOOK_BYTES,
        }),
        summary: "Receive what agents write in a Chatwoot",
        description:
          "The Chatwoot of a phone calls it, at the address that Recado gave it. 200 comes when the message is on disk.",
        security: [],
      },
    },
  );
