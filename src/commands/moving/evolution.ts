import { join } from "node:path";
import type { StoredEntry } from "../../contract/abilities/moving.ts";
import { isRecord, type Json, listOf, parsedJson, recordOf } from "../../kernel/texts/json.ts";
import { entriesIn, readPathKind } from "./files.ts";
import { type FoundSession, type FoundWebhook, LIMITS, SourceFault } from "./found.ts";
import type { FoundHistory } from "./history/found.ts";

/** TABLE: the tables of Evolution that are read; all but the first may be missing. */
export const EVOLUTION_TABLES = ["Session", "Instance", "Webhook", "Setting", "Proxy"] as const;
export type EvolutionTables = Partial<Record<(typeof EVOLUTION_TABLES)[number], readonly Json[]>>;

/** The keys of an instance; without them only its credentials are imported. */
export type KeysOf = (instanceId: string) => Promise<StoredEntry[]>;

/** TABLE: settings of an instance that Recado does not have, and the replacement. */
const SETTINGS: Readonly<Record<string, string>> = {
  rejectCall: "calls are not rejected",
  groupsIgnore: "messages of groups arrive",
  alwaysOnline: "the phone is not shown as online",
  readMessages: "messages are not marked as read by themselves",
  readStatus: "statuses are not marked as seen",
};

const ID = /^[\w-]{1,64}$/;

/** The histories of instances, by their ids. */
export type HistoriesOf = ReadonlyMap<string, FoundHistory>;

/** The sessions of Evolution's tables. @throws SourceFault */
export const sessionsOfEvolution = (
  tables: EvolutionTables,
  keysOf: KeysOf,
  histories: HistoriesOf = new Map(),
): FoundSession[] => {
  const sessions = tables.Session ?? [];
  if (sessions.length === 0) throw new SourceFault("the table Session is missing or empty");
  if (sessions.length > LIMITS.sessions)
    throw new SourceFault(`the table Session has more than ${LIMITS.sessions} rows`);
  return sessions.map((row) => sessionOf(row, tables, { keysOf, histories }));
};

const sessionOf = (
  row: Json,
  tables: EvolutionTables,
  { keysOf, histories }: { keysOf: KeysOf; histories: HistoriesOf },
): FoundSession => {
  const { sessionId: id } = row;
  if (typeof id !== "string" || !ID.test(id))
    throw new SourceFault("a row of the table Session has no valid sessionId");
  const creds = typeof row["creds"] === "string" ? row["creds"] : JSON.stringify(row["creds"] ?? null);
  if (creds.length > LIMITS.keyBytes) throw new SourceFault(`the credentials of the instance ${id} are too long`);
  const own = (table: keyof EvolutionTables): Json =>
    (tables[table] ?? []).find((one) => one["instanceId"] === id) ?? {};
  const { name } = (tables.Instance ?? []).find((one) => one["id"] === id) ?? {};
  const webhook = webhookOf(own("Webhook"));
  return {
    name: typeof name === "string" && name !== "" ? name : id,
    format: "baileys",
    entries: async () => [
      { name: "creds", text: creds },
      ...(await keysOf(id)).filter((entry) => !entry.name.startsWith("creds")),
    ],
    webhook,
    notes: [...settingNotes(own("Setting")), ...proxyNotes(own("Proxy"))],
    history: histories.get(id),
  };
};

const isOn = (value: unknown): boolean => value === true || value === "t" || value === "true" || value === 1;

const webhookOf = (row: Json): FoundWebhook | undefined => {
  const { url, enabled, events } = row;
  if (typeof url !== "string" || url === "" || !isOn(enabled)) return undefined;
  const named = typeof events === "string" ? parsedJson(events) : events;
  return { url, events: listOf(named).filter((one): one is string => typeof one === "string") };
};

const settingNotes = (row: Json): string[] =>
  Object.entries(SETTINGS).flatMap(([name, instead]) =>
    isOn(row[name]) ? [`its setting ${name} has no counterpart: ${instead}`] : [],
  );

const proxyNotes = (row: Json): string[] =>
  isOn(row["enabled"]) ? ["it connected through a proxy: set the phone's own before you connect it"] : [];

/** The keys of an instance in a folder of instances. */
export const keysInFolders =
  (folder: string): KeysOf =>
  async (instanceId) => {
    const own = join(folder, instanceId);
    return (await readPathKind(own)) === "folder" ? entriesIn(own) : [];
  };

export const noKeys: KeysOf = async () => [];

type Hashes = ReadonlyMap<string, Json>;

/**
 * The hashes of a JSON dump of Redis, by instance: an object of hashes, or a list of such objects, whose names end in
 * the id of the instance (`evolution:instance:<id>`).
 */
export const hashesIn = (dump: unknown): Hashes => {
  const hashes = new Map<string, Json>();
  for (const part of Array.isArray(dump) ? dump : [dump])
    for (const [key, value] of Object.entries(recordOf(part))) {
      const fields = isRecord(value) && isRecord(value["value"]) ? value["value"] : value;
      const id = key.split(":").at(-1) ?? "";
      if (isRecord(fields) && ID.test(id)) hashes.set(id, fields);
    }
  return hashes;
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? null));

/** The keys of an instance in such hashes. */
export const keysInHashes =
  (hashes: Hashes): KeysOf =>
  async (instanceId) =>
    Object.entries(hashes.get(instanceId) ?? {}).map(([name, value]) => ({ name, text: textOf(value) }));

/** The sessions whose credentials are in hashes, too. */
export const sessionsOfHashes = (hashes: Hashes): FoundSession[] =>
  [...hashes]
    .filter(([, fields]) => Object.hasOwn(fields, "creds"))
    .map(([id, fields]) => ({
      name: id,
      format: "baileys",
      entries: async () => Object.entries(fields).map(([name, value]) => ({ name, text: textOf(value) })),
      notes: [],
    }));
