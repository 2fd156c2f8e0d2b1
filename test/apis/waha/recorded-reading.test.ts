import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { WAHA_ENV, wahaClientOf } from "../../support/apis/waha.ts";
import { FILES } from "../../support/customers/media.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../support/session/world.ts";
import { untilTrue } from "../../support/waiting.ts";

/** `names`: the word that the id of the answer fills in later requests. */
type Recorded = {
  method: string;
  path: string;
  body?: unknown;
  status: number;
  answer: unknown;
  names?: string;
};
const { requests } = JSON.parse(readFileSync("test/apis/waha/recorded/reading.json", "utf8")) as {
  requests: Recorded[];
};

const kindOf = (value: unknown): string => {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
};

/** Where an answer differs from its recorded shape. Fields beyond it are free. */
function* faults(shape: unknown, value: unknown, at = "answer"): Generator<string> {
  if (typeof shape === "string") {
    if (!shape.split("|").includes(kindOf(value))) yield `${at} is ${kindOf(value)}, not ${shape}`;
  } else if (Array.isArray(shape)) {
    if (!Array.isArray(value) || value.length === 0) yield `${at} has no item`;
    else for (const [place, item] of value.entries()) yield* faults(shape[0], item, `${at}.${place}`);
  } else if (kindOf(value) !== "object") yield `${at} is ${kindOf(value)}, not object`;
  else {
    const { "*": each, ...fields } = shape as Record<string, unknown>;
    const given = value as Record<string, unknown>;
    if (each !== undefined && Object.keys(given).length === 0) yield `${at} has no item`;
    if (each !== undefined) for (const name of Object.keys(given)) yield* faults(each, given[name], `${at}.${name}`);
    for (const [name, inner] of Object.entries(fields)) yield* faults(inner, given[name], `${at}.${name}`);
  }
}

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld(WAHA_ENV);
});
afterAll(() => s.stop());

test("recorded requests of a program made for WAHA get the recorded answers, by a change of the address alone", async () => {
  const { customer, hook, owner } = await pairedPhone(s);
  const client = wahaClientOf(s.w, customer);
  const ana = s.contact();
  ana.account.picture = { id: "1", bytes: FILES.png };
  const before = s.net.stat.iqs["w:sync:app:state"] ?? 0;
  await owner.appState.share();
  await untilTrue(async () => (s.net.stat.iqs["w:sync:app:state"] ?? 0) >= before + 5);
  await ana.say("oi", { to: owner });
  await untilEvents(s.w, hook, "message:received");
  const chat = `${ana.pn}@c.us`;
  const [{ id: message }] = (await client.ask(`/api/{session}/chats/${chat}/messages`)).body;
  const words: Record<string, string> = { chat, message, pn: ana.pn ?? "", lid: ana.lidJid };
  const filled = (text: string, inUrl: boolean) =>
    text.replaceAll(/\{(chat|message|pn|lid|group|label|channel)\}/g, (_, word: string) => {
      const value = words[word] ?? "";
      return inUrl ? encodeURIComponent(value) : value;
    });
  const found: string[] = [];
  for (const { method, path, body, status, answer: shape, names } of requests) {
    const given = body === undefined ? {} : { body: JSON.parse(filled(JSON.stringify(body), false)) };
    const answer = await client.ask(filled(path, true), { method, ...given });
    const name = `${method} ${path}`;
    if (answer.status !== status) found.push(`${name}: ${answer.status} ${answer.text}`);
    else if (shape === "none" && answer.text !== "") found.push(`${name}: ${answer.text}`);
    else if (shape === "text" && !/^[\w-]+$/.test(answer.text)) found.push(`${name}: ${answer.text}`);
    else if (!["any", "none", "text"].includes(String(shape)))
      found.push(...[...faults(shape, answer.body)].map((fault) => `${name}: ${fault}`));
    if (names !== undefined) words[names] = answer.body.id;
    if (method !== "GET") await s.w.settle();
  }
  expect(found).toEqual([]);
  expect(s.net.stat.unhandled).toEqual([]);
}, 240_000);
