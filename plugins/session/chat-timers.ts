import { proto } from "@whiskeysockets/baileys";
import type { Identity } from "../../src/contract/events.ts";
import type { KeyRow, KeyStore } from "../../src/contract/ports/key-store.ts";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { OWN_JSON, parsedJson } from "../../src/kernel/texts/json.ts";
import { childOf, childrenOf, type Stanza } from "./active-socket.ts";
import { userOf } from "./address.ts";

/** The lifetime of a chat's messages, in seconds, and the time of its setting, in seconds of the network's time. */
export type ChatTimer = { seconds: number; setAt: number };

const KIND = "chat-timer";
/** A chat without messages for this long is written to without a timer. */
const KEPT_MS = 180 * DAY_MS;
/**
 * Apps offer a day to 90 days, but a writer may send any value: a shorter one would remove our own messages at once.
 */
const LEAST_SECONDS = 60 * 60;
const MOST_SECONDS = 366 * 24 * 60 * 60;
const { EPHEMERAL_SETTING } = proto.Message.ProtocolMessage.Type;

const idsOf = ({ pn, lid, group }: Identity): string[] => [
  ...(group === undefined ? [] : [`group:${group}`]),
  ...(pn === undefined ? [] : [`pn:${pn}`]),
  ...(lid === undefined ? [] : [`lid:${lid}`]),
];

// written below
const storedIn = (value: string): ChatTimer => parsedJson(value, OWN_JSON) as ChatTimer;

/** The timer of a chat; undefined if its messages stay. */
export const timerOf = async (keyStore: Pick<KeyStore, "read">, chat: Identity): Promise<ChatTimer | undefined> => {
  const stored = [...(await keyStore.read(KIND, idsOf(chat))).values()].map(storedIn);
  const timer = stored.toSorted((a, b) => b.setAt - a.setAt)[0];
  return timer && timer.seconds > 0 ? timer : undefined;
};

/**
 * The timer that a message sets, or under which it was written; undefined if the message has no timer information. In a
 * group only administrators may set one, so there only the timer under which messages were written counts.
 */
const timerIn = (
  { protocolMessage }: proto.IMessage,
  context: proto.IContextInfo,
  { at, isGroup }: { at: number; isGroup: boolean },
): ChatTimer | undefined => {
  const isSetting = protocolMessage?.type === EPHEMERAL_SETTING && !isGroup;
  const seconds = isSetting ? (protocolMessage.ephemeralExpiration ?? 0) : (context.expiration ?? undefined);
  if (seconds === undefined || (seconds === 0 && !isSetting)) return undefined;
  if (!isTimer(seconds)) return undefined;
  const now = Math.floor(at / 1000);
  const said = Number(String((isSetting ? undefined : context.ephemeralSettingTimestamp) ?? now));
  return { seconds, setAt: Math.min(said, now) };
};

/** The timer of a group in a notification; `create` also tells a new member about an existing group. */
const groupTimerIn = (stanza: Stanza): number | undefined => {
  const changes = childrenOf(stanza).flatMap((child) => (child.tag === "create" ? [childOf(child, "group")] : [child]));
  const settings = changes.flatMap((change) => (change?.tag === "group" ? childrenOf(change) : (change ?? [])));
  const setting = settings.find(({ tag }) => tag === "ephemeral" || tag === "not_ephemeral");
  if (!setting) return undefined;
  return setting.tag === "ephemeral" ? Number(setting.attrs["expiration"]) || 0 : 0;
};

/** The rows by which the timer of a group follows the settings of its administrators; none for other notifications. */
export const groupTimerRows = async (
  keyStore: Pick<KeyStore, "read">,
  stanza: Stanza,
  now: number,
): Promise<KeyRow[]> => {
  const group = userOf(stanza.attrs["from"] ?? "");
  const seconds = groupTimerIn(stanza);
  if (group === "" || seconds === undefined || !isTimer(seconds)) return [];
  const setAt = Number(stanza.attrs["t"]) || Math.floor(now / 1000);
  return rowsUnlessNewer(keyStore, { group }, { seconds, setAt }, now);
};

const isTimer = (seconds: number): boolean => seconds === 0 || (seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS);

/** The rows by which the timer of a chat follows a message; none if an earlier message is known to be newer. */
export const timerRowsBy = async (
  keyStore: Pick<KeyStore, "read">,
  chat: Identity,
  message: { content: proto.IMessage; context: proto.IContextInfo; at: number },
  now: number,
): Promise<KeyRow[]> => {
  const timer = timerIn(message.content, message.context, { at: message.at, isGroup: chat.group !== undefined });
  return timer ? rowsUnlessNewer(keyStore, chat, timer, now) : [];
};

/** The rows by which the timer of a chat follows the chat's data on the owner's phone. */
export const timerRowsOf = async (
  keyStore: Pick<KeyStore, "read">,
  chat: Identity,
  { ephemeralExpiration: seconds, ephemeralSettingTimestamp }: proto.IConversation,
  now: number,
): Promise<KeyRow[]> => {
  if (!seconds || !isTimer(seconds)) return [];
  const setAt = Math.min(Number(String(ephemeralSettingTimestamp ?? 0)), Math.floor(now / 1000));
  return rowsUnlessNewer(keyStore, chat, { seconds, setAt }, now);
};

/** The rows of a timer that was set from here. */
export const setTimerRows = (chat: Identity, timer: ChatTimer, now: number): KeyRow[] =>
  idsOf(chat).map((id) => ({ kind: KIND, id, value: JSON.stringify(timer), until: now + KEPT_MS }));

export const isTimerRow = ({ kind }: Pick<KeyRow, "kind">): boolean => kind === KIND;

/** Whether a row has a timer, and an older timer than another row of the same chat. */
export const isOlderTimer = (row: KeyRow, other: KeyRow): boolean =>
  isTimerRow(row) && storedIn(row.value ?? "").setAt < storedIn(other.value ?? "").setAt;

const rowsUnlessNewer = async (
  keyStore: Pick<KeyStore, "read">,
  chat: Identity,
  timer: ChatTimer,
  now: number,
): Promise<KeyRow[]> => {
  const ids = idsOf(chat);
  const stored = [...(await keyStore.read(KIND, ids)).values()].map(storedIn);
  if (stored.some(({ setAt }) => setAt > timer.setAt)) return [];
  if (
    stored.length === ids.length &&
    stored.every(({ seconds, setAt }) => seconds === timer.seconds && setAt === timer.setAt)
  )
    return [];
  return ids.map((id) => ({ kind: KIND, id, value: JSON.stringify(timer), until: now + KEPT_MS }));
};
