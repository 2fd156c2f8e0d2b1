import { DAY_MS, MINUTE_MS } from "../../kernel/clock.ts";
import { lastTimeOf } from "../../runtime/cron.ts";
import type { Reader } from "../../store/engine/db.ts";
import { listFailingEndpoints, readBacklog } from "../../store/engine/inspection.ts";
import { listPaidOtherwise } from "../../store/tables/billing/invoices.ts";
import { listTroubledChannels, type TroubledChannel } from "../../store/tables/troubles.ts";
import { lastBackups } from "../backups.ts";
import { endingClients } from "../channels/links/clients.ts";
import { BY_OWNER, PAIRING_RESET } from "../channels/links/report.ts";
import type { AlertsEnv } from "./env.ts";
import { type AlertText, type AlertTexts, alertText, type TroubleKind } from "./texts.ts";

/** TABLE: how long a trouble of each kind lasts before it is announced. A shorter trouble passes by itself. */
export const SETTLES_MS: Record<TroubleKind, number> = {
  "phone-lost": 2 * MINUTE_MS,
  "phone-restricted": 0,
  "phone-unlinked": 0,
  "token-expired": 0,
  "endpoint-failing": 15 * MINUTE_MS,
  "dead-letters": 0,
  "no-backup": 0,
  "disk-full": 0,
  "database-away": 0,
  "database-not-durable": 0,
  "client-ending": 0,
  "adapter-unusable": 0,
  "invoice-amount": 0,
};

/** A trouble that exists now. Its text: one line for the operator, without secrets and without names of people. */
export type Trouble = { kind: TroubleKind; subject: string } & AlertText;

/** The maximum number of troubles of one kind; more would tell the operator nothing new. */
const MOST = 500;
const AWAY_MS = 15 * MINUTE_MS;
const CLIENT_ENDS_MS = 14 * DAY_MS;
/** How long a payment of another amount counts as a trouble. Its invoice shows it for good. */
const AMOUNT_SHOWN_MS = 7 * DAY_MS;
const MIB = 1024 * 1024;
const LEAST_FREE_BYTES = 512 * MIB;
const SMALL_SHARE = 0.05;
const AMPLE_BYTES = 4096 * MIB;

const kindOf = ({ state }: TroubledChannel): TroubleKind => {
  if (state === "RESTRICTED") return "phone-restricted";
  if (state === "PENDING_QR") return "phone-unlinked";
  return state === "TOKEN_EXPIRED" ? "token-expired" : "phone-lost";
};

/** Makes the text of a trouble in English, and in the server's language. */
type Write = (make: (texts: AlertTexts) => string) => AlertText;

const channelTroubles = async (write: Write, reader: Reader, now: number): Promise<Trouble[]> => {
  const found = await listTroubledChannels(reader, {
    awaySinceMs: now - AWAY_MS,
    byOwner: [BY_OWNER, PAIRING_RESET],
    limit: MOST,
  });
  return found.map((channel) => {
    const { id, tenantId, label, kind, state, reason } = channel;
    const why = reason === null ? state : `${state}, ${reason}`;
    return { kind: kindOf(channel), subject: id, ...write((texts) => texts.phone({ label, kind, id, tenantId, why })) };
  });
};

const endpointTroubles = async (write: Write, reader: Reader): Promise<Trouble[]> =>
  (await listFailingEndpoints(reader, MOST)).map(({ id, url, failures, isActive, lastError }) => {
    const host = URL.parse(url)?.host;
    const last = lastError?.slice(0, 200) ?? null;
    const text = write((texts) =>
      texts.webhook({ host: host ?? texts.unreadableAddress, id, failures, isActive: isActive === 1, last }),
    );
    return { kind: "endpoint-failing", subject: id, ...text };
  });

const deadLetterTroubles = async (write: Write, reader: Reader): Promise<Trouble[]> => {
  const { deadDeliveries } = await readBacklog(reader, 0);
  if (deadDeliveries === 0) return [];
  return [{ kind: "dead-letters", subject: "", ...write((texts) => texts.deadLetters(deadDeliveries)) }];
};

/** A backup is missing if two have been due since the last one. */
const backupTroubles = async (env: AlertsEnv, write: Write, reader: Reader, now: number): Promise<Trouble[]> => {
  if (!env.backups) return [];
  const { last, lastMade } = await lastBackups({ db: { read: (body) => body(reader) } });
  const due = lastTimeOf(env.backups.pattern, now);
  const dueBefore = due === undefined ? undefined : lastTimeOf(env.backups.pattern, due - 1);
  if (!last || (lastMade && (dueBefore === undefined || lastMade.at >= dueBefore) && last.isMade)) return [];
  const error = last.isMade ? undefined : last.error.slice(0, 300);
  const text = write((texts) => texts.backup({ madeAtMs: lastMade?.at, error }));
  return [{ kind: "no-backup", subject: "", ...text }];
};

/** Whether a disk with this free space is nearly full. */
export const isNearlyFull = ({ freeBytes, totalBytes }: { freeBytes: number; totalBytes: number }): boolean =>
  freeBytes < LEAST_FREE_BYTES || (freeBytes < SMALL_SHARE * totalBytes && freeBytes < AMPLE_BYTES);

const diskTroubles = (env: AlertsEnv, write: Write): Trouble[] => {
  const room = env.disk();
  if (!isNearlyFull(room)) return [];
  const [free, total] = [Math.round(room.freeBytes / MIB), Math.round(room.totalBytes / MIB)];
  return [{ kind: "disk-full", subject: "", ...write((texts) => texts.disk({ free, total })) }];
};

const durabilityTroubles = ({ db }: AlertsEnv, write: Write): Trouble[] =>
  db.isDurable === false
    ? [{ kind: "database-not-durable", subject: "", ...write((texts) => texts.databaseNotDurable) }]
    : [];

const clientTroubles = async (env: AlertsEnv, write: Write, reader: Reader, now: number): Promise<Trouble[]> =>
  (await endingClients(reader, env.registry.kinds)).flatMap(({ kind, version, expiresAt }) =>
    expiresAt - now > CLIENT_ENDS_MS
      ? []
      : [
          {
            kind: "client-ending" as const,
            subject: kind,
            ...write((texts) => texts.client({ kind, version, expiresAt })),
          },
        ],
  );

const adapterTroubles = ({ registry }: AlertsEnv, write: Write): Trouble[] =>
  registry.unavailable.map(({ name, reason }) => ({
    kind: "adapter-unusable",
    subject: name,
    ...write((texts) => texts.adapter({ name, reason })),
  }));

const amountTroubles = async (write: Write, reader: Reader, now: number): Promise<Trouble[]> =>
  (await listPaidOtherwise(reader, now - AMOUNT_SHOWN_MS, MOST)).map((invoice) => ({
    kind: "invoice-amount",
    subject: invoice.id,
    ...write((texts) => texts.invoice(invoice)),
  }));

/** All troubles that exist now. */
export const findTroubles = async (env: AlertsEnv): Promise<Trouble[]> => {
  const now = env.clock.now();
  const write: Write = (make) => alertText(env.config.language, make);
  return env.db.read(async (reader) => [
    ...(await channelTroubles(write, reader, now)),
    ...(await endpointTroubles(write, reader)),
    ...(await deadLetterTroubles(write, reader)),
    ...(await backupTroubles(env, write, reader, now)),
    ...diskTroubles(env, write),
    ...durabilityTroubles(env, write),
    ...(await clientTroubles(env, write, reader, now)),
    ...adapterTroubles(env, write),
    ...(await amountTroubles(write, reader, now)),
  ]);
};
