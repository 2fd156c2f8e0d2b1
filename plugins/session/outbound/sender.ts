import type { OperationOutcome } from "../../../src/contract/abilities/operations.ts";
import { broadcastKindOf } from "../../../src/contract/capabilities.ts";
import type { ChannelHost, ChannelLink } from "../../../src/contract/plugin.ts";
import type { HttpOpen } from "../../../src/contract/ports/http.ts";
import { unavailable } from "../../../src/contract/upstream.ts";
import type { ActiveSocket, Attach } from "../active-socket.ts";
import { STATUSES_KEY } from "../address.ts";
import type { OwnOperation } from "../app-state/chats.ts";
import { operateOnPost, sendToNewsletter } from "../newsletters/posting.ts";
import { answerStatusRetries } from "../statuses/asked-again.ts";
import { operateOnStatus, sendStatus } from "../statuses/posting.ts";
import { type Acks, createAcks } from "./acks.ts";
import type { Addressing } from "./addressing.ts";
import { createMediaHosts } from "./content/media-hosts.ts";
import type { Limits } from "./limits/limits.ts";
import { createNewChats } from "./limits/new-chats.ts";
import { createRestriction } from "./limits/restriction.ts";
import { createNumbers, type Numbers } from "./numbers.ts";
import { operateOn } from "./operations.ts";
import { NOT_CONNECTED } from "./outcomes.ts";
import { createRelay, type Relay } from "./relay.ts";
import { sendOrder } from "./send.ts";
import { watchStaleLids } from "./stale-lids.ts";
import { createTimers } from "./timers.ts";

/** All sending functions of a session. None of them throws. */
export type Sender = Required<Pick<ChannelLink, "lookup" | "operate" | "quota" | "send" | "timers">> & {
  /** Call it with every new socket before it connects. */
  readonly attach: Attach;
  readonly numbers: Numbers;
  /** The network's answers to stanzas. */
  readonly acks: Pick<Acks, "expect">;
  /** Hands a message over that is no order of the core. */
  readonly relay: Relay;
  /** The host of received messages' files. */
  mediaHost(): Promise<string>;
  /** Ends all waits. */
  close(): void;
};

/**
 * `activeSocket`: the socket that is open now. `url`: the server of the network, its own if undefined. `stream`: the
 * way to its media hosts.
 */
type Options = {
  activeSocket(): ActiveSocket | undefined;
  settings: { url: string | undefined; addressing?: Addressing };
  limits: Limits;
  stream: HttpOpen;
  /** Called after the network has restricted the account, or lifted the restriction. */
  restrictionChanged?(): void;
  /** Operations that only the account's own apps show. Present if the session has its app state. */
  operateOwn?(active: ActiveSocket, operation: OwnOperation): Promise<OperationOutcome>;
};

const isOfNewsletter = (canonicalKey: string): boolean => broadcastKindOf(canonicalKey) === "newsletter";

export const createSender = (
  host: ChannelHost,
  { activeSocket, settings, limits, stream, restrictionChanged, operateOwn }: Options,
): Sender => {
  const { addressing = "lid" } = settings;
  const changed = () => restrictionChanged?.();
  const acks = createAcks(host);
  const restriction = createRestriction({ host, limits, changed });
  const newChats = createNewChats({ host, limits, changed });
  const numbers = createNumbers(host, limits, activeSocket);
  const mediaHosts = createMediaHosts(host, settings.url, stream);
  const watchLids = watchStaleLids(host);
  const answerRetries = answerStatusRetries(host);
  const posting = { host, limits, acks, mediaHosts };
  const relay = createRelay({ host, acks, restriction, newChats });
  const whileOpen = async <Outcome>(
    act: (open: ActiveSocket) => Promise<Outcome>,
  ): Promise<Outcome | typeof NOT_CONNECTED> => {
    const open = activeSocket();
    return open ? act(open) : NOT_CONNECTED;
  };
  return {
    attach(fresh) {
      acks.attach(fresh);
      restriction.attach(fresh);
      newChats.attach(fresh);
      mediaHosts.attach(fresh);
      watchLids(fresh);
      answerRetries(fresh);
    },
    lookup: numbers.lookup,
    timers: createTimers({ host, activeSocket, numbers, limits, restriction, relay, addressing }),
    numbers,
    relay,
    mediaHost: mediaHosts.fetchFrom,
    quota: {
      read: async () => {
        const open = activeSocket();
        return open ? { ok: true, value: await newChats.view(open) } : unavailable("the channel is not connected");
      },
    },
    close() {
      restriction.close();
      newChats.close();
    },
    acks,
    operate: (operation) =>
      whileOpen((open) => {
        if (isOfNewsletter(operation.chat)) return operateOnPost(posting, open, operation);
        if (operation.chat === STATUSES_KEY) return operateOnStatus({ host, relay }, open, operation);
        return operateOn({ host, relay, addressing, ...(operateOwn ? { operateOwn } : {}) }, open, operation);
      }),
    send: (order) =>
      whileOpen((open) => {
        if (isOfNewsletter(order.to)) return sendToNewsletter(posting, open, order);
        const ports = { host, limits, numbers, mediaHosts, relay, addressing };
        if (order.to === STATUSES_KEY) return sendStatus(ports, open, order);
        return sendOrder({ ...ports, restriction, newChats }, open, order);
      }),
  };
};
