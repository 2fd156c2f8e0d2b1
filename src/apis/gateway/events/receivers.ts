import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { WebhookRequest } from "../../../contract/webhooks.ts";
import { acceptProcessorEvent } from "../../../core/billing/invoices/processor-events.ts";
import {
  acceptForChannel,
  acceptUpstream,
  answerGetFor,
  answerHandshake,
  refuseUnsigned,
  refuseUnsignedFor,
} from "../../../core/upstream.ts";
import { described } from "../../../kernel/schema.ts";
import { Id, inPath } from "../../shared/fields.ts";
import { bodyReaders } from "../../shared/http/bodies.ts";
import { MAX_WEBHOOK_BYTES } from "../../shared/http/request.ts";
import { notingForgery, refuseHandshake } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { refuse } from "../errors.ts";
import { route } from "../route-options.ts";
import { APP_REFUSALS, QueryText, RawJson, RawJsonAs, REFUSALS, refusalAs, refusalsOf, textAs } from "../schemas.ts";
import { webhookHeadOf, webhookResponse } from "../webhook-requests.ts";

const Received = Type.Object(
  { received: Type.Boolean({ description: "True: the request was stored" }) },
  { title: "Received" },
);

/** The answers to signed events of an upstream. */
const SIGNED_ANSWERS = {
  200: Received,
  400: REFUSALS[400],
  403: REFUSALS[403],
  413: REFUSALS[413],
  429: REFUSALS[429],
  503: APP_REFUSALS[503],
};

/** Elysia's parse hook for upstream events. A request without a signature is refused before its body is read. */
const readSigned =
  (env: GatewayEnv) =>
  async ({ request, params }: { request: Request; params?: { channelId?: string } }): Promise<WebhookRequest> => {
    const head = webhookHeadOf(env, request);
    try {
      if (params?.channelId === undefined) await refuseUnsigned(env, head);
      else await refuseUnsignedFor(env, params.channelId, head);
    } catch (refusal) {
      throw notingForgery(env, request, refusal);
    }
    return { ...head, rawBody: await bodyReaders(env).readRaw({ request }) };
  };

/** The webhooks that upstreams call. Their own signatures or tokens authenticate them, not an API key. */
export const receivers = (env: GatewayEnv) =>
  new Elysia({
    prefix: "/v1",
    tags: ["receivers"],
    detail: inPath({ channelId: Id("The phone, as `GET /v1/phones` lists it", "phone") }),
  })
    .get(
      "/upstream-webhook",
      async ({ request }) => {
        const answer = await answerHandshake(env, webhookHeadOf(env, request));
        return answer ? webhookResponse(answer) : refuseHandshake(env, request);
      },
      {
        query: Type.Object({
          "hub.mode": described(QueryText, "`subscribe`"),
          "hub.verify_token": described(QueryText, "The token that both sides know"),
          "hub.challenge": described(QueryText, "The text that the answer has to repeat"),
        }),
        detail: {
          ...route({
            operationId: "verifyUpstreamWebhook",
            isolation: "none: a network asks",
            access: "public",
            isUrlSigned: true,
          }),
          summary: "Answer the network's handshake",
          description:
            "The network calls it when a webhook is registered there. The answer is `hub.challenge` as text.",
          security: [],
          responses: {
            200: textAs("The challenge"),
            403: refusalAs("Wrong verify token"),
            ...refusalsOf(429),
          },
        },
      },
    )
    .post(
      "/upstream-webhook",
      async ({ body, request }) => {
        const answer = await acceptUpstream(env, body).catch((refusal: unknown) => {
          throw notingForgery(env, request, refusal);
        });
        return webhookResponse(answer);
      },
      {
        parse: [readSigned(env), "json"], // the second is for the description alone
        body: RawJsonAs<WebhookRequest>({ object: "whatsapp_business_account", entry: [] }),
        response: SIGNED_ANSWERS,
        detail: {
          ...route({
            operationId: "receiveUpstreamWebhook",
            isUrlSigned: true,
            acts: "none: a network asks",
            isolation: "none: a network asks, and signs",
            access: "signature",
            maxBodyBytes: MAX_WEBHOOK_BYTES,
          }),
          summary: "Receive events of the network",
          description:
            "The network calls it. The signature over the raw body is checked, and 200 comes when the events are " +
            "on disk.",
          security: [],
        },
      },
    )
    .get(
      "/upstream-webhook/:channelId",
      async ({ params, request }) => {
        const head = webhookHeadOf(env, request);
        const answer = await answerGetFor(env, params.channelId, head).catch((refusal: unknown) => {
          throw notingForgery(env, request, refusal);
        });
        return answer ? webhookResponse(answer) : refuse("METHOD_NOT_ALLOWED", { Allow: "POST" });
      },
      {
        detail: {
          ...route({
            operationId: "getChannelWebhook",
            isolation: { channelId: "channel" },
            access: "signature",
            isUrlSigned: true,
          }),
          summary: "Answer a GET of a network that calls one address per channel",
          description:
            "The network calls it in its own form: when a webhook is registered there, or with events in the query. " +
            "Other networks get 405.",
          security: [],
          responses: {
            200: textAs("The answer that the network expects"),
            403: refusalAs("A wrong handshake or signature"),
            405: refusalAs("The network sends no GET"),
            ...refusalsOf(429, 503),
          },
        },
      },
    )
    .post(
      "/upstream-webhook/:channelId",
      async ({ params, body, request }) => {
        const answer = await acceptForChannel(env, params.channelId, body).catch((refusal: unknown) => {
          throw notingForgery(env, request, refusal);
        });
        return webhookResponse(answer);
      },
      {
        parse: [readSigned(env), "json"], // the second is for the description alone
        body: RawJsonAs<WebhookRequest>({ update_id: 1042, message: { message_id: 7, text: "Olá!" } }),
        response: SIGNED_ANSWERS,
        detail: {
          ...route({
            operationId: "receiveChannelWebhook",
            isUrlSigned: true,
            acts: "none: a network asks",
            isolation: { channelId: "channel" },
            access: "signature",
            maxBodyBytes: MAX_WEBHOOK_BYTES,
          }),
          summary: "Receive events of a network that calls one address per channel",
          description:
            "The network calls it, with a body of any media type. 200 comes when the events are on disk, in the form " +
            "that the network reads.",
          security: [],
        },
      },
    )
    .post(
      "/payment-webhook",
      async ({ body }) => {
        await acceptProcessorEvent(env, new TextDecoder().decode(body));
        return Response.json({ received: true });
      },
      {
        parse: [bodyReaders(env).readRaw, "json"], // the second is for the description alone
        body: RawJson({ id: "evt_1042", event: "PAYMENT_RECEIVED", payment: { id: "pay_080225913252" } }),
        response: {
          200: Received,
          400: REFUSALS[400],
          401: REFUSALS[401],
          413: REFUSALS[413],
          429: REFUSALS[429],
          503: APP_REFUSALS[503],
        },
        detail: {
          ...route({
            operationId: "receivePaymentWebhook",
            acts: "none: a network asks",
            isolation: "none: the payment processor asks",
            access: "processor",
          }),
          summary: "Receive events of the payment processor",
          description: "The processor calls it with its own token. A repeated event counts once.",
          security: [],
        },
      },
    );
