import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import { type ActiveSocket, type Attach, childOf, type Stanza } from "../active-socket.ts";
import { cachedMessage, providerMessageIdOf } from "../message-cache.ts";
import { audienceKept, isAudience, STATUS } from "./posting.ts";

/** A device asks for a message this often at most. */
const MOST_TIMES = 5;

/**
 * Sends a status again to the devices of a person who could not read it. The library would send it as a message of the
 * chat with that person, or to nobody, so it does not get the message: see `relay.ts`.
 */
export const answerStatusRetries =
  ({ channelId, log }: Pick<ChannelHost, "channelId" | "log">): Attach =>
  (active) => {
    const { sock } = active;
    sock.ws.on("CB:receipt", (stanza: Stanza) => {
      const { type, from, participant } = stanza.attrs;
      if (type !== "retry" || from !== STATUS || participant === undefined) return;
      // after the library, which takes the same turns and begins the session with the device anew
      void sock.receiptMutex
        .mutex(() => sendAgain(active, stanza, participant))
        .catch((thrown: unknown) =>
          log.warn({ channelId, error: reasonOf(thrown) }, "a status could not be sent again"),
        );
    });
  };

const sendAgain = async ({ sock, keyStore, isCurrent }: ActiveSocket, stanza: Stanza, asker: string): Promise<void> => {
  const key = providerMessageIdOf(stanza.attrs["id"]);
  const count = Number(childOf(stanza, "retry")?.attrs["count"] ?? "1");
  if (key === undefined || count > MOST_TIMES || !isCurrent()) return;
  const audience = (await audienceKept(keyStore, key)) ?? [];
  const copy = await cachedMessage(keyStore, key);
  const { participant_pn: pn, participant_lid: lid } = stanza.attrs;
  const names = [asker, ...(pn === undefined ? [] : [pn]), ...(lid === undefined ? [] : [lid])];
  const person = audience.find((one) => isAudience([one], names));
  if (!copy || person === undefined) return;
  await sock.relayMessage(STATUS, copy.message, { messageId: key, statusJidList: [person] });
  sock.messageRetryManager?.markRetrySuccess(key); // the library must not have it
};
