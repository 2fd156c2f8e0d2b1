import { listOpenTroubles } from "../../store/troubles.ts";
import type { AlertsEnv } from "./env.ts";
import { findTroubles, TROUBLES, type Trouble } from "./finding.ts";

/** `since`: null where no alerts are configured, or where it has just begun. `announcedAt`: null before the message. */
export type OpenTrouble = Trouble & { title: string; since: number | null; announcedAt: number | null };

/** What is wrong, and by which ways the operator is notified of it. */
export type TroublesNow = { troubles: OpenTrouble[]; ways: { mail: boolean; url: boolean; telegram: boolean } };

const MOST_OPEN = 10_000;

const keyOf = ({ kind, subject }: { kind: string; subject: string }): string => `${kind} ${subject}`;

/** Everything that is wrong now, also where no alerts are configured. */
export const troublesNow = async (env: AlertsEnv): Promise<TroublesNow> => {
  const found = await findTroubles(env);
  const open = await env.db.read((reader) => listOpenTroubles(reader, MOST_OPEN));
  const known = new Map(open.map((row) => [keyOf(row), row]));
  const { mail, url, telegram } = env.config.alerts;
  return {
    troubles: found.map((trouble) => {
      const row = known.get(keyOf(trouble));
      const { title } = TROUBLES[trouble.kind];
      return { ...trouble, title, since: row?.openedAt ?? null, announcedAt: row?.announcedAt ?? null };
    }),
    ways: { mail: mail.length > 0, url: url !== undefined, telegram: telegram !== undefined },
  };
};
