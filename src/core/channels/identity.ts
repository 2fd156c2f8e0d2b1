import type { Identity } from "../../contract/events.ts";
import { AppError } from "../../kernel/errors.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import { asDigits, digitsOf } from "../../kernel/phone-numbers.ts";
import type { ChannelRow } from "../../store/channels.ts";
import type { Reader, Tx } from "../../store/db.ts";
import {
  deleteIdentity,
  findIdentity,
  type IdentityRow,
  insertIdentity,
  NAMES,
  type Name,
  type Names,
  updateIdentity,
} from "../../store/identities.ts";
import type { Environment } from "../../store/keys.ts";
import type { TenantScope } from "../../store/scope.ts";
import { type Contact, contactOf, contactOfKey } from "../domain-event.ts";
import { getChannel } from "./channel.ts";
import type { ChannelsEnv } from "./env.ts";

/** Where something came in. */
export type InboundContext = { channel: ChannelRow; environment: Environment };

/**
 * Names that are told of one person: `before`, those that the person no longer has; `name`, what they are called. `at`
 * is the network's time.
 */
export type IdentityUpdate = { identity: Identity; at: number; before?: Identity; name?: string | null };

/**
 * Learns which names are one person's, and gives all that are known of this one, the told ones first. Two that turn out
 * to be one become one; a name that another had is taken from them. What is told late, and was known better already,
 * changes nothing. Simulated people are not learned.
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

const pairsOf = (names: Names): (readonly [Name, string])[] =>
  NAMES.flatMap((name) => (names[name] === undefined ? [] : [[name, names[name]] as const]));

const namesOf = (row: IdentityRow): Names =>
  Object.fromEntries(NAMES.flatMap((name) => (row[name] === null ? [] : [[name, row[name]]])));

/** Whether one of these names is not the row's: another, or one that it lacks. */
const differs = (names: Names, row: IdentityRow): boolean =>
  pairsOf(names).some(([name, value]) => row[name] !== value);

const isNewName = ({ name, at }: IdentityUpdate, row: IdentityRow): boolean =>
  typeof name === "string" && name !== row.name && at >= row.updatedAt;

/** Everything that is known of the person then; nothing where it was told too late. */
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
  return names;
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
 * Whoever has an id of their own that was told; or was seen with the number since; or had the name that is given up; or
 * has the number, and nothing speaks against it.
 */
const personAmong = (holders: readonly IdentityRow[], update: IdentityUpdate): IdentityRow | undefined =>
  holders.find((row) => shares(row, update.identity, OWN_IDS)) ??
  holders.find((row) => row.updatedAt > update.at && isPerhaps(row, update)) ??
  holders.find((row) => isBefore(row, update)) ??
  holders.find((row) => isPerhaps(row, update) && !contradict(namesOf(row), update.identity));

const OWN_IDS: readonly Name[] = ["bsuid", "lid", "igsid", "uid"];
/** A username changes hands too easily to say who somebody is. */
const LASTING = NAMES.filter((name) => name !== "username");

const shares = (row: IdentityRow, names: Names, which: readonly Name[]): boolean =>
  which.some((name) => names[name] !== undefined && row[name] === names[name]);

const isBefore = (row: IdentityRow, { before = {} }: IdentityUpdate): boolean => shares(row, before, NAMES);

/** By a name that may be another's by now; by a username only where nothing else is told. */
const isPerhaps = (row: IdentityRow, { identity }: IdentityUpdate): boolean =>
  shares(row, identity, pairsOf(identity).length === 1 ? NAMES : LASTING);

/** Whether they cannot be one person's: one of these names is another here than there. */
const contradict = (some: Names, others: Names, which: readonly Name[] = LASTING): boolean =>
  which.some((name) => some[name] !== undefined && others[name] !== undefined && some[name] !== others[name]);

const keptBy = (row: IdentityRow, { before = {} }: IdentityUpdate): Names => without(namesOf(row), before);

const without = (names: Names, gone: Names): Names =>
  Object.fromEntries(pairsOf(names).filter(([name, value]) => gone[name] !== value));

/** What somebody has left once names turned out to be another's; nobody is left who has none. */
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
  const facts = { ...columnsOf(names), name, updatedAt: Math.max(update.at, known.updatedAt) };
  if (person) await updateIdentity(tx, person.id, facts);
  else await insertIdentity(tx, { tenantId, channelId, ...facts });
};

const CANONICAL = new RegExp(`^(${NAMES.join("|")}):(.+)$`, "s");

/** Somebody by the canonical key that a row of ours has, with all that is known of them by now. */
export const contactOn = async (r: Reader, channelId: ChannelId, canonicalKey: string): Promise<Contact> => {
  const [, kind, value] = CANONICAL.exec(canonicalKey) ?? [];
  if (kind === undefined || value === undefined) return contactOfKey(canonicalKey);
  const row = await findIdentity(r, channelId, [kind as Name, value]);
  return contactOf({ ...(row && namesOf(row)), [kind]: value });
};

export type KnownIdentity = Contact & { parentBsuid: string | null };

/**
 * Who somebody of the channel is, by any name: a canonical key, or a bare number (with or without `+`), id or username
 * (with or without `@`). Throws CHANNEL_NOT_FOUND, and IDENTITY_NOT_FOUND for somebody who never showed.
 */
export const resolveIdentity = async (
  env: ChannelsEnv,
  scope: TenantScope,
  channelId: string,
  key: string,
): Promise<KnownIdentity> => {
  const channel = await getChannel(env, scope, channelId);
  const row = await env.db.read((reader) => findByAny(reader, channel.id, meaningsOf(key.trim())));
  if (!row) throw new AppError("IDENTITY_NOT_FOUND", { message: "This channel knows nobody by that key." });
  return { ...contactOf(namesOf(row)), parentBsuid: row.parentBsuid };
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

/** What a key may mean, the likeliest first. */
const meaningsOf = (key: string): (readonly [Name, string])[] => {
  const [, kind, value = ""] = CANONICAL.exec(key) ?? [];
  if (kind === "bsuid") return userIds(value);
  if (kind === "username") return [usernameOf(value)];
  if (kind !== undefined) return [[kind as Name, kind === "pn" ? asDigits(value) : value.replace(/^\+/, "")]];
  const digits = digitsOf(key);
  return digits === undefined
    ? [...userIds(key), ["uid", key], usernameOf(key)]
    : [
        ["pn", digits],
        ["igsid", digits],
        ["uid", key],
      ];
};

/** A user id may be that of the business, or that of the group of businesses above it. */
const userIds = (id: string): (readonly [Name, string])[] => [
  ["bsuid", id],
  ["parentBsuid", id],
];
const usernameOf = (text: string): readonly [Name, string] => ["username", text.replace(/^@/, "").toLowerCase()];

/** The canonical key to send to: the number, where somebody was named by a user id alone and their number is known. */
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
