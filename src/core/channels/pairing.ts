import { AppError } from "../../kernel/errors.ts";
import type { ChannelRow } from "../../store/channels.ts";
import type { TenantScope } from "../../store/scope.ts";
import type { Env } from "../env.ts";
import { getChannel } from "./channel.ts";

const alreadyConnected = () => new AppError("CHANNEL_ALREADY_CONNECTED", { message: "The channel is connected already." });

const unpairedSession = async (env: Env, scope: TenantScope, id: string, code: "QR_NOT_APPLICABLE" | "PAIRING_NOT_APPLICABLE"): Promise<ChannelRow> => {
  const channel = await getChannel(env, scope, id);
  if (channel.kind !== "SESSION") throw new AppError(code, { message: "Only a session is paired." });
  if (channel.state === "CONNECTED") throw alreadyConnected();
  return channel;
};

/**
 * The QR code of a session that waits to be paired. Throws CHANNEL_NOT_FOUND, QR_NOT_APPLICABLE for other kinds,
 * CHANNEL_ALREADY_CONNECTED, PAIRING_IN_PROGRESS while the network takes it in, and PAIRING_UNAVAILABLE while there is none.
 */
export const getQrCode = async (env: Env, scope: TenantScope, id: string): Promise<never> => {
  const { state } = await unpairedSession(env, scope, id, "QR_NOT_APPLICABLE");
  if (state === "CONNECTING") throw new AppError("PAIRING_IN_PROGRESS", { message: "The channel is being connected: wait, and do not scan again." });
  throw new AppError("PAIRING_UNAVAILABLE", { message: "No QR code is ready; ask again in a second." });
};

/** The code to type instead of scanning. Throws CHANNEL_NOT_FOUND, PAIRING_NOT_APPLICABLE for other kinds, CHANNEL_ALREADY_CONNECTED, and PAIRING_NOT_READY while there is none. */
export const getPairingCode = async (env: Env, scope: TenantScope, id: string): Promise<never> => {
  await unpairedSession(env, scope, id, "PAIRING_NOT_APPLICABLE");
  throw new AppError("PAIRING_NOT_READY", { message: "No pairing code is ready; ask again in a second." });
};
