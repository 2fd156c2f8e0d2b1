import { LINK_STATES, type LinkState } from "../../../contract/events.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import { isRecord, parsedJson } from "../../../kernel/texts/json.ts";
import { type ChannelRow, listByState, listKinds } from "../../../store/tables/channels/channels.ts";
import { readMeta, writeMeta } from "../../../store/tables/meta.ts";
import { firstStateOf } from "../channel.ts";
import type { ChannelsEnv } from "../env.ts";
import { ADAPTER_FAULT } from "./guard/guarded-connect.ts";
import { changeLinkState } from "./report.ts";

/** The `stateReason` of a FAILED channel whose kind has no adapter. */
const ADAPTER_MISSING = "ADAPTER_MISSING";
/** If the adapter is installed but cannot be used, the reason is this and a sentence that says why. */
const WITH_SENTENCE = `${ADAPTER_FAULT}: `;
const MAX_REASON_CHARS = 300;
/** The row with the kinds of each adapter that has served: an adapter that cannot be loaded does not name its kind. */
const KINDS_SERVED = "adapter-kinds";
/**
 * The row that records for each kind whether its network calls one address for all channels, as its adapter last
 * declared.
 */
const KINDS_RECEIVING = "adapter-receivers";

type AdaptersEnv = Pick<ChannelsEnv, "db" | "registry" | "supervisor" | "owners"> &
  Parameters<typeof changeLinkState>[0];

/** The states in which a channel needs no adapter. */
const AT_REST: readonly LinkState[] = ["DISCONNECTED", "FAILED", "TOKEN_EXPIRED"];
const CHANNELS_PER_WRITE = 200;

/**
 * Compares the stored channels with the loaded adapters, at start. A channel whose kind has no adapter becomes FAILED,
 * which is published with the reason. A channel that failed for this reason connects again when its adapter is back.
 */
export const settleAdapters = async (env: AdaptersEnv): Promise<void> => {
  const missing = await missingKinds(env);
  const reasons = await reasonsOf(env);
  await rememberReceivers(env, missing);
  const reasonFor = ({ kind }: Pick<ChannelRow, "kind">) => reasons.get(kind) ?? ADAPTER_MISSING;
  if (missing.length > 0)
    env.log.error(
      { kinds: missing },
      "channels have no adapter: put it back into the folder of RECADO_PLUGIN_DIR or repair it, or delete the channels",
    );
  for (const state of LINK_STATES.filter((one) => !AT_REST.includes(one)))
    await eachChannel(env, { kinds: missing, state }, async (tx, channel) => {
      await changeLinkState(env, tx, channel, { state: "FAILED", reason: reasonFor(channel) });
    });
  await eachChannel(env, { kinds: [...env.registry.kinds, ...missing], state: "FAILED" }, async (tx, channel) => {
    if (!lacksAdapter(channel)) return;
    const adapter = env.registry.ofKind(channel.kind);
    const reason = reasonFor(channel);
    if (!adapter && channel.profile["stateReason"] !== reason)
      await changeLinkState(env, tx, channel, { state: "FAILED", reason });
    if (!adapter) return;
    const state = channel.validatedAt === null ? firstStateOf(adapter) : "CONNECTING";
    // the supervisor opens its link with those of all connecting channels
    await changeLinkState(env, tx, channel, { state });
  });
};

/** Whether a FAILED channel failed because it had no adapter, or because its adapter did not connect it. */
const lacksAdapter = ({ profile: { stateReason } }: ChannelRow): boolean =>
  stateReason === ADAPTER_MISSING ||
  stateReason === ADAPTER_FAULT ||
  (typeof stateReason === "string" && stateReason.startsWith(WITH_SENTENCE));

/**
 * True if a kind has channels here but no adapter, and its network may call the address of all channels. An adapter
 * that was never loaded since Recado stores this may receive there.
 */
export const isReceiverAwaited = async ({ db, registry }: Pick<ChannelsEnv, "db" | "registry">): Promise<boolean> => {
  const receiving = recordIn(await db.read((reader) => readMeta(reader, KINDS_RECEIVING)));
  const isAway = (kind: string) => receiving[kind] === true && !registry.kinds.some((here) => here === kind);
  // strangers cause this: the channels are looked through only while an adapter is away
  return Object.keys(receiving).some(isAway) && (await missingKinds({ db, registry })).some(isAway);
};

/** `missing`: kinds without an adapter. Their networks count as receiving, unless the row says otherwise. */
const rememberReceivers = async (
  { db, registry }: Pick<ChannelsEnv, "db" | "registry">,
  missing: readonly ChannelKind[],
): Promise<void> => {
  const text = await db.read((reader) => readMeta(reader, KINDS_RECEIVING));
  const here = registry.adapters.map(({ kind, receiver }) => [kind, receiver !== undefined] as const);
  const assumed = Object.fromEntries(missing.map((kind) => [kind, true]));
  const next = JSON.stringify({ ...assumed, ...recordIn(text), ...Object.fromEntries(here) });
  if (next !== text) await db.write((tx) => writeMeta(tx, KINDS_RECEIVING, next));
};

/**
 * Why the channels of a kind have no adapter, if an installed one cannot be used. Remembers which adapter serves which
 * kind.
 */
const reasonsOf = async ({ db, registry }: Pick<ChannelsEnv, "db" | "registry">): Promise<Map<string, string>> => {
  const text = await db.read((reader) => readMeta(reader, KINDS_SERVED));
  const stored = recordIn(text) as Record<string, string>; // only this function writes it
  const known = { ...stored, ...Object.fromEntries(registry.adapters.map(({ name, kind }) => [name, kind])) };
  const next = JSON.stringify(known);
  if (next !== text) await db.write((tx) => writeMeta(tx, KINDS_SERVED, next));
  return new Map(
    registry.unavailable.flatMap(({ name, kind = known[name], reason }) =>
      kind === undefined ? [] : [[kind, `${WITH_SENTENCE}${name}: ${reason}`.slice(0, MAX_REASON_CHARS)]],
    ),
  );
};

const recordIn = (text: string | undefined): Readonly<Record<string, unknown>> => {
  const parsed = parsedJson(text ?? "{}");
  return isRecord(parsed) ? parsed : {};
};

/** The kinds of stored channels that have no adapter here. */
const missingKinds = async ({ db, registry }: Pick<ChannelsEnv, "db" | "registry">): Promise<ChannelKind[]> =>
  (await db.read(listKinds)).filter((kind) => !registry.kinds.includes(kind));

type Which = { kinds: readonly ChannelKind[]; state: LinkState };

/** Acts on the channels of these kinds that are in a state, a few in each write. */
export const eachChannel = async (
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
