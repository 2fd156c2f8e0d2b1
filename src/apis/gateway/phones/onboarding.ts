import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { SignupEvent } from "../../../contract/abilities/onboarding.ts";
import { webhookOf } from "../../../core/channels/settings/webhooks.ts";
import { readSignupEvent, signUp, signupConfig } from "../../../core/channels/signing-up/signup.ts";
import { Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { APP_REFUSALS, WebhookBlock } from "../schemas.ts";
import { SyncView } from "./business.ts";
import { phoneView, phoneViewSchema, webhookInput } from "./phones.ts";

const ConfigView = Type.Object(
  {
    appId: Type.String(),
    configId: Nullable(Type.String()),
    graphVersion: Type.String(),
    state: Type.String({ description: "Binds the attempt to this account for a day; send it with the code" }),
    extras: Type.Object({
      setup: Type.Object({}),
      featureType: Type.String({ description: "Empty in the dedicated flow" }),
      sessionInfoVersion: Type.String(),
      version: Type.String(),
    }),
  },
  { title: "SignupConfig" },
);

const TextOrNull = Nullable(Type.String());
const Fields = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 50 });
/** What `window` received as the data of a message event: an object, or its JSON. */
const EventBody = Type.Object({
  message: Type.Union([
    Text(1, 16_384),
    Type.Object(
      { type: Type.String(), event: Type.Optional(Type.String()), data: Type.Optional(Fields) },
      { title: "SignupMessage", additionalProperties: Type.Unknown() },
    ),
  ]),
});
const EventView = Type.Object(
  {
    result: OneOf(["FINISHED", "CANCELLED", "FAILED", "OTHER"]),
    event: TextOrNull,
    wabaId: TextOrNull,
    phoneNumberId: TextOrNull,
    businessId: TextOrNull,
    isCoexistent: Type.Boolean(),
    step: TextOrNull,
    error: Nullable(Type.Object({ code: TextOrNull, message: Type.String(), sessionId: TextOrNull })),
  },
  { title: "SignupEvent" },
);

const eventView = ({ accountId, numberId, ...event }: SignupEvent): Static<typeof EventView> => ({
  ...event,
  wabaId: accountId,
  phoneNumberId: numberId,
});

const NodeId = Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$", description: "must be an id of the upstream" });
const SignupBody = Type.Object({
  code: Text(1, 2048),
  state: Type.Optional(Text(1, 512, "Of a sign-up that this account began within a day")),
  wabaId: NodeId,
  phoneNumberId: Type.Optional(NodeId),
  label: Type.Optional(Text(1, 120)),
  pin: Type.Optional(Type.String({ pattern: "^\\d{6}$", description: "must be 6 digits" })),
  permitirDedicado: Type.Optional(Type.Boolean()),
  sync: Type.Optional(Type.Object({ contacts: Type.Optional(Type.Boolean()), history: Type.Optional(Type.Boolean()) })),
  webhook: Type.Optional(WebhookBlock),
});

const Registration = Type.Object(
  {
    ok: Type.Boolean(),
    coexistence: Type.Boolean(),
    reconnected: Type.Boolean(),
    platformType: Nullable(Type.String()),
    reason: Nullable(
      OneOf([
        "ALREADY_ON_OFFICIAL_API",
        "COEXISTENT",
        "RECONNECTED",
        "PIN_REJECTED",
        "VERIFICATION_REQUIRED",
        "REGISTER_FAILED",
      ]),
    ),
    pin: Type.Optional(Type.String({ description: "The PIN that was made for the number; shown this once" })),
  },
  { title: "Registration" },
);
const signedUpView = (registry: GatewayEnv["registry"]) =>
  Type.Composite([phoneViewSchema(registry), Type.Object({ registration: Registration, sync: SyncView })]);

const signupInput = ({
  wabaId,
  phoneNumberId,
  permitirDedicado = false,
  sync,
  webhook,
  ...rest
}: Static<typeof SignupBody>) => ({
  ...rest,
  accountId: wabaId,
  numberId: phoneNumberId,
  mayBeDedicated: permitirDedicado,
  sync: { contacts: sync?.contacts ?? false, history: sync?.history ?? false },
  webhook: webhook && webhookInput(webhook),
});

/** Onboarding of official numbers by the upstream's sign-up, whose code the client's page posts here. */
export const onboarding = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones/waba/embedded-signup", tags: ["phones"] })
    .use(auth)
    .get("/config", ({ principal }) => signupConfig(env, principal), {
      response: { 200: ConfigView, ...APP_REFUSALS },
      detail: {
        operationId: "getEmbeddedSignupConfig",
        summary: "Get what a browser needs to open the network's sign-up",
        description: "The values are passed on as they are; `state` comes back with the code.",
      },
    })
    .post("/events", ({ principal, body }) => eventView(readSignupEvent(env, principal, body.message)), {
      body: EventBody,
      response: { 200: EventView, ...APP_REFUSALS },
      detail: {
        operationId: "readEmbeddedSignupEvent",
        summary: "Read what the sign-up window sent to the page that opened it",
        description: "Nothing is stored. Pass on the data of the window's `message` event, whatever it is.",
      },
    })
    .post(
      "/",
      async ({ principal, body, status }) => {
        const { channel, registration, sync } = await signUp(env, principal, signupInput(body));
        return status(201, {
          ...phoneView(env, channel, await webhookOf(env, principal, channel.id)),
          registration,
          sync,
        });
      },
      {
        body: SignupBody,
        response: { 201: signedUpView(env.registry), ...APP_REFUSALS },
        detail: {
          operationId: "embeddedSignup",
          summary: "Bring in the number that was just signed up",
          description:
            "The number's place is looked up before anything is written. A number that is known here is " +
            "connected again, under the same id.",
        },
      },
    );
