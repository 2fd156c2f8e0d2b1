import type { ProviderMessageId } from "../../src/contract/events.ts";
import { sha256 } from "../../src/kernel/crypto.ts";
import type { Random } from "../../src/kernel/random.ts";

/** The prefix of ids that web clients choose. */
const OWN_PREFIX = "3EB0";

/**
 * The id of a message at the network, the same at every attempt, so that the network recognises a repeat. It depends
 * only on `messageId`, so it is the same after a restore of the database.
 */
export const providerMessageIdFor = (messageId: string): ProviderMessageId =>
  `${OWN_PREFIX}${sha256(messageId).slice(0, 18).toUpperCase()}` as ProviderMessageId;

/** A new id for any other message, such as a reaction. */
export const newKey = (random: Random): ProviderMessageId =>
  `${OWN_PREFIX}${Buffer.from(random.bytes(9)).toString("hex").toUpperCase()}` as ProviderMessageId;

/** The id of the message by which an operation is done, the same at every attempt. */
export const operationKey = (operationId: string | undefined, random: Random): ProviderMessageId =>
  operationId === undefined ? newKey(random) : providerMessageIdFor(`operation:${operationId}`);

/** Whether it can be a message's id on this network: senders choose ids, so they are foreign text. */
export const isKey = (key: string): boolean => /^[\w.-]{1,128}$/.test(key);
