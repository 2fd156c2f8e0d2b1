import type { Account } from "./model.ts";
import { child, children, type Stanza, stanza, textOf } from "./wire/stanza.ts";

/** The phone of a fault, and its number of uses. Default: for everybody, until it is taken back. */
export type Scope = { phone?: { readonly account: Account }; times?: number };

/** Takes a fault back. */
export type Heal = () => void;

type Rule<Subject, Effect> = {
  effectOn(subject: Subject): Effect | undefined;
  account: Account | undefined;
  left: number;
};

export type Rules<Subject, Effect> = {
  add(effectOn: (subject: Subject) => Effect | undefined, scope?: Scope): Heal;
  /** The effect of the first fitting rule, which is used up by one. */
  take(subject: Subject, account?: Account): Effect | undefined;
  clear(): void;
};

const makeRules = <Subject, Effect>(): Rules<Subject, Effect> => {
  const rules = new Set<Rule<Subject, Effect>>();
  return {
    add: (effectOn, { phone, times = Number.POSITIVE_INFINITY } = {}) => {
      const rule = { effectOn, account: phone?.account, left: times };
      rules.add(rule);
      return () => void rules.delete(rule);
    },
    take: (subject, account) => {
      for (const rule of rules) {
        if (rule.account && rule.account !== account) continue;
        const effect = rule.effectOn(subject);
        if (effect === undefined) continue;
        rule.left--;
        if (rule.left <= 0) rules.delete(rule);
        return effect;
      }
      return undefined;
    },
    clear: () => rules.clear(),
  };
};

export type Gate = { hold(): Heal; pass(task: () => void): void };

/** Lets tasks pass at once, or holds them and later lets them pass in order. */
const makeGate = (): Gate => {
  const holders = new Set<symbol>();
  let waiting: (() => void)[] = [];
  return {
    hold: () => {
      const holder = Symbol("holder");
      holders.add(holder);
      return () => {
        holders.delete(holder);
        if (holders.size > 0) return;
        const ready = waiting;
        waiting = [];
        for (const task of ready) task();
      };
    },
    pass: (task) => {
      if (holders.size > 0) waiting.push(task);
      else task();
    },
  };
};

export type MediaFault = number | "bit-flip" | "truncate";

export const makeFaultRules = () => ({
  nacks: makeRules<Stanza, number>(),
  logins: makeRules<undefined, Record<string, string>>(),
  upgrades: makeRules<undefined, number>(),
  silences: makeRules<undefined, true>(),
  forgeries: makeRules<undefined, true>(),
  iqs: makeRules<Stanza, Stanza | "drop">(),
  hellos: makeRules<Stanza, { code: string; text: string }>(),
  finishes: makeRules<undefined, true>(),
  withheldOptions: makeRules<undefined, true>(),
  lostAcks: makeRules<Stanza, true>(),
  lostKeys: makeRules<string, true>(),
  staleLids: makeRules<Stanza, true>(),
  missingMarkers: makeRules<undefined, true>(),
  missingRestarts: makeRules<undefined, true>(),
  keylessLeavers: makeRules<undefined, true>(),
  corruptions: makeRules<Stanza, true>(),
  duplicates: makeRules<Stanza, true>(),
  downloads: makeRules<string, MediaFault>(),
  uploads: makeRules<string, number>(),
  reuploads: makeRules<undefined, "gone" | "silent">(),
  acks: makeGate(),
  vouchings: makeGate(),
  incoming: makeGate(),
});

export type FaultRules = ReturnType<typeof makeFaultRules>;

/** The faults that a test can order. Each answers how to take it back. */
export const makeFaults = (rules: FaultRules) => ({
  nack: (code: number, matches: (message: Stanza) => boolean = () => true, scope?: Scope) =>
    rules.nacks.add((message) => (matches(message) ? code : undefined), scope),
  failLogin: (attrs: Record<string, string>, scope?: Scope) => rules.logins.add(() => attrs, scope),
  refuseUpgrade: (status: number, scope?: Scope) => rules.upgrades.add(() => status, scope),
  silent: (scope?: Scope) => rules.silences.add(() => true, scope),
  forgedChain: (scope?: Scope) => rules.forgeries.add(() => true, scope),
  dropIq: (matches: (iq: Stanza) => boolean, scope?: Scope) =>
    rules.iqs.add((iq) => (matches(iq) ? "drop" : undefined), scope),
  answerIq: (answer: (iq: Stanza) => Stanza | undefined, scope?: Scope) => rules.iqs.add(answer, scope),
  /** The network says that a number is known, but not its LID. */
  hideLid: ({ pn, jid }: { pn: string | undefined; jid: string }, scope?: Scope) =>
    rules.iqs.add((iq) => {
      const users = children(child(child(iq, "usync"), "list"), "user");
      const isAsked = users.some((user) => textOf(child(user, "contact")) === `+${pn}`);
      const user = stanza("user", { jid }, [stanza("contact", { type: "in" }, `+${pn}`)]);
      return isAsked ? stanza("iq", {}, [stanza("usync", {}, [stanza("list", {}, [user])])]) : undefined;
    }, scope),
  dropAcks: (matches: (message: Stanza) => boolean = () => true, scope?: Scope) =>
    rules.lostAcks.add((message) => matches(message) || undefined, scope),
  /** The answer to a message says that the LID of its recipient is old. */
  staleLid: (scope?: Scope) => rules.staleLids.add(() => true, scope),
  /** The network has no keys of these devices, though it lists them: each question about them is answered with 406. */
  loseKeys: (matches: (jid: string) => boolean, scope?: Scope) =>
    rules.lostKeys.add((jid) => matches(jid) || undefined, scope),
  delayAcks: () => rules.acks.hold(),
  holdIncoming: () => rules.incoming.hold(),
  noOfflineMarker: (scope?: Scope) => rules.missingMarkers.add(() => true, scope),
  /** A request for a code to type is refused. */
  refuseHello: (code: number, scope?: Scope) =>
    rules.hellos.add(() => ({ code: String(code), text: code === 429 ? "rate-overlimit" : "bad-request" }), scope),
  /** A phone that has taken a code never vouches for the companion. */
  abandonCode: (scope?: Scope) => rules.finishes.add(() => true, scope),
  /** The request for a passkey lacks the options to sign, so the client has to ask for them. */
  withholdPasskeyOptions: (scope?: Scope) => rules.withheldOptions.add(() => true, scope),
  /** A phone that has the secret of a passkey's ceremony vouches for the companion later. */
  delayVouching: () => rules.vouchings.hold(),
  /** A companion that was just linked is not asked to reconnect. */
  noRestart: (scope?: Scope) => rules.missingRestarts.add(() => true, scope),
  /** A device that leaves before its keys are up is unlinked: its next login gets a 401. */
  unlinkKeyless: (scope?: Scope) => rules.keylessLeavers.add(() => true, scope),
  corrupt: (scope?: Scope) => rules.corruptions.add(() => true, { times: 1, ...scope }),
  duplicate: (scope?: Scope) => rules.duplicates.add(() => true, scope),
  media: (fault: MediaFault, { path, ...scope }: Scope & { path?: string } = {}) =>
    rules.downloads.add((asked) => (path === undefined || asked.includes(path) ? fault : undefined), scope),
  upload: (status: number, scope?: Scope) => rules.uploads.add(() => status, scope),
  reupload: (how: "gone" | "silent", scope?: Scope) => rules.reuploads.add(() => how, scope),
  /** Takes all faults back, but for held tasks. */
  clear: () => {
    for (const rule of Object.values(rules)) if ("clear" in rule) rule.clear();
  },
});

export type Faults = ReturnType<typeof makeFaults>;
