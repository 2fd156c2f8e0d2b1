import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import { type Random, systemRandom } from "../../../src/kernel/random.ts";
import type { JournalEntry } from "../graph/requests/journal.ts";
import { createWebhooks, type Delivery, type Webhooks } from "../graph/webhooks/webhooks.ts";
import { webhookTarget } from "./accounts.ts";
import { controlOf } from "./control.ts";
import { createFailures } from "./failures.ts";
import { authorize } from "./login/login.ts";
import type {
  AccountSeed,
  AppSeed,
  Authorization,
  CommentSeed,
  Failure,
  FailureOrder,
  SettingsPatch,
  TokenSeed,
  UserSeed,
} from "./seeds.ts";
import { type Parts, serveInstagram } from "./server.ts";
import {
  type Action,
  addAccount,
  addComment,
  addToken,
  addUser,
  createState,
  resetState,
  type Sent,
  type Token,
} from "./state.ts";
import { createEchoes, type EchoOptions } from "./webhooks/echoes.ts";
import { createInbound, type InboundApi } from "./webhooks/inbound.ts";

export { OPERATIONS } from "./call.ts";
export { ERRORS } from "./errors.ts";
export type { Failure } from "./seeds.ts";
export type { InboundSeed } from "./webhooks/inbound-seeds.ts";

/** The app of the inbox, as the leader of a conversation. */
export const OTHER_APP = "1217981644879628";

/** An accepted send in short. `count`: how many accepted sends were equal to it. */
export type SentSummary = {
  messageId: string;
  igUserId: string;
  to: string;
  type: string;
  bodyDigest: string;
  count: number;
};

/** The simulated Instagram: the gateway's view of the real one, and the controls for tests. */
export type Instagram = {
  /** The address of the control API. */
  readonly url: string;
  /** The base URLs of its three hosts, in the form of the settings RECADO_INSTAGRAM_*_URL. */
  readonly urls: { readonly graph: string; readonly token: string; readonly authorize: string };
  /** Every request to one of its hosts in order of arrival, with refused ones and downloads. */
  readonly journal: readonly JournalEntry[];
  /** Every accepted send by its message id, in the order of acceptance. */
  readonly sent: ReadonlyMap<string, Sent>;
  /** Every reaction, typing indicator and mark as seen, in the order of acceptance. */
  readonly actions: readonly Action[];
  /** Every token, by its value, in the order of making. */
  readonly tokens: ReadonlyMap<string, Token>;
  readonly webhooks: Webhooks;
  readonly inbound: InboundApi;
  addApp(seed: AppSeed): void;
  addAccount(seed: AccountSeed): void;
  addUser(seed: UserSeed): void;
  addToken(seed: TokenSeed): void;
  addComment(seed: CommentSeed): void;
  /** A user comments: the comment is known, and posted to the webhook. */
  comments(seed: CommentSeed & { text: string }): Promise<Delivery>;
  /** Another app leads the conversation from now on, or no longer does. Nothing is posted. */
  lead(where: { to: string; from: string }, isOther: boolean): void;
  /** The code of an authorization, without a browser. Throws when no account is signed in. */
  authorize(authorization: Authorization): string;
  /** From now on the token is refused with 190/463. Throws for an unknown one. */
  expireToken(token: string): void;
  /**
   * From now on the token is refused with 190 and the subcode (458 access withdrawn, 460 password changed, default 467
   * logged out). Throws for an unknown one.
   */
  invalidateToken(token: string, subcode?: number): void;
  configure(patch: SettingsPatch): void;
  /** The next `count` fitting requests fail so; sends, unless `scope` says otherwise. Bad requests use up nothing. */
  failNext(count: number, failure: Failure, scope?: Omit<FailureOrder, "failure" | "count">): void;
  /** Every send to this user fails so, until the failures are cleared. */
  failUser(igsid: string, failure: Failure): void;
  fail(order: FailureOrder & { isLasting?: boolean }): void;
  clearFailures(): void;
  /** Sends the echo of an accepted send; throws for an unknown message id. */
  deliverEcho(messageId: string, options?: EchoOptions): Promise<Delivery>;
  sentSummary(): { count: number; messages: SentSummary[] };
  /** Forgets everything: apps, accounts, tokens, journals, settings, failures. */
  reset(): void;
  stop(): Promise<void>;
};

/** Starts the simulator on a free port of 127.0.0.1; until `stop` it holds the process. */
export const startInstagram = ({
  clock = systemClock(),
  random = systemRandom(),
}: {
  clock?: Clock;
  random?: Random;
} = {}): Instagram => {
  const state = createState(clock, random);
  const webhooks = createWebhooks(state, webhookTarget(state));
  const parts: Parts = {
    state,
    webhooks,
    failures: createFailures(),
    echoes: createEchoes(state, webhooks),
    journal: [],
  };
  const instagram: Instagram = {
    ...ordersOf(parts),
    get url() {
      return state.origin;
    },
    get urls() {
      return { graph: `${state.origin}/graph`, token: `${state.origin}/api`, authorize: `${state.origin}/www` };
    },
    journal: parts.journal,
    sent: state.sent,
    actions: state.actions,
    tokens: state.tokens,
    webhooks,
    inbound: createInbound(state, webhooks),
    deliverEcho: parts.echoes.deliver,
    async stop() {
      webhooks.stop();
      await server.stop(true);
    },
  };
  const server = serveInstagram(parts, controlOf(instagram, clock));
  return instagram;
};

type Orders = Omit<
  Instagram,
  "url" | "urls" | "journal" | "sent" | "actions" | "tokens" | "webhooks" | "inbound" | "deliverEcho" | "stop"
>;

const ordersOf = ({ state, failures, webhooks, journal }: Parts): Orders => {
  const tokenOf = (value: string) => {
    const token = state.tokens.get(value);
    if (!token) throw new Error(`there is no token ${value}`);
    return token;
  };
  return {
    addApp: (seed) => void state.apps.set(seed.appId, seed),
    addAccount: (seed) => addAccount(state, seed),
    addUser: (seed) => void addUser(state, seed),
    addToken: (seed) => void addToken(state, seed),
    addComment: (seed) => addComment(state, seed),
    comments({ text, ...seed }) {
      addComment(state, seed);
      const { igUserId, commentId: id, from } = seed;
      const value = {
        id,
        text,
        from: { id: from, username: `user${from.slice(-4)}` },
        media: { id: "1800000000000001" },
      };
      const time = Math.floor(state.clock.now() / 1000);
      return webhooks.send(
        { object: "instagram", entry: [{ id: igUserId, time, changes: [{ field: "comments", value }] }] },
        { businessAccountId: igUserId },
      );
    },
    lead({ to, from }, isOther) {
      if (isOther) state.ledByOthers.set(`${to}:${from}`, OTHER_APP);
      else state.ledByOthers.delete(`${to}:${from}`);
    },
    authorize: (authorization) => authorize(state, authorization),
    expireToken: (token) => void (tokenOf(token).expiresAt = state.clock.now()),
    invalidateToken: (token, subcode = 467) => void (tokenOf(token).invalidSubcode = subcode),
    configure: (patch) => void Object.assign(state.settings, patch),
    failNext: (count, failure, scope = {}) => failures.order({ ...scope, failure, count }),
    failUser: (igsid, failure) => failures.order({ to: igsid, failure, isLasting: true }),
    fail: failures.order,
    clearFailures: failures.clear,
    sentSummary: () => ({
      count: state.sent.size,
      messages: [...state.sent.values()].map((sent) => summaryOf(sent, state.sentTimes.get(sent.bodyDigest) ?? 1)),
    }),
    reset() {
      resetState(state);
      failures.clear();
      webhooks.reset();
      journal.length = 0;
    },
  };
};

const summaryOf = ({ messageId, igUserId, igsid, type, bodyDigest }: Sent, count: number): SentSummary => ({
  messageId,
  igUserId,
  to: igsid,
  type,
  bodyDigest,
  count,
});
