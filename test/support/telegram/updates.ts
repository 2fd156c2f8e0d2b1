import type { Clock } from "../../../src/kernel/clock.ts";
import { conflict } from "./errors.ts";

export type Update = Readonly<Record<string, unknown>> & { update_id: number };

/** Updates are kept for 24 hours (https://core.telegram.org/bots/api#getting-updates). */
const KEPT_MS = 86_400_000;

type Poll = {
  offset: number;
  limit: number;
  resolve: (updates: Update[]) => void;
  reject: (cause: Error) => void;
  cancel: () => void;
};
export type Webhook = { url: string; secret: string };
type Pending = { update: Update; atMs: number };

/**
 * The queue of one bot: an update goes when a later poll names an offset above it, or when its webhook answered 2xx.
 */
export type Updates = {
  push(update: Readonly<Record<string, unknown>>): Update;
  /** Adds one with a given id, as Telegram repeats an unconfirmed update. */
  pending(): readonly Update[];
  /** The number of confirmed updates so far. */
  readonly confirmed: number;
  readonly isPolled: boolean;
  poll(asked: {
    offset: number;
    limit: number;
    timeoutMs: number;
    onGone: (gone: () => void) => void;
  }): Promise<Update[]>;
  /** Ends the waiting poll with an empty list, like its timeout. */
  endPoll(): void;
  setAllowed(types: readonly string[]): void;
  webhook: Webhook | undefined;
  setWebhook(webhook: Webhook | undefined, isDropping: boolean): void;
  /** Posts all waiting updates to the webhook, in order, until one is refused. Gives the answers. */
  deliver(): Promise<{ status: number; body: string }[]>;
};

/** Types that come only if a client names them (https://core.telegram.org/bots/api#getupdates). */
const ONLY_IF_NAMED = new Set(["message_reaction", "message_reaction_count", "chat_member"]);

export const createUpdates = ({ now, timer }: Pick<Clock, "now" | "timer">, firstId: number): Updates => {
  const pending: Pending[] = [];
  let nextId = firstId;
  let confirmed = 0;
  let allowed: readonly string[] = [];
  let waiting: Poll | undefined;
  let webhook: Webhook | undefined;

  const isWanted = (update: object): boolean => {
    const type = Object.keys(update).find((name) => name !== "update_id") ?? "";
    return allowed.length > 0 ? allowed.includes(type) : !ONLY_IF_NAMED.has(type);
  };
  const confirmBelow = (offset: number): void => {
    while (pending[0] && pending[0].update.update_id < offset) {
      pending.shift();
      confirmed += 1;
    }
  };
  const fresh = (): Update[] => {
    while (pending[0] && pending[0].atMs < now() - KEPT_MS) pending.shift();
    return pending.map(({ update }) => update);
  };
  const answer = (): void => {
    const poll = waiting;
    if (!poll || fresh().length === 0) return;
    finish(poll, fresh().slice(0, poll.limit));
  };
  const finish = (poll: Poll, updates: Update[]): void => {
    waiting = undefined;
    poll.cancel();
    poll.resolve(updates);
  };
  const abort = (why: string): void => {
    const poll = waiting;
    waiting = undefined;
    poll?.cancel();
    poll?.reject(conflict(why));
  };

  return {
    push(fields) {
      const update = { update_id: nextId, ...fields };
      nextId = update.update_id + 1;
      if (isWanted(fields)) pending.push({ update, atMs: now() });
      answer();
      return update;
    },
    pending: fresh,
    get confirmed() {
      return confirmed;
    },
    get isPolled() {
      return waiting !== undefined;
    },
    async poll({ offset, limit, timeoutMs, onGone }) {
      if (webhook)
        throw conflict(
          "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        );
      abort("terminated by other getUpdates request; make sure that only one bot instance is running");
      confirmBelow(offset);
      const ready = fresh();
      if (ready.length > 0 || timeoutMs === 0) return ready.slice(0, limit);
      return new Promise((resolve, reject) => {
        const cancel = timer(timeoutMs, () => finish(poll, []));
        const poll: Poll = { offset, limit, resolve, reject, cancel };
        waiting = poll;
        onGone(() => {
          if (waiting === poll) finish(poll, []);
        });
      });
    },
    endPoll() {
      if (waiting) finish(waiting, []);
    },
    setAllowed: (types) => void (allowed = types),
    get webhook() {
      return webhook;
    },
    set webhook(given) {
      webhook = given;
    },
    setWebhook(given, isDropping) {
      if (given) abort("terminated by setWebhook request");
      if (isDropping) pending.length = 0;
      webhook = given;
    },
    async deliver() {
      const answers: { status: number; body: string }[] = [];
      for (const { update } of pending.slice()) {
        if (!webhook) return answers;
        const given = await post(webhook, update);
        answers.push(given);
        if (given.status < 200 || given.status > 299) return answers;
        confirmBelow(update.update_id + 1);
      }
      return answers;
    },
  };
};

const post = async ({ url, secret }: Webhook, update: Update): Promise<{ status: number; body: string }> => {
  const headers = {
    "content-type": "application/json",
    ...(secret ? { "X-Telegram-Bot-Api-Secret-Token": secret } : {}),
  };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(update) });
  return { status: answer.status, body: await answer.text() };
};
