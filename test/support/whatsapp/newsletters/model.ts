import type { Account, Network } from "../model.ts";
import { isLinked, type Linked } from "../people/linked.ts";
import { type Stanza, stanza } from "../wire/stanza.ts";

/** A post, as the network keeps it. Nobody learns who reacted. */
export type Post = {
  readonly serverId: number;
  readonly id: string;
  readonly by: Account | undefined;
  readonly type: string;
  readonly at: number;
  /** Undefined: it was deleted. */
  plaintext: Uint8Array | undefined;
  isEdited: boolean;
  mediaId: string | undefined;
  views: number;
  readonly reactions: Map<Account, string>;
  /** The votes of a poll, by the hash of the option. */
  readonly votes: Map<string, number>;
};

/** A newsletter, which the apps call a channel. */
export type Newsletter = {
  readonly jid: string;
  readonly invite: string;
  readonly createdAt: number;
  name: string;
  description: string;
  picture: Uint8Array | undefined;
  reactions: "ALL" | "BASIC" | "NONE";
  isVerified: boolean;
  readonly owner: Account;
  readonly admins: Set<Account>;
  readonly followers: Set<Account>;
  readonly muted: Set<Account>;
  readonly posts: Post[];
  /** The accounts that get its counts as they change. */
  readonly watchers: Set<Account>;
};

const linkedOf = ({ devices }: Account): Linked[] => [...devices.values()].filter(isLinked);

export const mayWrite = ({ owner, admins }: Newsletter, account: Account): boolean =>
  owner === account || admins.has(account);

export const roleOf = (newsletter: Newsletter, account: Account): string => {
  if (newsletter.owner === account) return "OWNER";
  if (newsletter.admins.has(account)) return "ADMIN";
  return newsletter.followers.has(account) ? "SUBSCRIBER" : "GUEST";
};

export const addNewsletter = (
  network: Network,
  { owner, name, description = "" }: { owner: Account; name: string; description?: string },
): Newsletter => {
  const newsletter: Newsletter = {
    jid: `120363${String(network.newsletters.size + 1).padStart(12, "0")}@newsletter`,
    invite: `0029Va${network.newId().slice(0, 16)}`,
    createdAt: network.now(),
    name,
    description,
    picture: undefined,
    reactions: "ALL",
    isVerified: false,
    owner,
    admins: new Set(),
    followers: new Set(),
    muted: new Set(),
    posts: [],
    watchers: new Set(),
  };
  network.newsletters.set(newsletter.jid, newsletter);
  return newsletter;
};

const countNodes = ({ views, reactions, votes }: Post): Stanza[] => {
  const counts = new Map<string, number>();
  for (const emoji of reactions.values()) counts.set(emoji, (counts.get(emoji) ?? 0) + 1);
  return [
    stanza("views_count", { count: String(views) }),
    stanza(
      "reactions",
      {},
      [...counts].map(([code, count]) => stanza("reaction", { code, count: String(count) })),
    ),
    ...(votes.size > 0
      ? [
          stanza(
            "votes",
            {},
            [...votes].map(([hash, count]) => stanza("vote", { count: String(count) }, Buffer.from(hash, "hex"))),
          ),
        ]
      : []),
  ];
};

/** A post in an answer: with its content, as this account sees it. */
export const postNode = (post: Post, account: Account): Stanza =>
  stanza(
    "message",
    {
      id: post.id,
      server_id: String(post.serverId),
      type: post.type,
      t: String(post.at),
      is_sender: post.by === account ? "true" : undefined,
    },
    [
      ...(post.plaintext ? [stanza("plaintext", {}, post.plaintext)] : []),
      ...countNodes(post),
      ...(post.type === "poll" ? [stanza("meta", { polltype: "creation" })] : []),
    ],
  );

/** Tells the watchers of a newsletter the counts of a post. */
export const notifyCounts = (network: Network, { jid, watchers }: Newsletter, post: Post): void => {
  const message = stanza(
    "message",
    { id: post.id, server_id: String(post.serverId), type: post.type },
    countNodes(post),
  );
  const updates = stanza("live_updates", {}, [stanza("messages", { t: String(network.now()) }, [message])]);
  for (const device of [...watchers].flatMap(linkedOf))
    device.deliver(
      stanza("notification", { from: jid, type: "newsletter", id: network.newId(), t: String(network.now()) }, [
        updates,
      ]),
    );
};

/** Tells an account's linked devices what it or its owner did. */
export const notify = (
  network: Network,
  account: Account,
  [operation, field, said]: [string, string, object],
): void => {
  const update = stanza("update", { op_name: operation }, Buffer.from(JSON.stringify({ data: { [field]: said } })));
  for (const device of linkedOf(account))
    device.deliver(
      stanza("notification", { from: "s.whatsapp.net", type: "mex", id: network.newId(), t: String(network.now()) }, [
        update,
      ]),
    );
};

/** Hands a post to the followers' devices, but for the one that wrote it. */
export const publish = ({ jid, followers, owner }: Newsletter, post: Post, except?: unknown): void => {
  const attrs = { from: jid, id: post.id, server_id: String(post.serverId), type: post.type, t: String(post.at) };
  for (const device of [...new Set([owner, ...followers])].flatMap(linkedOf))
    if (device !== except && post.plaintext)
      device.deliver(stanza("message", attrs, [stanza("plaintext", {}, post.plaintext)]));
};
