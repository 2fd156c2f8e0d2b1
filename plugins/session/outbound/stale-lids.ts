import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import type { Attach, Stanza } from "../active-socket.ts";
import { createCache } from "../cache.ts";
import { completed, personOf } from "../inbound/people.ts";

/**
 * Requests the LID of a number again when the network reports, with the answer to a message, that ours is old. At most
 * once a minute for one number. The library stores the LID of the answer.
 */
export const watchStaleLids = ({ clock, log }: Pick<ChannelHost, "clock" | "log">): Attach => {
  const asked = createCache(clock, { most: 1000, ttlMs: MINUTE_MS });
  return ({ sock, keyStore }) => {
    sock.ws.on("CB:ack,class:message", ({ attrs }: Stanza) => {
      const { refresh_lid: isStale, from } = attrs;
      if (isStale === undefined || isStale === "false" || from === undefined || asked.get(from)) return;
      asked.set(from, true);
      // the network names the LID of a number, and nothing for a LID
      completed(keyStore, personOf(from))
        .then(({ pn }) => sock.getUSyncDevices([pn === undefined ? from : `${pn}@s.whatsapp.net`], false, false))
        .catch((thrown: unknown) => log.warn({ error: reasonOf(thrown) }, "the LID of a number could not be learned"));
    });
  };
};
