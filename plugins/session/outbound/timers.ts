import { proto } from "@whiskeysockets/baileys";
import type { TimersApi } from "../../../src/contract/abilities/timers.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { unavailable } from "../../../src/contract/upstream.ts";
import { spellingsOf } from "../../../src/kernel/numbers/phone-numbers.ts";
import type { ActiveSocket } from "../active-socket.ts";
import { isGroup, jidOf, userOf } from "../address.ts";
import { Ended, node, onSocket, refusal } from "../ask.ts";
import { setTimerRows, timerOf } from "../chat-timers.ts";
import { change, takeTurn } from "../groups/ports.ts";
import { completed, personOf } from "../inbound/people.ts";
import { toCachedMessage } from "../message-cache.ts";
import { newKey } from "../message-ids.ts";
import { type Addressing, destinationOf } from "./addressing.ts";
import type { Limits } from "./limits/limits.ts";
import type { RestrictionWatch } from "./limits/restriction.ts";
import { isStranger } from "./limits/strangers.ts";
import type { Numbers } from "./numbers.ts";
import type { Failure } from "./outcomes.ts";
import { ownJid, type Relay } from "./relay.ts";

type Ports = {
  host: ChannelHost;
  activeSocket(): ActiveSocket | undefined;
  numbers: Numbers;
  limits: Pick<Limits, "groups" | "rowOf">;
  restriction: Pick<RestrictionWatch, "forbids">;
  relay: Relay;
  addressing: Addressing;
};

const { EPHEMERAL_SETTING } = proto.Message.ProtocolMessage.Type;

/**
 * The timers of chats. In a chat of two a message sets it, in a group a change of the group. Both count towards the
 * changes of groups in a minute.
 */
export const createTimers = (ports: Ports): TimersApi => {
  const open = <Value>(call: (active: ActiveSocket) => Promise<Value>) => onSocket(ports.activeSocket(), call);
  return {
    read: (chat) =>
      open(async ({ keyStore }) => {
        const jid = jidOf(chat) ?? "";
        const timer = await timerOf(keyStore, isGroup(jid) ? { group: userOf(jid) } : await chatOf(keyStore, jid));
        return timer ? { seconds: timer.seconds, setAt: timer.setAt * 1000 } : { seconds: 0, setAt: null };
      }),
    set: (chat, seconds) =>
      open(async (active): Promise<true> => {
        const jid = jidOf(chat) ?? "";
        if (isGroup(jid)) await setInGroup(ports, active, jid, seconds);
        else await setWithPerson(ports, active, chat, seconds);
        return true;
      }),
  };
};

const chatOf = (keyStore: ActiveSocket["keyStore"], jid: string) => completed(keyStore, personOf(jid));

const timerAt = (now: number, seconds: number) => ({ seconds, setAt: Math.floor(now / 1000) });

const setInGroup = async (ports: Ports, active: ActiveSocket, jid: string, seconds: number): Promise<void> => {
  const asked = seconds > 0 ? node("ephemeral", { expiration: String(seconds) }) : node("not_ephemeral");
  await change(ports, active, jid, asked);
  const now = ports.host.clock.now();
  await active.keyStore.write({ rows: setTimerRows({ group: userOf(jid) }, timerAt(now, seconds), now) });
};

/** A setting is a message, and would begin a chat beside the limits of new chats. */
const NO_CHAT = refusal(
  "there is no chat with this person yet: the first message begins it, and a timer comes after it",
);

/** Whether there is a chat under any spelling of the number. The network is not asked about others. */
const mayHaveBegun = async (active: ActiveSocket, chat: string): Promise<boolean> => {
  const number = /^pn:(\d+)$/.exec(chat)?.[1];
  const keys = number === undefined ? [chat] : spellingsOf(number).map((spelling) => `pn:${spelling}`);
  const strangers = await Promise.all(keys.map((key) => isStranger(active, jidOf(key) ?? "")));
  return strangers.includes(false);
};

const setWithPerson = async (ports: Ports, active: ActiveSocket, chat: string, seconds: number): Promise<void> => {
  const { host, numbers, addressing, restriction, relay } = ports;
  if (!(await mayHaveBegun(active, chat))) throw new Ended(NO_CHAT);
  takeTurn(ports);
  const found = await numbers.resolve(active, chat);
  if (!found.ok) throw ended(found);
  const to = await destinationOf(active, found, addressing);
  if (await isStranger(active, to.jid)) throw new Ended(NO_CHAT);
  const key = newKey(host.random);
  const forbidden = await restriction.forbids(active, { jid: to.jid, key });
  if (forbidden) throw ended(forbidden);
  const message: proto.IMessage = {
    protocolMessage: {
      type: EPHEMERAL_SETTING,
      ephemeralExpiration: seconds,
      key: { remoteJid: to.jid, fromMe: true },
    },
  };
  const { jid, alias } = to;
  await active.keyStore.write({
    messages: [
      toCachedMessage({
        key: { remoteJid: jid, ...(alias === undefined ? {} : { remoteJidAlt: alias }), fromMe: true, id: key },
        message,
        sender: ownJid(active, jid),
      }),
    ],
  });
  const outcome = await relay(active, { to, key, message });
  if (!outcome.ok) throw ended(outcome);
  const person = { ...(await chatOf(active.keyStore, jid)), ...(alias === undefined ? {} : personOf(jid, alias)) };
  const now = host.clock.now();
  await active.keyStore.write({ rows: setTimerRows(person, timerAt(now, seconds), now) });
};

const ended = ({ kind, reason, upstreamCode }: Failure): Ended =>
  new Ended(
    kind === "refused"
      ? refusal(reason, upstreamCode ?? null)
      : { ...unavailable(reason), ...(kind === "unknown" ? { mayHaveHappened: true } : {}) },
  );
