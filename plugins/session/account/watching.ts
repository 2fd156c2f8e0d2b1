import type { PresenceChanged } from "../../../src/contract/events.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { HOUR_MS } from "../../../src/kernel/clock.ts";
import { reasonOf } from "../../../src/kernel/errors.ts";
import { ownValue } from "../../../src/kernel/texts/json.ts";
import { type ActiveSocket, type Attach, childrenOf, type Stanza } from "../active-socket.ts";
import { canonicalOf, isGroup } from "../address.ts";
import { Ended, tooSoon } from "../ask.ts";
import { millisecondsOf } from "../inbound/origin.ts";
import { completed, namesOf, personOf } from "../inbound/people.ts";

/** The maximum number of people to watch: the network punishes mass subscription. */
const MOST_WATCHED = 20;
const WATCHED_FOR_MS = HOUR_MS;

/** The people whose presence a client has requested. The presence of others is not reported. */
export type Watching = {
  readonly attach: Attach;
  /** @throws Ended above the maximum */
  add(active: ActiveSocket, jid: string): Promise<void>;
};

export const createWatching = (host: ChannelHost): Watching => {
  const untilByJid = new Map<string, number>();
  const forgetOld = () => {
    for (const [jid, until] of untilByJid) if (until <= host.clock.now()) untilByJid.delete(jid);
  };
  const report = async (active: ActiveSocket, stanza: Stanza): Promise<void> => {
    forgetOld();
    if (untilByJid.size === 0 || !active.isCurrent()) return;
    const event = await presenceIn(active, stanza);
    const chat = stanza.attrs["from"] ?? "";
    const names = event && isGroup(chat) ? [canonicalOf(chat) ?? ""] : event ? namesOf(event.from) : [];
    const watched = await Promise.all([...untilByJid.keys()].map((jid) => keysOf(active, jid)));
    if (!event || !watched.flat().some((key) => names.includes(key))) return;
    await host.emit({ ...event, at: event.at || host.clock.now() });
  };
  const listen = (active: ActiveSocket) => (stanza: Stanza) => {
    report(active, stanza).catch((thrown: unknown) =>
      host.log.warn({ error: reasonOf(thrown) }, "the presence of a person could not be reported"),
    );
  };
  return {
    attach(active) {
      active.sock.ws.on("CB:presence", listen(active));
      active.sock.ws.on("CB:chatstate", listen(active));
      // the network forgets subscriptions with the connection
      active.sock.ev.on("connection.update", ({ connection }) => {
        if (connection !== "open") return;
        forgetOld();
        for (const jid of untilByJid.keys())
          active.sock.presenceSubscribe(jid).catch((thrown: unknown) => {
            host.log.warn({ error: reasonOf(thrown) }, "a presence could not be subscribed to again");
          });
      });
    },
    async add(active, jid) {
      forgetOld();
      const oldest = Math.min(...untilByJid.values());
      if (!untilByJid.has(jid) && untilByJid.size >= MOST_WATCHED)
        throw new Ended(tooSoon(`At most ${MOST_WATCHED} people are watched at a time.`, oldest - host.clock.now()));
      await active.sock.presenceSubscribe(jid);
      untilByJid.set(jid, host.clock.now() + WATCHED_FOR_MS);
    },
  };
};

const keysOf = async ({ keyStore }: ActiveSocket, jid: string): Promise<string[]> =>
  isGroup(jid) ? [canonicalOf(jid) ?? ""] : namesOf(await completed(keyStore, personOf(jid)));

const CHAT_STATES: Readonly<Record<string, PresenceChanged["state"]>> = { composing: "composing", paused: "paused" };

const presenceIn = async ({ keyStore }: ActiveSocket, stanza: Stanza): Promise<PresenceChanged | undefined> => {
  const { from: chatJid = "", participant = chatJid, t = "" } = stanza.attrs;
  const from = await completed(keyStore, personOf(participant));
  const shown = stanza.tag === "presence" ? onlineIn(stanza) : chatStateIn(stanza);
  if (namesOf(from).length === 0 || !shown) return undefined;
  const group = canonicalOf(chatJid)?.match(/^group:(.+)$/)?.[1];
  return { kind: "presence", at: millisecondsOf(t), from, chat: group ? { group } : from, ...shown };
};

type Shown = Pick<PresenceChanged, "state" | "lastSeenAt">;

const onlineIn = ({ attrs }: Stanza): Shown => {
  const lastSeenAt = millisecondsOf(attrs["last"] ?? "");
  const state = attrs["type"] === "unavailable" ? "unavailable" : "available";
  return { state, ...(lastSeenAt > 0 ? { lastSeenAt } : {}) };
};

const chatStateIn = (stanza: Stanza): Shown | undefined => {
  const [shown] = childrenOf(stanza);
  const state = shown?.attrs["media"] === "audio" ? "recording" : ownValue(CHAT_STATES, shown?.tag ?? "");
  return state && { state };
};
