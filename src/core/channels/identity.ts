import type { Identity } from "../../contract/events.ts";
import type { ChannelKind } from "../../contract/kind.ts";
import { AppError } from "../../kernel/errors.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import { asDigits, digitsOf, spellingsOf } from "../../kernel/numbers/phone-numbers.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import type { ChannelRow } from "../../store/tables/channels/channels.ts";
import {
  deleteIdentity,
  findIdentity,
  type IdentityRow,
  insertIdentity,
  NAMES,
  type Name,
  type Names,
  updateIdentity,
} from "../../store/tables/channels/identities.ts";
import { renameChatStates } from "../../store/tables/conversations/chat-states.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import type { Environment } from "../../store/tables/tenancy/keys.ts";
import { type Contact, contactOf, contactOfKey } from "../domain-event.ts";
import { getChannel } from "./channel.ts";
import type { ChannelsEnv } from "./env.ts";

/** The channel and environment that received something. */
export type InboundContext = { channel: ChannelRow; environment: Environment };

/**
 * The names of one person that the network reports. `before`: names that the person no longer has. `name`: the display
 * name. `at`: the network's time.
 */
export type IdentityUpdate = { identity: Identity; at: number; before?: Identity; name?: string | null };

/**
 * Records that these names belong to one person, and returns all known names, the reported ones first. Two records that
 * prove to be one person are merged; a name that another person had is moved. A late report that contradicts a newer
 * one changes nothing. Simulated people are not recorded.
 */
export const learnIdentity = async (
  tx: Tx,
  { channel, environment }: InboundContext,
  update: IdentityUpdate,
): Promise<Identity> => {
  const [first] = pairsOf(update.identity);
  if (environment !== "live" || first === undefined) return update.identity;
  const known = await findIdentity(tx, channel.id, first);
  const isChanged =
    !known || update.before !== undefined || differs(update.identity, known) || isNewName(update, known);
  const names = isChanged ? await merge(tx, channel, update) : namesOf(known);
  return { ...names, ...update.identity };
};

/** The record of the person with any of these names, those that identify a person most surely first. */
export const findPerson = async (r: Reader, channelId: ChannelId, names: Names): Promise<IdentityRow | undefined> =>
  findByAny(r, channelId, pairsOf(names));

const pairsOf = (names: Names): (readonly [Name, string])[] =>
  NAMES.flatMap((name) => (names[name] === undefined ? [] : [[name, names[name]] as const]));

/** The names that are known of a person. */
export const namesOf = (row: IdentityRow): Names =>
  Object.fromEntries(NAMES.flatMap((name) => (row[name] === null ? [] : [[name, row[name]]])));

/** Whether one of these names differs from the row's, or is missing in the row. */
const differs = (names: Names, row: IdentityRow): boolean =>
  pairsOf(names).some(([name, value]) => row[name] !== value);

const isNewName = ({ name, at }: IdentityUpdate, row: IdentityRow): boolean =>
  typeof name === "string" && name !== row.name && at >= row.updatedAt;

/** All known names of the person after the update; nothing when the update came too late. */
const merge = async (tx: Tx, channel: ChannelRow, update: IdentityUpdate): Promise<Names> => {
  const holders = await holdersOf(tx, channel.id, update);
  if (holders.some((row) => row.updatedAt > update.at && contradict(namesOf(row), update.identity, NAMES))) return {};
  const person = personAmong(holders, update);
  let names: Names = { ...(person && keptBy(person, update)), ...Object.fromEntries(pairsOf(update.identity)) };
  for (const other of holders.filter((row) => row !== person)) {
    const kept = keptBy(other, update);
    if ((isBefore(other, update) || isPerhaps(other, update)) && !contradict(kept, names)) {
      names = { ...kept, ...names };
      await deleteIdentity(tx, other.id);
    } else await leave(tx, other, without(kept, names));
  }
  await save(tx, channel, { person, names, update });
  keepChatStates(tx, channel.id, holders, names);
  return names;
};

/** How the account's app shows a chat was stored by the LID, while the person's other names were unknown. */
const keepChatStates = (tx: Tx, channelId: ChannelId, holders: readonly IdentityRow[], names: Names): void => {
  const after = contactOf(names).canonicalKey;
  for (const { lid } of holders)
    if (lid !== null && lid === names.lid && after !== `lid:${lid}`)
      renameChatStates(tx, { channelId, before: `lid:${lid}`, after });
};

const holdersOf = async (
  tx: Tx,
  channelId: ChannelId,
  { identity, before = {} }: IdentityUpdate,
): Promise<IdentityRow[]> => {
  const holders = new Map<number, IdentityRow>();
  for (const pair of [...pairsOf(identity), ...pairsOf(before)]) {
    const row = await findIdentity(tx, channelId, pair);
    if (row) holders.set(row.id, row);
  }
  return [...holders.values()];
};

/**
 * The record that owns one of these ids, else the record that used this number later, else the record that had the
 * former name. Finally the record with the number, unless its other names contradict.
 */
const personAmong = (holders: readonly IdentityRow[], update: IdentityUpdate): IdentityRow | undefined =>
  holders.find((row) => shares(row, update.identity, OWN_IDS)) ??
  holders.find((row) => row.updatedAt > update.at && isPerhaps(row, update)) ??
  holders.find((row) => isBefore(row, update)) ??
  holders.find((row) => isPerhaps(row, update) && !contradict(namesOf(row), update.identity));

const OWN_IDS: readonly Name[] = ["bsuid", "lid", "igsid", "uid"];
/** The names that identify a person lastingly. A username changes hands too easily. */
const LASTING = NAMES.filter((name) => name !== "username");

const shares = (row: IdentityRow, names: Names, which: readonly Name[]): boolean =>
  which.some((name) => names[name] !== undefined && row[name] === names[name]);

const isBefore = (row: IdentityRow, { before = {} }: IdentityUpdate): boolean => shares(row, before, NAMES);

/**
 * Whether the row shares a name that may belong to another person by now. A username counts only when the update has no
 * other name.
 */
const isPerhaps = (row: IdentityRow, { identity }: IdentityUpdate): boolean =>
  shares(row, identity, pairsOf(identity).length === 1 ? NAMES : LASTING);

/** Whether two sets of names belong to different people: one name has another value in each. */
const contradict = (some: Names, others: Names, which: readonly Name[] = LASTING): boolean =>
  which.some((name) => some[name] !== undefined && others[name] !== undefined && some[name] !== others[name]);

const keptBy = (row: IdentityRow, { before = {} }: IdentityUpdate): Names => without(namesOf(row), before);

const without = (names: Names, gone: Names): Names =>
  Object.fromEntries(pairsOf(names).filter(([name, value]) => gone[name] !== value));

/** Keeps the remaining names of a person who lost some; deletes a person without names. */
const leave = (tx: Tx, { id }: IdentityRow, left: Names): Promise<void> =>
  pairsOf(left).length > 0 ? updateIdentity(tx, id, columnsOf(left)) : deleteIdentity(tx, id);

const columnsOf = (names: Names): Record<Name, string | null> => {
  const { bsuid = null, lid = null, igsid = null, uid = null, pn = null, parentBsuid = null, username = null } = names;
  return { bsuid, lid, igsid, uid, pn, parentBsuid, username };
};

const save = async (
  tx: Tx,
  { id: channelId, tenantId }: ChannelRow,
  { person, names, update }: { person: IdentityRow | undefined; names: Names; update: IdentityUpdate },
): Promise<void> => {
  const known = person ?? { name: null, updatedAt: 0 };
  const isLate = update.at < known.updatedAt;
  const name = (isLate ? (known.name ?? update.name) : (update.name ?? known.name)) ?? null;
  const values = { ...columnsOf(names), name, updatedAt: Math.max(update.at, known.updatedAt) };
  if (person) await updateIdentity(tx, person.id, values);
  else await insertIdentity(tx, { tenantId, channelId, ...values });
};

const CANONICAL = new RegExp(`^(${NAMES.join("|")}):(.+)$`, "s");

/**
 * The person with this canonical key, with all names known now; also if the channel knows the number's other spelling.
 */
export const readContactOn = async (r: Reader, channelId: ChannelId, canonicalKey: string): Promise<Contact> => {
  const [, kind, value] = CANONICAL.exec(canonicalKey) ?? [];
  if (kind === undefined || value === undefined) return contactOfKey(canonicalKey);
  const row = await findByAny(r, channelId, spelled([kind as Name, value]));
  return contactOf({ [kind]: value, ...(row && namesOf(row)) });
};

/** A person whom a channel of this kind has met. */
export type KnownIdentity = Contact & { kind: ChannelKind; parentBsuid: string | null };

/**
 * Finds a person of the channel, or its own account, by any name: a canonical key, or a bare number (with or without `+`), id or username
 * (with or without `@`).
 * @throws AppError CHANNEL_NOT_FOUND, or IDENTITY_NOT_FOUND for a person that the channel never met
 */
export const resolveIdentity = async (
  env: ChannelsEnv,
  scope: TenantScope,
  channelId: string,
  key: string,
): Promise<KnownIdentity> => {
  const channel = await getChannel(env, scope, channelId);
  const meanings = meaningsOf(key.trim());
  const own = ownNames(channel);
  if (meanings.some(([name, value]) => own[name] === value))
    return { ...contactOf(own), kind: channel.kind, parentBsuid: null };
  const row = await env.db.read((reader) => findByAny(reader, channel.id, meanings));
  if (!row) throw new AppError("IDENTITY_NOT_FOUND", { message: "This channel knows no person with that key." });
  return { ...contactOf(namesOf(row)), kind: channel.kind, parentBsuid: row.parentBsuid };
};

/** The names of the channel's own account, as its link reported them. */
const ownNames = ({ phoneNumber, profile }: ChannelRow): Names => {
  const [lid] = /^\d+(?=@lid$)/.exec(typeof profile["lid"] === "string" ? profile["lid"] : "") ?? [];
  return { ...(phoneNumber === null ? {} : { pn: phoneNumber }), ...(lid === undefined ? {} : { lid }) };
};

const findByAny = async (
  r: Reader,
  channelId: ChannelId,
  meanings: readonly (readonly [Name, string])[],
): Promise<IdentityRow | undefined> => {
  for (const meaning of meanings) {
    const row = await findIdentity(r, channelId, meaning);
    if (row) return row;
  }
  return undefined;
};

/** The possible meanings of a key, the likeliest first. */
const meaningsOf = (key: string): (readonly [Name, string])[] => {
  const [, kind, value = ""] = CANONICAL.exec(key) ?? [];
  if (kind === "bsuid") return userIds(value);
  if (kind === "username") return [usernameOf(value)];
  if (kind !== undefined)
    return kind === "pn" ? spelled(["pn", asDigits(value)]) : [[kind as Name, value.replace(/^\+/, "")]];
  const digits = digitsOf(key);
  return digits === undefined
    ? [...userIds(key), ["uid", key], usernameOf(key)]
    : [...spelled(["pn", digits]), ["igsid", digits], ["uid", key]];
};

/** A name, and the other spelling of a number if there is one. */
const spelled = ([name, value]: readonly [Name, string]): (readonly [Name, string])[] =>
  name === "pn" ? spellingsOf(value).map((pn) => ["pn", pn] as const) : [[name, value]];

/** A user id may be that of the business, or that of the group of businesses above it. */
const userIds = (id: string): (readonly [Name, string])[] => [
  ["bsuid", id],
  ["parentBsuid", id],
];
const usernameOf = (text: string): readonly [Name, string] => ["username", text.replace(/^@/, "").toLowerCase()];

/**
 * The canonical key of a person if digits are not a number but an id of the network that the channel has met. Undefined
 * if the channel knows the digits as a number, or not at all.
 */
export const keyOfNetworkId = (
  env: Pick<ChannelsEnv, "db">,
  channelId: ChannelId,
  digits: string,
): Promise<string | undefined> =>
  env.db.read(async (reader) => {
    if (await findByAny(reader, channelId, spelled(["pn", digits]))) return undefined;
    const row = await findByAny(reader, channelId, [["lid", digits]]);
    return row && contactOf(namesOf(row)).canonicalKey;
  });

/** The canonical key to send to: the number of a person who was named by a user id, if it is known. */
export const reachableKey = async (
  env: Pick<ChannelsEnv, "db">,
  channelId: ChannelId,
  canonicalKey: string,
): Promise<string> => {
  const [, kind, id = ""] = CANONICAL.exec(canonicalKey) ?? [];
  if (kind !== "bsuid") return canonicalKey;
  const row = await env.db.read((reader) => findByAny(reader, channelId, userIds(id)));
  return row?.pn ? `pn:${row.pn}` : canonicalKey;
};
