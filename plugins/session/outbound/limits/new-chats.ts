import type { NewChatQuota } from "../../../../src/contract/abilities/quota.ts";
import type { ChannelHost } from "../../../../src/contract/plugin.ts";
import type { KeyRow } from "../../../../src/contract/ports/key-store.ts";
import { type Cancel, DAY_MS, iso } from "../../../../src/kernel/clock.ts";
import { reasonOf } from "../../../../src/kernel/errors.ts";
import type { ActiveSocket, Attach } from "../../active-socket.ts";
import { askMex, onMex } from "../mex.ts";
import { type Failure, waitingForQuota } from "../outcomes.ts";
import type { Limits } from "./limits.ts";
import { isStranger, reachedRows } from "./strangers.ts";

/** The longest single timer: the platform's own are limited to 24 days. */
const LONGEST_TIMER_MS = DAY_MS;
const FIELD = "xwa2_message_capping_info";
const QUESTION = {
  queryId: "24503548349331633",
  variables: { input: { type: "INDIVIDUAL_NEW_CHAT_MSG" } },
  field: FIELD,
};
const PUSH = {
  operation: "MessageCappingInfoNotification",
  field: "xwa2_notify_new_chat_messages_capping_info_update",
};

/** Whether a chat may begin: with the rows of the write that begins it, or with the failure of the message. */
export type Begun = { ok: true; rows: KeyRow[] } | { ok: false; failure: Failure };

export type NewChats = {
  readonly attach: Attach;
  /** Counts the chat that a message begins, if it begins one. */
  begin(activeSocket: ActiveSocket, jid: string): Promise<Begun>;
  /** A message was not made, so the chat that it would have begun is not counted. */
  takeBack(): void;
  /**
   * The network has refused a new chat: its quota is requested, or counts as used up until the next request. Never
   * throws.
   */
  refused(activeSocket: ActiveSocket): Promise<void>;
  /** The known state of both quotas; the network is asked if its answer is older than a minute. */
  view(activeSocket: ActiveSocket): Promise<NewChatQuota>;
  /** Ends all waits. */
  close(): void;
};

type Ports = {
  host: Pick<ChannelHost, "clock" | "log" | "channelId">;
  limits: Pick<Limits, "quota" | "dailyCap" | "pace" | "rowOf">;
  /** Called after the network's quota has changed, or its end has passed. */
  changed(): void;
};

/**
 * Holds first messages to strangers back while the network's quota or the operator's daily number is used up. They wait
 * in the queue; answers to people who wrote first are sent.
 */
export const createNewChats = ({ host, limits, changed }: Ports): NewChats => {
  const { clock, log, channelId } = host;
  const { quota, dailyCap, pace } = limits;

  let cancel: Cancel = () => {};

  const keep = ({ keyStore }: ActiveSocket, name: "quota" | "dailyCap"): Promise<void> =>
    keyStore.write({ rows: [limits.rowOf(name)] }).catch((thrown: unknown) => {
      log.warn({ channelId, limit: name, error: reasonOf(thrown) }, "a limit of new chats could not be written");
    });
  const take = async (activeSocket: ActiveSocket, said: Record<string, unknown> | undefined): Promise<void> => {
    quota.set(said);
    changed();
    watchEnd(activeSocket);
    await keep(activeSocket, "quota");
  };
  const ask = async (activeSocket: ActiveSocket, isUrgent: boolean): Promise<void> => {
    if (!quota.isDue({ isUrgent })) return;
    quota.asked();
    const said = await askMex(activeSocket.sock, QUESTION).catch((thrown: unknown) => {
      // accounts without a quota are answered with an error
      log.debug({ channelId, error: reasonOf(thrown) }, "the network named no quota of new chats");
      return undefined;
    });
    if (activeSocket.isCurrent()) await take(activeSocket, said);
  };
  /** At its end the quota is over by the clock; the network is asked for the next cycle's. */
  const watchEnd = (activeSocket: ActiveSocket): void => {
    cancel();
    const until = quota.cappedUntil();
    if (until === undefined) return;
    cancel = clock.timer(Math.min(until - clock.now(), LONGEST_TIMER_MS), () => {
      if (!activeSocket.isCurrent()) return;
      if (quota.cappedUntil() !== undefined) return watchEnd(activeSocket);
      changed();
      void ask(activeSocket, true);
    });
  };
  const held = (until: number, reason: string): Begun => {
    pace.giveBack();
    return { ok: false, failure: waitingForQuota(`${reason}; it waits until ${iso(until)}`, until - clock.now()) };
  };

  return {
    attach(activeSocket) {
      onMex(activeSocket, PUSH, (said) => void take(activeSocket, said));
      activeSocket.sock.ev.on("connection.update", ({ connection }) => {
        if (connection !== "open" || !activeSocket.isCurrent()) return;
        watchEnd(activeSocket);
        if (dailyCap.opened()) void keep(activeSocket, "dailyCap");
      });
    },
    async begin(activeSocket, jid) {
      if (!(await isStranger(activeSocket, jid))) return { ok: true, rows: [] };
      await ask(activeSocket, false);
      const rows = await reachedRows(activeSocket, jid);
      // nothing is awaited from here on, so that sends at the same time are counted one by one
      const cappedUntil = quota.cappedUntil();
      if (cappedUntil !== undefined) return held(cappedUntil, "QUOTA: the network's number of new chats is used up");
      const fullUntil = dailyCap.fullUntil();
      if (fullUntil !== undefined) return held(fullUntil, "QUOTA: the day's number of new chats is used up");
      dailyCap.take();
      return { ok: true, rows: [...rows, limits.rowOf("dailyCap")] };
    },
    takeBack: dailyCap.giveBack,
    async refused(activeSocket) {
      if (quota.isDue({ isUrgent: true })) return ask(activeSocket, true);
      quota.refused();
      changed();
      watchEnd(activeSocket);
    },
    async view(activeSocket) {
      await ask(activeSocket, true);
      return { network: quota.view(), own: dailyCap.view() };
    },
    close: () => cancel(),
  };
};
