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
import { webhookOf } from "../../../core/channels/settings/webhooks.ts";
import { Nullable, OneOf, Text, Url } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";
import { OptionalBody, UPSTREAM_REFUSALS } from "../schemas.ts";
import { phoneView, phoneViewSchema } from "./phones.ts";

const TokenBody = Type.Object({
  accessToken: Type.String({ pattern: "^[!-~]{1,4096}$", description: "must be a token without spaces" }),
});

const ProfileBody = Type.Partial(
  Type.Object({
    about: Text(1, 139),
    address: Text(0, 256),
    description: Text(0, 512),
    email: Text(0, 128),
    vertical: Text(0, 60),
    websites: Type.Array(Url(), { maxItems: 2 }),
    profilePictureHandle: Text(1, 4096),
  }),
);
const TextOrNull = Nullable(Type.String());
const ProfileView = Type.Object(
  {
    about: TextOrNull,
    address: TextOrNull,
    description: TextOrNull,
    email: TextOrNull,
    vertical: TextOrNull,
    websites: Type.Array(Type.String()),
    profilePictureUrl: TextOrNull,
  },
  { title: "BusinessProfile" },
);

const NameView = Type.Object(
  { displayName: TextOrNull, requestedName: TextOrNull, status: OneOf(NAME_STATES) },
  { title: "NameChange" },
);

const SyncBody = OptionalBody({ contacts: Type.Optional(Type.Boolean()), history: Type.Optional(Type.Boolean()) });
const SyncRequestView = Type.Object(
  { ok: Type.Boolean(), flagPersisted: Type.Boolean(), requestId: TextOrNull },
  { title: "SyncPart" },
);
export const SyncView = Type.Object({ contacts: SyncRequestView, history: SyncRequestView }, { title: "SyncRequest" });

/** The business profile and settings of an official number. */
export const business = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"] })
    .use(auth)
    .post(
      "/:id/rotate-token",
      async ({ principal, params, body }) => {
        const channel = await rotateToken(env, principal, params.id, body.accessToken);
        return phoneView(env, channel, await webhookOf(env, principal, channel.id));
      },
      {
        body: TokenBody,
        response: { 200: phoneViewSchema(env.registry), ...UPSTREAM_REFUSALS },
        detail: {
          ...routeOptions({ link: "required" }),
          operationId: "rotateToken",
          summary: "Put another token in place of the phone's",
          description: "The network is asked first: a token that it refuses changes nothing. WABA only.",
        },
      },
    )
    .get("/:id/business-profile", ({ principal, params }) => getBusinessProfile(env, principal, params.id), {
      response: { 200: ProfileView, ...UPSTREAM_REFUSALS },
      detail: {
        operationId: "getBusinessProfile",
        summary: "Get what customers see of the business",
        description: "WABA only.",
      },
    })
    .patch(
      "/:id/business-profile",
      ({ principal, params, body }) => changeBusinessProfile(env, principal, params.id, body),
      {
        body: ProfileBody,
        response: { 200: ProfileView, ...UPSTREAM_REFUSALS },
        detail: {
          operationId: "updateBusinessProfile",
          summary: "Change what customers see of the business",
          description: "A missing field stays. WABA only.",
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
        body: Type.Object({ displayName: Text(1, 120) }),
        response: {
          202: Type.Object({ status: OneOf(["pending"]), displayName: Type.String() }),
          ...UPSTREAM_REFUSALS,
        },
        detail: {
          operationId: "requestNameChange",
          summary: "Ask the network for another display name",
          description: "The network reviews it; the GET says what became of it. WABA only.",
        },
      },
    )
    .get("/:id/name-change", ({ principal, params }) => getNameChange(env, principal, params.id), {
      response: { 200: NameView, ...UPSTREAM_REFUSALS },
      detail: {
        operationId: "getNameChange",
        summary: "Get what became of the name that was asked for",
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
          operationId: "syncContacts",
          summary: "Have the business app's contacts and history sent",
          description: "Only for a coexistent number, and once: the network sends them as events. WABA only.",
        },
      },
    );
