import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { SealedExchange } from "../../../contract/abilities/flows.ts";
import { exchangeFlowData } from "../../../core/messaging/templates/flow-exchange.ts";
import { invalid } from "../../../kernel/errors.ts";
import { issue, issuesOf, Text } from "../../../kernel/schema.ts";
import { parsedJson } from "../../../kernel/texts/json.ts";
import { Id, inPath } from "../../shared/fields.ts";
import { bodyReaders } from "../../shared/http/bodies.ts";
import { notingForgery } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { RawJson, refusalAs, refusalsOf } from "../schemas.ts";
import { webhookHeadOf } from "../webhook-requests.ts";

const Base64 = Text(1, 1_000_000);
const SealedBody = Type.Object(
  { encrypted_flow_data: Base64, encrypted_aes_key: Base64, initial_vector: Base64 },
  { title: "SealedExchange" },
);

/** @throws AppError VALIDATION for a body that is not a sealed exchange. */
const sealedIn = (text: string): SealedExchange => {
  const value = parsedJson(text);
  const issues =
    value === undefined ? [issue("", "format", "The body is not valid JSON.")] : issuesOf(SealedBody, value);
  if (issues.length > 0) throw invalid(...issues);
  return value as SealedExchange; // the line above checks it
};

/** Receives what users enter into flows. The network signs it and encrypts it with the phone's key. */
export const flowExchange = (env: GatewayEnv) =>
  new Elysia({
    prefix: "/v1/flows",
    tags: ["receivers"],
    detail: inPath({ flowId: Id("The flow's id here, not the network's") }),
  }).post(
    "/data-exchange/:flowId",
    async ({ params, body, request }) => {
      const asked = { ...webhookHeadOf(env, request), rawBody: body };
      const answer = await exchangeFlowData(env, params.flowId, asked, sealedIn).catch((refusal: unknown) => {
        throw notingForgery(env, request, refusal);
      });
      return new Response(answer.sealed, { status: answer.status, headers: { "content-type": "text/plain" } });
    },
    {
      parse: [bodyReaders(env).readRaw, "json"], // the second is for the description alone
      body: RawJson({ encrypted_flow_data: "Zm9v", encrypted_aes_key: "YmFy", initial_vector: "YmF6" }),
      detail: {
        ...route({
          operationId: "exchangeFlowData",
          acts: "none: a network asks",
          isolation: "none: the network asks, and seals with the key of the phone",
          access: "signature",
        }),
        summary: "Answer one step of a flow, encrypted",
        description:
          "The network calls it. The flow's endpoint answers what the user entered; a ping is answered here. " +
          "After 421 the network fetches the key again.",
        security: [],
        responses: {
          200: {
            description: "The answer, encrypted, in base64",
            content: { "text/plain": { schema: { type: "string" }, example: "cXV4" } },
          },
          400: refusalAs("Not a sealed request"),
          404: refusalAs("No such flow, or no key pair"),
          421: refusalAs("Not sealed with the current key"),
          427: { description: "The flow's token is no longer valid" },
          432: refusalAs("The signature is wrong"),
          ...refusalsOf(408, 413, 429, 500, 502, 503),
        },
      },
    },
  );
