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
/** TABLE: the types of notifications that the library or this adapter reads, or that need no reading. */
const NOTIFICATIONS: ReadonlySet<string> = new Set([
  "account_sync",
  "business",
  "companion_reg_refresh",
  "contacts",
  "devices",
  "disappearing_mode",
  "encrypt",
  "hosted",
  "link_code_companion_reg",
  "mediaretry",
  "mex",
  "newsletter",
  "passkey",
  "pay",
  "picture",
  "privacy_token",
  "psa",
  "refresh_code",
  "registration",
  "server",
  "server_sync",
  "status",
  "w:gp2",
  "w:growth",
]);
/** What WhatsApp's apps show among the statuses of channels; it is acknowledged and not read. */
const STATUS_OF_CHANNEL = "status";
const PING = "urn:xmpp:ping";

const isStanza = (frame: unknown): frame is Stanza =>
  typeof frame === "object" && frame !== null && "tag" in frame && "attrs" in frame;

/**
 * Counts unknown stanzas and notifications, and acknowledges unknown stanzas, such as the `status` of channels: the
 * network keeps unacknowledged ones, and may end the connection for them. Answers the network's own ping.
 */
export const acknowledgeOthers =
  ({ log, unknown }: Pick<ChannelHost, "log" | "unknown">): Attach =>
  ({ sock }) => {
    const answer = (stanza: Stanza) =>
      sock
        .sendNode(stanza)
        .catch((thrown: unknown) => log.warn({ error: reasonOf(thrown) }, "a stanza could not be acknowledged"));
    sock.ws.on("frame", (frame: unknown) => {
      if (!isStanza(frame)) return;
      const { tag, attrs } = frame;
      if (tag === "iq" && attrs["type"] === "get" && attrs["xmlns"] === PING) return void answer(pongTo(frame));
      const { type = "" } = attrs;
      if (tag === "notification" && !NOTIFICATIONS.has(type)) unknown(`notification:${type}`);
      if (ANSWERED.has(tag)) return;
      if (tag !== STATUS_OF_CHANNEL) unknown(`stanza:${tag}`);
      if (attrs["id"] !== undefined && attrs["from"] !== undefined) void answer(ackOf(frame));
    });
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
