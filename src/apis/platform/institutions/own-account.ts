import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { PLATFORM_PLANS } from "../../../core/tenancy/accounts/accounts.ts";
import { allowanceOfPlan } from "../../../core/tenancy/accounts/limits.ts";
import { accountOverview, type CollectionUse, keyOf } from "../../../core/tenancy/accounts/overview.ts";
import { limitsOf } from "../../../core/tenancy/accounts/plans.ts";
import { iso } from "../../../kernel/clock.ts";
import { Nullable, OneOf } from "../../../kernel/schema.ts";
import type { PlatformAuth, Principal } from "../auth.ts";
import type { PlatformEnv } from "../env.ts";
import { Instant, REFUSALS } from "../schemas.ts";
import { KeyView, keyView } from "./account.ts";

const Rate = Type.Object(
  { limit: Type.Integer(), left: Type.Integer(), resetsAt: Instant },
  { title: "AccountRate", description: "What the institution may still do in this minute" },
);
const Used = Type.Object(
  { name: Type.String(), used: Type.Integer(), limit: Type.Integer(), left: Type.Integer() },
  { title: "AccountLimit" },
);
const AccountView = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    status: Type.String({ description: "ACTIVE, or why the institution does not work" }),
    plan: Nullable(OneOf(PLATFORM_PLANS)),
    createdAt: Instant,
    role: Nullable(Type.String({ description: "The user's role; null for an API key" })),
    permissions: Type.Array(Type.String()),
    environment: OneOf(["live", "test"]),
    key: Nullable(KeyView),
    requestsPerMinute: Rate,
    messagesPerDay: Type.Object(
      { limit: Nullable(Type.Integer({ description: "Null without a limit" })), used: Type.Integer() },
      { title: "AccountDay", description: "Live messages of this day in UTC" },
    ),
    limits: Type.Array(Used),
  },
  { title: "OwnAccount" },
);

const usedView = ({ collection, used, limit }: CollectionUse): Static<typeof Used> => ({
  name: collection,
  used,
  limit,
  left: Math.max(0, limit - used),
});

const view = async (env: PlatformEnv, principal: Principal): Promise<Static<typeof AccountView>> => {
  const { account, collections, sentToday } = await accountOverview(env, principal);
  const { limit, remaining, resetAt } = allowanceOfPlan(env, principal);
  const { messagesPerDay } = limitsOf(account.platformPlan);
  const { keyId } = principal;
  return {
    id: account.id,
    name: account.name,
    status: account.status,
    plan: account.platformPlan,
    createdAt: iso(account.createdAt),
    role: principal.role ?? null,
    permissions: [...principal.permissions],
    environment: principal.environment,
    key: keyId === undefined ? null : keyView(await keyOf(env, principal, { api: "platform", id: keyId })),
    requestsPerMinute: { limit, left: remaining, resetsAt: iso(resetAt) },
    messagesPerDay: { limit: messagesPerDay === Number.MAX_SAFE_INTEGER ? null : messagesPerDay, used: sentToday },
    limits: collections.map(usedView),
  };
};

/** The institution and the credentials of a request. */
export const ownAccount = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({ prefix: "/v1/account", tags: ["institutions"] })
    .use(auth)
    .get("/", ({ principal }) => view(env, principal), {
      response: { 200: AccountView, ...REFUSALS },
      detail: {
        operationId: "getAccount",
        summary: "Get the institution and the credentials of this request, with their limits",
        description: "Every key and every complete token may call this. The key itself is never shown.",
      },
    });
