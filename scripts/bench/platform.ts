import { join } from "node:path";
import { type Connection, openReader } from "../../src/store/engine/connection.ts";
import { readerOf } from "../../src/store/engine/db.ts";
import type { EchoReady } from "./echo.ts";
import { type Owner, putData, type Size } from "./platform-data.ts";
import { type Asked, questionsOf } from "./platform-questions.ts";
import { startChild } from "./process.ts";
import { type Institution, newInstitution, newSettings, type Recado, serve, WEBHOOK_SECRET } from "./recado.ts";
import { type Figure, ms, type Section, spread, tenths, whole } from "./report.ts";
import { getBytes, openWire, postBytes, type Spread, spreadOf } from "./wire.ts";

const MAX_P99_MS = 10;
const WARM_UP = 10;
/** The maximum number of requests for an operation in a minute. Then the server's clock is moved on. */
const PER_MINUTE = 50;
const MINUTE_MS = 60_000;
const CHANNELS = 10;
const WEBHOOKS = 5;

type Served = Spread & { cpuMs: number };
export type ListsPace = { size: Size; samples: number };

/** The duration of each of `samples` turns, after a warm-up. */
const spreadOver = async (samples: number, turn: (n: number) => unknown): Promise<Spread> => {
  const taken: number[] = [];
  for (let n = 0; n < WARM_UP + samples; n++) {
    const startedAt = performance.now();
    await turn(n);
    if (n >= WARM_UP) taken.push(performance.now() - startedAt);
  }
  return spreadOf(taken);
};

/** The bare echo over one connection. */
const echoCost = async (samples: number): Promise<Spread> => {
  const echo = await startChild("scripts/bench/echo.ts");
  const wire = await openWire((echo.ready as EchoReady).port);
  const body = JSON.stringify({
    phoneId: "0198a000-1111-4222-8333-444455556666",
    to: "5511990000000",
    type: "text",
    content: { text: "Hello." },
  });
  const cost = await spreadOver(samples, () => wire.send(postBytes("/v1/messages", {}, body)));
  wire.close();
  await echo.stop();
  return cost;
};

/**
 * Sends requests to the server over one connection, one at a time. `cpuMs`: the server's processor time. @throws for
 * any answer but 200.
 */
const servedCost = async (recado: Recado, key: string, { path }: Asked, samples: number): Promise<Served> => {
  const wire = await openWire(recado.port);
  const taken: number[] = [];
  let cpuBefore = 0;
  for (let n = 0; n < WARM_UP + samples; n++) {
    if (n === WARM_UP) cpuBefore = recado.child.cpuMs();
    if (n % PER_MINUTE === 0) await recado.call("/v1/admin/clock", { body: { advanceMs: MINUTE_MS } });
    const request = getBytes(`/platform${path(n)}`, { authorization: `Bearer ${key}` });
    const startedAt = performance.now();
    const { status, body } = await wire.send(request);
    if (n >= WARM_UP) taken.push(performance.now() - startedAt);
    if (status !== 200) throw new Error(`${path(n)} was answered with ${status}: ${body()}`);
  }
  wire.close();
  return { ...spreadOf(taken), cpuMs: (recado.child.cpuMs() - cpuBefore) / samples };
};

type Sent = { sql: string; params: readonly unknown[] };

/** A connection that notes the sent bytes. */
const noting = (connection: Connection, sent: Sent[]): Connection => ({
  ...connection,
  prepare(sql) {
    const statement = connection.prepare(sql);
    const note =
      <Rows>(read: (params: readonly unknown[]) => Rows) =>
      (params: readonly unknown[]) => (sent.push({ sql, params }), read(params));
    return { ...statement, rows: note(statement.rows), objects: note(statement.objects) };
  },
});

/** The statements behind a question, alone. */
const bareCost = async (connection: Connection, { read }: Asked, samples: number): Promise<Spread> => {
  const statements: Sent[][] = [];
  for (let n = 0; n < WARM_UP + samples; n++) {
    const sent: Sent[] = [];
    await read(readerOf(noting(connection, sent)), n);
    statements.push(sent);
  }
  return spreadOver(samples, (n) => statements[n]?.map(({ sql, params }) => connection.prepare(sql).rows(params)));
};

/** An institution with channels and webhooks, made while the server runs. */
const prepare = async (recado: Recado): Promise<{ institution: Institution; owner: Owner }> => {
  const institution = await newInstitution(recado);
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await recado.ask<{ id?: string; data?: { id: string } }>(path, {
      key: institution.platformKey,
      body,
    });
    return answer.data?.id ?? answer.id ?? "";
  };
  const channels: string[] = [];
  for (let n = 0; n < CHANNELS; n++)
    channels.push(await made("/v1/channels", { name: `Channel ${n}`, type: "CHAT_WABA" }));
  const [first = "", second = ""] = channels;
  const webhook = { url: "https://hooks.example.com/in", events: ["message.sent"], secret: WEBHOOK_SECRET };
  const webhooks: string[] = [];
  for (let n = 0; n < WEBHOOKS; n++) webhooks.push(await made("/v1/webhooks", { name: `Webhook ${n}`, ...webhook }));
  return { institution, owner: { tenantId: institution.id, channels: [first, second], webhookId: webhooks[0] ?? "" } };
};

const figureOf = ({ what }: Asked, served: Served, bare: Spread): Figure => ({
  what,
  value: `${spread(served)}; ${ms(served.cpuMs)} of processor`,
  yardstick: `bare library ${spread(bare)}`,
  ratio: served.p50 / bare.p50,
  aim: { text: `p99 below ${MAX_P99_MS} ms`, isMet: served.p99 < MAX_P99_MS },
});

/** The cost of a large institution's lists, requested one after the other. */
export const listsSection = async ({ size, samples }: ListsPace): Promise<Section> => {
  const settings: Record<string, string> = {
    ...newSettings(),
    RECADO_PLATFORM_DEFAULT_PLAN: "ENTERPRISE",
    RECADO_TEST_CLOCK: "1",
  };
  const path = join(settings["RECADO_DATA_DIR"] ?? "", "recado.db");
  const first = await serve({ settings });
  const { institution, owner } = await prepare(first);
  await first.child.stop();
  const startedAt = performance.now();
  const data = await putData(path, owner, size);
  const putMs = performance.now() - startedAt;
  const recado = await serve({ settings });
  const reader = openReader(path);
  const figures: Figure[] = [
    { what: "bare Elysia echo of one send, over one connection", value: spread(await echoCost(samples)) },
  ];
  for (const asked of questionsOf(owner, data, size)) {
    figures.push(
      figureOf(
        asked,
        await servedCost(recado, institution.platformKey, asked, samples),
        await bareCost(reader, asked, samples),
      ),
    );
  }
  reader.close();
  const rssMb = recado.child.rssMb();
  await recado.child.stop();
  const { contacts, perContact, long, batches, recipients, attempts } = size;
  return {
    title: `The platform's lists: ${whole(contacts * perContact + long)} messages, ${whole(contacts)} contacts`,
    figures,
    notes: [
      `One institution of ${whole(contacts)} contacts and conversations, ${whole(perContact)} messages each (half of them received), one of ${whole(long)} more; ${whole(batches)} batches of ${whole(recipients)} recipients; ${whole(attempts)} log entries of one webhook. Ten other institutions have as much together, of the same times. ${whole(Bun.file(path).size / 2 ** 20)} MiB, written in ${tenths(putMs / 1000)} s.`,
      `${whole(samples)} requests each over one connection, one at a time, 20 rows a page; whichever is asked for by id is another one each time. ${whole(rssMb)} MB at the end. The bare library runs the same statements in this process, without HTTP, key, limits, schemas.`,
    ],
  };
};
