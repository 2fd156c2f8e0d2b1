import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { SignupEvent } from "../../../contract/abilities/onboarding.ts";
import { readWebhook } from "../../../core/channels/settings/webhooks.ts";
import { readSignupEvent, signUp, signupConfig } from "../../../core/channels/signing-up/signup.ts";
import { described, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { APP_REFUSALS, WebhookBlock } from "../schemas.ts";
import { SyncView } from "./business.ts";
import { phoneView, phoneViewSchema, webhookInput } from "./phones.ts";

const ConfigView = Type.Object(
  {
    appId: Type.String({ description: "The id of the network's app", examples: ["1029384756"] }),
    configId: Nullable(
      Type.String({
        description: "The configuration of the sign-up at the network; null if the operator has set none",
        examples: ["5566778899"],
      }),
    ),
    graphVersion: Type.String({ description: "The version of the network's API", examples: ["v24.0"] }),
    state: Type.String({
      description: "Binds the attempt to this account for a day; send it with the code",
      examples: ["a3f9c2d17b604e58"],
    }),
    extras: described(
      Type.Object({
        setup: described(Type.Object({}), "Options for the browser's SDK"),
        featureType: Type.String({
          description: "Empty in the dedicated flow",
          examples: ["whatsapp_business_app_onboarding"],
        }),
        sessionInfoVersion: Type.String({ description: "An option of the browser's SDK", examples: ["3"] }),
        version: Type.String({ description: "An option of the browser's SDK", examples: ["v4"] }),
      }),
      "Options for the browser's SDK, to be passed on unchanged",
      { setup: {}, featureType: "whatsapp_business_app_onboarding", sessionInfoVersion: "3", version: "v4" },
    ),
  },
  { title: "SignupConfig" },
);

const TextOrNull = Nullable(Type.String());
const Fields = Type.Record(Type.String(), Type.Unknown(), { maxProperties: 50 });
/** The data of the `message` event that `window` received: an object, or its JSON. */
const EventBody = Type.Object({
  message: described(
    Type.Union([
      Text(1, 16_384),
      Type.Object(
        {
          type: Type.String({
            description: "The type that the window names, such as WA_EMBEDDED_SIGNUP",
            examples: ["WA_EMBEDDED_SIGNUP"],
          }),
          event: Type.Optional(Type.String({ description: "The window's own word", examples: ["FINISH"] })),
          data: Type.Optional(
            described(Fields, "The data that the window sent", {
              waba_id: "1029384756",
              phone_number_id: "5647382910",
            }),
          ),
        },
        { title: "SignupMessage", additionalProperties: Type.Unknown() },
      ),
    ]),
    "The message that the sign-up window posted: its text, or the object itself",
  ),
});
const EventView = Type.Object(
  {
    result: OneOf(["FINISHED", "CANCELLED", "FAILED", "OTHER"], { description: "The result of the sign-up" }),
    event: described(TextOrNull, "The window's own word; null if it sent none", "FINISH"),
    wabaId: described(
      TextOrNull,
      "The network's id of the business account; null if the window sent none",
      "1029384756",
    ),
    phoneNumberId: described(TextOrNull, "The network's id of the number; null if the window sent none", "5647382910"),
    businessId: described(TextOrNull, "The network's id of the business; null if the window sent none", "1122334455"),
    isCoexistent: Type.Boolean({ description: "Whether the number stays in the business app too" }),
    step: described(TextOrNull, "The step at which the owner left the window; null if the sign-up was not left"),
    error: described(
      Nullable(
        Type.Object({
          code: described(TextOrNull, "The window's own code; null if it sent none", "524126"),
          message: Type.String({
            description: "The failure, in the window's words",
            examples: ["The user closed the window."],
          }),
          sessionId: described(
            TextOrNull,
            "The network's id of the sign-up; null if the window sent none",
            "upload:MTphdHRhY2htZW50",
          ),
        }),
      ),
      "The failure; null without one",
    ),
  },
  { title: "SignupEvent" },
);

const eventView = ({ accountId, numberId, ...event }: SignupEvent): Static<typeof EventView> => ({
  ...event,
  wabaId: accountId,
  phoneNumberId: numberId,
});

const NodeId = Type.String({
  pattern: "^[A-Za-z0-9_-]{1,64}$",
  description: "must be an id of the upstream",
  examples: ["1029384756"],
});
const SignupBody = Type.Object({
  code: described(Text(1, 2048), "The code that the sign-up gave", "AQBx7f3kLm"),
  state: Type.Optional(
    described(Text(1, 512), "The `state` of a sign-up that this account began within a day", "a3f9c2d17b604e58"),
  ),
  wabaId: described(NodeId, "The network's id of the business account that the sign-up granted"),
  phoneNumberId: Type.Optional(NodeId),
  label: Type.Optional(described(Text(1, 120), "A name for the account's own people", "Loja Centro")),
  pin: Type.Optional(
    described(
      Type.String({ pattern: "^\\d{6}$", description: "must be 6 digits", examples: ["123456"] }),
      "The 6 digits of the number's two-step verification",
    ),
  ),
  permitirDedicado: Type.Optional(
    Type.Boolean({ description: "Accepts a number without coexistence; false by default", examples: [false] }),
  ),
  sync: Type.Optional(
    described(
      Type.Object({
        contacts: Type.Optional(
          Type.Boolean({ description: "Whether the app's contacts are requested; false by default" }),
        ),
        history: Type.Optional(
          Type.Boolean({ description: "Whether the app's history is requested; false by default" }),
        ),
      }),
      "The data that the business app sends of its past; only for coexistence",
      { contacts: true, history: true },
    ),
  ),
  webhook: Type.Optional(
    described(WebhookBlock, "Where the phone's events go", {
      url: "https://padaria-estrela.example/eventos",
      secret: "segredo-de-exemplo",
      events: ["message:received"],
    }),
  ),
});

const Registration = Type.Object(
  {
    ok: Type.Boolean({ description: "Whether the number can send" }),
    coexistence: Type.Boolean({ description: "Whether the owner's business app goes on with the number" }),
    reconnected: Type.Boolean({ description: "Whether the phone was known here before", examples: [false] }),
    platformType: Nullable(
      Type.String({
        description: "The number's earlier place, in the network's word; null if unknown",
        examples: ["CLOUD_API"],
      }),
    ),
    reason: described(
      Nullable(
        OneOf([
          "ALREADY_ON_OFFICIAL_API",
          "COEXISTENT",
          "RECONNECTED",
          "PIN_REJECTED",
          "VERIFICATION_REQUIRED",
          "REGISTER_FAILED",
        ]),
      ),
      "Why it was not registered, or did not need it; null otherwise",
      "COEXISTENT",
    ),
    pin: Type.Optional(
      Type.String({ description: "The PIN that was made for the number; shown this once", examples: ["123456"] }),
    ),
  },
  { title: "Registration" },
);
const signedUpView = (registry: GatewayEnv["registry"]) =>
  Type.Composite([
    phoneViewSchema(registry),
    Type.Object({
      registration: described(Registration, "The network's answer when the number was registered"),
      sync: described(SyncView, "The progress of the requests to the business app"),
    }),
  ]);

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
  fields: { account: "wabaId", number: "phoneNumberId" },
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
        ...route({ operationId: "getEmbeddedSignupConfig", isolation: "own" }),
        summary: "Get the configuration with which a browser opens the network's sign-up",
        description: "The values are passed on as they are; `state` comes back with the code.",
      },
    })
    .post("/events", ({ principal, body }) => eventView(readSignupEvent(env, principal, body.message)), {
      body: EventBody,
      response: { 200: EventView, ...APP_REFUSALS },
      detail: {
        ...route({ operationId: "readEmbeddedSignupEvent", acts: "none: no change", isolation: "own" }),
        summary: "Read an event that the sign-up window sent to the page that opened it",
        description: "Nothing is stored. Pass on the data of the window's `message` event, whatever it is.",
      },
    })
    .post(
      "/",
      async ({ principal, body, status }) => {
        const { channel, registration, sync } = await signUp(env, principal, signupInput(body));
        return status(201, {
          ...phoneView(env, channel, await readWebhook(env, principal, channel.id)),
          registration,
          sync,
        });
      },
      {
        body: SignupBody,
        response: { 201: signedUpView(env.registry), ...APP_REFUSALS },
        detail: {
          ...route({
            operationId: "embeddedSignup",
            acts: ["channel.create", "webhook.change", "webhook.delete"],
            isolation: { phoneNumberId: "networkNumber" },
          }),
          summary: "Add the number that was just signed up",
          description:
            "The number's place is looked up before anything is written. A number that is known here is " +
            "connected again, under the same id.",
        },
      },
    );
