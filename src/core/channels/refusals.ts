import { AppError } from "../../kernel/errors.ts";
import type { ChannelRow } from "../../store/channels.ts";

/** Another tenant's channel is as unknown as one that never was. */
export const unknownChannel = () => new AppError("CHANNEL_NOT_FOUND", { message: "There is no such channel." });

/** The refusal of what connects a channel. */
export const alreadyConnected = () => new AppError("CHANNEL_ALREADY_CONNECTED", { message: "The channel is connected already." });

/** The refusal of what only a connected channel does. */
export const notConnected = ({ state }: Pick<ChannelRow, "state">) =>
  new AppError("CHANNEL_NOT_CONNECTED", { message: "The channel is not connected.", details: { status: state } });
