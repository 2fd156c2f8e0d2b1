import { isOpenState } from "../../contract/events.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Reader } from "../../store/engine/db.ts";
import { type ChannelRow, findChannel } from "../../store/tables/channels/channels.ts";
import type { Scope } from "../../store/tables/scope.ts";

/** Another tenant's channel is refused like one that never existed. */
export const unknownChannel = () => new AppError("CHANNEL_NOT_FOUND", { message: "There is no such channel." });

/** @throws AppError CHANNEL_NOT_FOUND */
export const requireChannel = async (reader: Reader, scope: Scope, id: string): Promise<ChannelRow> => {
  const channel = await findChannel(reader, scope, id);
  if (!channel) throw unknownChannel();
  return channel;
};

/** The refusal to connect a connected channel. */
export const alreadyConnected = () =>
  new AppError("CHANNEL_ALREADY_CONNECTED", { message: "The channel is connected already." });

/** The refusal of a code for a number that another channel of the account is linked with. */
export const numberLinked = ({ id }: Pick<ChannelRow, "id">) =>
  new AppError("NUMBER_ALREADY_LINKED", {
    message: "Another phone of this account is linked with the number, and a code may end its session.",
    details: { phoneId: id },
  });

/** The same for whoever may not know who has the number. */
export const numberHeld = () =>
  new AppError("CHANNEL_EXISTS", { message: "The number is in use. Link it by its QR code." });

/** An operator may put an adapter back: callers try again after five minutes. */
const ADAPTER_RETRY_SECONDS = 300;

/** The refusal when the kind of a channel has no adapter here (any more). */
export const adapterMissing = (kind: string) =>
  new AppError("ADAPTER_MISSING", {
    message: `This server has no adapter for channels of the kind ${kind}.`,
    details: { type: kind },
    retryAfterSeconds: ADAPTER_RETRY_SECONDS,
  });

/** The refusal of an envelope that may be for an unloaded adapter. Strangers get it, so it names no kind. */
export const receiverAway = () =>
  new AppError("ADAPTER_MISSING", {
    message: "An adapter that receives at this address is not loaded.",
    retryAfterSeconds: ADAPTER_RETRY_SECONDS,
  });

const SILENT_RETRY_SECONDS = 60;

/**
 * The refusal of a request whose adapter did not answer in time. It is temporary, as an outage of the adapter is.
 * `cause`: why another adapter has refused the request.
 */
export const adapterSilent = (cause?: AppError) =>
  new AppError("OVERLOADED", {
    cause,
    message: "The adapter of this network did not answer in time.",
    retryAfterSeconds: SILENT_RETRY_SECONDS,
  });

/** The refusal of an action that only a connected channel can do. */
export const notConnected = ({ state }: Pick<ChannelRow, "state">) =>
  new AppError("CHANNEL_NOT_CONNECTED", { message: "The channel is not connected.", details: { status: state } });

/** @throws AppError CHANNEL_NOT_CONNECTED */
export const requireOpen = (channel: Pick<ChannelRow, "state">): void => {
  if (!isOpenState(channel.state)) throw notConnected(channel);
};

/** The refusal of a call that the network of a channel does not have. */
export const notOffered = (what: string) =>
  new AppError("NOT_OFFERED_UPSTREAM", {
    message: `The network offers no call to ${what}.`,
    details: { reason: "NOT_OFFERED_BY_UPSTREAM" },
  });
