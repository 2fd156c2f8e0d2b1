import { isOpenState } from "../../../contract/events.ts";
import type { FailureCode } from "../../../contract/outcome.ts";
import type { ChannelLink } from "../../../contract/plugin.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import { isRecord } from "../../../kernel/texts/json.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { findChannel } from "../../../store/tables/channels/channels.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { changeLinkState } from "./report.ts";

const REFUSED: FailureCode = "CREDENTIALS_REFUSED";

/**
 * Ends a channel's connection when its network has refused its credentials in a call that began at `begunAt`. The
 * channel then says so, its owner is notified as of every lost channel, and its sends wait for new credentials. A
 * refusal of credentials that were replaced meanwhile changes nothing.
 */
export const noteRefusedToken = async (
  env: Parameters<typeof changeLinkState>[0],
  tx: Tx,
  channelId: ChannelId,
  { code, begunAt }: { code: FailureCode; begunAt: number },
): Promise<void> => {
  if (code !== REFUSED) return;
  const channel = await findChannel(tx, EVERY_TENANT, channelId);
  if (!channel || !isOpenState(channel.state)) return;
  const { credentialsAt } = channel.profile;
  if (typeof credentialsAt === "number" && credentialsAt >= begunAt) return;
  await changeLinkState(env, tx, channel, { state: "TOKEN_EXPIRED", reason: REFUSED });
};

/**
 * TABLE: the members of a link that ask the network with the channel's own token. The others ask with a token that a
 * client has just given, or ask nothing, or say in their outcome that the token is refused.
 */
const WATCHED: ReadonlySet<PropertyKey> = new Set([
  "refresh",
  "media",
  "lookup",
  "quota",
  "history",
  "people",
  "newsletters",
  "groups",
  "calls",
  "templates",
  "flows",
  "charges",
  "handover",
  "entries",
] satisfies (keyof ChannelLink)[]);

type Watch = {
  now(): number;
  /** The network has refused the channel's token, in a call that began at this time. */
  onRefused(begunAt: number): void;
};

/** The same link, which says when its network refuses the channel's token, as in the download of a file. */
export const watchingRefusals = (link: ChannelLink, watch: Watch): ChannelLink =>
  new Proxy(link, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (WATCHED.has(name)) return watched(target, member, watch);
      return typeof member === "function" ? (member as Call).bind(target) : member;
    },
  });

const watched = (owner: object, member: unknown, watch: Watch): unknown => {
  if (typeof member === "function") return calling(owner, member as Call, watch);
  if (!isRecord(member)) return member;
  return new Proxy(member, {
    get: (target, name): unknown => watched(target, Reflect.get(target, name, target), watch),
  });
};

type Call = (...args: unknown[]) => unknown;

const calling =
  (owner: object, call: Call, { now, onRefused }: Watch): Call =>
  (...args) => {
    const begunAt = now();
    const answer = call.apply(owner, args);
    if (answer instanceof Promise)
      answer.then(
        (value: unknown) => {
          if (isRecord(value) && value["ok"] === false && value["kind"] === "token") onRefused(begunAt);
        },
        () => {}, // its caller sees it
      );
    return answer;
  };
