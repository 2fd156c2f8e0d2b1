import {
  isHandoverOutcome,
  issueLine,
  sendOutcomeIssues,
  upstreamResultIssues,
} from "../../../../contract/outcome-shapes.ts";
import type { ChannelLink } from "../../../../contract/plugin.ts";
import { type Clock, MINUTE_MS, SECOND_MS } from "../../../../kernel/clock.ts";
import { isRecord } from "../../../../kernel/texts/json.ts";
import { atOnce, type Ended, type NoteFault, noteUnusable, soundOf, within } from "./faults.ts";
import { hasEndlessNumber, isInstant } from "./numbers.ts";

type Call = (...args: unknown[]) => unknown;
/**
 * How one function of an optional part is guarded: its time limit, the check of its answer, and the answer that
 * replaces a faulty one.
 */
type Rule = {
  limitMs?: number | ((args: readonly unknown[]) => number);
  fits?(value: unknown): boolean;
  instead?(): unknown;
  isSync?: true;
};

const NO_ANSWER = { ok: false, kind: "unavailable", reason: "the adapter gave no answer", mayHaveHappened: true };
const NO_OUTCOME = { ok: false, kind: "unknown", code: "ADAPTER_FAULT", reason: "the adapter gave no outcome" };
const isQr = (value: unknown): boolean =>
  value === undefined || (isRecord(value) && typeof value["text"] === "string" && isInstant(value["expiresAt"]));
const none = () => undefined;
const isHint = (value: unknown): boolean =>
  value === undefined ||
  (isRecord(value) &&
    typeof value["code"] === "string" &&
    (value["retryAt"] === undefined || isInstant(value["retryAt"])));
const isCeremony = (value: unknown): boolean =>
  value === undefined ||
  (isRecord(value) &&
    ["id", "stage"].every((name) => typeof value[name] === "string") &&
    isRecord(value["options"]) &&
    isInstant(value["expiresAt"]));
/** The owner waits for the network's answer. */
const PASSKEY: Rule = {
  limitMs: 60 * SECOND_MS,
  fits: (value) => isRecord(value) && (value["ok"] === true || typeof value["code"] === "string"),
  instead: () => ({ ok: false, code: "REFUSED", reason: "the adapter gave no answer" }),
};

const UNREAD_EVENT = {
  result: "OTHER",
  event: null,
  accountId: null,
  numberId: null,
  businessId: null,
  isCoexistent: false,
  step: null,
  error: null,
};
const NO_IDENTITY = { ok: false, problems: ["the adapter gave no answer"], keys: {}, notes: [] };
const isListOf = (fits: (one: unknown) => boolean, value: unknown): boolean =>
  Array.isArray(value) && value.every(fits);
const isTexts = (value: unknown): boolean => isListOf((one) => typeof one === "string", value);
const isKeyRow = (value: unknown): boolean =>
  isRecord(value) && ["kind", "id", "value"].every((name) => typeof value[name] === "string");
const isStoredEntry = (value: unknown): boolean =>
  isRecord(value) && typeof value["name"] === "string" && typeof value["text"] === "string";
const isReadIdentity = (value: unknown): boolean =>
  isRecord(value) &&
  isRecord(value["keys"]) &&
  isTexts(value["notes"]) &&
  (value["ok"] === true
    ? typeof value["phoneNumber"] === "string" && isTexts(value["marks"]) && isListOf(isKeyRow, value["rows"])
    : isTexts(value["problems"]));

const isReadHistory = (value: unknown): boolean =>
  isRecord(value) &&
  isListOf((one) => isRecord(one) && isRecord(one["event"]) && isRecord(one["changes"]), value["messages"]) &&
  isListOf((one) => isRecord(one) && isRecord(one["identity"]), value["people"]) &&
  isRecord(value["leftOut"]);

/** Calls for which a customer waits. */
const ASKED: Rule = { limitMs: 60 * SECOND_MS };
const UPLOADED: Rule = { limitMs: 15 * MINUTE_MS };
/** The core limits how much it reads of the body. */
const OPENED: Rule = {
  limitMs: MINUTE_MS,
  fits: (value) => isFault(value) || (isRecord(value) && isRecord(value["value"]) && isRecord(value["value"]["body"])),
};
const isFault = (value: unknown): boolean => isRecord(value) && value["ok"] === false;

/** TABLE: the functions whose answer is not an `UpstreamResult`, or that may take longer. All others are `ASKED`. */
const RULES: Readonly<Record<string, Rule>> = {
  "lookup.known": { ...ASKED, fits: (value) => value instanceof Map, instead: () => new Map() },
  "media.open": OPENED,
  "media.uploads.upload": UPLOADED,
  "media.uploads.uploadResumable": UPLOADED,
  "groups.send": {
    limitMs: 2 * MINUTE_MS,
    fits: (value) => sendOutcomeIssues(value).length === 0,
    instead: () => NO_OUTCOME,
  },
  "handover.change": { ...ASKED, fits: isHandoverOutcome },
  "signup.readEvent": { isSync: true, fits: isRecord, instead: () => UNREAD_EVENT },
  "moving.read": { fits: isReadIdentity, instead: () => NO_IDENTITY },
  "moving.marksOf": { fits: isTexts, instead: () => [] },
  "moving.entriesOf": { fits: (value) => value === undefined || isListOf(isStoredEntry, value), instead: none },
  "moving.readHistory": {
    fits: isReadHistory,
    instead: () => ({ messages: [], people: [], leftOut: { "the adapter gave no answer": 1 } }),
  },
  "pairing.qr": { isSync: true, fits: isQr, instead: none },
  "pairing.code": { isSync: true, fits: (value) => value === undefined || typeof value === "string", instead: none },
  "pairing.endWaits": { isSync: true, fits: () => true, instead: none },
  "pairing.requestCode": { isSync: true, fits: isHint, instead: none },
  "pairing.hint": { isSync: true, fits: isHint, instead: none },
  "pairing.passkey.current": { isSync: true, fits: isCeremony, instead: none },
  "pairing.passkey.assert": PASSKEY,
  "pairing.passkey.confirm": PASSKEY,
  "pairing.nextQr": { limitMs: ([withinMs]) => Number(withinMs) + 5 * SECOND_MS, fits: isQr, instead: none },
  "pairing.nextCode": {
    limitMs: ([withinMs]) => Number(withinMs) + 5 * SECOND_MS,
    fits: (value) => value === undefined || typeof value === "string",
    instead: none,
  },
  "pairing.reset": { limitMs: MINUTE_MS, fits: () => true, instead: none },
  "pairing.unlinkOld": { limitMs: 40 * SECOND_MS, fits: (value) => typeof value === "boolean", instead: () => false },
};

/** The optional parts of a link. */
const PARTS = [
  "business",
  "charges",
  "flows",
  "groups",
  "calls",
  "handover",
  "entries",
  "lookup",
  "media",
  "number",
  "pairing",
  "quota",
  "settings",
  "history",
  "people",
  "newsletters",
  "privacy",
  "businessProfiles",
  "catalog",
  "templates",
] as const satisfies readonly (keyof ChannelLink)[];
type Parts = Pick<ChannelLink, (typeof PARTS)[number]>;

/**
 * Guards the optional parts of a link: each function has a time limit and a shape for its answer. A function that
 * throws, hangs or answers otherwise gives the contract's fallback: `unavailable` that may have happened, no code, or
 * nothing known.
 */
export const guardApis = (link: ChannelLink, clock: Clock, note: NoteFault): Parts => {
  const parts = PARTS.flatMap((name) => {
    const read = atOnce(() => link[name]);
    return read.is === "value" && isRecord(read.value) ? [[name, guardApi(read.value, name, clock, note)]] : [];
  });
  return Object.fromEntries(parts) as Parts; // each has the functions of its own
};

/**
 * Guards an object of functions in time and in the shape of the answers; its other fields stay. `path` names the object
 * in faults.
 */
export const guardApi = <Api extends object>(api: Api, path: string, clock: Clock, note: NoteFault): Api => {
  const guarded: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(api) as [string, unknown][]) {
    const at = `${path}.${name}`;
    if (typeof value === "function")
      guarded[name] = guardCall((...args) => (value as Call).apply(api, args), at, clock, note);
    else guarded[name] = isRecord(value) && !PLAIN.has(name) ? guardApi(value, at, clock, note) : value;
  }
  return guarded as Api; // it has the same fields
};

/** Parts that are data, not functions. */
const PLAIN: ReadonlySet<string> = new Set(["config"]);

const guardCall = (call: Call, at: string, clock: Clock, note: NoteFault): Call => {
  const { limitMs = 60 * SECOND_MS, isSync, fits = isResult, instead = () => NO_ANSWER } = RULES[at] ?? ASKED;
  const valueOf = (given: Ended<unknown>): unknown => {
    const ended: Ended<unknown> = given.is === "value" ? { is: "value", value: soundOf(given.value, at, note) } : given;
    if (ended.is === "value" && fits(ended.value) && !hasEndlessNumber(ended.value)) return ended.value;
    const issues = ended.is === "value" ? upstreamResultIssues(ended.value) : [];
    noteUnusable(note, at, ended, issueLine(issues) || "the value is not that of the contract");
    return instead();
  };
  const measured = (args: readonly unknown[]) => note.measuring(at, () => call(...args));
  if (isSync) return (...args) => valueOf(atOnce(measured(args)));
  return async (...args) =>
    valueOf(await within(clock, typeof limitMs === "number" ? limitMs : limitMs(args), measured(args)));
};

const isResult = (value: unknown): boolean => upstreamResultIssues(value).length === 0;
