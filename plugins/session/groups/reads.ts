import type { GroupsApi } from "../../../src/contract/abilities/groups.ts";
import { type ActiveSocket, childOf, childrenOf } from "../active-socket.ts";
import { ask, Ended, node, refusal } from "../ask.ts";
import { groupIn } from "./group-nodes.ts";
import { waIdOf } from "./members.ts";
import { ALL, about, metadataOf, type Open } from "./ports.ts";

/** The most groups that a list gives. */
const MOST_LISTED = 1000;

type Reads = Required<Pick<GroupsApi, "list" | "read" | "joinRequests">>;

/** The questions about groups. */
export const groupReads = (open: Open): Reads => ({
  list: () =>
    open(async ({ sock, keyStore }) => {
      const asked = node("participating", {}, [node("participants"), node("description")]);
      const answer = await ask(sock, about("get", ALL, asked));
      const groups = childrenOf(childOf(answer, "groups")).slice(0, MOST_LISTED);
      return (await Promise.all(groups.map((group) => groupIn(keyStore, group)))).flatMap((group) => group ?? []);
    }),
  read: (groupId) =>
    open(async (active) => {
      const group = await groupIn(active.keyStore, await metadataOf(active, groupId));
      if (!group) throw new Ended(refusal("the network did not describe the group"));
      return group;
    }),
  joinRequests: (groupId, page) => open((active) => requestsPage(active, groupId, page)),
});

/** The network gives all of them at once; `after` is the id of the last one of the previous page. */
const requestsPage = async (
  { sock, keyStore }: ActiveSocket,
  groupId: string,
  { limit, after }: Parameters<GroupsApi["joinRequests"]>[1],
) => {
  const answer = await ask(sock, about("get", groupId, node("membership_approval_requests")));
  const found = childrenOf(childOf(answer, "membership_approval_requests")).map(async (one) => {
    const waId = await waIdOf(keyStore, one);
    const since = Number(one.attrs["request_time"]);
    return waId === undefined ? [] : [{ joinRequestId: waId, waId, requestedAt: since > 0 ? since * 1000 : null }];
  });
  const requests = (await Promise.all(found)).flat();
  const from = after === undefined ? 0 : requests.findIndex(({ joinRequestId }) => joinRequestId === after) + 1;
  const page = requests.slice(from, from + limit);
  return { requests: page, after: from + limit < requests.length ? (page.at(-1)?.joinRequestId ?? null) : null };
};
