import { AppError } from "../../kernel/errors.ts";
import { type ChannelRow, findChannel } from "../../store/channels.ts";
import type { Reader } from "../../store/db.ts";
import type { Scope } from "../../store/scope.ts";

/** Another tenant's channel is as unknown as one that never was. */
export const unknownChannel = () => new AppError("CHANNEL_NOT_FOUND", { message: "There is no such channel." });

/** Throws CHANNEL_NOT_FOUND. */
export const requireChannel = async (reader: Reader, scope: Scope, id: string): Promise<ChannelRow> => {
  const channel = await findChannel(reader, scope, id);
  if (!channel) throw unknownChannel();
  return channel;
};

/** The refusal of what connects a channel. */
export const alreadyConnected = () =>
  new AppError("CHANNEL_ALREADY_CONNECTED", { message: "The channel is connected already." });

/** The refusal of everything that needs the adapter of a channel whose kind has none here (any more). */
export const adapterMissing = (kind: string) =>
  new AppError("ADAPTER_MISSING", {
    message: `This server has no adapter for channels of the kind ${kind}.`,
    details: { type: kind },
  });

/** The refusal of what only a connected channel does. */
export const notConnected = ({ state }: Pick<ChannelRow, "state">) =>
  new AppError("CHANNEL_NOT_CONNECTED", { message: "The channel is not connected.", details: { status: state } });
