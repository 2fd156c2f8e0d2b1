import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import type { Attach, Stanza } from "../active-socket.ts";

/** TABLE: the stanzas that the library answers, or that need no answer. All others are acknowledged here. */
const ANSWERED: ReadonlySet<string> = new Set([
  "message",
  "receipt",
  "notification",
  "call",
  "ack",
  "iq",
  "ib",
  "success",
  "failure",
  "stream:error",
  "stream:features",
  "xmlstreamend",
  "presence",
  "chatstate",
  "error",
]);
const PING = "urn:xmpp:ping";

const isStanza = (frame: unknown): frame is Stanza =>
  typeof frame === "object" && frame !== null && "tag" in frame && "attrs" in frame;

/**
 * Acknowledges unknown stanzas, such as the `status` of channels: the network keeps unacknowledged ones, and may end
 * the connection for them. Answers the network's own ping.
 */
export const acknowledgeOthers = ({ log, channelId }: Pick<ChannelHost, "log" | "channelId">): Attach => {
  const noted = new Set<string>();
  return ({ sock }) => {
    const answer = (stanza: Stanza) =>
      sock
        .sendNode(stanza)
        .catch((thrown: unknown) => log.warn({ error: reasonOf(thrown) }, "a stanza could not be acknowledged"));
    sock.ws.on("frame", (frame: unknown) => {
      if (!isStanza(frame)) return;
      const { tag, attrs } = frame;
      if (tag === "iq" && attrs["type"] === "get" && attrs["xmlns"] === PING) return void answer(pongTo(frame));
      if (ANSWERED.has(tag) || attrs["id"] === undefined || attrs["from"] === undefined) return;
      if (noted.size < 100 && !noted.has(tag)) {
        noted.add(tag);
        log.info({ channelId, tag, attributes: Object.keys(attrs) }, "the network sent a stanza of an unknown kind");
      }
      void answer(ackOf(frame));
    });
  };
};

const pongTo = ({ attrs: { id = "", from = "s.whatsapp.net" } }: Stanza): Stanza => ({
  tag: "iq",
  attrs: { id, to: from, type: "result" },
});

const ackOf = ({ tag, attrs: { id = "", from = "", participant, type } }: Stanza): Stanza => ({
  tag: "ack",
  attrs: {
    id,
    to: from,
    class: tag,
    ...(participant === undefined ? {} : { participant }),
    ...(type === undefined ? {} : { type }),
  },
});
