import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { HOUR_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import type { ActiveSocket, Attach, Stanza } from "../active-socket.ts";
import { type Cache, createCache } from "../cache.ts";
import { cachedMessage, providerMessageIdOf } from "../message-cache.ts";
import { audienceKept, isAudience, STATUS } from "./posting.ts";

/** A device gets a status again this often at most, whatever count it names: the library keeps to the same number. */
const MOST_TIMES = 5;
/** The library remembers as many answers to those who ask for a message, and for as long. */
const REMEMBERED = { most: 2_000, ttlMs: HOUR_MS };

/**
 * Sends a status again to the devices of a person who could not read it. The library would send it as a message of the
 * chat with that person, or to nobody, so it does not get the message: see `relay.ts`.
 */
export const answerStatusRetries = ({
  channelId,
  clock,
  log,
}: Pick<ChannelHost, "channelId" | "clock" | "log">): Attach => {
  const answered = createCache(clock, REMEMBERED);
  return (active) => {
    const { sock } = active;
    sock.ws.on("CB:receipt", (stanza: Stanza) => {
      const { type, from, participant } = stanza.attrs;
      if (type !== "retry" || from !== STATUS || participant === undefined) return;
      // after the library, which takes the same turns and begins the session with the device anew
      void sock.receiptMutex
        .mutex(() => sendAgain(active, answered, stanza, participant))
        .catch((thrown: unknown) =>
          log.warn({ channelId, error: reasonOf(thrown) }, "a status could not be sent again"),
        );
    });
  };
};

const sendAgain = async (
  { sock, keyStore, isCurrent }: ActiveSocket,
  answered: Cache,
  stanza: Stanza,
  asker: string,
): Promise<void> => {
  const key = providerMessageIdOf(stanza.attrs["id"]);
  if (key === undefined || !isCurrent()) return;
  const audience = (await audienceKept(keyStore, key)) ?? [];
  const copy = await cachedMessage(keyStore, key);
  const { participant_pn: pn, participant_lid: lid } = stanza.attrs;
  const names = [asker, ...(pn === undefined ? [] : [pn]), ...(lid === undefined ? [] : [lid])];
  const person = audience.find((one) => isAudience([one], names));
  if (!copy || person === undefined) return;
  // one device has two addresses
  const device = `${key} ${person} ${/:(\d+)@/.exec(asker)?.[1] ?? "0"}`;
  const times = answered.get<number>(device) ?? 0;
  if (times >= MOST_TIMES) return;
  answered.set(device, times + 1);
  await sock.relayMessage(STATUS, copy.message, { messageId: key, statusJidList: [person] });
  sock.messageRetryManager?.markRetrySuccess(key); // the library must not have it
};
