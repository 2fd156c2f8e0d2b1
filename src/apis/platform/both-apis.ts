import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { joinByCode } from "../../core/joining.ts";
import {
  issueGatewayKey,
  type Key,
  keysOf,
  MAX_ALLOWED_ADDRESSES,
  revokeOwnGatewayKey,
} from "../../core/tenancy/keys/keys.ts";
import { requireOwn } from "../../core/tenancy/people/members.ts";
import { iso } from "../../kernel/clock.ts";
import { DateTime, Text } from "../../kernel/schema.ts";
import { DryRunQuery, isDryRun } from "../shared/dry-run.ts";
import { JoinedView, joinedView } from "../shared/joining.ts";
import { scopeWarnings, Warnings } from "../shared/key-scopes.ts";
import { memberOf, type PlatformAuth } from "./auth.ts";
import type { PlatformEnv } from "./env.ts";
import { routeOptions } from "./route-options.ts";
import { Instant, InstantOrNull, Nothing, REFUSALS } from "./schemas.ts";

const GatewayKeyView = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    prefix: Type.String(),
    scopes: Type.Array(Type.String()),
    readOnly: Type.Boolean(),
    allowedAddresses: Type.Array(Type.String()),
    expiresAt: Type.Optional(Instant),
    lastUsedAt: InstantOrNull,
    createdAt: Instant,
  },
  { title: "GatewayKey" },
);
const IssuedGatewayKeyView = Type.Composite([GatewayKeyView, Type.Object({ key: Type.String(), warnings: Warnings })], {
  title: "IssuedGatewayKey",
});

const gatewayKeyView = (key: Key): Static<typeof GatewayKeyView> => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  scopes: key.permissions,
  readOnly: key.isReadOnly,
  allowedAddresses: key.allowedAddresses,
  ...(key.expiresAt === null ? {} : { expiresAt: iso(key.expiresAt) }),
  lastUsedAt: key.lastUsedAt === null ? null : iso(key.lastUsedAt),
  createdAt: iso(key.createdAt),
});

const NewKeyBody = Type.Object({
  name: Text(1, 100),
  scopes: Type.Optional(Type.Array(Text(0, 100), { maxItems: 100 })),
  readOnly: Type.Optional(Type.Boolean()),
  allowedAddresses: Type.Optional(Type.Array(Text(1, 50), { maxItems: MAX_ALLOWED_ADDRESSES })),
  expiresAt: Type.Optional(DateTime()),
});

/** Joins per minute of one institution: a code cannot be guessed, and each try is a long write. */
const JOINS_PER_MINUTE = 10;

/** An institution on the gateway: keys for it, and an account that it takes over. */
export const bothApis = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia()
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
        power: "keys.write",
        body: NewKeyBody,
        response: { 201: IssuedGatewayKeyView, ...REFUSALS },
        detail: {
          operationId: "createGatewayKey",
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
        return { data: (await keysOf(env, principal, "gateway", { withRevoked: false })).map(gatewayKeyView) };
      },
      {
        power: "keys.read",
        response: { 200: Type.Object({ data: Type.Array(GatewayKeyView) }, { title: "GatewayKeyList" }), ...REFUSALS },
        detail: {
          operationId: "listGatewayKeys",
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
        power: "keys.write",
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          operationId: "revokeGatewayKey",
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
        return joinedView(await joinByCode(env, memberOf(principal), wish), dryRun);
      },
      {
        perMinute: JOINS_PER_MINUTE,
        power: "accounts.join",
        query: DryRunQuery,
        body: Type.Object({ code: Text(1, 300) }),
        response: { 200: JoinedView, ...REFUSALS },
        detail: {
          ...routeOptions({ takesDryRun: true }),
          operationId: "joinAccount",
          summary: "Take an account of the gateway over",
          description:
            "For an OWNER with a code of `POST /v1/account/join-codes` of the gateway API. Everything of the account " +
            "then belongs to the institution. It cannot be undone: try it with `dryRun=true`.",
        },
      },
    );
