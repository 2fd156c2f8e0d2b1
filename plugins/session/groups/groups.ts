import type { CommunitiesApi, GroupsApi } from "../../../src/contract/abilities/groups.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { ActiveSocket } from "../active-socket.ts";
import { canonicalOf } from "../address.ts";
import { onSocket } from "../ask.ts";
import { providerMessageIdFor } from "../message-ids.ts";
import type { Limits } from "../outbound/limits/limits.ts";
import type { Sender } from "../outbound/sender.ts";
import { groupChanges } from "./changes.ts";
import { communities } from "./communities.ts";
import { createGroup } from "./creation.ts";
import type { Creations } from "./creations.ts";
import { groupJid } from "./group-nodes.ts";
import { groupInvites } from "./invites.ts";
import { ownLabel } from "./labels.ts";
import { orderOf } from "./native.ts";
import { groupPeople } from "./people.ts";
import { groupReads } from "./reads.ts";

type Deps = {
  activeSocket(): ActiveSocket | undefined;
  sender: Sender;
  limits: Pick<Limits, "groups" | "rowOf">;
  creations: Creations;
};

/** A session's groups, which have communities. */
export type SessionGroups = GroupsApi & { readonly communities: CommunitiesApi };

/** The groups of a session, through its open socket. Changes keep to the limits of `limits.groups`. */
export const createGroups = (host: ChannelHost, { activeSocket, sender, limits, creations }: Deps): SessionGroups => {
  const ports = { host, limits, numbers: sender.numbers };
  const open = <Value>(call: (active: ActiveSocket) => Promise<Value>) => onSocket(activeSocket(), call);
  return {
    createsWithPeople: true,
    create: (group) => open((active) => creations.during(() => createGroup(ports, active, group))),
    ...groupReads(open),
    ...groupChanges(ports, open),
    ...groupPeople(ports, open),
    ...groupInvites(ports, open),
    ...ownLabel(ports, open, sender),
    communities: communities(ports, open),
    send: async (order) => {
      const to = canonicalOf(groupJid(order.to.replace(/^group:/, ""))) ?? order.to;
      const message = orderOf({ ...order, to, key: providerMessageIdFor(order.messageId) });
      return "ok" in message ? message : sender.send(message);
    },
  };
};
