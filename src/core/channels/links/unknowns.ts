import { Type } from "@sinclair/typebox";
import type { ChannelKind } from "../../../contract/kind.ts";
import { DAY_MS } from "../../../kernel/clock.ts";
import { reasonOf } from "../../../kernel/errors.ts";
import { issuesOf } from "../../../kernel/schema.ts";
import { parsedJson } from "../../../kernel/texts/json.ts";
import type { Reader } from "../../../store/engine/db.ts";
import { readMeta, writeMeta } from "../../../store/tables/meta.ts";
import type { ChannelsEnv } from "../env.ts";

/** The names of a process that are told. Networks and the people on them choose names: the others count as `other`. */
const MOST_NAMES = 100;
const MOST_CHARS = 64;
const OTHER = "other";
/** How long a name is kept for the doctor. */
const KEPT_MS = 30 * DAY_MS;

const cleaned = (name: unknown): string =>
  String(name)
    .slice(0, MOST_CHARS)
    .replaceAll(/[^\w:.-]/g, "_") || OTHER;

/** The names by kind of channel, each with the time when a process first met it. */
const Stored = Type.Record(Type.String(), Type.Number());

const rowOf = (kind: ChannelKind): string => `unknown:${kind}`;

const namesIn = async (reader: Reader, kind: ChannelKind): Promise<[name: string, at: number][]> => {
  const stored = parsedJson((await readMeta(reader, rowOf(kind))) ?? "");
  return issuesOf(Stored, stored).length === 0 ? Object.entries(stored as Record<string, number>) : [];
};

/** What networks sent in the last 30 days that their adapters do not know, by name. */
export const unknownsSeen = async (
  reader: Reader,
  kinds: readonly ChannelKind[],
  now: number,
): Promise<{ kind: ChannelKind; names: string[] }[]> => {
  const found = await Promise.all(
    kinds.map(async (kind) => ({
      kind,
      names: (await namesIn(reader, kind)).filter(([, at]) => at > now - KEPT_MS).map(([name]) => name),
    })),
  );
  return found.filter(({ names }) => names.length > 0);
};

/** Counts what adapters do not know. Each name is logged once per process, and kept for the doctor. */
export type Unknowns = { note(kind: ChannelKind, name: string): void };

export const createUnknowns = (env: () => Pick<ChannelsEnv, "clock" | "db" | "log" | "metrics">): Unknowns => {
  const told = new Set<string>();
  const keep = (kind: ChannelKind, name: string): Promise<void> =>
    env().db.write(async (tx) => {
      const now = env().clock.now();
      const others = (await namesIn(tx, kind)).filter(([known, at]) => known !== name && at > now - KEPT_MS);
      const names = [...others.slice(1 - MOST_NAMES), [name, now] as const];
      await writeMeta(tx, rowOf(kind), JSON.stringify(Object.fromEntries(names)));
    });
  return {
    note(kind, given) {
      const name = cleaned(given);
      const isKnown = told.has(`${kind} ${name}`);
      const what = isKnown || told.size < MOST_NAMES ? name : OTHER;
      env().metrics.count("recado_unknown_received_total", { kind, what });
      if (isKnown || what !== name) return;
      told.add(`${kind} ${name}`);
      env().log.info({ kind, what }, "the network sent something that this version does not know");
      keep(kind, name).catch((thrown: unknown) =>
        env().log.debug({ kind, what, error: reasonOf(thrown) }, "an unknown name could not be kept for the doctor"),
      );
    },
  };
};
