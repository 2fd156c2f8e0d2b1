import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { getAccount } from "../../../core/tenancy/accounts/accounts.ts";
import { callerIn } from "../../../core/tenancy/audit/audit.ts";
import {
  issueGatewayKey,
  type Key,
  keysPage,
  MAX_ALLOWED_ADDRESSES,
  revokeGatewayKey,
  revokeOwnGatewayKey,
} from "../../../core/tenancy/keys/keys.ts";
import { isoOrNull } from "../../../kernel/clock.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { DateTime, described, Nullable, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { CreatedAt, Cursor, Id, inPath } from "../../shared/fields.ts";
import { beyondLimits, RESOURCES, scopeWarnings, Warnings } from "../../shared/key-scopes.ts";
import { administratorOf, type GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { refuse } from "../errors.ts";
import { route } from "../route-options.ts";
import { ADMIN_REFUSALS, Instant, InstantOrNull, Page, QueryLimit, REFUSALS } from "../schemas.ts";
import { scopeOf } from "../scope-of.ts";
import { keyView } from "./account.ts";

const SCOPES_TEXT =
  `The scopes of the key: \`.read\` or \`.write\` of ${RESOURCES.join(", ")}. ` +
  "With none of these it may do everything. Other texts are kept, limit nothing, and are named in `warnings`; with " +
  "`Prefer: handling=strict` they are refused.";
const CreateKeyBody = Type.Object({
  name: described(Text(1, 100), "The account's name for the key", "Integração do site"),
  scopes: Type.Optional(
    Type.Array(Text(0, 100), { maxItems: 100, description: SCOPES_TEXT, examples: [["messages.write"]] }),
  ),
  readOnly: Type.Optional(
    Type.Boolean({ description: "The key reads, and changes nothing, within its scopes", examples: [false] }),
  ),
  allowedAddresses: Type.Optional(
    Type.Array(Text(1, 50), {
      maxItems: MAX_ALLOWED_ADDRESSES,
      description: "IP addresses and CIDRs that may use the key; without any it works from everywhere",
      examples: [["203.0.113.0/24"]],
    }),
  ),
  expiresAt: Type.Optional(
    described(
      DateTime(),
      "When the key stops working, in the future; never by default. A key cannot outlive the key that makes it",
      "2027-11-22T12:00:00.000Z",
    ),
  ),
});

const KeyItem = Type.Object(
  {
    id: Id("The key's id"),
    accountId: Id("The account that the key opens", "account"),
    name: Type.String({ description: "The account's name for the key", examples: ["Integração do site"] }),
    prefix: Type.String({ description: "The beginning of the key, to recognise it", examples: ["ak_live_Zk3v"] }),
    scopes: Type.Array(Type.String(), {
      description: "The permissions of the key or the app",
      examples: [["messages.write"]],
    }),
    limitedTo: Nullable(
      Type.Array(Type.String(), {
        description: "The scopes that limit the key; null for a key that may do everything",
      }),
    ),
    readOnly: Type.Boolean({ description: "The key reads, and changes nothing", examples: [false] }),
    allowedAddresses: Type.Array(Type.String(), {
      description: "IP addresses and CIDRs that may use the key; empty means everywhere",
      examples: [["203.0.113.0/24"]],
    }),
    expiresAt: described(InstantOrNull, "When the key stops working; null means never", "2027-11-22T12:00:00.000Z"),
    lastUsedAt: described(InstantOrNull, "When the key was last used; null before"),
    revokedAt: described(InstantOrNull, "When the key was revoked; null while the key is valid"),
    createdAt: CreatedAt("key"),
  },
  { title: "ApiKey" },
);
const IssuedKeyView = Type.Composite(
  [
    KeyItem,
    Type.Object({
      key: Type.String({
        description: "The key itself, which is shown only now",
        examples: ["ak_live_Zk3vX9pQ2rT7wL5m"],
      }),
      warnings: Warnings,
    }),
  ],
  {
    title: "IssuedApiKey",
  },
);
const RevokedView = Type.Object({ id: Id("The key's id"), revokedAt: described(Instant, "When the key was revoked") });

const keyItem = (key: Key): Static<typeof KeyItem> => ({
  ...keyView(key),
  accountId: key.tenantId,
  revokedAt: isoOrNull(key.revokedAt),
});

/** An account may have revoked any number of keys; it pages through all of them itself. */
const MOST_LISTED = 1000;

/** The keys of every account, for the administrator. */
export const adminKeys = (env: GatewayEnv) =>
  new Elysia()
    .post(
      "/accounts/:id/api-keys",
      async ({ params, body, status, request }) => {
        const warnings = scopeWarnings(request, body.scopes);
        const issued = await issueGatewayKey(env, callerIn(params.id, administratorOf(request)), body);
        return status(201, { ...keyItem(issued), key: issued.key, ...warnings });
      },
      {
        body: CreateKeyBody,
        response: { 201: IssuedKeyView, ...ADMIN_REFUSALS },
        detail: {
          ...inPath({ id: Id("The account, as `GET /v1/admin/accounts` lists it", "account") }),
          ...route({ operationId: "issueApiKey", acts: ["key.create"], isolation: "administrator" }),
          summary: "Issue an API key",
          description: "`key` is shown only now. Without `scopes` it may do everything.",
        },
      },
    )
    .get(
      "/accounts/:id/api-keys",
      async ({ params }) => {
        const scope = scopeOf(await getAccount(env, params.id));
        const newest = { withRevoked: true, cursor: undefined, limit: MOST_LISTED };
        return (await keysPage(env, scope, "gateway", newest)).items.map(keyItem);
      },
      {
        response: { 200: Type.Array(KeyItem), ...ADMIN_REFUSALS },
        detail: {
          ...inPath({ id: Id("The account, as `GET /v1/admin/accounts` lists it", "account") }),
          ...route({ operationId: "listAccountApiKeys", isolation: "administrator" }),
          summary: "List an account's API keys",
          description: `The newest ${MOST_LISTED}, revoked ones too. The keys themselves are never shown.`,
        },
      },
    )
    .post("/api-keys/:id/revoke", ({ params, request }) => revokeGatewayKey(env, administratorOf(request), params.id), {
      response: { 200: RevokedView, ...ADMIN_REFUSALS },
      detail: {
        ...inPath({ id: Id("The key's id, not the key") }),
        ...route({ operationId: "revokeApiKey", acts: ["key.revoke"], isolation: "administrator" }),
        summary: "Revoke an API key at once",
        description: "A repeat changes nothing.",
      },
    });

/** The keys of the account itself. A limited key makes only keys with the same limits, or narrower ones. */
export const apiKeys = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/api-keys", tags: ["keys"], detail: inPath({ id: Id("The key's id, not the key") }) })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, status, request }) => {
        const warnings = scopeWarnings(request, body.scopes);
        const beyond = beyondLimits(principal.limits, {
          permissions: body.scopes ?? [],
          isReadOnly: body.readOnly ?? false,
        });
        if (beyond.length > 0) return refuse("KEY_SCOPE_MISSING", {}, { scopes: beyond }, BEYOND);
        const issued = await issueGatewayKey(env, principal, body, principal.bounds);
        return status(201, { ...keyItem(issued), key: issued.key, ...warnings });
      },
      {
        body: CreateKeyBody,
        response: { 201: IssuedKeyView, ...REFUSALS },
        detail: {
          ...route({ operationId: "createOwnApiKey", acts: ["key.create"], isolation: "own" }),
          summary: "Make an API key for the account",
          description:
            "`key` is shown only now. Without `scopes` it may do everything. A limited key makes only keys within its " +
            "own scopes; these take over its addresses and its end, and may narrow them.",
        },
      },
    )
    .get(
      "/",
      async ({ principal, query }) => {
        const { items, nextCursor } = await keysPage(env, principal, "gateway", {
          withRevoked: query.revoked === "true",
          cursor: query.cursor,
          limit: gatewayLimit(query.limit),
        });
        return { items: items.map(keyItem), nextCursor };
      },
      {
        query: Type.Object({
          revoked: Type.Optional(
            OneOf(["true", "false"], { description: "`true` lists revoked keys too; false by default" }),
          ),
          limit: QueryLimit(),
          cursor: Type.Optional(Cursor(Uuid())),
        }),
        response: { 200: Page(KeyItem), ...REFUSALS },
        detail: {
          ...route({ operationId: "listOwnApiKeys", isolation: { cursor: "key" } }),
          summary: "List the account's API keys, newest first",
          description: "The keys themselves are never shown. With `revoked=true` revoked ones are listed too.",
        },
      },
    )
    .post("/:id/revoke", ({ principal, params }) => revokeOwnGatewayKey(env, principal, params.id), {
      response: { 200: RevokedView, ...REFUSALS },
      detail: {
        ...route({ operationId: "revokeOwnApiKey", acts: ["key.revoke"], isolation: { id: "key" } }),
        summary: "Revoke an API key of the account at once",
        description: "Programs that use it are refused from now on. A repeat changes nothing.",
      },
    });

const BEYOND = "The new key would be allowed more than you are.";
