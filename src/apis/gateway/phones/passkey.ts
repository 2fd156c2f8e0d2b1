import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { assertPasskey, confirmPasskey, getPasskey } from "../../../core/channels/pairing/passkey.ts";
import { iso } from "../../../kernel/clock.ts";
import { described, OneOf } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import { Assertion, assertionIn } from "../../shared/passkey.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, PHONE_IN_PATH, REFUSALS } from "../schemas.ts";

const PasskeyView = Type.Object(
  {
    stage: OneOf(["ASSERTION_REQUIRED", "CONFIRMATION_REQUIRED", "IN_PROGRESS"], {
      description: "The next step",
    }),
    options: Type.Record(Type.String(), Type.Unknown(), {
      description: "WebAuthn's request options as JSON, exactly as the network gave them",
      examples: [{ challenge: "Zm9v", rpId: "whatsapp.com" }],
    }),
    code: Type.Optional(
      Type.String({
        description: "A code that the owner compares with the one on the phone",
        examples: ["ABCD1234"],
      }),
    ),
    bridgeUrl: Type.String({
      description: "The page where the owner can do it; a secret",
      examples: ["https://recado.example/passkey/Zk3vX9pQ"],
    }),
    expiresAt: described(Instant, "The owner can use the passkey until this time", "2026-11-22T12:03:00.000Z"),
  },
  { title: "Passkey" },
);
const Accepted = Type.Object(
  { status: OneOf(["accepted"], { description: "The network checks the passkey" }) },
  { title: "AcceptedPasskey" },
);

/** Whoever can link a phone controls it. */
const TAKES_OVER = { scope: "phones.write" };
const accepted = { status: "accepted" } as const;

/** Linking of a phone whose network wants its owner's passkey. */
export const passkey = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .get(
      "/:id/passkey",
      async ({ principal, params, set }) => {
        const { stage, options, code, bridgeUrl, expiresAt } = await getPasskey(env, principal, params.id);
        set.headers["cache-control"] = "no-store";
        return { stage, options, ...(code === undefined ? {} : { code }), bridgeUrl, expiresAt: iso(expiresAt) };
      },
      {
        response: { 200: PasskeyView, ...REFUSALS },
        detail: {
          ...route({ operationId: "getPasskey", ...TAKES_OVER, isolation: { id: "channel" }, link: "required" }),
          summary: "Get the passkey request to sign, or the code to compare",
          description: "409 if the network asks for no passkey. SESSION only.",
        },
      },
    )
    .post(
      "/:id/passkey",
      async ({ principal, params, body, status }) => {
        await assertPasskey(env, principal, params.id, assertionIn(body));
        return status(202, accepted);
      },
      {
        body: Assertion,
        response: { 202: Accepted, ...REFUSALS },
        detail: {
          ...route({
            operationId: "assertPasskey",
            acts: "none: own settings",
            isolation: { id: "channel" },
            link: "required",
          }),
          summary: "Submit the signature of the owner's passkey",
          description: "The browser signs it on whatsapp.com. A signature is passed on once.",
        },
      },
    )
    .post(
      "/:id/passkey/confirm",
      async ({ principal, params, status }) => {
        await confirmPasskey(env, principal, params.id);
        return status(202, accepted);
      },
      {
        response: { 202: Accepted, ...REFUSALS },
        detail: {
          ...route({
            operationId: "confirmPasskey",
            acts: "none: own settings",
            isolation: { id: "channel" },
            link: "required",
          }),
          summary: "Confirm that the phone shows the same code",
          description: "The owner compares the code on the phone with `code` before.",
        },
      },
    );
