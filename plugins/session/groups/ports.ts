import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { UpstreamResult } from "../../../src/contract/upstream.ts";
import { type ActiveSocket, childOf, type Stanza } from "../active-socket.ts";
import { ask, Ended, iq, node, tooSoon } from "../ask.ts";
import type { Limits } from "../outbound/limits/limits.ts";
import type { Numbers } from "../outbound/numbers.ts";

/** The ports of calls about groups. */
export type GroupPorts = {
  host: Pick<ChannelHost, "clock" | "emit" | "http" | "log" | "random">;
  limits: Pick<Limits, "groups" | "rowOf">;
  numbers: Numbers;
};

/** Runs a call on the open socket; see `onSocket`. */
export type Open = <Value>(call: (activeSocket: ActiveSocket) => Promise<Value>) => Promise<UpstreamResult<Value>>;

/** The address for questions without a single group. */
export const ALL = "@g.us";

/** A question or a change about a group. */
export const about = (type: "get" | "set", to: string, content: Stanza): Stanza =>
  iq(type, { xmlns: "w:g2", to }, [content]);

/** Counts a change of a group. @throws Ended when it comes too soon */
export const takeTurn = ({ limits }: Pick<GroupPorts, "limits">): void => {
  const waitMs = limits.groups.changeWaitMs();
  if (waitMs > 0) throw new Ended(tooSoon("The groups of a session are changed at most 20 times a minute.", waitMs));
};

/**
 * Changes a group, and gives the network's answer.
 * @throws Ended when it comes too soon, or without an answer
 */
export const change = (
  ports: Pick<GroupPorts, "limits">,
  { sock }: ActiveSocket,
  to: string,
  content: Stanza,
): Promise<Stanza> => {
  takeTurn(ports);
  return ask(sock, about("set", to, content));
};

/** A group as the network describes it now. */
export const metadataOf = async ({ sock }: ActiveSocket, groupId: string): Promise<Stanza | undefined> =>
  childOf(await ask(sock, about("get", groupId, node("query", { request: "interactive" }))), "group");
