import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  type AppChannel,
  type AppNumber,
  changeAppNumber,
  ensureAppNumber,
  issueAppKey,
  readAppKeys,
  revokeAppKey,
} from "../../../core/channels/settings/app-numbers.ts";
import { type Key, MAX_ALLOWED_ADDRESSES } from "../../../core/tenancy/keys/keys.ts";
import { DateTime, described, Nullable, Text } from "../../../kernel/schema.ts";
import { CreatedAt, Id, inPath } from "../../shared/fields.ts";
import { beyondLimits } from "../../shared/key-scopes.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { refuse } from "../errors.ts";
import { route } from "../route-options.ts";
import { InstantOrNull, Nothing, PHONE_IN_PATH, REFUSALS } from "../schemas.ts";

const ADDRESSES_TEXT = "The only IP addresses and CIDRs from which the token may be used; empty means anywhere";

const ApiView = Type.Object(
  {
    baseUrl: Nullable(
      Type.String({
        description: "The base URL of a program, without a version; null if the server has the API switched off",
        examples: ["https://recado.example/graph"],
      }),
    ),
    phoneNumberId: Type.String({ description: "The phone number id of the Cloud API", examples: ["482913377120945"] }),
    businessAccountId: Type.String({
      description: "The id of the WhatsApp Business account",
      examples: ["719204458812366"],
    }),
    appId: Type.String({
      description: "The number that programs see as the app's number",
      examples: ["305518820946127"],
    }),
    displayPhoneNumber: Nullable(
      Type.String({
        description: "The number as programs know it; null: the phone's own",
        examples: ["5511988887777"],
      }),
    ),
    templatesAsText: Type.Boolean({
      description: "Whether templates are sent as text on a phone whose network has no templates",
    }),
  },
  { title: "CloudApi" },
);
const ChangesBody = Type.Object(
  {
    displayPhoneNumber: Type.Optional(
      described(
        Nullable(Type.String({ pattern: "^\\d{5,15}$", description: "must be 5 to 15 digits" })),
        "The number that programs see, 5 to 15 digits; null shows the phone's own number",
        "551188887777",
      ),
    ),
    templatesAsText: Type.Optional(
      Type.Boolean({ description: "Whether templates are sent as their text if the phone's network has no templates" }),
    ),
  },
  { title: "CloudApiChanges" },
);
const TokenFields = {
  id: Id("The token's id"),
  name: Type.String({ description: "Which program has the token", examples: ["Chatwoot"] }),
  prefix: Type.String({ description: "How the token begins", examples: ["ck_live_exemplo"] }),
  allowedAddresses: Type.Array(Type.String(), {
    description: "IP addresses and CIDRs that may use the token; without any it works from everywhere",
    examples: [["203.0.113.0/24"]],
  }),
  expiresAt: described(InstantOrNull, "When the token stops working; null means never", "2026-11-29T12:00:00.000Z"),
  lastUsedAt: described(InstantOrNull, "When it was last used; null before"),
  createdAt: CreatedAt("token"),
};
const TokenView = Type.Object(TokenFields, { title: "CloudToken" });
const NewTokenView = Type.Object(
  { ...TokenFields, token: Type.String({ description: "Shown once", examples: ["ck_live_exemplo"] }) },
  { title: "NewCloudToken" },
);
const TokenBody = Type.Object(
  {
    name: described(Text(1, 100), "Which program has the token", "Chatwoot"),
    allowedAddresses: Type.Optional(
      Type.Array(Text(1, 50), {
        maxItems: MAX_ALLOWED_ADDRESSES,
        description: ADDRESSES_TEXT,
        examples: [["203.0.113.0/24"]],
      }),
    ),
    expiresAt: Type.Optional(
      described(
        DateTime(),
        "A time in the future; by default never, or when the key that makes it ends",
        "2027-01-01T00:00:00.000Z",
      ),
    ),
  },
  { title: "NewCloudTokenRequest" },
);

const apiView = (
  env: GatewayEnv,
  { numberId, accountId, appId, displayNumber, templatesAsText }: AppNumber,
): Static<typeof ApiView> => ({
  baseUrl: env.cloudUrl() ?? null,
  phoneNumberId: numberId,
  businessAccountId: accountId,
  appId,
  displayPhoneNumber: displayNumber,
  templatesAsText,
});

const tokenView = (key: Key) => toView(TokenView, key);

/** The permissions of a token, as scopes of keys. A limited key cannot make a token that may do more than the key. */
const MAY = ["messages", "media", "templates", "phones", "webhooks"].flatMap((name) => [
  `${name}.read`,
  `${name}.write`,
]);
const BEYOND = "The token would be allowed more than you are.";

/** How programs for the Cloud API reach a phone. */
export const cloudApi = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .get(
      "/:id/cloud-api",
      async ({ principal, params }) => apiView(env, await ensureAppNumber(env, principal, params.id)),
      {
        response: { 200: ApiView, ...REFUSALS },
        detail: {
          ...route({ operationId: "getCloudApi", isolation: { id: "channel" } }),
          summary: "Show how programs for the Cloud API reach a phone",
          description: "The ids are made when they are first asked for, and never change.",
        },
      },
    )
    .patch(
      "/:id/cloud-api",
      async ({ principal, params, body: { displayPhoneNumber, templatesAsText } }) =>
        apiView(
          env,
          await changeAppNumber(env, principal, params.id, {
            ...(displayPhoneNumber === undefined ? {} : { displayNumber: displayPhoneNumber }),
            ...(templatesAsText === undefined ? {} : { templatesAsText }),
          }),
        ),
      {
        body: ChangesBody,
        response: { 200: ApiView, ...REFUSALS },
        detail: {
          ...route({ operationId: "updateCloudApi", acts: "none: own settings", isolation: { id: "channel" } }),
          summary: "Change how a phone is shown to programs for the Cloud API",
          description: "A missing field stays unchanged.",
        },
      },
    );

const appOf = ({ id }: { id: string }): AppChannel => ({ channelId: id, api: "cloud" });

/** The tokens of the API that is compatible with the Cloud API. Each opens one phone. */
export const cloudTokens = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/phones",
    tags: ["keys"],
    detail: inPath({ ...PHONE_IN_PATH, tokenId: Id("The token, as `GET /v1/phones/{id}/cloud-api/tokens` lists it") }),
  })
    .use(auth)
    .post(
      "/:id/cloud-api/tokens",
      async ({ principal, params, body, status }) => {
        const beyond = beyondLimits(principal.limits, { permissions: MAY, isReadOnly: false });
        if (beyond.length > 0) return refuse("KEY_SCOPE_MISSING", {}, { scopes: beyond }, BEYOND);
        const issued = await issueAppKey(env, principal, appOf(params), {
          ...body,
          maker: principal.bounds,
        });
        return status(201, { ...tokenView(issued), token: issued.key });
      },
      {
        body: TokenBody,
        response: { 201: NewTokenView, ...REFUSALS },
        detail: {
          ...route({ operationId: "createCloudToken", acts: ["key.create"], isolation: { id: "channel" } }),
          summary: "Make a token with which a program for the Cloud API uses a phone",
          description:
            "`token` is shown only now. It opens this phone alone. A limited key makes a token only if the key " +
            "may do everything that the token may. The token takes over its addresses and its end.",
        },
      },
    )
    .get(
      "/:id/cloud-api/tokens",
      async ({ principal, params }) => ({
        items: (await readAppKeys(env, principal, appOf(params))).map(tokenView),
      }),
      {
        response: {
          200: Type.Object(
            { items: Type.Array(TokenView, { description: "Every token of the phone" }) },
            { title: "CloudTokens" },
          ),
          ...REFUSALS,
        },
        detail: {
          ...route({ operationId: "listCloudTokens", isolation: { id: "channel" } }),
          summary: "List the tokens of a phone for the Cloud API",
          description: "The tokens themselves are never shown.",
        },
      },
    )
    .delete(
      "/:id/cloud-api/tokens/:tokenId",
      async ({ principal, params, status }) => {
        await revokeAppKey(env, principal, appOf(params), params.tokenId);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({
            operationId: "revokeCloudToken",
            acts: ["key.revoke"],
            isolation: { id: "channel", tokenId: "cloudToken" },
          }),
          summary: "Revoke a token of a phone for the Cloud API at once",
          description: "The program that uses it is refused from now on.",
        },
      },
    );
