import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { DUNNING_STAGES } from "../../../core/tenancy/accounts/accounts.ts";
import { makeJoinCode } from "../../../core/tenancy/accounts/join-codes.ts";
import { type Allowance, allowancesOf } from "../../../core/tenancy/accounts/limits.ts";
import {
  accountOverview,
  type CollectionUse,
  type Overview,
  requireKey,
} from "../../../core/tenancy/accounts/overview.ts";
import type { Key } from "../../../core/tenancy/keys/keys.ts";
import { iso } from "../../../kernel/clock.ts";
import { described, Nullable, OneOf } from "../../../kernel/schema.ts";
import { CreatedAt, Id } from "../../shared/fields.ts";
import { ANY_KEY, limitedTo } from "../../shared/key-scopes.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth, Principal } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { refuse } from "../errors.ts";
import { route } from "../route-options.ts";
import { Instant, InstantOrNull, REFUSALS } from "../schemas.ts";

const OwnPlan = Type.Object(
  {
    code: Type.String({ description: "The plan's short name", examples: ["plano_padaria"] }),
    kind: Type.String({
      description: "How the plan bills: pay_as_you_go, flat, free_tier or custom",
      examples: ["pay_as_you_go"],
    }),
    currency: Type.String({ description: "The currency of the plan's prices: BRL", examples: ["BRL"] }),
    monthlyFeeCents: Type.Integer({ description: "Cents of BRL a month", examples: [9900] }),
    perPhoneMonthCents: Type.Integer({ description: "Cents of BRL for each phone and month", examples: [4000] }),
    perMessageCents: Type.Integer({ description: "Cents of BRL for each message sent", examples: [5] }),
    includedMessages: Type.Integer({ description: "Messages of a month that the fee includes", examples: [1000] }),
    overageCents: Type.Integer({
      description: "The price of each message beyond the included messages",
      examples: [4],
    }),
  },
  { title: "AccountPlan" },
);
const OwnKey = Type.Object(
  {
    id: Id("The key's id"),
    name: Type.String({ description: "The account's name for the key", examples: ["Integração do site"] }),
    prefix: Type.String({
      description: "The beginning of the key, by which a person recognises it",
      examples: ["ak_live_Zk3v"],
    }),
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
      description: "Empty for a key that may be used from anywhere",
      examples: [["203.0.113.0/24"]],
    }),
    expiresAt: described(InstantOrNull, "When the key stops working; null means never", "2026-11-29T12:00:00.000Z"),
    lastUsedAt: described(InstantOrNull, "When the key was last used; null before"),
    createdAt: CreatedAt("key"),
  },
  { title: "AccountKey", description: "The key of this request; for a person in the console, a key with their rights" },
);
const Rate = Type.Object(
  {
    limit: Type.Integer({ description: "How many are allowed until `resetsAt`", examples: [60] }),
    left: Type.Integer({ description: "How many are left", examples: [48] }),
    resetsAt: described(Instant, "When the count begins anew", "2026-11-23T00:00:00.000Z"),
  },
  { title: "AccountRate", description: "The requests that the account has left in this minute" },
);
const Used = Type.Object(
  {
    name: Type.String({ description: "The kind of thing that is counted", examples: ["phones"] }),
    used: Type.Integer({ description: "How many there are", examples: [2] }),
    limit: Type.Integer({ description: "How many there may be", examples: [50] }),
    left: Type.Integer({ description: "How many are left", examples: [48] }),
  },
  { title: "AccountLimit" },
);
const AccountView = Type.Object(
  {
    id: Id("The account's id"),
    name: Type.String({ description: "The name of the business", examples: ["Padaria Estrela"] }),
    status: Type.String({
      description: "Always ACTIVE: an account in any other state cannot make requests",
      examples: ["CONNECTED"],
    }),
    dunningStage: OneOf(DUNNING_STAGES, { description: "The stage of the account's late payment" }),
    createdAt: CreatedAt("account"),
    plan: described(Nullable(OwnPlan), "The plan of the account; null without one"),
    key: described(OwnKey, "The key of this request"),
    rates: described(
      Type.Object(
        {
          requestsPerMinute: described(Rate, "All requests of the account"),
          sendsPerMinute: described(Rate, "Requests that send messages"),
        },
        { title: "AccountRates" },
      ),
      "The two limits of requests in a minute, and the rest of each",
    ),
    limits: Type.Array(Used, { description: "The number of objects of each kind in the account, and its limit" }),
  },
  { title: "OwnAccount" },
);

const planView = (plan: NonNullable<Overview["plan"]>) => toView(OwnPlan, plan);

/** A key as its holder sees it: its permissions and its last use, never the key itself. */
export const keyView = (key: Key) =>
  toView(OwnKey, key, { scopes: key.permissions, limitedTo: limitedTo(key), readOnly: key.isReadOnly });

const rateView = ({ limit, remaining, resetAt }: Allowance): Static<typeof Rate> => ({
  limit,
  left: remaining,
  resetsAt: iso(resetAt),
});

/** The core's channels are phones here. */
const usedView = ({ collection, used, limit }: CollectionUse): Static<typeof Used> => ({
  name: collection === "channels" ? "phones" : collection,
  used,
  limit,
  left: Math.max(0, limit - used),
});

/** The key of a request. For a person who asks through the console, a made-up key with their rights. */
const credentialOf = async (
  env: GatewayEnv,
  { tenantId, keyId, person, limits }: Principal,
  createdAt: number,
): Promise<Key> => {
  if (keyId !== undefined || !person) return requireKey(env, { tenantId }, { api: "gateway", id: keyId ?? "" });
  return {
    id: person.id,
    tenantId,
    api: "gateway",
    name: person.name,
    hash: "",
    prefix: "",
    permissions: [...(limits?.scopes ?? [])],
    environment: "live",
    channelId: null,
    requestsPerMinute: null,
    isReadOnly: false,
    allowedAddresses: [],
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    createdAt,
  };
};

/** The code gives everything of the account away, so only a key that may do everything can make it. */
const joinCodes = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/account/join-codes", tags: ["keys"] }).use(auth).post(
    "/",
    async ({ principal, status }) => {
      const { keyId, limits, bounds } = principal;
      const isBound = bounds.expiresAt !== null || bounds.allowedAddresses.length > 0;
      if (keyId === undefined || limits || isBound) return refuse("FORBIDDEN", {}, {}, UNLIMITED_ONLY);
      const { code, expiresAt } = await makeJoinCode(env, principal, keyId);
      return status(201, { code, expiresAt: iso(expiresAt) });
    },
    {
      response: {
        201: Type.Object(
          {
            code: Type.String({
              description: "The code for an owner of the institution; it gives the whole account away",
              examples: ["rc_join_Zk3vX9pQ2rT7wL5m"],
            }),
            expiresAt: described(Instant, "When the code stops working", "2026-11-29T12:00:00.000Z"),
          },
          { title: "JoinCode" },
        ),
        ...REFUSALS,
      },
      detail: {
        ...route({ operationId: "createJoinCode", acts: ["account.make-join-code"], isolation: "own" }),
        summary: "Make a code with which an institution takes the account over",
        description:
          "The code works once, for half an hour, and while the key of this request is valid. Give it to an " +
          "owner of the institution, who calls `POST /v1/institutions/{institutionId}/accounts` of the " +
          "platform API with it.",
      },
    },
  );

const UNLIMITED_ONLY = "Only a key that may do everything, from anywhere and without an end, makes this code.";

/** The account of the request's key. */
export const account = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia().use(joinCodes(env, auth)).use(ownAccount(env, auth));

const ownAccount = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/account", tags: ["account"] }).use(auth).get(
    "/",
    async ({ principal }) => {
      const { account: own, plan, collections } = await accountOverview(env, principal);
      const { requests, sends } = allowancesOf(env, principal.tenantId);
      return {
        id: own.id,
        name: own.name,
        status: own.status,
        dunningStage: own.dunningStage,
        createdAt: iso(own.createdAt),
        plan: plan ? planView(plan) : null,
        key: keyView(await credentialOf(env, principal, own.createdAt)),
        rates: { requestsPerMinute: rateView(requests), sendsPerMinute: rateView(sends) },
        limits: collections.map(usedView),
      };
    },
    {
      response: { 200: AccountView, ...REFUSALS },
      detail: {
        ...route({ operationId: "getAccount", scope: ANY_KEY, isolation: "own" }),
        summary: "Get the account and the key of this request, with their limits",
        description: "Every key may call this, whatever its scopes. The key itself is never shown.",
      },
    },
  );
