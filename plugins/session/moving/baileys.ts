import type { StoredEntry } from "../../../src/contract/abilities/moving.ts";

/** A key as it was found: its kind and id, and the JSON text of its value. */
export type FoundKey = { kind: string; id: string; text: string };

/** The contents of entries: the credentials, the keys, and the number of other entries. */
export type Found = { creds: string | undefined; keys: FoundKey[]; strange: number };

/** TABLE: the kinds of keys that are carried over, with the form of their ids. */
const KINDS: Readonly<Record<string, RegExp>> = {
  "pre-key": /^\d{1,8}$/,
  session: /^\d{1,20}(_\d{1,3})?\.\d{1,3}$/,
  "sender-key": /^[\w.-]{1,60}@[\w.]{1,30}::\d{1,20}(_\d{1,3})?::\d{1,3}$/,
  "sender-key-memory": /^.{1,100}$/,
  "app-state-sync-key": /^[A-Za-z0-9+/]{1,60}={0,2}$/,
  "app-state-sync-version": /^[\w-]{1,60}$/,
  "lid-mapping": /^\d{1,20}(_reverse)?$/,
  "device-list": /^[\w.@-]{1,60}$/,
  "identity-key": /^\d{1,20}(_\d{1,3})?\.\d{1,3}$/,
  tctoken: /^(__index|[\w.:-]{1,60}@[\w.]{1,30})$/,
};
// `sender-key-memory` begins like `sender-key`
const NAMES = Object.keys(KINDS).toSorted((a, b) => b.length - a.length);

/** The kinds that an export holds. */
export const BAILEYS_KINDS: readonly string[] = NAMES;

const CREDS = "creds";

/**
 * The contents of the entries of Baileys' stores: files (`session-5511.0.json`), or fields of a hash
 * (`session-5511.0`). In names of files `/` is `__` and `:` is `-`; the kind tells which of them it was.
 */
export const foundIn = (entries: readonly StoredEntry[]): Found => {
  const found: Found = { creds: undefined, keys: [], strange: 0 };
  for (const { name, text } of entries) {
    const plain = name.replace(/\.json$/, "");
    const key = plain === CREDS ? undefined : keyNamed(plain);
    if (plain === CREDS) found.creds = text;
    else if (key) found.keys.push({ ...key, text });
    else found.strange += 1;
  }
  return found;
};

const keyNamed = (name: string): Pick<FoundKey, "kind" | "id"> | undefined => {
  const kind = NAMES.find((one) => name.startsWith(`${one}-`));
  if (kind === undefined) return undefined;
  const id = unescaped(kind, name.slice(kind.length + 1));
  return KINDS[kind]?.test(id) === true ? { kind, id } : undefined;
};

const unescaped = (kind: string, id: string): string => {
  if (kind === "app-state-sync-key") return id.replaceAll("__", "/");
  if (kind === "sender-key") return id.includes("::") ? id : id.replace(/--([^-]+)--([^-]+)$/, "::$1::$2");
  return kind === "tctoken" ? id.replace(/-(\d+@)/, ":$1") : id;
};

/** The name of the file of a key, as Baileys writes it. */
export const fileNameOf = (kind: string, id: string): string =>
  `${`${kind}-${id}`.replaceAll("/", "__").replaceAll(":", "-")}.json`;

/** The name of the file of the credentials. */
export const CREDS_FILE = `${CREDS}.json`;
