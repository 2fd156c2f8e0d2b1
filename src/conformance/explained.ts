import type { ChannelLink, ChannelPlugin } from "../contract/plugin.ts";
import { placeIn, reasonOf } from "../kernel/errors.ts";
import { isRecord } from "../kernel/texts/json.ts";

type Call = (...given: never[]) => unknown;

/** What a call must give, in words, and whether a value is so. */
type Answer = { must: string; isRight(value: unknown): boolean };

const OUTCOME: Answer = {
  must: "resolve to an outcome: { ok: true, key } or { ok: false, kind, code, reason }",
  isRight: (value) => isRecord(value) && typeof value["ok"] === "boolean",
};
const EVENTS: Answer = { must: "give a list of events", isRight: Array.isArray };
const YES_OR_NO: Answer = { must: "give true or false", isRight: (value) => typeof value === "boolean" };
const ANYTHING: Answer = { must: "", isRight: () => true };

/** TABLE: the calls of the laws whose answer is looked at before the law looks at it. */
const OF_LINK: Readonly<Record<string, Answer>> = { send: OUTCOME, operate: OUTCOME };
const OF_WEBHOOK: Readonly<Record<string, Answer>> = {
  isSigned: YES_OR_NO,
  verify: YES_OR_NO,
  parse: EVENTS,
  answer: ANYTHING,
  handshake: ANYTHING,
};

const thrownBy = (name: string, thrown: unknown, folder: string): Error => {
  const place = placeIn(folder, thrown);
  return new Error(`${name} threw ${reasonOf(thrown)}${place === undefined ? "" : ` (${place})`}`);
};

/** The call, with a sentence for its author in the place of what it throws, or of an answer that no law can read. */
const explained =
  (name: string, call: Call, { must, isRight }: Answer, folder: string) =>
  async (...given: never[]): Promise<unknown> => {
    let answer: unknown;
    try {
      answer = await call(...given);
    } catch (thrown) {
      throw thrownBy(name, thrown, folder);
    }
    if (!isRight(answer)) throw new Error(`${name} gave ${shown(answer)}: it must ${must}`);
    return answer;
  };

const shown = (value: unknown): string =>
  value === undefined ? "nothing" : (JSON.stringify(value) ?? `a ${typeof value}`).slice(0, 100);

/** The same part. It stands behind an object of its own, because no proxy may change a member of a frozen object. */
const calling = <Part extends object>(part: Part, name: string, answers: typeof OF_LINK, folder: string): Part =>
  new Proxy(Object.create(part) as Part, {
    get(_, member) {
      const value: unknown = Reflect.get(part, member);
      if (typeof value !== "function") return value;
      const bound = value.bind(part) as Call; // a class may keep private fields
      const answer = typeof member === "string" && Object.hasOwn(answers, member) ? answers[member] : undefined;
      return answer ? explained(`${name}${String(member)}`, bound, answer, folder) : bound;
    },
  });

/**
 * A link whose faults are told to its author. `folder`: of the adapter. `onFault`: called with what an async `connect`
 * threw, for which nobody waits.
 */
export const explainedLink = (link: ChannelLink, folder: string, onFault: (fault: Error) => void): ChannelLink => {
  const asked = calling(link, "", OF_LINK, folder);
  const connect = (): void => {
    const fail = (thrown: unknown) => onFault(thrownBy("connect", thrown, folder));
    try {
      Promise.resolve<unknown>(link.connect()).catch(fail);
    } catch (thrown) {
      fail(thrown);
    }
  };
  return new Proxy(asked, {
    get: (target, member): unknown => (member === "connect" ? connect : Reflect.get(target, member)),
  });
};

/** An adapter whose webhook tells its faults to its author. */
export const explainedPlugin = (plugin: ChannelPlugin, folder: string): ChannelPlugin => {
  const { webhook, receiver } = plugin;
  return {
    ...plugin,
    ...(webhook ? { webhook: calling(webhook, "webhook.", OF_WEBHOOK, folder) } : {}),
    ...(receiver ? { receiver: calling(receiver, "receiver.", OF_WEBHOOK, folder) } : {}),
  };
};
