import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { PLATFORM_PLANS } from "../../../core/tenancy/accounts/accounts.ts";
import { allowanceOfPlan } from "../../../core/tenancy/accounts/limits.ts";
import { accountOverview, type CollectionUse, requireKey } from "../../../core/tenancy/accounts/overview.ts";
import { planLimits } from "../../../core/tenancy/accounts/plans.ts";
import { iso } from "../../../kernel/clock.ts";
import { described, Nullable, OneOf } from "../../../kernel/schema.ts";
import { CreatedAt, Id } from "../../shared/fields.ts";
import type { PlatformAuth, Principal } from "../auth.ts";
import type { PlatformEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, REFUSALS } from "../schemas.ts";
import { KeyView, keyView } from "./account.ts";

const Rate = Type.Object(
  {
    limit: Type.Integer({ description: "How many are allowed until `resetsAt`", examples: [60] }),
    left: Type.Integer({ description: "How many are left", examples: [48] }),
    resetsAt: described(Instant, "When the count begins anew", "2026-11-23T00:00:00.000Z"),
  },
  { title: "AccountRate", description: "The requests that the institution has left in this minute" },
);
const Used = Type.Object(
  {
    name: Type.String({ description: "The kind of thing that is counted", examples: ["channels"] }),
    used: Type.Integer({ description: "How many there are", examples: [2] }),
    limit: Type.Integer({ description: "How many there may be", examples: [50] }),
    left: Type.Integer({ description: "How many are left", examples: [48] }),
  },
  { title: "AccountLimit" },
);
const AccountView = Type.Object(
  {
    id: Id("The institution's id"),
    name: Type.String({ description: "The name of the business", examples: ["Padaria Estrela"] }),
    status: Type.String({ description: "ACTIVE, or why the institution does not work", examples: ["CONNECTED"] }),
    plan: described(Nullable(OneOf(PLATFORM_PLANS)), "Null without one", "PROFESSIONAL"),
    createdAt: CreatedAt("institution"),
    role: Nullable(Type.String({ description: "The user's role; null for an API key", examples: ["ADMIN"] })),
    permissions: Type.Array(Type.String(), {
      description: "The permissions of the key",
      examples: [["messages.send"]],
    }),
    environment: OneOf(["live", "test"], { description: "`live`, or `test`, which reaches no network" }),
    key: described(Nullable(KeyView), "The key of this request; null for a request with a user's token"),
    requestsPerMinute: described(Rate, "All requests of the institution in a minute"),
    messagesPerDay: described(
      Type.Object(
        {
          limit: Nullable(
            Type.Integer({
              description: "How many messages the institution may send in a day; null without a limit",
              examples: [20],
            }),
          ),
          used: Type.Integer({ description: "How many were sent today in UTC", examples: [12] }),
        },
        { title: "AccountDay", description: "Live messages of this day in UTC" },
      ),
      "The institution's sending limits for a day",
    ),
    limits: Type.Array(Used, { description: "The number of objects of each kind in the account, and its limit" }),
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
  const { messagesPerDay } = planLimits(account.platformPlan);
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
    key: keyId === undefined ? null : keyView(await requireKey(env, principal, { api: "platform", id: keyId })),
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
        ...route({ operationId: "getAccount", access: "credentials", isolation: "own" }),
        summary: "Get the institution and the credentials of this request, with their limits",
        description: "Every key and every complete token may call this. The key itself is never shown.",
      },
    });
