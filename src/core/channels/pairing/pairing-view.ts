import type { PairingApi } from "../../../contract/abilities/pairing.ts";
import { isOpenState } from "../../../contract/events.ts";
import { SECOND_MS } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import type { ShownHint } from "../../domain-event.ts";
import { getChannel } from "../channel.ts";
import type { ChannelsEnv } from "../env.ts";
import { pairingOf } from "./pairing.ts";
import { passkeyPageOf } from "./passkey.ts";
import { shownHint } from "./shown-hint.ts";

export const PAIRING_STATES = ["asleep", "preparing", "waiting", "linking", "passkey", "paired"] as const;

/**
 * The state of a pairing for a page. `asleep`: no codes are made until somebody connects the channel. `preparing`: the
 * first code is made. `waiting`: for a scan, or a typed code. `linking`: a code was used.
 */
export type PairingView =
  | { state: "asleep" | "preparing" | "linking" | "paired" }
  | { state: "passkey"; passkeyUrl: string }
  | { state: "waiting"; qr: string | undefined; code: string | undefined; hint: ShownHint | undefined };

/** The pairing of a channel now. Each call keeps codes being made. */
export const pairingView = (env: ChannelsEnv, channel: ChannelRow): PairingView => {
  if (isOpenState(channel.state)) return { state: "paired" };
  if (channel.state === "CONNECTING") return { state: "linking" };
  if (channel.state !== "PENDING_QR") return { state: "asleep" };
  const passkeyUrl = passkeyPageOf(env, channel);
  if (passkeyUrl !== undefined) return { state: "passkey", passkeyUrl };
  const pairing = pairingOf(env, channel);
  return pairing ? codesOf(env, channel, pairing) : { state: "preparing" };
};

const codesOf = (env: ChannelsEnv, channel: ChannelRow, pairing: PairingApi): PairingView => {
  const [qr, code] = [pairing.qr()?.text, pairing.code()];
  const hint = pairing.hint?.(code === undefined ? "qr" : "code");
  return qr === undefined && code === undefined && hint === undefined
    ? { state: "preparing" }
    : { state: "waiting", qr, code, hint: hint && shownHint(env, channel, hint) };
};

/**
 * The pairing of a channel.
 * @throws AppError CHANNEL_NOT_FOUND, PAIRING_NOT_APPLICABLE for other kinds
 */
export const pairingOfChannel = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<PairingView> => {
  const channel = await getChannel(env, scope, id);
  if (!env.registry.declared(channel.kind)?.network.isPaired)
    throw new AppError("PAIRING_NOT_APPLICABLE", { message: "A channel of this kind is not paired." });
  return pairingView(env, channel);
};

/** How often a waiting page looks for a change. */
const LOOK_MS = SECOND_MS;

/** `isNew`: whether the page shows something else. `pause` resolves with whether the page still waits. */
type Waiting<View> = { waitMs: number; isNew(view: View): boolean; pause(ms: number): Promise<boolean> };

/** The result of `look`, once it is new, or after `waitMs`. */
export const nextView = async <View>(
  { clock }: Pick<ChannelsEnv, "clock">,
  look: () => Promise<View>,
  { waitMs, isNew, pause }: Waiting<View>,
): Promise<View> => {
  const untilMs = clock.now() + waitMs;
  for (;;) {
    const view = await look();
    const leftMs = untilMs - clock.now();
    if (leftMs <= 0 || isNew(view) || !(await pause(Math.min(LOOK_MS, leftMs)))) return view;
  }
};
