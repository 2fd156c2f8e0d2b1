import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  claimUsername,
  getUsername,
  releaseUsername,
  requestNumberCode,
  usernameSuggestions,
  verifyNumber,
} from "../../../core/channels/settings/number.ts";
import { anyTimeSettings } from "../../../core/channels/settings/phone-settings.ts";
import {
  type ChannelSettings,
  changeChannelSettings,
  getChannelSettings,
} from "../../../core/channels/settings/settings.ts";
import { described, Nullable, OneOf } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Nothing, OptionalBody, PHONE_IN_PATH, REFUSALS, UPSTREAM_REFUSALS } from "../schemas.ts";

const CodeBody = Type.Object({
  method: OneOf(["SMS", "VOICE"], { description: "How the code comes" }),
  language: Type.Optional(
    described(
      Type.String({ pattern: "^[a-z]{2,3}(_[A-Z]{2})?$", description: "must be as pt_BR", examples: ["pt_BR"] }),
      "The language of the message with the code, such as pt_BR",
    ),
  ),
});
const Code = Type.String({ pattern: "^\\d{4,8}$", description: "must be 4 to 8 digits", examples: ["123456"] });
const Pin = Type.String({ pattern: "^\\d{6}$", description: "must be 6 digits", examples: ["123456"] });
const VerifiedView = Type.Object(
  {
    isRegistered: Type.Boolean({ description: "Whether the number can send now" }),
    reason: described(
      Nullable(OneOf(["PIN_REJECTED", "REGISTER_FAILED"])),
      "Why the number is not registered; null or absent if it is",
    ),
  },
  { title: "NumberVerification" },
);

/** The form of a person's username: https://developers.facebook.com/docs/whatsapp/business-scoped-user-ids */
const UsernameBody = Type.Object(
  {
    username: described(
      Type.String({
        pattern: "^(?!.*\\.\\.)[a-z0-9_][a-z0-9_.]{1,33}[a-z0-9_]$",
        description: "must be 3 to 35 lower-case letters, digits, dots and underscores",
        examples: ["padariaestrela"],
      }),
      "3 to 35 lower-case letters, digits, dots and underscores",
    ),
    transfer: Type.Optional(
      Type.Boolean({ description: "Whether to take it from another number of the business", examples: [false] }),
    ),
  },
  { title: "ClaimUsernameRequest" },
);
/** The settings of all types of phones; a phone has those of its type. */
const settingsSchema = ({ adapters }: GatewayEnv["registry"]): TObject<Record<string, TSchema>> =>
  Type.Object(
    Object.fromEntries(
      adapters
        .flatMap((adapter) => Object.entries(anyTimeSettings(adapter)))
        .map(([name, schema]) => [name, Type.Optional(texted(schema))]),
    ),
    { title: "PhoneSettings" },
  );

/** The setting or null. A choice has its text at the field, because several settings may have the same values. */
const texted = (schema: TSchema): TSchema => {
  if (!Array.isArray(schema["anyOf"])) return Nullable(schema);
  const { description = "", examples: [example] = [] } = schema as { description?: string; examples?: unknown[] };
  return described(Nullable(schema), description, example);
};

const UsernameView = Type.Object(
  {
    username: Nullable(
      Type.String({ description: "The username of the business; null without one", examples: ["padariaestrela"] }),
    ),
    isReserved: Type.Boolean({ description: "Whether the username is only reserved", examples: [false] }),
  },
  { title: "Username" },
);

/** The number of a phone at its network: its ownership, its registration, its username. */
export const number = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .post(
      "/:id/verification",
      async ({ principal, params, body: { method, language = "pt_BR" }, status }) =>
        status(202, { status: await requestNumberCode(env, principal, params.id, { method, language }) }),
      {
        body: CodeBody,
        response: {
          202: Type.Object({
            status: OneOf(["sent", "already"], { description: "`already`: the number is verified" }),
          }),
          ...UPSTREAM_REFUSALS,
        },
        detail: {
          ...route({ operationId: "requestNumberCode", acts: "none: own settings", isolation: { id: "channel" } }),
          summary: "Request the code that proves who owns the number",
          description: "WABA only.",
        },
      },
    )
    .post(
      "/:id/verification/confirm",
      ({ principal, params, body }) => verifyNumber(env, principal, params.id, body ?? {}),
      {
        body: OptionalBody({
          code: Type.Optional(described(Code, "The 4 to 8 digits that the network sent to the number")),
          pin: Type.Optional(described(Pin, "The 6 digits of the number's new two-step verification")),
        }),
        response: { 200: VerifiedView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "verifyNumber", acts: "none: own settings", isolation: { id: "channel" } }),
          summary: "Verify the number by its code, and register it",
          description: "A number whose registration fails stays verified: the next call needs no code. WABA only.",
        },
      },
    )
    .get("/:id/settings", ({ principal, params }) => getChannelSettings(env, principal, params.id), {
      response: { 200: settingsSchema(env.registry), ...REFUSALS },
      detail: {
        ...route({ operationId: "getPhoneSettings", isolation: { id: "channel" } }),
        summary: "Get the settings that the phone's type has",
        description: "Null stands for the default.",
      },
    })
    .patch(
      "/:id/settings",
      ({ principal, params, body }) => changeChannelSettings(env, principal, params.id, body as ChannelSettings),
      {
        body: settingsSchema(env.registry),
        response: { 200: settingsSchema(env.registry), ...REFUSALS },
        detail: {
          ...route({
            operationId: "updatePhoneSettings",
            acts: ["channel.change-settings"],
            isolation: { id: "channel" },
            link: "optional",
          }),
          summary: "Change settings of the phone",
          description:
            "A missing field stays unchanged; null is the default. The settings apply from the next call to " +
            "the network.",
        },
      },
    )
    .get("/:id/username", ({ principal, params }) => getUsername(env, principal, params.id), {
      response: { 200: UsernameView, ...UPSTREAM_REFUSALS },
      detail: {
        ...route({ operationId: "getUsername", isolation: { id: "channel" } }),
        summary: "Get the username of the number",
        description: "WABA only.",
      },
    })
    .post(
      "/:id/username",
      ({ principal, params, body: { username, transfer = false } }) =>
        claimUsername(env, principal, params.id, { username, isTransfer: transfer }),
      {
        body: UsernameBody,
        response: { 200: UsernameView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "claimUsername", acts: "none: own settings", isolation: { id: "channel" } }),
          summary: "Claim a username for the number, or reserve it",
          description: "WABA only.",
        },
      },
    )
    .delete(
      "/:id/username",
      async ({ principal, params, status }) => {
        await releaseUsername(env, principal, params.id);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "releaseUsername", acts: "none: own settings", isolation: { id: "channel" } }),
          summary: "Release the number's username",
          description: "WABA only.",
        },
      },
    )
    .get(
      "/:id/username/suggestions",
      async ({ principal, params }) => ({ suggestions: await usernameSuggestions(env, principal, params.id) }),
      {
        response: {
          200: Type.Object({
            suggestions: Type.Array(Type.String(), {
              description: "Usernames that are free",
              examples: [["padariaestrela", "padaria.estrela"]],
            }),
          }),
          ...UPSTREAM_REFUSALS,
        },
        detail: {
          ...route({ operationId: "listUsernameSuggestions", isolation: { id: "channel" } }),
          summary: "List usernames that the network suggests",
          description: "WABA only.",
        },
      },
    );
