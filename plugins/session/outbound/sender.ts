import type { ChannelHost, ChannelLink } from "../../../src/contract/plugin.ts";
import type { ActiveSocket, Attach } from "../active-socket.ts";
import { createAcks } from "./acks.ts";
import type { Limits } from "./limits.ts";
import { createMediaHosts } from "./media-hosts.ts";
import { createNumbers, type Numbers } from "./numbers.ts";
import { operateOn } from "./operations.ts";
import { NOT_CONNECTED } from "./outcomes.ts";
import { createRelay } from "./relay.ts";
import { createRestriction } from "./restriction.ts";
import { sendOrder } from "./send.ts";

/** Everything that a session sends. None of its functions throws. */
export type Sender = Required<Pick<ChannelLink, "lookup" | "operate" | "send">> & {
  /** To be called with every new socket before it connects. */
  readonly attach: Attach;
  readonly numbers: Numbers;
  /** The host that files of received messages are fetched from. */
  mediaHost(): Promise<string>;
};

/** `activeSocket`: the socket that is open now. `url`: that of the network's server, its own when undefined. */
type Options = { activeSocket(): ActiveSocket | undefined; settings: { url: string | undefined }; limits: Limits };

export const createSender = (host: ChannelHost, { activeSocket, settings, limits }: Options): Sender => {
  const acks = createAcks(host);
  const restriction = createRestriction(host, limits);
  const numbers = createNumbers(host, limits, activeSocket);
  const mediaHosts = createMediaHosts(host, settings.url);
  const relay = createRelay({ host, acks, restriction });
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
      mediaHosts.attach(fresh);
    },
    lookup: numbers.lookup,
    numbers,
    mediaHost: mediaHosts.fetchFrom,
    operate: (operation) => whileOpen((open) => operateOn({ host, relay }, open, operation)),
    send: (order) =>
      whileOpen((open) => sendOrder({ host, limits, numbers, restriction, mediaHosts, relay }, open, order)),
  };
};
