import { type Cancel, MINUTE_MS } from "../../kernel/clock.ts";
import { AppError, reasonOf } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { Config } from "../../kernel/settings/config.ts";
import { isOutOfReach } from "../../store/engine/remote/remote-writer.ts";
import { writeHeartbeat } from "../../store/tables/heartbeat.ts";
import { listOpenTroubles } from "../../store/tables/troubles.ts";
import type { AlertsEnv } from "./env.ts";
import { GONE_MS, keepRemembered, type Remembered } from "./remembered.ts";
import { sendDirectly, waysOf } from "./sending.ts";
import { type AlertText, alertText, titleOf } from "./texts.ts";

type WatchEnv = AlertsEnv & { config: Pick<Config, "heartbeatUrl"> };
type Fault = { kind: Remembered["kind"]; error: string };
/** `takeFull`: whether a write has found no free space since the last call. A small write may still find some. */
type Watched = { isReady(): Promise<boolean>; takeFull(): boolean };

const NO_ROOM: Fault = { kind: "disk-full", error: "There is no room to store anything." };

const PING_TIMEOUT_MS = 15_000;
const MOST_OPEN = 10_000;

/**
 * Stores a heartbeat once a minute. If that fails because the disk is full or the database is away, the operator is
 * notified from memory, once. The trouble is stored afterwards, so that its end is announced like that of any other
 * trouble. While everything works, `RECADO_HEARTBEAT_URL` is requested, so that another service notices when the
 * requests end. Does nothing if neither alerts nor that address are configured.
 */
export const watchStorage = (env: WatchEnv, { isReady, takeFull }: Watched): Cancel => {
  const hasWays = waysOf(env.config.alerts).length > 0;
  if (!hasWays && env.config.heartbeatUrl === undefined) return () => {};
  let isStopped = false;
  let cancel: Cancel = () => {};
  const ping = createPing(env);
  const look = async (): Promise<void> => {
    const fault = (await tryWriting(env)) ?? (takeFull() ? NO_ROOM : undefined);
    if (isStopped) return;
    if (fault) await remember(env, fault);
    else if (hasWays) await env.db.write((tx) => keepRemembered(env, tx));
    if (fault !== undefined || !(await isReady())) return;
    if (!isStopped) await ping();
  };
  const tick = async (): Promise<void> => {
    try {
      await look();
    } catch (error) {
      if (!isStopped) env.log.error({ error: reasonOf(error) }, "whether anything can be stored could not be watched");
    }
    if (!isStopped) cancel = env.clock.timer(MINUTE_MS, () => void tick());
  };
  void tick();
  return () => {
    isStopped = true;
    cancel();
  };
};

/** Stores a heartbeat. Returns why nothing can be stored; undefined if it can. */
const tryWriting = async ({ db, clock }: WatchEnv): Promise<Fault | undefined> => {
  try {
    await db.write((tx) => writeHeartbeat(tx, clock.now()));
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === "STORAGE_FULL") return NO_ROOM;
    if (isOutOfReach(error)) return { kind: "database-away", error: reasonOf(error) };
    throw error; // it is logged, and the address is not asked
  }
};

const MIB = 1024 * 1024;

const textOf = (env: WatchEnv, { kind, error }: Fault): AlertText => {
  const { freeBytes, totalBytes } = env.disk();
  const room = { free: Math.round(freeBytes / MIB), total: Math.round(totalBytes / MIB) };
  return alertText(env.config.language, (texts) =>
    kind === "disk-full" && !env.db.isShared ? texts.disk(room) : texts.databaseAway(error),
  );
};

/** Whether the operator was notified of it already; unknown without the database. */
const isAnnounced = async ({ db }: WatchEnv, kind: string): Promise<boolean> => {
  try {
    const open = await db.read((reader) => listOpenTroubles(reader, MOST_OPEN));
    return open.some((row) => row.kind === kind && row.subject === "" && row.announcedAt !== null);
  } catch {
    return false; // a second message is better than none
  }
};

/** Notifies the operator by each way once. A way that failed is tried again at the next look. */
const remember = async (env: WatchEnv, fault: Fault): Promise<void> => {
  const now = env.clock.now();
  const old = env.rememberedAlerts.get(fault.kind);
  const isSame = old !== undefined && now - old.seenAt < GONE_MS;
  const one = isSame ? old : await newlyRemembered(env, fault);
  one.seenAt = now;
  one.isStored = false;
  env.rememberedAlerts.set(fault.kind, one);
  const results = await Promise.all(
    one.unsent.map(async (sending) => ({ sending, reason: await sendDirectly(env, one.notice, sending) })),
  );
  for (const { sending, reason } of results)
    if (reason !== undefined) env.log.warn({ way: sending.way, reason }, "the operator could not be notified yet");
  one.unsent = results.flatMap(({ sending, reason }) => (reason === undefined ? [] : sending));
};

const newlyRemembered = async (env: WatchEnv, fault: Fault): Promise<Remembered> => {
  const { kind, error } = fault;
  const now = env.clock.now();
  const isKnown = await isAnnounced(env, kind);
  const { config } = env;
  const title = alertText(config.language, (texts) => titleOf(texts, { kind, type: "trouble.opened", count: 1 }));
  const { text, localText } = textOf(env, fault);
  env.log.error({ kind, error }, "nothing can be stored; the operator is notified from memory");
  return {
    kind,
    openedAt: now,
    seenAt: now,
    isStored: false,
    unsent: isKnown ? [] : waysOf(config.alerts),
    notice: {
      id: newId(env),
      type: "trouble.opened",
      kind,
      title: title.text,
      localTitle: title.localText,
      text,
      localText,
      troubles: 1,
      createdAt: now,
    },
  };
};

/** Logs once when the address no longer accepts the request. */
const createPing = ({ http, log, config: { heartbeatUrl: url } }: WatchEnv): (() => Promise<void>) => {
  let wasTaken = true;
  return async () => {
    if (url === undefined) return;
    const result = await http.trusted({ url, method: "GET", headers: {}, timeoutMs: PING_TIMEOUT_MS });
    const isTaken = result.ok && result.status >= 200 && result.status < 300;
    if (!isTaken && wasTaken)
      log.warn({ reason: result.ok ? `HTTP ${result.status}` : result.failure }, "the heartbeat was not taken");
    wasTaken = isTaken;
  };
};
