import {
  type BaileysEventMap,
  decryptMediaRetryData,
  encryptMediaRetryRequest,
  proto,
  type WASocket,
} from "@whiskeysockets/baileys";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import type { MessageKey } from "../message-cache.ts";

/** A phone that is offline never answers. */
const ANSWER_WITHIN_MS = MINUTE_MS;
/**
 * The number of requests to the phone in a minute: a client that requests a whole history of files at once does not
 * look like a person.
 */
const ASKED_PER_MINUTE = 6;

/**
 * The new place of the file on the phone's answer; `gone` if the phone no longer has it. `unanswered`: also after too
 * many requests.
 */
export type Renewed = { path: string } | "gone" | "unanswered";

/** Asks the owner's phone for files that the network no longer has. Baileys' own request waits for ever. */
export type Renewal = {
  ask(sock: WASocket, key: MessageKey, mediaKey: Uint8Array): Promise<Renewed>;
  /** Ends all waits. */
  close(): void;
};

type Answer = BaileysEventMap["messages.media-update"][number];

export const createRenewal = ({ clock }: Pick<ChannelHost, "clock">): Renewal => {
  const waiting = new Set<() => void>();
  let asked: number[] = [];

  return {
    async ask(sock, key, mediaKey) {
      const now = clock.now();
      asked = asked.filter((at) => at > now - MINUTE_MS);
      if (asked.length >= ASKED_PER_MINUTE) return "unanswered";
      asked.push(now);
      const { promise, resolve } = Promise.withResolvers<Renewed>();
      const giveUp = () => resolve("unanswered");
      const onAnswers = (answers: readonly Answer[]) => {
        const answer = answers.find((one) => one.key.id === key.id);
        if (answer) resolve(renewedBy(answer, mediaKey, key.id));
      };
      const cancel = clock.timer(ANSWER_WITHIN_MS, giveUp);
      waiting.add(giveUp);
      sock.ev.on("messages.media-update", onAnswers);
      try {
        await sock.sendNode(encryptMediaRetryRequest(key, mediaKey, sock.authState.creds.me?.id ?? ""));
        return await promise;
      } catch {
        return "unanswered";
      } finally {
        sock.ev.off("messages.media-update", onAnswers);
        waiting.delete(giveUp);
        cancel();
      }
    },
    close() {
      for (const giveUp of waiting) giveUp();
    },
  };
};

const { SUCCESS } = proto.MediaRetryNotification.ResultType;

const renewedBy = ({ media, error }: Answer, mediaKey: Uint8Array, id: string): Renewed => {
  if (error || !media) return "gone";
  try {
    const { result, directPath } = decryptMediaRetryData(media, mediaKey, id);
    return result === SUCCESS && directPath ? { path: directPath } : "gone";
  } catch {
    return "gone"; // the answer was not the phone's
  }
};
