import type { CallsApi } from "../../contract/abilities/calls.ts";
import { AppError } from "../../kernel/errors.ts";
import { asDigits } from "../../kernel/numbers/phone-numbers.ts";
import type { ChannelRow } from "../../store/tables/channels/channels.ts";
import type { CallsEnv } from "./env.ts";

/** The calls API of a channel. Throws CHANNEL_NOT_FOUND for a kind of channel without calls. */
export const requireCallsApi = (env: CallsEnv, channel: ChannelRow): CallsApi => {
  const api = env.supervisor.linkOf(channel, "live")?.calls;
  if (!api) throw new AppError("CHANNEL_NOT_FOUND", { message: "There is no such channel that can call." });
  return api;
};

const NUMBER = /^(?:pn:)?([1-9]\d{4,14})$/;

/** The canonical key of a person, by a number or a user id. Throws RECIPIENT_INVALID. */
export const requireCallable = async (env: CallsEnv, { kind }: ChannelRow, named: string): Promise<string> => {
  const to = named.trim(); // a `+` in a query that was not encoded is a space
  const number = NUMBER.exec(asDigits(to))?.[1];
  if (number !== undefined) return `pn:${number}`;
  const address = await env.registry.of(kind, "live")?.address(to.startsWith("bsuid:") ? to : `bsuid:${to}`);
  if (!address?.ok)
    throw new AppError("RECIPIENT_INVALID", {
      message: "This person cannot be called: give an E.164 number or a user id.",
      details: { to },
    });
  return address.to;
};

/** A canonical key without its type, as the gateway API shows it. */
export const barePeer = (key: string): string => key.replace(/^[a-z]+:/, "");
