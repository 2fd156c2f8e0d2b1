import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { CallUpdate, ChannelEvent, Identity, Received } from "../../../src/contract/events.ts";
import { change, entry, envelope, message, type Part, parse } from "../../support/networks/waba-envelope.ts";
import { sampleChanges } from "../../support/networks/waba-samples.ts";

const SAMPLES = sampleChanges();
const WITNESS = change({ messages: [message({ id: "wamid.WITNESS" })] });

const JUNK = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    null,
    "",
    "constructor",
    "toString",
    -1,
    1e308,
    0.1,
    "1e400",
    "NaN",
    [],
    {},
    [[]],
    [null],
    " ",
    "wamid.X",
    true,
  ),
);

/** A number of bits of damage to a sample: what stands at a path is replaced, removed, doubled, or wrapped. */
const DAMAGE = fc.record({
  path: fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
  how: fc.constantFrom("replace", "remove", "double", "wrap", "rename"),
  junk: JUNK,
});

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const nameFrom = (junk: unknown): string => (typeof junk === "string" ? junk : JSON.stringify(junk)).slice(0, 20);

const damaged = (node: unknown, [step = 0, ...rest]: readonly number[], how: string, junk: unknown): unknown => {
  const keys = isContainer(node) ? Object.keys(node) : [];
  const key = keys[step % Math.max(keys.length, 1)];
  if (!isContainer(node) || key === undefined) return junk;
  const copy = Array.isArray(node) ? [...node] : { ...node };
  const holder = copy as Record<string, unknown>;
  if (rest.length > 0) holder[key] = damaged(holder[key], rest, how, junk);
  else if (how === "replace") holder[key] = junk;
  else if (how === "double") holder[`${key}2`] = holder[key];
  else if (how === "wrap") holder[key] = [holder[key]];
  else if (how === "rename" && !Array.isArray(copy)) holder[nameFrom(junk)] = holder[key];
  if (rest.length === 0 && (how === "remove" || how === "rename")) delete holder[key];
  return copy;
};

const KINDS: ChannelEvent["kind"][] = [
  "received",
  "receipt",
  "reacted",
  "edited",
  "revoked",
  "read-up-to",
  "known",
  "template",
  "health",
  "contacts",
  "sync",
  "call",
  "call-permission",
  "unknown",
];

const identitiesOf = (event: ChannelEvent): Identity[] => {
  switch (event.kind) {
    case "received":
    case "call-permission":
      return [event.from];
    case "call":
      return "from" in event ? [event.from] : [];
    case "reacted":
    case "edited":
    case "revoked":
      return [event.from];
    case "known":
      return [event.identity, ...(event.before ? [event.before] : [])];
    case "receipt":
      return event.to ? [event.to] : [];
    case "contacts":
      return event.contacts.map(({ identity }) => identity);
    default:
      return [];
  }
};

const expectSoundMessage = ({ content, media }: Received): void => {
  expect(content.type).toBeString();
  expect(isContainer(content.content)).toBe(true);
  if (media?.sha256 !== undefined) expect(media.sha256).toMatch(/^[0-9a-f]{64}$/);
};

const expectSoundCall = (update: CallUpdate): void => {
  expect(update.nativeId).not.toBe("");
  if (update.what === "ended" && update.durationSeconds !== null)
    expect(Number.isSafeInteger(update.durationSeconds) && update.durationSeconds >= 0).toBe(true);
};

/** What the core may rely on, whatever the network sent. */
const expectSound = (event: ChannelEvent): void => {
  expect(KINDS).toContain(event.kind);
  expect(Number.isFinite(event.at) && event.at >= 0 && event.at <= 8.64e15).toBe(true);
  if ("key" in event) expect(event.key).toBeString();
  if ("key" in event) expect(event.key).not.toBe("");
  for (const identity of identitiesOf(event)) {
    expect(Object.keys(identity).length).toBeGreaterThan(0);
    for (const name of Object.values(identity)) expect(typeof name === "string" && name !== "").toBe(true);
    if (identity.pn !== undefined) expect(identity.pn).toMatch(/^\d+$/);
  }
  if (event.kind === "received") expectSoundMessage(event);
  if (event.kind === "sync") expect(event.percent >= 0 && event.percent <= 100).toBe(true);
  if (event.kind === "call") expectSoundCall(event);
  if (event.kind === "unknown") expect(event.what.length).toBeLessThan(200);
};

describe("whatever the network sends", () => {
  test("every sample is understood, and none is lost", () => {
    for (const sample of SAMPLES) {
      const events = parse(envelope(entry(sample))).map(({ event }) => event);
      expect(events.length).toBeGreaterThan(0);
      events.forEach(expectSound);
    }
  });

  test("a damaged change is read without a fault, to sound events, and so is what stands beside it", () => {
    fc.assert(
      fc.property(fc.constantFrom(...SAMPLES), fc.array(DAMAGE, { minLength: 1, maxLength: 4 }), (sample, damages) => {
        const broken = damages.reduce<unknown>(
          (value, { path, how, junk }) => damaged(value, path, how, junk),
          sample,
        ) as Part;
        const events = parse(envelope(entry(broken, WITNESS))).map(({ event }) => event);
        events.forEach(expectSound);
        expect(events.length).toBeGreaterThan(1);
        expect(events.at(-1)).toMatchObject({ kind: "received", key: "wamid.WITNESS" });
      }),
      { numRuns: 4000 },
    );
  });

  test("a damaged envelope is read without a fault", () => {
    fc.assert(
      fc.property(fc.constantFrom(...SAMPLES), DAMAGE, (sample, { path, how, junk }) => {
        const events = parse(damaged(envelope(entry(sample, WITNESS)), path.slice(0, 3), how, junk));
        expect(events.length).toBeGreaterThan(0);
        for (const { event, route } of events) {
          expectSound(event);
          expect(["number", "account"]).toContain(route.by);
          expect(route.id).toBeString();
        }
      }),
      { numRuns: 1500 },
    );
  });

  test("any JSON at all, and text that is none, is some event", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json({ maxDepth: 5 }), fc.string()), (text) => {
        const events = parse(text);
        expect(events.length).toBeGreaterThan(0);
        for (const { event } of events) expectSound(event);
      }),
      { numRuns: 1500 },
    );
  });
});
