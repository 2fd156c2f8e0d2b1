import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { NAME_STATES } from "../../../contract/abilities/onboarding.ts";
import {
  changeBusinessProfile,
  getBusinessProfile,
  getNameChange,
  requestName,
  rotateToken,
  syncContacts,
} from "../../../core/channels/settings/business.ts";
import { readWebhook } from "../../../core/channels/settings/webhooks.ts";
import { described, Nullable, OneOf, Text, Url } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { OptionalBody, PHONE_IN_PATH, UPSTREAM_REFUSALS } from "../schemas.ts";
import { phoneView, phoneViewSchema } from "./phones.ts";

const TokenBody = Type.Object({
  accessToken: described(
    Type.String({
      pattern: "^[!-~]{1,4096}$",
      description: "must be a token without spaces",
      examples: ["EAAGexemplo"],
    }),
    "The new token of the business account, without spaces",
  ),
});

const ProfileBody = Type.Partial(
  Type.Object({
    about: described(Text(1, 139), "The line beside the name; 1 to 139 characters", "Pães e bolos todos os dias"),
    address: described(Text(0, 256), "The postal address; an empty text removes it", "Rua das Flores, 100, São Paulo"),
    description: described(
      Text(0, 512),
      "The description of the business; an empty text removes it",
      "Pães e bolos todos os dias",
    ),
    email: described(Text(0, 128), "The e-mail address for customers; an empty text removes it", "maria@example.com"),
    vertical: described(Text(0, 60), "The line of business, in the network's word", "RESTAURANT"),
    websites: Type.Array(Url(), {
      maxItems: 2,
      description: "The addresses of the business's pages; at most 2",
      examples: [["https://padaria-estrela.example"]],
    }),
    profilePictureHandle: described(
      Text(1, 4096),
      "The handle of an upload by POST /v1/media/upload/resumable",
      "4::aW1hZ2UvanBlZw==:ARZ9x",
    ),
  }),
);
const TextOrNull = Nullable(Type.String());
export const BusinessProfileView = Type.Object(
  {
    about: described(TextOrNull, "The line beside the name; null without one", "Pães e bolos todos os dias"),
    address: described(TextOrNull, "The postal address; null without one", "Rua das Flores, 100, São Paulo"),
    description: described(
      TextOrNull,
      "The description of the business; null without a text",
      "Pães e bolos todos os dias",
    ),
    email: described(TextOrNull, "The e-mail address for customers; null without one", "maria@example.com"),
    vertical: described(TextOrNull, "The line of business, in the network's word; null without one", "RESTAURANT"),
    websites: Type.Array(Type.String(), {
      description: "The addresses of the business's pages",
      examples: [["https://padaria-estrela.example"]],
    }),
    profilePictureUrl: described(
      TextOrNull,
      "The address of the picture; null without one",
      "https://padaria-estrela.example/logo.jpg",
    ),
  },
  { title: "BusinessProfile" },
);

const NameView = Type.Object(
  {
    displayName: described(
      TextOrNull,
      "The name that customers see now; null until the network reports it",
      "Padaria Estrela",
    ),
    requestedName: described(TextOrNull, "The name that was requested; null if none was", "Padaria Estrela Centro"),
    status: OneOf(NAME_STATES, {
      description: "The network's decision; NONE if no name was requested",
      examples: ["PENDING"],
    }),
  },
  { title: "NameChange" },
);

const SyncBody = OptionalBody({
  contacts: Type.Optional(Type.Boolean({ description: "Whether the app's contacts are requested; false by default" })),
  history: Type.Optional(Type.Boolean({ description: "Whether the app's history is requested; false by default" })),
});
const SyncRequestView = Type.Object(
  {
    ok: Type.Boolean({ description: "Whether the network took the request" }),
    flagPersisted: Type.Boolean({ description: "Whether Recado has stored that the data was requested" }),
    requestId: described(TextOrNull, "The network's id of the request; null if no request was made", "req_1"),
  },
  { title: "SyncPart" },
);
export const SyncView = Type.Object(
  { contacts: described(SyncRequestView, "False by default"), history: described(SyncRequestView, "False by default") },
  { title: "SyncRequest" },
);

/** The business profile and settings of an official number. */
export const business = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .post(
      "/:id/rotate-token",
      async ({ principal, params, body }) => {
        const channel = await rotateToken(env, principal, params.id, body.accessToken);
        return phoneView(env, channel, await readWebhook(env, principal, channel.id));
      },
      {
        body: TokenBody,
        response: { 200: phoneViewSchema(env.registry), ...UPSTREAM_REFUSALS },
        detail: {
          ...route({
            operationId: "rotateToken",
            acts: ["channel.rotate-token"],
            isolation: { id: "channel" },
            link: "required",
          }),
          summary: "Replace the phone's token",
          description: "The network is asked first: a token that it refuses changes nothing. WABA only.",
        },
      },
    )
    .get("/:id/business-profile", ({ principal, params }) => getBusinessProfile(env, principal, params.id), {
      response: { 200: BusinessProfileView, ...UPSTREAM_REFUSALS },
      detail: {
        ...route({ operationId: "getBusinessProfile", isolation: { id: "channel" }, link: "optional" }),
        summary: "Get the profile that customers see of the business",
        description: "Refused for a session whose account is no business. WABA and SESSION.",
      },
    })
    .patch(
      "/:id/business-profile",
      ({ principal, params, body }) => changeBusinessProfile(env, principal, params.id, body),
      {
        body: ProfileBody,
        response: { 200: BusinessProfileView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({
            operationId: "updateBusinessProfile",
            acts: "none: own settings",
            isolation: { id: "channel" },
            link: "optional",
          }),
          summary: "Change the profile that customers see of the business",
          description:
            "A missing field stays unchanged. A session takes neither `vertical` nor `profilePictureHandle`. WABA and " +
            "SESSION.",
        },
      },
    )
    .post(
      "/:id/name-change",
      async ({ principal, params, body, status }) => {
        await requestName(env, principal, params.id, body.displayName);
        return status(202, { status: "pending", displayName: body.displayName });
      },
      {
        body: Type.Object({
          displayName: described(
            Text(1, 120),
            "The new name that customers see; the network reviews it",
            "Padaria Estrela",
          ),
        }),
        response: {
          202: Type.Object({
            status: OneOf(["pending"], { description: "The network reviews the name" }),
            displayName: Type.String({ description: "The name that was requested", examples: ["Padaria Estrela"] }),
          }),
          ...UPSTREAM_REFUSALS,
        },
        detail: {
          ...route({ operationId: "requestNameChange", acts: "none: own settings", isolation: { id: "channel" } }),
          summary: "Ask the network for another display name",
          description: "The network reviews it; the GET has the result. WABA only.",
        },
      },
    )
    .get("/:id/name-change", ({ principal, params }) => getNameChange(env, principal, params.id), {
      response: { 200: NameView, ...UPSTREAM_REFUSALS },
      detail: {
        ...route({ operationId: "getNameChange", isolation: { id: "channel" } }),
        summary: "Get the status of the requested display name",
        description: "WABA only.",
      },
    })
    .post(
      "/:id/contacts/sync",
      async ({ principal, params, body, status }) => {
        const { contacts = true, history = false } = body ?? {};
        return status(202, await syncContacts(env, principal, params.id, { contacts, history }));
      },
      {
        body: SyncBody,
        response: { 202: SyncView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "syncContacts", acts: "none: daily work", isolation: { id: "channel" } }),
          summary: "Request the business app's contacts and history",
          description: "Only for a coexistent number, and once: the network sends them as events. WABA only.",
        },
      },
    );
