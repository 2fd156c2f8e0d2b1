import { inflateSync } from "node:zlib";
import type { proto } from "@whiskeysockets/baileys";
import type { KeyRow, KeyStore } from "../../../src/contract/ports/key-store.ts";
import { DAY_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import { childrenOf, type Stanza } from "../active-socket.ts";
import { decode, encode } from "../keys/rows.ts";
import { fieldsIn } from "../wire.ts";
import { completed, personOf } from "./people.ts";

/** The row of the salt, which makes the token for people who gave no privacy token. */
export const SALT = { kind: "nct-salt", id: "salt" } as const;
/** The kind under which Baileys keeps privacy tokens, by the LID of their giver. */
const TOKEN_KIND = "tctoken";

/** A privacy token as Baileys keeps it. `timestamp` is in seconds. */
export type TokenEntry = { token?: Uint8Array; timestamp?: string; senderTimestamp?: number };

const SALT_FIELD = 19;
const MAX_SALT_BYTES = 1024;
const MAX_HISTORY_BYTES = 128 * 1024 * 1024;
const MAX_TOKEN_BYTES = 4096;
/** Longer than any token is valid. */
const TOKEN_LIFE_MS = 35 * DAY_MS;

/**
 * The salt in a piece of history inside the message itself (W26 §7.3.4: field 19, which the library does not know). A
 * history behind a link is not searched.
 */
export const saltRowsIn = ({ protocolMessage }: proto.IMessage): KeyRow[] => {
  const inline = protocolMessage?.historySyncNotification?.initialHistBootstrapInlinePayload;
  if (!inline?.length) return [];
  try {
    const salt = bytesOfField(inflateSync(inline, { maxOutputLength: MAX_HISTORY_BYTES }), SALT_FIELD);
    return salt && salt.length > 0 && salt.length <= MAX_SALT_BYTES
      ? [{ ...SALT, value: Buffer.from(salt).toString("base64") }]
      : [];
  } catch {
    return []; // the library reports the fault of a history
  }
};

/** The last value of a field of bytes; undefined if there is none. */
const bytesOfField = (message: Buffer, wanted: number): Uint8Array | undefined => {
  let found: Uint8Array | undefined;
  for (const { number, value } of fieldsIn(message)) if (number === wanted) found = value ?? found;
  return found;
};

/**
 * The privacy token on a person's message, as the row in which the library looks for it. A token that is older than the
 * stored one changes nothing.
 */
export const ridingTokenRows = async (
  keyStore: Pick<KeyStore, "read">,
  { attrs, content }: Stanza,
): Promise<KeyRow[]> => {
  const child = childrenOf({ tag: "message", attrs, ...(content === undefined ? {} : { content }) }).find(
    ({ tag }) => tag === "tctoken",
  );
  const timestamp = Number(child?.attrs["t"] ?? attrs["t"]);
  const token = child?.content;
  if (!(token instanceof Uint8Array) || token.length === 0 || token.length > MAX_TOKEN_BYTES) return [];
  const { lid } = await completed(keyStore, personOf(attrs["from"], attrs["sender_lid"]));
  if (lid === undefined || !(timestamp > 0)) return [];
  const id = `${lid}@lid`;
  const before = await tokenOf(keyStore, id);
  if (Number(before?.timestamp ?? 0) > timestamp) return [];
  const entry: TokenEntry = { ...before, token: Buffer.from(token), timestamp: String(timestamp) };
  return [{ kind: TOKEN_KIND, id, value: encode(entry), until: timestamp * SECOND_MS + TOKEN_LIFE_MS }];
};

/** The privacy token that a person gave; undefined without one. */
export const tokenOf = async (keyStore: Pick<KeyStore, "read">, lid: string): Promise<TokenEntry | undefined> => {
  const text = (await keyStore.read(TOKEN_KIND, [lid])).get(lid);
  return text === undefined ? undefined : (decode(text) as TokenEntry); // written by Baileys, or above
};
