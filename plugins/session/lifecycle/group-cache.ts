import type { GroupMetadata, WASocket } from "@whiskeysockets/baileys";
import { type Clock, HOUR_MS } from "../../../src/kernel/clock.ts";
import { createCache } from "../cache.ts";

/** The known groups of one socket, so that a send need not ask the network each time. */
export type GroupCache = { find(jid: string): Promise<GroupMetadata>; forget(jid: string): void };

const ofSockets = new WeakMap<WASocket, GroupCache>();

export const createGroupCache = (clock: Clock, sock: () => Pick<WASocket, "groupMetadata">): GroupCache => {
  const groups = createCache(clock, { most: 500, ttlMs: HOUR_MS });
  return {
    async find(jid) {
      const known = groups.get<GroupMetadata>(jid);
      if (known) return known;
      const fresh = await sock().groupMetadata(jid);
      groups.set(jid, fresh);
      return fresh;
    },
    forget: (jid) => groups.del(jid),
  };
};

export const keepGroups = (sock: WASocket, groups: GroupCache): void => void ofSockets.set(sock, groups);

/** What the network says of a group; asked at most once an hour. */
export const groupOn = (sock: WASocket, jid: string): Promise<GroupMetadata> =>
  ofSockets.get(sock)?.find(jid) ?? sock.groupMetadata(jid);

/** The next send asks the network about the group again. */
export const forgetGroup = (sock: WASocket, jid: string): void => ofSockets.get(sock)?.forget(jid);
