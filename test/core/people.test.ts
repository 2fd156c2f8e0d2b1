import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ChannelId } from "../../src/kernel/ids.ts";
import { PERSONAL } from "../../src/store/laws/personal.ts";
import { encodedBody, insertEnvelope } from "../../src/store/tables/channels/upstream.ts";
import { filesOf } from "../support/customers/media.ts";
import { meet, PERSON, SENTINEL } from "../support/customers/person.ts";
import { gatewayKeyOf, made } from "../support/tenants/platform.ts";
import { everyRow } from "../support/tenants/tenant.ts";
import { startWorld, type World } from "../support/world.ts";

let w: World;
beforeEach(async () => {
  w = await startWorld();
});
afterEach(() => w.stop());

const rows = <Row = Record<string, unknown>>(sql: string): Promise<Row[]> =>
  w.app.env.db.read(async (reader) => reader.rows<Row>(sql));
const people = (path: string, body?: object) =>
  w.gateway(`/v1/admin/people/${path}`, { admin: true, ...(body ? { body } : {}) });
const exported = async (person: string, more: object = {}) => made(await people("export", { person, ...more }), 200);
const erase = async (person: string, more: object = {}) => {
  const { id } = made(await people("erase", { person, ...more }), 202);
  await w.settle();
  return made(await people(`erasures/${id}`), 200);
};
const NAMES = [PERSON.number, PERSON.otherSpelling, PERSON.lid, SENTINEL];
const traces = (texts: readonly string[]): string[] =>
  texts.filter((text) => NAMES.some((name) => text.includes(name)));

/** What every sealed row holds. */
const opened = async (): Promise<string[]> => {
  const { secrets } = w.app.env;
  const ring = await rows<Record<string, string>>("SELECT * FROM key_rows WHERE kind NOT IN ('creds', 'unlink')");
  const copies = await rows<Record<string, string>>("SELECT * FROM cached_messages");
  const answers = await rows<Record<string, string>>("SELECT * FROM keyed_requests WHERE sealed IS NOT NULL");
  return [
    ...ring.map(({ channel_id: channel, kind, id, sealed = "" }) =>
      secrets.open(`ring:${channel}:${kind}:${id}`, sealed),
    ),
    ...copies.map(({ channel_id: channel, provider_message_id: key, sealed = "" }) =>
      secrets.open(`copy:${channel}:${key}`, sealed),
    ),
    ...answers.map(({ id, sealed = "" }) => secrets.open(`keyed_requests:${id}:sealed`, sealed)),
  ];
};

describe("one person", () => {
  test("is exported from every table, and erased from every table, file and page of the database", async () => {
    const { messageToAnother } = await meet(w);
    const document = await exported(`+${PERSON.number}`);
    const held = Object.entries(document.tables as Record<string, unknown[]>).flatMap(([table, found]) =>
      found.length > 0 ? [table] : [],
    );
    // a text to many; nothing waits; the network document the price
    const NEVER_HERE = ["batches", "jobs", "charge_windows"];
    expect(held.toSorted()).toEqual(
      Object.keys(PERSONAL)
        .filter((table) => !NEVER_HERE.includes(table))
        .toSorted(),
    );
    const text = JSON.stringify(document.tables);
    for (const part of [
      "inbound",
      "outbound",
      "template",
      "later",
      "caption",
      "chosen",
      "variable",
      "alone",
      "to the agent",
      "contact",
      "name",
      "edited",
    ])
      expect([part, text.includes(`${SENTINEL} ${part}`)]).toEqual([part, true]);
    expect(text).toContain(Buffer.from(`${SENTINEL} copied`).toString("base64"));
    const { fileUrl } = document.tables.media[0];
    expect([(await fetch(fileUrl)).status, filesOf(w).length]).toEqual([200, 2]);

    const done = await erase(PERSON.number);
    expect(done).toMatchObject({ status: "DONE", accountId: null, finishedAt: expect.any(String) });
    expect(done.rows).toBeGreaterThan(20);
    expect(traces(await everyRow(w))).toEqual([]);
    expect(traces(await opened())).toEqual([]);
    expect(filesOf(w)).toEqual([]);
    const after = await exported(PERSON.number);
    expect(Object.values(after.tables as Record<string, unknown[]>).flat()).toEqual([]);

    const [other] = await rows<{ content: string }>(`SELECT content FROM messages WHERE id = '${messageToAnother}'`);
    expect(other?.content).toBe('{"text":"ask [erased] about it"}');
    expect(await rows("SELECT participants, total_participant_count AS n FROM groups")).toEqual([
      { participants: '[{"waId":"5511999990002","joinedAt":null}]', n: 1 },
    ]);
    expect((await rows<{ id: string }>("SELECT id FROM key_rows ORDER BY id")).map(({ id }) => id)).toEqual([
      "5511999990002.0",
      "creds",
      "old",
    ]);

    await w.restart(); // the log is folded in
    const onDisk = readdirSync(w.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name } of onDisk)
      expect([name, traces([readFileSync(join(parentPath, name), "latin1")]).length]).toEqual([name, 0]);
  });

  test("is erased of one tenant alone, where that is asked", async () => {
    const { who } = await meet(w);
    await meet(w, "anotherword");
    await erase(PERSON.number, { accountId: who.id });
    const left = await everyRow(w);
    expect(left.filter((row) => row.includes(SENTINEL))).toEqual([]);
    expect(left.filter((row) => row.includes("anotherword")).length).toBeGreaterThan(10);
    expect(
      Object.values((await exported(PERSON.number, { accountId: who.id })).tables as Record<string, unknown[]>).flat(),
    ).toEqual([]);
  });

  test("is found by each of their names", async () => {
    await meet(w);
    const count = async (person: string) =>
      Object.values((await exported(person)).tables as Record<string, unknown[]>).flat().length;
    const all = await count(PERSON.number);
    expect(all).toBeGreaterThan(20);
    for (const name of [
      PERSON.otherSpelling,
      PERSON.lid,
      `pn:${PERSON.number}`,
      `lid:${PERSON.lid}`,
      "+55 (11) 98765-4321",
    ])
      expect([name, await count(name)]).toEqual([name, all]);
    expect(await count("5511999990009")).toBe(0);
  });

  test("is erased from webhooks too, in a body that is no text and in what is stored of a query", async () => {
    const { db, clock } = w.app.env;
    const photo = Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from(`from=${PERSON.number}`)]);
    const query = JSON.stringify({ method: "GET", url: `https://a.example/?from=${PERSON.number}`, headers: {} });
    const kept = { plugin: "waba", channelId: null, receivedAt: clock.now() };
    await db.write(async (tx) => {
      await insertEnvelope(tx, { ...kept, hash: "1", head: "", ...encodedBody(photo) });
      await insertEnvelope(tx, { ...kept, hash: "2", head: query, ...encodedBody(Buffer.from("")) });
      await insertEnvelope(tx, { ...kept, hash: "3", head: "", ...encodedBody(Buffer.from("of nobody")) });
    });
    await erase(PERSON.number);
    expect(await rows("SELECT head, body, encoding FROM upstream_envelopes ORDER BY hash")).toEqual([
      { head: "", body: "{}", encoding: "utf-8" },
      { head: "", body: "{}", encoding: "utf-8" },
      { head: "", body: "of nobody", encoding: "utf-8" },
    ]);
  });

  test.each([
    ["channel", false],
    ["deleted channel", true],
  ])(
    "is erased of one tenant from what the webhook of that tenant's %s took in, and of no other",
    async (_, isDeleted) => {
      const { db, clock } = w.app.env;
      const { who } = await meet(w);
      const { who: other } = await meet(w, "anotherword");
      const bodies: string[] = [];
      for (const tenant of [who, other]) {
        const [channel] = await rows<{ id: ChannelId }>(`SELECT id FROM channels WHERE tenant_id = '${tenant.id}'`);
        if (!channel) throw new Error("the tenant has no channel");
        const body = JSON.stringify({ from: PERSON.number, place: bodies.length });
        bodies.push(body);
        const kept = { plugin: "pager", channelId: channel.id, receivedAt: clock.now(), hash: tenant.id, head: "" };
        await db.write((tx) => insertEnvelope(tx, { ...kept, ...encodedBody(Buffer.from(body)) }));
        if (isDeleted)
          await w.gateway(`/v1/phones/${channel.id}`, { key: await gatewayKeyOf(w, tenant), method: "DELETE" });
      }
      expect(await rows("SELECT 1 FROM channels")).toHaveLength(isDeleted ? 0 : 2);
      await erase(PERSON.number, { accountId: who.id });
      expect(await rows("SELECT body FROM upstream_envelopes WHERE plugin = 'pager' ORDER BY id")).toEqual([
        { body: "{}" },
        { body: bodies[1] },
      ]);
    },
  );

  test("what waits to be sent to them is not sent, and a batch goes on to its others and ends", async () => {
    await meet(w);
    await erase(PERSON.number);
    const sends = w.graph.sent.size;
    await w.advance(2 * 86_400_000);
    expect(
      [...w.graph.sent.values()].slice(sends).filter((sent) => JSON.stringify(sent).includes(PERSON.number)),
    ).toEqual([]);
    expect(await rows("SELECT status FROM batches WHERE status IN ('QUEUED', 'RUNNING')")).toEqual([]);
    expect(await rows("SELECT 1 FROM scheduled")).toEqual([]);
  });

  test("what counts contacts and stored bytes goes down with them", async () => {
    await meet(w);
    const [{ n: contacts } = { n: 0 }] = await rows<{ n: number }>("SELECT count(*) AS n FROM contacts");
    expect((await rows("SELECT 1 FROM stored_items")).length).toBe(2);
    await erase(PERSON.number);
    expect(await rows("SELECT * FROM stored_items")).toEqual([]);
    const counts = Object.fromEntries(
      (await rows<{ collection: string; n: number }>("SELECT collection, n FROM tenant_counts")).map(
        ({ collection, n }) => [collection, n],
      ),
    );
    // an idempotency key stays used when its answer is erased
    expect(counts).toEqual({ contacts: contacts - 1, "keyed-requests": 1, "stored-bytes": 0 });
    expect(await rows("SELECT 1 FROM contacts")).toHaveLength(contacts - 1);
  });

  test("counters stay, and the audit log says by whom it was done, without the number", async () => {
    await meet(w);
    const usage = await rows("SELECT * FROM usage_days");
    const { id, person } = await erase(PERSON.number);
    expect(await rows("SELECT * FROM usage_days")).toEqual(usage);
    const acts = await rows<{ actor: string; action: string; target: string; details: string }>(
      "SELECT * FROM audit_entries WHERE action LIKE 'person.%' ORDER BY id",
    );
    expect(acts.map(({ actor, action, target }) => [actor, action, target])).toEqual([
      ["admin", "person.erase", id],
      ["system", "person.erased", id],
    ]);
    expect(person).toMatch(/^[0-9a-f]{32}$/);
    for (const { details } of acts) expect([JSON.parse(details).person, traces([details])]).toEqual([person, []]);
    expect((await erase(PERSON.otherSpelling)).person).toBe(person);
  });

  test("is asked for by a name that can be one, of an account that there is", async () => {
    for (const person of ["", "1", "12345", "@", "pn:", "pn:abc", "nobody", "x".repeat(300)]) {
      for (const verb of ["export", "erase"])
        expect([person, (await people(verb, { person })).status]).toEqual([person, 400]);
    }
    for (const verb of ["export", "erase"])
      expect((await people(verb, { person: PERSON.number, accountId: "nobody" })).status).toBe(404);
    expect((await people("erasures/nothing")).status).toBe(404);
    expect(await rows("SELECT 1 FROM erasures")).toEqual([]);
  });

  test("an erasure goes on where a process that was killed has left it", async () => {
    await meet(w);
    const { id } = made(await people("erase", { person: PERSON.number }), 202);
    await w.restart();
    await w.settle();
    expect(made(await people(`erasures/${id}`), 200).status).toBe("DONE");
    expect(traces(await everyRow(w))).toEqual([]);
  });
});
