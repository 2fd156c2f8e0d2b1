import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { joinByCode } from "../../core/joining.ts";
import {
  issueGatewayKey,
  type Key,
  MAX_ALLOWED_ADDRESSES,
  readKeys,
  revokeOwnGatewayKey,
} from "../../core/tenancy/keys/keys.ts";
import { requireOwn } from "../../core/tenancy/people/members.ts";
import { DateTime, described, Text } from "../../kernel/schema.ts";
import { DryRunQuery, isDryRun } from "../shared/dry-run.ts";
import { CreatedAt, Id, inPath } from "../shared/fields.ts";
import { JoinedView, joinedView } from "../shared/joining.ts";
import { scopeWarnings, Warnings } from "../shared/key-scopes.ts";
import { toView } from "../shared/view.ts";
import { type PlatformAuth, requireMember } from "./auth.ts";
import type { PlatformEnv } from "./env.ts";
import { route } from "./route-options.ts";
import { Instant, InstantOrNull, Nothing, REFUSALS } from "./schemas.ts";

const GatewayKeyView = Type.Object(
  {
    id: Id("The key's id"),
    name: Type.String({ description: "The account's name for the key", examples: ["Integração do site"] }),
    prefix: Type.String({ description: "The beginning of the key, to recognise it", examples: ["ak_live_Zk3v"] }),
    scopes: Type.Array(Type.String(), {
      description: "The permissions of the key or the app",
      examples: [["messages.write"]],
    }),
    readOnly: Type.Boolean({ description: "The key reads, and changes nothing", examples: [false] }),
    allowedAddresses: Type.Array(Type.String(), {
      description: "IP addresses and CIDRs that may use the key; empty means everywhere",
      examples: [[]],
    }),
    expiresAt: Type.Optional(
      described(Instant, "When the key stops working; absent means never", "2026-11-29T12:00:00.000Z"),
    ),
    lastUsedAt: described(InstantOrNull, "When it was last used; null before"),
    createdAt: CreatedAt("key"),
  },
  { title: "GatewayKey" },
);
const IssuedGatewayKeyView = Type.Composite(
  [
    GatewayKeyView,
    Type.Object({
      key: Type.String({ description: "The key itself, which is shown only now", examples: ["ak_live_…"] }),
      warnings: Warnings,
    }),
  ],
  {
    title: "IssuedGatewayKey",
  },
);

const gatewayKeyView = (key: Key) => toView(GatewayKeyView, key, { scopes: key.permissions, readOnly: key.isReadOnly });

const NewKeyBody = Type.Object({
  name: described(Text(1, 100), "The account's name for the key", "Integração do site"),
  scopes: Type.Optional(
    Type.Array(Text(0, 100), {
      maxItems: 100,
      description: "The permissions of the key, as the gateway API names them; without any it may do everything",
      examples: [["messages.write"]],
    }),
  ),
  readOnly: Type.Optional(Type.Boolean({ description: "The key reads, and changes nothing", examples: [false] })),
  allowedAddresses: Type.Optional(
    Type.Array(Text(1, 50), {
      maxItems: MAX_ALLOWED_ADDRESSES,
      description: "IP addresses and CIDRs that may use the key; without any it works from everywhere",
      examples: [["203.0.113.0/24"]],
    }),
  ),
  expiresAt: Type.Optional(
    described(DateTime(), "When the key stops working, in the future; never by default", "2027-11-22T12:00:00.000Z"),
  ),
});

/** Joins per minute of one institution: a code cannot be guessed, and each attempt is a long write. */
const JOINS_PER_MINUTE = 10;

/** An institution on the gateway: keys for it, and an account that it takes over. */
export const bothApis = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({
    detail: inPath({
      institutionId: Id("The institution, as `GET /v1/auth/institutions` lists it", "institution"),
      apiKeyId: Id("The key's id, not the key"),
    }),
  })
    .use(auth)
    .post(
      "/:institutionId/gateway-keys",
      async ({ principal, params, body, status, request }) => {
        requireOwn(principal.tenantId, params.institutionId);
        const warnings = scopeWarnings(request, body.scopes);
        const issued = await issueGatewayKey(env, principal, body);
        return status(201, { ...gatewayKeyView(issued), key: issued.key, ...warnings });
      },
      {
        body: NewKeyBody,
        response: { 201: IssuedGatewayKeyView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "createGatewayKey",
            power: "keys.write",
            acts: ["key.create"],
            isolation: { institutionId: "account" },
          }),
          summary: "Make an API key of the gateway for the institution",
          description:
            "The channels of the institution are phones of the gateway API. `key` is shown only now. Without `scopes` " +
            "it may do everything there.",
        },
      },
    )
    .get(
      "/:institutionId/gateway-keys",
      async ({ principal, params }) => {
        requireOwn(principal.tenantId, params.institutionId);
        return { data: (await readKeys(env, principal, "gateway")).map(gatewayKeyView) };
      },
      {
        response: {
          200: Type.Object(
            { data: Type.Array(GatewayKeyView, { description: "Every key of the account" }) },
            { title: "GatewayKeyList" },
          ),
          ...REFUSALS,
        },
        detail: {
          ...route({ operationId: "listGatewayKeys", power: "keys.read", isolation: { institutionId: "account" } }),
          summary: "List the institution's API keys of the gateway",
          description: "The keys themselves are never shown.",
        },
      },
    )
    .delete(
      "/:institutionId/gateway-keys/:apiKeyId",
      async ({ principal, params, status }) => {
        requireOwn(principal.tenantId, params.institutionId);
        await revokeOwnGatewayKey(env, principal, params.apiKeyId);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({
            operationId: "revokeGatewayKey",
            power: "keys.write",
            acts: ["key.revoke"],
            isolation: { institutionId: "account", apiKeyId: "gatewayKey" },
          }),
          summary: "Revoke an API key of the gateway at once",
          description: "A repeat changes nothing.",
        },
      },
    )
    .post(
      "/:institutionId/accounts",
      async ({ principal, params: { institutionId }, body: { code }, query }) => {
        const dryRun = isDryRun(query);
        const wish = { institutionId, code, isDryRun: dryRun };
        return joinedView(await joinByCode(env, requireMember(principal), wish), dryRun);
      },
      {
        query: DryRunQuery,
        body: Type.Object({
          code: described(Text(1, 300), "The code that a key of the account made", "rc_join_Zk3vX9pQ2rT7wL5m"),
        }),
        response: { 200: JoinedView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "joinAccount",
            perMinute: JOINS_PER_MINUTE,
            power: "accounts.join",
            acts: ["account.join", "institution.add-account"],
            isolation: { institutionId: "account", code: "joinCode" },
            takesDryRun: true,
          }),
          summary: "Take over an account of the gateway",
          description:
            "For an OWNER with a code of `POST /v1/account/join-codes` of the gateway API. Everything of the account " +
            "then belongs to the institution. It cannot be undone: try it with `dryRun=true`.",
        },
      },
    );
