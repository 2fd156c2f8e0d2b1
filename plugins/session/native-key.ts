import type { NativeKey } from "../../src/contract/events.ts";
import type { Random } from "../../src/kernel/random.ts";

/** What every id begins with that a web client chooses. */
const OWN_PREFIX = "3EB0";

/** The id of a message that we are about to send. */
export const newKey = (random: Random): NativeKey => `${OWN_PREFIX}${Buffer.from(random.bytes(9)).toString("hex").toUpperCase()}` as NativeKey;

/** Whether it can be a message's id on this network: senders choose them, so they are foreign text. */
export const isKey = (key: string): boolean => /^[\w.-]{1,128}$/.test(key);
