import { GATEWAY } from "../../src/apis/gateway/events/render.ts";
import { PLATFORM } from "../../src/apis/platform/events/render.ts";
import type { ProviderMessageId } from "../../src/contract/events.ts";
import type { ChannelKind } from "../../src/contract/kind.ts";
import { type Channel, createChannel, type NewChannel, readChannels } from "../../src/core/channels/channel.ts";
import { createSubscription } from "../../src/core/events/subscriptions.ts";
import type { Caller } from "../../src/core/tenancy/audit/audit.ts";
import type { ChannelId } from "../../src/kernel/ids.ts";
import { untilTrue } from "../../test/support/world.ts";
import type { Account, Institution } from "./people.ts";
import type { Stage } from "./stage.ts";

export type Phones = { counter: ChannelId; instagram: ChannelId; deliveries: ChannelId };

/** Signs the deliveries of every seeded webhook. */
export const WEBHOOK_SECRET = "seed-secret-of-the-webhooks";

/** Makes three phones of three kinds, connected to the simulator, and their webhooks. One webhook works, one fails. */
export const makePhones = async (stage: Stage, institution: Institution, account: Account): Promise<Phones> => {
  const { env, webhooks } = stage;
  const make = async (
    scope: Caller,
    kind: ChannelKind,
    label: string,
    more: Partial<NewChannel> = {},
  ): Promise<ChannelId> => (await createChannel(env, scope, { kind, label, state: "CONNECTING", ...more })).channel.id;
  const webhook = { audience: GATEWAY, url: webhooks.failing, secret: WEBHOOK_SECRET };
  const phones = {
    counter: await make(institution.scope, "SESSION", "Balcão"),
    instagram: await make(account.scope, "SOCIAL", "Instagram @padaria.aurora"),
    deliveries: await make(account.scope, "WABA", "Entregas", { webhook }),
  };
  const events = ["message.received", "message.sent", "conversation.opened"];
  await createSubscription(
    env,
    institution.scope,
    { audience: PLATFORM, kind: "account" },
    { name: "Shop system", url: webhooks.good, secret: WEBHOOK_SECRET, events },
  );
  await untilTrue(async () => (await readChannels(env, institution.scope)).every(isConnected));
  await untilTrue(async () => (await readChannels(env, account.scope)).every(isConnected));
  await stage.until(env.clock.now());
  return phones;
};

const isConnected = ({ state }: Channel): boolean => state === "CONNECTED";

/** The key that a network gives to the message of this number; every number is used once. */
export const providerMessageId = (number: number): ProviderMessageId =>
  `SEED${String(number).padStart(8, "0")}` as ProviderMessageId;
