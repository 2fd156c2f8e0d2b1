import { createHmac } from "node:crypto";
import type { BinaryNode } from "@whiskeysockets/baileys";
import { type Clock, DAY_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import type { ActiveSocket } from "../active-socket.ts";
import { isGroup } from "../address.ts";
import { completed, personOf } from "../inbound/people.ts";
import { SALT, tokenOf } from "../inbound/tokens.ts";

/** Privacy tokens are valid in buckets of seven days, the present one and three before it (W26 §7.3.4). */
const BUCKET_MS = 7 * DAY_MS;
const BUCKETS = 4;

/**
 * The token of a message to a person who gave no privacy token, or only an expired one: the HMAC of their LID by the
 * account's salt. Nothing if the salt or the LID is not known, and in groups.
 */
export const contactTokenFor = async (
  { keyStore }: Pick<ActiveSocket, "keyStore">,
  jid: string,
  clock: Pick<Clock, "now">,
): Promise<BinaryNode[]> => {
  if (isGroup(jid)) return [];
  const salt = (await keyStore.read(SALT.kind, [SALT.id])).get(SALT.id);
  const { lid } = salt === undefined ? {} : await completed(keyStore, personOf(jid));
  if (salt === undefined || lid === undefined) return [];
  const { token, timestamp } = (await tokenOf(keyStore, `${lid}@lid`)) ?? {};
  const oldestMs = (Math.floor(clock.now() / BUCKET_MS) - (BUCKETS - 1)) * BUCKET_MS;
  if (token?.length && Number(timestamp) * SECOND_MS >= oldestMs) return [];
  const content = createHmac("sha256", Buffer.from(salt, "base64")).update(`${lid}@lid`).digest();
  return [{ tag: "cstoken", attrs: {}, content }];
};
