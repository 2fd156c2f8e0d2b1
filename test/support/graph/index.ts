import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import { type Random, systemRandom } from "../../../src/kernel/random.ts";
import { webhookTarget } from "./accounts.ts";
import { type CallUsers, createCallUsers } from "./calls/users.ts";
import { controlOf } from "./control.ts";
import { createFailures } from "./failures.ts";
import { createGroups, type Groups } from "./groups/groups.ts";
import type { Media, MediaSeed } from "./media/model.ts";
import { putMedia } from "./media/store.ts";
import { timesSent } from "./messages/messages.ts";
import { createThreads, type ThreadsApi } from "./messages/threads.ts";
import { type Money, setMoney } from "./money.ts";
import { createOnboarding, type Onboarding } from "./onboarding/onboarding.ts";
import type { JournalEntry } from "./requests/journal.ts";
import type {
  Failure,
  FailureOrder,
  NumberSeed,
  RecipientSeed,
  SettingsPatch,
  StatusName,
  TemplateSeed,
  TokenSeed,
} from "./seeds.ts";
import { type Parts, serveGraph } from "./server.ts";
import {
  addNumber,
  addRecipient,
  addToken,
  createState,
  type Reaction,
  type ReadCall,
  resetState,
  type Sent,
  type Upload,
} from "./state.ts";
import type { Template } from "./templates/model.ts";
import { type ReviewOptions, reviewTemplate, type TemplateEvent } from "./templates/review.ts";
import { addTemplate } from "./templates/store.ts";
import { createInbound, type InboundApi } from "./webhooks/inbound.ts";
import { createStatuses, type StatusOptions } from "./webhooks/statuses.ts";
import { createWebhooks, type Delivery, type Webhooks } from "./webhooks/webhooks.ts";

export { CATALOGUE_CODES } from "./errors.ts";
export type { JournalEntry } from "./requests/journal.ts";
export type { Failure, FailureOrder, NumberSeed, SettingsPatch, TemplateSeed } from "./seeds.ts";
export type { InboundSeed } from "./webhooks/inbound-seeds.ts";
export type { Delivery } from "./webhooks/webhooks.ts";

/** An accepted send in short. `count`: how many sends carried the same `bizOpaque` (without one: were equal). */
export type SentSummary = {
  wamid: string;
  phoneNumberId: string;
  to: string;
  type: string;
  bodyDigest: string;
  bizOpaque: string | null;
  count: number;
};

/** The simulated Graph API: the gateway's view of the real one, and the controls for tests. */
export type Graph = Onboarding & {
  readonly url: string;
  /** Every request to Graph in order of arrival, with refused ones. */
  readonly journal: readonly JournalEntry[];
  /** Every accepted send by its wamid, in the order of acceptance. */
  readonly sent: ReadonlyMap<string, Sent>;
  /**
   * Every accepted read call, and every reaction that reached its message (other reactions are sends with a `failed`
   * status).
   */
  readonly reads: readonly ReadCall[];
  readonly reactions: readonly Reaction[];
  /**
   * Templates by their id, deleted ones too; media by their id; resumable uploads by their id without its signature.
   */
  readonly templates: ReadonlyMap<string, Template>;
  readonly media: ReadonlyMap<string, Media>;
  readonly uploads: ReadonlyMap<string, Upload>;
  readonly webhooks: Webhooks;
  readonly inbound: InboundApi;
  readonly groups: Groups;
  /** The acts of other apps on conversations of the same number. */
  readonly threads: ThreadsApi;
  /** The acts of users with calls. */
  readonly calls: CallUsers;
  addNumber(seed: NumberSeed): void;
  addToken(seed: TokenSeed): void;
  /** Gives the template's id. The store is the same as that of management. */
  addTemplate(seed: TemplateSeed): string;
  /**
   * Gives the template the status of the event and sends `message_template_status_update`; throws for an unknown id.
   */
  reviewTemplate(id: string, event: TemplateEvent, options?: ReviewOptions): Promise<Delivery>;
  /** Stores a user's file for an inbound message, and gives its id. Throws for an unknown number. */
  addMedia(seed: MediaSeed): string;
  /** The next write of a resumable upload breaks off after so many bytes: they stay, the connection is reset. */
  interruptUpload(keepBytes: number): void;
  addRecipient(seed: RecipientSeed): void;
  /** A business account's data about money. */
  setMoney(accountId: string, money: Money): void;
  /** From now on the token is refused with 190/463. Throws for an unknown one. */
  expireToken(token: string): void;
  /** From now on the token is refused with 190/467. Throws for an unknown one. */
  invalidateToken(token: string): void;
  configure(patch: SettingsPatch): void;
  /** The next `count` fitting requests fail so; sends, unless `scope` says otherwise. Bad requests use up nothing. */
  failNext(count: number, failure: Failure, scope?: Omit<FailureOrder, "failure" | "count">): void;
  /** Every send to this number or BSUID fails so, until the failures are cleared. */
  failRecipient(to: string, failure: Failure): void;
  fail(order: FailureOrder & { isLasting?: boolean }): void;
  clearFailures(): void;
  /** Sends statuses of an accepted send in the order given; throws for an unknown wamid. */
  deliverStatuses(wamid: string, statuses: readonly StatusName[], options?: StatusOptions): Promise<Delivery[]>;
  sentSummary(): { count: number; messages: SentSummary[] };
  /** Forgets everything: numbers, journals, settings, failures. */
  reset(): void;
  stop(): Promise<void>;
};

/** Starts the simulator on a free port of 127.0.0.1; until `stop` it holds the process. */
export const startGraph = ({
  clock = systemClock(),
  random = systemRandom(),
}: {
  clock?: Clock;
  random?: Random;
} = {}): Graph => {
  const state = createState(clock, random);
  const webhooks = createWebhooks(state, webhookTarget(state));
  const { groups, later } = createGroups(state, webhooks);
  const parts: Parts = {
    state,
    webhooks,
    failures: createFailures(),
    statuses: createStatuses(state, webhooks),
    journal: [],
    later,
  };
  const orders = ordersOf(parts);
  const inbound = createInbound(state, webhooks);
  const graph: Graph = {
    ...orders,
    ...createOnboarding(state, webhooks),
    get url() {
      return state.url;
    },
    journal: parts.journal,
    sent: state.sent,
    reads: state.reads,
    reactions: state.reactions,
    templates: state.templates,
    media: state.media,
    uploads: state.uploads,
    webhooks,
    groups,
    inbound,
    threads: createThreads(state, inbound),
    calls: createCallUsers(state, webhooks, inbound),
    deliverStatuses: parts.statuses.deliver,
    async stop() {
      webhooks.stop();
      await server.stop(true);
    },
  };
  const server = serveGraph(parts, controlOf(graph, clock));
  return graph;
};

type Orders = Omit<
  Graph,
  | keyof Onboarding
  | "url"
  | "journal"
  | "sent"
  | "reads"
  | "reactions"
  | "templates"
  | "media"
  | "uploads"
  | "webhooks"
  | "inbound"
  | "groups"
  | "calls"
  | "threads"
  | "deliverStatuses"
  | "stop"
>;

const ordersOf = ({ state, failures, webhooks, journal }: Parts): Orders => {
  const tokenOf = (value: string) => {
    const token = state.tokens.get(value);
    if (!token) throw new Error(`there is no token ${value}`);
    return token;
  };
  return {
    addNumber: (seed) => addNumber(state, seed),
    addToken: (seed) => addToken(state, seed),
    addTemplate: (seed) => addTemplate(state, seed),
    reviewTemplate: reviewTemplate(state, webhooks),
    addMedia(seed) {
      if (!state.numbers.has(seed.phoneNumberId)) throw new Error(`there is no number ${seed.phoneNumberId}`);
      return putMedia(state, seed, "inbound").id;
    },
    interruptUpload(keepBytes) {
      state.uploadCutAt = keepBytes;
      failures.order({ operation: "upload.write", failure: { kind: "reset", isAccepted: true } });
    },
    addRecipient: (seed) => void addRecipient(state, seed),
    setMoney: (accountId, money) => setMoney(state, accountId, money),
    expireToken: (token) => void (tokenOf(token).expiresAt = state.clock.now()),
    invalidateToken: (token) => void (tokenOf(token).isInvalid = true),
    configure: (patch) => void Object.assign(state.settings, patch),
    failNext: (count, failure, scope = {}) => failures.order({ ...scope, failure, count }),
    failRecipient: (to, failure) => failures.order({ to, failure, isLasting: true }),
    fail: failures.order,
    clearFailures: failures.clear,
    sentSummary: () => ({
      count: state.sent.size,
      messages: [...state.sent.values()].map((sent) => summaryOf(sent, timesSent(state, sent))),
    }),
    reset() {
      resetState(state);
      failures.clear();
      webhooks.reset();
      journal.length = 0;
    },
  };
};

const summaryOf = (
  { wamid, phoneNumberId, recipient, type, bodyDigest, bizOpaque }: Sent,
  count: number,
): SentSummary => ({
  wamid,
  phoneNumberId,
  to: recipient.waId,
  type,
  bodyDigest,
  bizOpaque: bizOpaque ?? null,
  count,
});
