/**
 * A limit: its default, its owner, and what it counts. RECADO_LIMITS changes it by its name. The settings, the metrics
 * and the documentation are made from this table.
 */
type Limited = { limit: number; per: "user" | "account" | "channel" | "agent"; counts: string };

const GIB = 1024 ** 3;

/** TABLE: the limit of every collection that requests can grow. The platform calls an account an institution. */
export const COLLECTIONS = {
  institutions: { limit: 3, per: "user", counts: "institutions that one user has made" },
  members: { limit: 100, per: "account", counts: "members" },
  keys: {
    limit: 100,
    per: "account",
    counts: "API keys and tokens that are not revoked, without the own tokens of instances",
  },
  channels: { limit: 1000, per: "account", counts: "channels; the plan's number if that is lower" },
  webhooks: { limit: 50, per: "account", counts: "webhooks, without those of single phones" },
  contacts: { limit: 500_000, per: "account", counts: "contacts; one who writes first is always kept" },
  scheduled: { limit: 10_000, per: "account", counts: "scheduled messages that are pending" },
  templates: { limit: 5000, per: "account", counts: "templates" },
  "canned-replies": { limit: 1000, per: "account", counts: "canned replies" },
  flows: { limit: 500, per: "account", counts: "flows" },
  groups: { limit: 5000, per: "account", counts: "groups" },
  "stored-bytes": {
    limit: 20 * GIB,
    per: "account",
    counts: "bytes of media, recordings, knowledge files and what agents know",
  },
  "keyed-requests": {
    limit: 1_000_000,
    per: "account",
    counts: "requests with an `Idempotency-Key` of the last 24 hours",
  },
  lookups: { limit: 100, per: "channel", counts: "lookups that wait for the network" },
  documents: { limit: 1000, per: "agent", counts: "documents" },
  chunks: { limit: 20_000, per: "agent", counts: "pieces of text that an agent knows" },
  tools: { limit: 10, per: "agent", counts: "HTTP tools that an agent may call" },
} as const satisfies Record<string, Limited>;

export type Collection = keyof typeof COLLECTIONS;
export const COLLECTION_NAMES = Object.keys(COLLECTIONS) as Collection[];
export type Limits = Readonly<Record<Collection, number>>;

/** The limits, with the operator's changes. */
export const limitsWith = (changed: Partial<Limits>): Limits =>
  Object.fromEntries(COLLECTION_NAMES.map((name) => [name, changed[name] ?? COLLECTIONS[name].limit])) as Record<
    Collection,
    number
  >;

/** The limits as a Markdown table, for docs/settings.md. */
export const limitsTable = (): string => {
  const rows = COLLECTION_NAMES.map(
    (name) => `| \`${name}\` | ${COLLECTIONS[name].limit} | ${COLLECTIONS[name].per} | ${COLLECTIONS[name].counts} |`,
  );
  return ["| Name | Default | Per | Counts |", "|---|---|---|---|", ...rows].join("\n");
};
