import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { historyOfStore } from "../../src/commands/moving/history/sqlite.ts";
import { type HistoryPort, takeInto } from "../../src/commands/moving/history/take.ts";
import { openWriter } from "../../src/store/engine/connection.ts";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterEach(removeFolders);

const FIRST = 1_700_000_000;
const HOME = { accountId: "account", phone: "phone" };

/** A store of WAHA with 500 messages, a second apart, and a contact. */
const store = async () => {
  const path = join(newFolder(), "store.sqlite3");
  const db = openWriter(path);
  db.exec("CREATE TABLE messages (id TEXT, messageTimestamp INTEGER, data TEXT)");
  db.exec("CREATE TABLE contacts (id TEXT, data TEXT)");
  db.prepare("INSERT INTO contacts VALUES (?1, ?2)").run(["5511@s.whatsapp.net", "{}"]);
  for (let n = 0; n < 500; n++)
    db.prepare("INSERT INTO messages VALUES (?1, ?2, ?3)").run([`m${n}`, FIRST + n, JSON.stringify({ n })]);
  db.close();
  return historyOfStore(path);
};

/** A phone that counts how often it got each row, and that is gone after `parts` parts. */
const phoneOf = () => {
  const got = new Map<string, number>();
  let cursor = "";
  let left = 0;
  const counts = { messages: 0, contacts: 0, known: 0, leftOut: {} };
  const port: HistoryPort = {
    inspect: async () => counts,
    begin: async () => cursor,
    undo: async () => ({ messages: 0, contacts: 0, conversations: 0, files: 0, isDone: true }),
    keep: async () => ({ sizeBytes: null, reason: "it has no files" }),
    async take(_, __, { stored: { rows }, from, to, isLast }) {
      expect(from).toBe(cursor);
      if (left === 0) throw new Error("the phone is gone");
      left -= 1;
      for (const { text } of rows) got.set(text, (got.get(text) ?? 0) + 1);
      cursor = isLast ? "" : to;
      return counts;
    },
  };
  const take = (parts: number): HistoryPort => {
    left = parts;
    return port;
  };
  return { got, take };
};

const untilGone = async (taking: Promise<unknown>): Promise<void> => {
  const reason: unknown = await taking.catch((thrown: Error) => thrown.message);
  expect(reason).toBe("the phone is gone");
};

test("W26-7 an interrupted import with --since, repeated with an earlier one, leaves out no message; with the same or a later one it goes on", async () => {
  const history = await store();
  const { got, take } = phoneOf();
  const said: string[] = [];
  const asked = (since: number) => ({ since, run: "run", tell: (line: string) => void said.push(line) });
  await untilGone(takeInto(take(2), history, HOME, asked(FIRST + 100)));
  expect(got.size).toBe(1 + 200);
  await untilGone(takeInto(take(1), history, HOME, asked(FIRST + 100)));
  expect(said.splice(0).join()).toContain("goes on where");
  expect([got.size, Math.max(...got.values())]).toEqual([1 + 400, 1]);

  await takeInto(take(100), history, HOME, asked(0));
  expect(said.splice(0).join()).toContain("begins anew");
  expect(got.size).toBe(1 + 500);
});

test("W26-7 what an import with a later --since has left out is read when the one before is repeated", async () => {
  const history = await store();
  const { got, take } = phoneOf();
  const asked = (since: number) => ({ since, run: "run", tell() {} });
  await untilGone(takeInto(take(2), history, HOME, asked(0)));
  await untilGone(takeInto(take(1), history, HOME, asked(FIRST + 250)));
  await takeInto(take(100), history, HOME, asked(0));
  expect(got.size).toBe(1 + 500);
});
