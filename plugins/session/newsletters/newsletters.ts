import type {
  Newsletter,
  NewsletterChanges,
  NewsletterPost,
  NewslettersApi,
} from "../../../src/contract/abilities/newsletters.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { UpstreamResult } from "../../../src/contract/upstream.ts";
import { othersServed, SECOND_MS } from "../../../src/kernel/clock.ts";
import { jpegOf } from "../account/pictures.ts";
import { type ActiveSocket, childOf } from "../active-socket.ts";
import { ask, Ended, iq, node, onSocket, refusal, tooSoon } from "../ask.ts";
import { newKey } from "../message-ids.ts";
import type { Acks } from "../outbound/acks.ts";
import type { Limits } from "../outbound/limits/limits.ts";
import { rejection } from "../outbound/outcomes.ts";
import { postIn, postsIn } from "./posts.ts";
import { askNewsletters, type Question } from "./queries.ts";
import { sendReaction } from "./stanzas.ts";
import { newsletterIn, newsletterJid } from "./views.ts";

/** The most newsletters that a list gives. */
const MOST_LISTED = 1000;
/** How long the network reports counts, where it does not say so. */
const WATCHED_SECONDS = 300;

type Deps = {
  activeSocket(): ActiveSocket | undefined;
  limits: Pick<Limits, "newsletters" | "rowOf">;
  acks: Pick<Acks, "expect">;
};

/** Runs a call on the open socket; see `onSocket`. */
type Open = <Value>(call: (active: ActiveSocket) => Promise<Value>) => Promise<UpstreamResult<Value>>;

/** The newsletters of a session, through its open socket. Changes keep to the limits of `limits.newsletters`. */
export const createNewsletters = (host: ChannelHost, deps: Deps): NewslettersApi => {
  const open: Open = (call) => onSocket(deps.activeSocket(), call);
  return { ...reads(open), ...changes(host, deps, open), ...watched(host, deps, open) };
};

const reads = (open: Open): Pick<NewslettersApi, "list" | "read" | "posts"> => ({
  list: () =>
    open(async ({ sock }) => {
      const found = await askNewsletters(sock, "list", { fetch_status_metadata: false, fetch_wamo_sub: false });
      const all: unknown[] = Array.isArray(found) ? found.slice(0, MOST_LISTED) : [];
      return all.flatMap((one) => newsletterIn(one, "subscriber") ?? []);
    }),
  read: (by) =>
    open(async ({ sock }) => {
      const key =
        "id" in by ? { key: newsletterJid(by.id), type: "JID" } : { key: inviteCodeIn(by.invite), type: "INVITE" };
      return described(await askNewsletters(sock, "read", { ...READ, input: { ...key, view_role: "GUEST" } }));
    }),
  posts: (id, { limit, before }) =>
    open(async ({ sock }) => {
      // addressed to the newsletter instead of the server, the network never answers
      const asked = node("messages", {
        type: "jid",
        jid: newsletterJid(id),
        count: String(limit),
        ...(before === undefined ? {} : { before }),
      });
      const answer = await ask(sock, iq("get", { xmlns: "newsletter", to: "s.whatsapp.net" }, [asked]));
      const posts: NewsletterPost[] = [];
      for (const post of postsIn(answer)) {
        posts.push(postIn(post));
        await othersServed();
      }
      return posts.toSorted((one, other) => Number(other.serverId) - Number(one.serverId)).slice(0, limit);
    }),
});

type Limited = Pick<Deps, "limits">;

/** @throws Ended when the change comes too soon */
const takeTurn = ({ limits }: Limited): void => {
  const waitMs = limits.newsletters.changeWaitMs();
  if (waitMs > 0)
    throw new Ended(tooSoon("The newsletters of a session are changed at most 20 times a minute.", waitMs));
};

type Changes = Pick<NewslettersApi, "create" | "update" | "remove" | "follow" | "unfollow" | "setMuted">;

const changes = (host: ChannelHost, deps: Limited, open: Open): Changes => {
  const act = (question: Question, id: string) =>
    open(async ({ sock }): Promise<true> => {
      takeTurn(deps);
      await askNewsletters(sock, question, { newsletter_id: newsletterJid(id) });
      return true;
    });
  /** Whether the network took the picture of a new newsletter, which exists either way. */
  const isPictured = async ({ newsletterId }: Newsletter, updates: object): Promise<boolean> => {
    const updated = await open(async ({ sock }) => {
      takeTurn(deps);
      await askNewsletters(sock, "update", { newsletter_id: newsletterJid(newsletterId), updates });
    });
    if (!updated.ok) host.log.warn({ failure: updated.kind }, "a new newsletter could not be given its picture");
    return updated.ok;
  };
  return {
    create: ({ name, description, picture }) =>
      open(async ({ sock, keyStore }) => {
        const updates = picture && (await updatesOf(host, { picture }));
        const { newsletters, ...limits } = deps.limits;
        const waitMs = newsletters.creationWaitMs();
        if (waitMs > 0) throw new Ended(tooSoon("A session makes only a few newsletters a day.", waitMs));
        await keyStore.write({ rows: [limits.rowOf("newsletters")] }); // before the network counts it, too
        const input = { name, description: description ?? null };
        const made = described(await askNewsletters(sock, "create", { input }), "owner");
        return updates && (await isPictured(made, updates)) ? { ...made, hasPicture: true } : made;
      }),
    update: (id, changed) =>
      open(async ({ sock }): Promise<true> => {
        const updates = await updatesOf(host, changed);
        takeTurn(deps);
        await askNewsletters(sock, "update", { newsletter_id: newsletterJid(id), updates });
        return true;
      }),
    remove: (id) => act("remove", id),
    follow: (id) => act("follow", id),
    unfollow: (id) => act("unfollow", id),
    setMuted: (id, isMuted) => act(isMuted ? "mute" : "unmute", id),
  };
};

const watched = (
  { random }: Pick<ChannelHost, "random">,
  deps: Pick<Deps, "acks" | "limits">,
  open: Open,
): Pick<NewslettersApi, "react" | "watch"> => ({
  react: (id, serverId, emoji) =>
    open(async (active): Promise<true> => {
      takeTurn(deps);
      const key = newKey(random);
      const ack = await sendReaction(deps, active, { newsletter: newsletterJid(id), serverId, emoji, key });
      if (ack.is === "rejected") throw new Ended(refusal(rejection(ack.error).reason, ack.error));
      if (ack.is === "lost") throw new Error(ack.reason);
      return true;
    }),
  watch: (id) =>
    open(async ({ sock }) => {
      takeTurn(deps);
      const answer = await ask(sock, iq("set", { xmlns: "newsletter", to: newsletterJid(id) }, [node("live_updates")]));
      const seconds = Number(childOf(answer, "live_updates")?.attrs["duration"] ?? WATCHED_SECONDS);
      return { forMs: (seconds > 0 && seconds < 86_400 ? seconds : WATCHED_SECONDS) * SECOND_MS };
    }),
});

const INVITE = /^(?:https:\/\/(?:www\.)?whatsapp\.com\/channel\/)?([\w-]{10,64})\/?$/;

/** @throws Ended for a text that is no invite link */
const inviteCodeIn = (text: string): string => {
  const [, code] = INVITE.exec(text) ?? [];
  if (code === undefined) throw new Ended(refusal("this is no invite link of a newsletter", 400));
  return code;
};

/** What the question for one newsletter wants to know: the network refuses it without one of these. */
const READ = {
  fetch_creation_time: true,
  fetch_full_image: true,
  fetch_pinned_messages: false,
  fetch_status_metadata: false,
  fetch_viewer_metadata: true,
  fetch_wamo_sub: false,
};

/** @throws Ended for an answer without a newsletter */
const described = (...[value, role]: Parameters<typeof newsletterIn>) => {
  const newsletter = newsletterIn(value, role);
  if (!newsletter) throw new Ended(refusal("the network did not describe the newsletter", 404));
  return newsletter;
};

/** @throws Ended for a file that is not a picture */
const updatesOf = async (
  host: Pick<ChannelHost, "http">,
  { picture, reactions, ...texts }: NewsletterChanges,
): Promise<object> => ({
  ...texts,
  ...(picture === undefined ? {} : { picture: picture ? (await jpegOf(host, picture)).toString("base64") : "" }),
  settings: reactions === undefined ? null : { reaction_codes: { value: reactions.toUpperCase() } },
});
