import type { HistoryApi, HistoryOutcome, HistoryRequest } from "../../../src/contract/abilities/history.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import type { ActiveSocket } from "../active-socket.ts";
import { Ended, onSocket, refusal, tooSoon } from "../ask.ts";
import { cachedMessage } from "../message-cache.ts";
import type { Numbers } from "../outbound/numbers.ts";

/** A phone that is offline, or has nothing older, does not answer at all. */
const ANSWER_WITHIN_MS = 30 * SECOND_MS;
/** The maximum of one request to a phone; other clients request as many. */
const MOST_MESSAGES = 50;

type Deps = { activeSocket(): ActiveSocket | undefined; numbers: Numbers };
export type Requests = HistoryApi & { answered(requestId: string, imported: number): void; close(): void };

/** Asks the owner's phone for older messages of a chat. */
export const createRequests = (host: ChannelHost, { activeSocket, numbers }: Deps): Requests => {
  const chats = new Set<string>();
  const waiting = new Map<string, (outcome: HistoryOutcome) => void>();
  const early = new Map<string, number>();

  const put = async (active: ActiveSocket, request: HistoryRequest): Promise<HistoryOutcome> => {
    const { promise, resolve } = Promise.withResolvers<HistoryOutcome>();
    const key = await keyOf(numbers, active, request);
    // the field is named after milliseconds, and phones read it in seconds
    const seconds = Math.floor(request.at / SECOND_MS);
    const requestId = await active.sock.fetchMessageHistory(Math.min(request.count, MOST_MESSAGES), key, seconds);
    const imported = early.get(requestId);
    if (imported !== undefined) return { is: "answered", imported };
    waiting.set(requestId, resolve);
    const cancel = host.clock.timer(ANSWER_WITHIN_MS, () => resolve({ is: "unanswered" }));
    try {
      return await promise;
    } finally {
      cancel();
      waiting.delete(requestId);
    }
  };

  return {
    request: (request) =>
      onSocket(activeSocket(), async (active) => {
        if (chats.has(request.chat))
          throw new Ended(tooSoon("An earlier request for this chat waits for the phone.", ANSWER_WITHIN_MS));
        chats.add(request.chat);
        early.clear();
        try {
          return await put(active, request);
        } finally {
          chats.delete(request.chat);
        }
      }),
    answered(requestId, imported) {
      const resolve = waiting.get(requestId);
      if (resolve) resolve({ is: "answered", imported });
      else if (chats.size > 0) early.set(requestId, imported);
    },
    close() {
      for (const resolve of waiting.values()) resolve({ is: "unanswered" });
    },
  };
};

/** The key of the oldest message as the phone knows it: by the chat in which it came, if that is still known. */
const keyOf = async (numbers: Numbers, { keyStore, ...active }: ActiveSocket, { chat, key, isOwn }: HistoryRequest) => {
  const copy = await cachedMessage(keyStore, key);
  if (copy) return { remoteJid: copy.key.remoteJid, fromMe: copy.key.fromMe, id: key };
  const found = await numbers.resolve({ keyStore, ...active }, chat);
  if (!found.ok) throw new Ended(refusal(found.reason));
  return { remoteJid: found.jid, fromMe: isOwn, id: key };
};
