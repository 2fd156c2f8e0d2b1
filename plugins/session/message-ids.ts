import type { ProviderMessageId } from "../../src/contract/events.ts";
import { sha256 } from "../../src/kernel/crypto.ts";
import type { Random } from "../../src/kernel/random.ts";

/** What every id begins with that a web client chooses. */
const OWN_PREFIX = "3EB0";

/**
 * The id of a message of ours. It is the same one whenever it is sent, from a database too that has been restored to
 * before its first try: the network recognises the repeat.
 */
export const providerMessageIdFor = (messageId: string): ProviderMessageId =>
  `${OWN_PREFIX}${sha256(messageId).slice(0, 18).toUpperCase()}` as ProviderMessageId;

/** The id of what else we are about to send. */
export const newKey = (random: Random): ProviderMessageId =>
  `${OWN_PREFIX}${Buffer.from(random.bytes(9)).toString("hex").toUpperCase()}` as ProviderMessageId;

/** Whether it can be a message's id on this network: senders choose them, so they are foreign text. */
export const isKey = (key: string): boolean => /^[\w.-]{1,128}$/.test(key);
