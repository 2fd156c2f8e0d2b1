import { DAY_MS, iso, MINUTE_MS } from "../../kernel/clock.ts";
import { lastTimeOf } from "../../runtime/cron.ts";
import type { Reader } from "../../store/db.ts";
import { listFailingEndpoints, readBacklog } from "../../store/inspection.ts";
import { listTroubledChannels, type TroubledChannel } from "../../store/troubles.ts";
import { lastBackups } from "../backups.ts";
import { endingClients } from "../channels/clients.ts";
import { BY_OWNER, PAIRING_RESET } from "../channels/report.ts";
import type { AlertsEnv } from "./env.ts";

/**
 * TABLE: what the operator is notified of. `title` and `over` begin a message; `many` counts several. `settlesMs`: how
 * long it lasts before it is announced: shorter ones pass by themselves.
 */
export const TROUBLES = {
  "phone-lost": {
    title: "A phone is not connected",
    many: "phones are not connected",
    over: "A phone is connected again",
    settlesMs: 2 * MINUTE_MS,
  },
  "phone-restricted": {
    title: "A network restricts a phone",
    many: "phones are restricted by their network",
    over: "A phone is no longer restricted",
    settlesMs: 0,
  },
  "phone-unlinked": {
    title: "A phone has to be linked again",
    many: "phones have to be linked again",
    over: "A phone is linked again",
    settlesMs: 0,
  },
  "token-expired": {
    title: "The token of a phone has expired",
    many: "phones have an expired token",
    over: "A phone has a valid token again",
    settlesMs: 0,
  },
  "endpoint-failing": {
    title: "A webhook has been failing for 15 minutes",
    many: "webhooks have been failing for 15 minutes",
    over: "A webhook takes events again",
    settlesMs: 15 * MINUTE_MS,
  },
  "dead-letters": {
    title: "Events could not be delivered",
    many: "kinds of dead letters",
    over: "There are no dead letters any more",
    settlesMs: 0,
  },
  "no-backup": {
    title: "There is no recent backup",
    many: "backups are missing",
    over: "A backup was made",
    settlesMs: 0,
  },
  "disk-full": {
    title: "The disk is nearly full",
    many: "disks are nearly full",
    over: "The disk has room again",
    settlesMs: 0,
  },
  "client-ending": {
    title: "A network stops accepting the client version in use",
    many: "networks stop accepting the client version in use",
    over: "The client version in use is accepted",
    settlesMs: 0,
  },
} as const satisfies Record<string, { title: string; many: string; over: string; settlesMs: number }>;

export type TroubleKind = keyof typeof TROUBLES;

/** Something that is wrong now. `text`: one line for the operator, without secrets and without names of people. */
export type Trouble = { kind: TroubleKind; subject: string; text: string };

/** So many of one kind are looked at; more say nothing new. */
const MOST = 500;
const AWAY_MS = 15 * MINUTE_MS;
const CLIENT_ENDS_MS = 14 * DAY_MS;
const MIB = 1024 * 1024;
const LEAST_FREE_BYTES = 512 * MIB;
const SMALL_SHARE = 0.05;
const AMPLE_BYTES = 4096 * MIB;

const kindOf = ({ state }: TroubledChannel): TroubleKind => {
  if (state === "RESTRICTED") return "phone-restricted";
  if (state === "PENDING_QR") return "phone-unlinked";
  return state === "TOKEN_EXPIRED" ? "token-expired" : "phone-lost";
};

const channelTroubles = async (reader: Reader, now: number): Promise<Trouble[]> => {
  const found = await listTroubledChannels(reader, {
    awaySinceMs: now - AWAY_MS,
    byOwner: [BY_OWNER, PAIRING_RESET],
    limit: MOST,
  });
  return found.map((channel) => {
    const { id, tenantId, label, kind, state, reason } = channel;
    const why = reason === null ? state : `${state}, ${reason}`;
    return { kind: kindOf(channel), subject: id, text: `${label} (${kind} ${id} of account ${tenantId}): ${why}` };
  });
};

const endpointTroubles = async (reader: Reader): Promise<Trouble[]> =>
  (await listFailingEndpoints(reader, MOST)).map(({ id, url, failures, isActive, lastError }) => {
    const host = URL.parse(url)?.host ?? "an address that cannot be read";
    const state = isActive === 1 ? `${failures} failures in a row` : "it was disabled after its failures";
    const last = lastError === null ? "" : `, the last one: ${lastError.slice(0, 200)}`;
    return { kind: "endpoint-failing", subject: id, text: `${host} (webhook ${id}): ${state}${last}` };
  });

const deadLetterTroubles = async (reader: Reader): Promise<Trouble[]> => {
  const { deadDeliveries } = await readBacklog(reader, 0);
  if (deadDeliveries === 0) return [];
  const text = `${deadDeliveries} deliveries are dead letters. Repair their endpoints, then replay them.`;
  return [{ kind: "dead-letters", subject: "", text }];
};

/** A backup is missing where two have been due since the last one. */
const backupTroubles = async (env: AlertsEnv, reader: Reader, now: number): Promise<Trouble[]> => {
  if (!env.backups) return [];
  const { last, lastMade } = await lastBackups({ db: { read: (body) => body(reader) } });
  const due = lastTimeOf(env.backups.pattern, now);
  const dueBefore = due === undefined ? undefined : lastTimeOf(env.backups.pattern, due - 1);
  if (!last || (lastMade && (dueBefore === undefined || lastMade.at >= dueBefore) && last.isMade)) return [];
  const made = lastMade ? `The last good one is of ${iso(lastMade.at)}.` : "None was made yet.";
  const why = last.isMade ? "" : ` The last try failed: ${last.error.slice(0, 300)}`;
  return [{ kind: "no-backup", subject: "", text: `${made}${why}` }];
};

/** Whether a disk with this room is nearly full. */
export const isNearlyFull = ({ freeBytes, totalBytes }: { freeBytes: number; totalBytes: number }): boolean =>
  freeBytes < LEAST_FREE_BYTES || (freeBytes < SMALL_SHARE * totalBytes && freeBytes < AMPLE_BYTES);

const diskTroubles = (env: AlertsEnv): Trouble[] => {
  const room = env.disk();
  if (!isNearlyFull(room)) return [];
  const text = `${Math.round(room.freeBytes / MIB)} MB are free of ${Math.round(room.totalBytes / MIB)} MB.`;
  return [{ kind: "disk-full", subject: "", text }];
};

const clientTroubles = async (env: AlertsEnv, reader: Reader, now: number): Promise<Trouble[]> =>
  (await endingClients(reader, env.registry.kinds)).flatMap(({ kind, version, expiresAt }) =>
    expiresAt - now > CLIENT_ENDS_MS
      ? []
      : [
          {
            kind: "client-ending" as const,
            subject: kind,
            text: `${kind}: version ${version} ends at ${iso(expiresAt)}. Update Recado, or give it a newer version.`,
          },
        ],
  );

/** Everything that is wrong now. */
export const findTroubles = async (env: AlertsEnv): Promise<Trouble[]> => {
  const now = env.clock.now();
  return env.db.read(async (reader) => [
    ...(await channelTroubles(reader, now)),
    ...(await endpointTroubles(reader)),
    ...(await deadLetterTroubles(reader)),
    ...(await backupTroubles(env, reader, now)),
    ...diskTroubles(env),
    ...(await clientTroubles(env, reader, now)),
  ]);
};
