import { LINK_STATES, type LinkState } from "../../contract/events.ts";
import type { ChannelKind } from "../../contract/kind.ts";
import { type ChannelRow, listByState, listKinds } from "../../store/channels.ts";
import { firstStateOf } from "./channel.ts";
import type { ChannelsEnv } from "./env.ts";
import { moveChannel } from "./report.ts";

/** The `stateReason` of a FAILED channel whose kind has no adapter. */
const ADAPTER_MISSING = "ADAPTER_MISSING";

type AdaptersEnv = Pick<ChannelsEnv, "db" | "registry" | "supervisor" | "owners"> & Parameters<typeof moveChannel>[0];

/** The states in which a channel needs no adapter. */
const AT_REST: readonly LinkState[] = ["DISCONNECTED", "FAILED", "TOKEN_EXPIRED"];
const CHANNELS_PER_WRITE = 200;

/**
 * Compares the stored channels with the loaded adapters, at start. A channel whose kind has no adapter becomes FAILED,
 * which is published with the reason. A channel that failed so before connects again when its adapter is back.
 */
export const settleAdapters = async (env: AdaptersEnv): Promise<void> => {
  const missing = await missingKinds(env);
  if (missing.length > 0)
    env.log.error(
      { kinds: missing },
      "channels have no adapter: put it back into the folder of RECADO_PLUGIN_DIR, or delete the channels",
    );
  for (const state of LINK_STATES.filter((one) => !AT_REST.includes(one)))
    await eachOf(env, { kinds: missing, state }, async (tx, channel) => {
      await moveChannel(env, tx, channel, { state: "FAILED", reason: ADAPTER_MISSING });
    });
  await eachOf(env, { kinds: env.registry.kinds, state: "FAILED" }, async (tx, channel) => {
    const adapter = env.registry.ofKind(channel.kind);
    if (channel.profile["stateReason"] !== ADAPTER_MISSING || !adapter) return;
    const state = channel.validatedAt === null ? firstStateOf(adapter) : "CONNECTING";
    // the supervisor opens its link with those of all connecting channels
    await moveChannel(env, tx, channel, { state });
  });
};

/** The kinds of stored channels that have no adapter here. */
const missingKinds = async ({ db, registry }: Pick<ChannelsEnv, "db" | "registry">): Promise<ChannelKind[]> =>
  (await db.read(listKinds)).filter((kind) => !registry.kinds.includes(kind));

type Which = { kinds: readonly ChannelKind[]; state: LinkState };

const eachOf = async (
  { db }: Pick<ChannelsEnv, "db">,
  { kinds, state }: Which,
  act: (tx: Parameters<Parameters<ChannelsEnv["db"]["write"]>[0]>[0], channel: ChannelRow) => Promise<void>,
): Promise<void> => {
  let afterId: string | undefined = kinds.length === 0 ? undefined : "";
  while (afterId !== undefined) {
    const from = afterId;
    afterId = await db.write(async (tx) => {
      const next = await listByState(tx, { kinds, state, afterId: from, limit: CHANNELS_PER_WRITE });
      for (const channel of next) await act(tx, channel);
      return next.length < CHANNELS_PER_WRITE ? undefined : next.at(-1)?.id;
    });
  }
};
