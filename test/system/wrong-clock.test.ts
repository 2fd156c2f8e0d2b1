import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { MINUTE_MS } from "../../src/kernel/clock.ts";
import { addOfficialPhone } from "../support/customers/official-phone.ts";
import { startGraph } from "../support/graph/index.ts";
import { settingsUnderFire } from "../support/processes/burst.ts";
import { type Cluster, startNodes } from "../support/processes/cluster.ts";
import { processes } from "../support/processes/process.ts";
import { wrongClock } from "../support/processes/wrong-clock.ts";
import { startReceiver } from "../support/servers/receiver.ts";
import { untilTrue } from "../support/waiting.ts";

// Nodes whose machines' clocks are hours ahead and behind, by libfaketime.

const NODES = ["right", "ahead", "behind"] as const;
const SENDS = 10;
const THREE_HOURS_BEHIND = "-10800";
type Name = (typeof NODES)[number];

const { dataDir, folder, serve } = processes(afterAll);
const graph = startGraph();
const receiver = startReceiver();
let cluster: Cluster<Name>;

const [ahead, behind] = [wrongClock(join(folder(), "offset")), wrongClock(join(folder(), "offset"))];

beforeAll(async () => {
  // with a test clock no node would look at the database's
  const { RECADO_TEST_CLOCK: _, ...settings } = settingsUnderFire(graph);
  ahead.set("+10800");
  behind.set(THREE_HOURS_BEHIND);
  cluster = await startNodes({ dataDir, serve }, settings, {
    names: NODES,
    own: { ahead: ahead.settings, behind: behind.settings },
  });
}, 120_000);
afterAll(async () => {
  await cluster?.end();
  await Promise.all([receiver.stop(), graph.stop()]);
});

const textsTo = (phoneNumberId: string): string[] =>
  [...graph.sent.values()]
    .filter((sent) => sent.phoneNumberId === phoneNumberId)
    .map(({ body }) => (body["text"] as { body: string }).body);

describe("of three nodes one has a clock three hours ahead, and one three hours behind", () => {
  test("what each of them accepts is sent at once, by any of them, in the order of its chat", async () => {
    const phones = [];
    for (const name of NODES) phones.push(await addOfficialPhone(cluster.client(name), graph, receiver.url));
    const texts = Array.from({ length: SENDS }, (_, n) => `message ${n}`);
    for (const { id: phoneId, key } of phones)
      for (const [n, text] of texts.entries())
        await cluster.client(NODES[n % NODES.length] ?? "right").gateway("/v1/messages", key, {
          phoneId,
          to: "5511990000001",
          type: "text",
          content: { text },
        });
    await untilTrue(() => graph.sent.size === phones.length * SENDS);
    for (const { phoneNumberId } of phones) expect(textsTo(phoneNumberId)).toEqual(texts);
    const wrong = `abs(created_at - unixepoch('subsec') * 1000) > ${MINUTE_MS}`;
    expect(await cluster.rows(`SELECT id FROM messages WHERE ${wrong}`)).toEqual([]);
  });

  test("one whose clock is set meanwhile ends, and takes the database's time when it starts again", async () => {
    behind.set("+0");
    expect(await cluster.nodes.behind.ended).toMatchObject({ code: 1 });
    behind.set(THREE_HOURS_BEHIND); // as the other test expects it
    await cluster.start("behind");
  });
});
