import { GATEWAY } from "../../src/apis/gateway/events/render.ts";
import { PLATFORM } from "../../src/apis/platform/events/render.ts";
import type { App } from "../../src/app.ts";
import { createSubscription } from "../../src/core/events/subscriptions.ts";
import { changeInstitutionPlan, createAccount } from "../../src/core/tenancy/accounts/accounts.ts";
import { callerIn, LOCAL } from "../../src/core/tenancy/audit/audit.ts";
import { issueGatewayKey, issuePlatformKey, PERMISSIONS } from "../../src/core/tenancy/keys/keys.ts";
import { register } from "../../src/core/tenancy/people/users.ts";
import { type ChannelId, newId, type SubscriptionId, type TenantId } from "../../src/kernel/ids.ts";
import type { Random } from "../../src/kernel/random.ts";
import { insertChannel } from "../../src/store/tables/channels/channels.ts";
import { PASSWORD } from "./people.ts";

type YearEnv = App["env"];

/** An account of the year: its phones, and the webhooks that get its events, by audience. */
export type Owner = {
  tenantId: TenantId;
  channels: ChannelId[];
  webhooks: { audience: string; id: SubscriptionId; url: string }[];
};
/** The accounts of the year. The first account is an institution and has six tenths of everything. */
export type Owners = { all: Owner[]; key: string; platformKey: string };

/** The institution that has most of everything. */
export const YEAR_INSTITUTION = "Rede Aurora";
const OTHERS = 9;
const OF_TEN = 6;
const VISITOR = { address: "127.0.0.1", userAgent: null, door: "seed" };
const RATE = 10_000;

/** Of ten in a row, six are the institution's; the other accounts have the rest in turn. */
export const ownerAt = (all: readonly Owner[], n: number): Owner => {
  const nthOfOthers = Math.floor(n / 10) * (10 - OF_TEN) + (n % 10) - OF_TEN;
  return all[n % 10 < OF_TEN ? 0 : 1 + (nthOfOthers % OTHERS)] as Owner;
};

/** The accounts with their keys, webhooks and phones, as of the beginning of the year. */
export const makeOwners = async (env: YearEnv, random: Random, given: Given): Promise<Owners> => {
  const user = { name: "Ana Ribeiro", email: "ana@rede.example", password: PASSWORD };
  const made = await register(env, { ...user, institutionName: YEAR_INSTITUTION }, VISITOR);
  const tenantId = made.institution.id as TenantId;
  await changeInstitutionPlan(env, LOCAL, tenantId, "ENTERPRISE");
  const tenantIds = [tenantId];
  for (let n = 0; n < OTHERS; n++) tenantIds.push((await createAccount(env, LOCAL, { name: `Loja ${n + 1}` })).id);
  const all: Owner[] = [];
  for (const id of tenantIds)
    all.push({ tenantId: id, channels: [], webhooks: await makeWebhooks(env, id, id === tenantId) });
  await addPhones(env, random, { all, ...given });
  const wanted = { name: "Year", permissions: [...PERMISSIONS], rateLimit: RATE };
  const { key: platformKey } = await issuePlatformKey(env, callerIn(tenantId, LOCAL), wanted);
  const { key } = await issueGatewayKey(env, callerIn(tenantId, LOCAL), { name: "Year" });
  return { all, key, platformKey };
};

type Given = { phones: number; startMs: number };

const makeWebhooks = async (env: YearEnv, tenantId: TenantId, isInstitution: boolean): Promise<Owner["webhooks"]> => {
  const url = "https://shop.example.com/hook";
  const named = { name: "Shop system", url, secret: "a-secret-of-the-year", events: [] };
  const gateway = await createSubscription(
    env,
    callerIn(tenantId, LOCAL),
    { audience: GATEWAY, kind: "shared" },
    named,
  );
  const own = [{ audience: GATEWAY, id: gateway.id, url }];
  if (!isInstitution) return own;
  const of = { audience: PLATFORM, kind: "account" } as const;
  const platform = await createSubscription(env, callerIn(tenantId, LOCAL), of, {
    ...named,
    events: ["message.received"],
  });
  return [...own, { audience: PLATFORM, id: platform.id, url }];
};

/** Official numbers need no link, so a starting server asks no network. */
const addPhones = (env: YearEnv, random: Random, { all, phones, startMs }: Given & { all: Owner[] }): Promise<void> =>
  env.db.write(async (tx) => {
    const unset = { accountId: null, verifyTokenHash: null, sharedWebhookId: null, templatesAskedAt: null };
    for (let n = 0; n < phones; n++) {
      const owner = ownerAt(all, n);
      const id = newId<ChannelId>({ clock: { now: () => startMs + n }, random });
      owner.channels.push(id);
      await insertChannel(tx, {
        ...unset,
        id,
        tenantId: owner.tenantId,
        kind: "WABA",
        holdsConnection: false,
        label: `Loja ${n + 1}`,
        environment: "live",
        state: n % 20 === 19 ? "DISCONNECTED" : "CONNECTED",
        phoneNumber: `5511${String(30_000_000 + n)}`,
        numberId: `year-${n}`,
        isWebhookConfigured: true,
        profile: {},
        validatedAt: startMs,
        connectedAt: startMs,
        disconnectedAt: n % 20 === 19 ? startMs : null,
        stateSince: startMs,
        createdAt: startMs + n,
        updatedAt: startMs + n,
      });
    }
  });
