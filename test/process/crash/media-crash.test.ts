import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { sha256 } from "../../../src/kernel/crypto.ts";
import { openReader } from "../../../src/store/engine/connection.ts";
import { clientOf } from "../../support/client.ts";
import { TO } from "../../support/customers/customer.ts";
import { addOfficialPhone } from "../../support/customers/official-phone.ts";
import { startGraph } from "../../support/graph/index.ts";
import { readDatabase } from "../../support/processes/aftermath.ts";
import { processes, quietPort } from "../../support/processes/process.ts";
import { settleWork } from "../../support/processes/under-faults.ts";
import { roundsOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";
import { realTime } from "../../support/waiting.ts";
import { ADMIN_TOKEN, APP_SECRET } from "../../support/world.ts";

const ROUNDS = roundsOf(6);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
const PER_ROUND = 12;
const LONGEST_TTL_MS = 250;

const { dataDir, serve } = processes();
const graph = startGraph();
afterAll(() => graph.stop());

test(
  `GAP-G49 G-552 kill -9 at any moment: every message with a file is published once, with its file, and no file lies there that nobody knows (${ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const settings = await settingsOf(dataDir());
    let server = await serve(settings);
    const phoneNumberId = (await addOfficialPhone(clientOf(server, ADMIN_TOKEN), graph)).phoneNumberId;
    graph.webhooks.configure({
      url: `${server.url}/gateway/v1/upstream-webhook`,
      appSecret: APP_SECRET,
      retryDelaysMs: Array<number>(200).fill(100),
    });
    for (let round = 0; round < ROUNDS; round++) {
      const messages = Array.from({ length: PER_ROUND }, (_, index) => imageOf(phoneNumberId, `${round}.${index}`));
      const received = Promise.all(messages.map((message) => graph.inbound.image(message)));
      await realTime(random.float() * LONGEST_TTL_MS);
      server.signal("SIGKILL");
      await server.ended;
      server = await serve(settings);
      await received; // the network repeats what was not answered
    }
    await settleWork(graph, server, settings.RECADO_DATA_DIR);
    server.signal("SIGTERM");
    expect((await server.ended).code).toBe(0);
    expect(await found(settings.RECADO_DATA_DIR)).toEqual(wanted());
  },
  ROUNDS * 10_000 + 60_000,
);

const bytesOf = (caption: string): Uint8Array =>
  new Uint8Array(Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Buffer.from(caption.repeat(20_000))]));

const imageOf = (phoneNumberId: string, caption: string) => ({
  to: phoneNumberId,
  from: TO,
  caption,
  mediaId: graph.addMedia({ bytes: bytesOf(caption), mimeType: "image/jpeg", phoneNumberId }),
});

const wanted = () => {
  const captions = Array.from({ length: ROUNDS }, (_, round) =>
    Array.from({ length: PER_ROUND }, (__, index) => `${round}.${index}`),
  ).flat();
  const sorted = captions.map((caption) => `${caption} ${sha256(bytesOf(caption))}`).sort();
  return {
    received: sorted,
    files: captions.map((caption) => sha256(bytesOf(caption))).sort(),
    available: captions.length,
    rows: captions.length,
    dead: [],
    tempFiles: [],
  };
};

/** What there is on the disk: of each event `message:received` its caption and the digest of its file. */
const found = async (dir: string) => {
  const { events, discardedJobs } = readDatabase(join(dir, "recado.db"));
  const media = join(dir, "media");
  const files = readdirSync(media, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const digests = new Map(files.map(({ parentPath, name }) => [name, sha256(readFileSync(join(parentPath, name)))]));
  const received = events.filter(({ type }) => type === "message:received").map(({ body }) => JSON.parse(body).data);
  const reader = openReader(join(dir, "recado.db"));
  const rows = reader.prepare("SELECT id FROM media WHERE stored_at IS NOT NULL").objects([]).length;
  reader.close();
  return {
    received: received.map(({ content, media: file }) => `${content.caption} ${digests.get(file.mediaId)}`).sort(),
    files: [...digests.values()].sort(),
    available: events.filter(({ type }) => type === "media:available").length,
    rows,
    dead: discardedJobs,
    tempFiles: readdirSync(join(dir, "temp")),
  };
};

const settingsOf = async (dir: string) => ({
  RECADO_DATA_DIR: dir,
  RECADO_LISTEN: `127.0.0.1:${await quietPort()}`,
  RECADO_LOG_LEVEL: "error",
  RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
  RECADO_META_APP_SECRET: APP_SECRET,
  RECADO_META_GRAPH_URL: graph.url,
  RECADO_GATEWAY_RATE: "1000000",
  RECADO_TEST_CLOCK: "1",
});
