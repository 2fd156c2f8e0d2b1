import { listOpenTroubles } from "../../store/tables/troubles.ts";
import type { AlertsEnv } from "./env.ts";
import { findTroubles, type Trouble } from "./finding.ts";
import { ALERT_TEXTS } from "./texts.ts";

/** `since`: null if no alerts are configured, or if it has just begun. `announcedAt`: null before the message. */
export type OpenTrouble = Omit<Trouble, "localText"> & {
  title: string;
  since: number | null;
  announcedAt: number | null;
};

/** The current troubles, and the ways by which the operator is notified of them. */
export type TroublesNow = { troubles: OpenTrouble[]; ways: { mail: boolean; url: boolean; telegram: boolean } };

const MOST_OPEN = 10_000;

const keyOf = ({ kind, subject }: { kind: string; subject: string }): string => `${kind} ${subject}`;

/** All current troubles, even if no alerts are configured. */
export const troublesNow = async (env: AlertsEnv): Promise<TroublesNow> => {
  const found = await findTroubles(env);
  const open = await env.db.read((reader) => listOpenTroubles(reader, MOST_OPEN));
  const known = new Map(open.map((row) => [keyOf(row), row]));
  const { mail, url, telegram } = env.config.alerts;
  return {
    troubles: found.map(({ kind, subject, text }) => {
      const row = known.get(keyOf({ kind, subject }));
      const { title } = ALERT_TEXTS.en.titles[kind];
      return { kind, subject, text, title, since: row?.openedAt ?? null, announcedAt: row?.announcedAt ?? null };
    }),
    ways: { mail: mail.length > 0, url: url !== undefined, telegram: telegram !== undefined },
  };
};
