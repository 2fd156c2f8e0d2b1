import { afterAll, expect, test } from "bun:test";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { processes } from "../../support/processes/process.ts";
import { roundsOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";
import { type Customer, type Gateway, startGateway } from "../../support/session/gateway-process.ts";

const ROUNDS = roundsOf(20);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
/** Of these, those after the kill wait for the next process. */
const PER_ROUND = 12;
/** A message is read, written and acknowledged within so long after it came. */
const AIM_MS = 15;
const AT_WORK_SHARE = 0.8;

const tools = processes(afterAll);
const gateway = await startGateway(tools, { RECADO_TEST_CLOCK: "1", RECADO_LOG_LEVEL: "error" });
afterAll(() => gateway.end());

test(
  `5.9 5.16 kill -9 between decryption and event: every message is published, as one event, and none is acknowledged that is not on disk (${ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const customer = await gateway.customer("5511900000001");
    await customer.pair();
    const ana = gateway.net.contact({ pn: "5511911110001" });
    const writers = [
      ana,
      gateway.net.contact({ pn: "5511911110002", addressing: "pn" }),
      gateway.net.contact({ lid: "98765432100001" }),
    ];
    const written = new Map<string, string>();
    const caught = { writtenUnacknowledged: 0, unwritten: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      // a process that has just started is slow: most kills wait until it is at work
      if (random.float() < AT_WORK_SHARE) await gateway.net.until(() => customer.device.devices[0]?.queued === 0);
      const aim = Math.floor(random.float() * (PER_ROUND / 2));
      let killed = Promise.resolve();
      for (let index = 0; index < PER_ROUND; index++) {
        const text = `${round}.${index}`;
        const writer = writers[Math.floor(random.float() * (writers.length + 1))];
        // or the owner, on the phone
        const id = await (writer?.say(text, { to: customer.device }) ?? customer.device.say(text, { to: ana }));
        written.set(id, text);
        if (index === aim) killed = gateway.killAfter(random.float() * AIM_MS);
      }
      await killed;
      const [onDisk, acknowledged] = [new Set(textsOnDisk(gateway)), acknowledgedBy(gateway, written)];
      expect(acknowledged.filter((text) => !onDisk.has(text))).toEqual([]);
      caught.writtenUnacknowledged += onDisk.size - acknowledged.length;
      caught.unwritten += written.size - onDisk.size;
      await gateway.restart();
      await customer.device.open();
    }
    await gateway.net.until(() => customer.device.devices[0]?.queued === 0);
    await gateway.settle();
    await gateway.stop();
    console.log(
      JSON.stringify({
        rounds: ROUNDS,
        seed: SEED,
        written: written.size,
        ...caught,
        publishedAgain: customer.received("message:received").length - written.size,
      }),
    );
    const texts = [...written.values()].sort();
    expect(textsOnDisk(gateway).sort()).toEqual(texts);
    expect(
      [...eventsByText(customer)]
        .map(([text, ids]) => `${text}${ids.size === 1 ? "" : ` as ${ids.size} events`}`)
        .sort(),
    ).toEqual(texts);
    expect(writers.flatMap(({ receivedReceipts }) => receivedReceipts.filter(({ type }) => type === "retry"))).toEqual(
      [],
    );
    expect([gateway.net.stat.unhandled, gateway.net.stat.refused]).toEqual([[], []]);
  },
  ROUNDS * 3_000 + 120_000,
);

const textsOnDisk = (gateway: Gateway): string[] =>
  gateway
    .disk()
    .events.filter(({ type }) => type === "message:received")
    .map(({ body }) => JSON.parse(body).data.content.text);

/**
 * The texts whose receipts have come to the network. What the owner wrote has receipts of its own reader under the same
 * id: the acknowledgement of such a receipt says nothing about the text.
 */
const acknowledgedBy = ({ net }: Gateway, written: ReadonlyMap<string, string>): string[] => [
  ...new Set(
    [...net.stat.receipts, ...net.stat.acks].flatMap(({ id, type }) =>
      type === "retry" || type === "receipt" ? [] : (written.get(id) ?? []),
    ),
  ),
];

const eventsByText = (customer: Customer): Map<string, Set<string>> => {
  const received = new Map<string, Set<string>>();
  for (const { id, data } of customer.received("message:received"))
    received.set(data.content.text, (received.get(data.content.text) ?? new Set()).add(id));
  return received;
};
