import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import type { Random } from "../../../src/kernel/random.ts";
import { processes } from "../../support/processes/process.ts";
import { roundsOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";
import { type Customer, startGateway } from "../../support/session/gateway-process.ts";
import { type RatchetWatch, watchRatchets } from "../../support/session/ratchet-positions.ts";
import type { Contact } from "../../support/whatsapp/index.ts";

const ROUNDS = roundsOf(20);
const GROUP_ROUNDS = Math.ceil(ROUNDS / 5);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
const PER_ROUND = 6;
const AIM_MS = 15;
const AT_NETWORK_SHARE = 0.7;

const tools = processes(afterAll);
const gateway = await startGateway(tools, { RECADO_TEST_CLOCK: "1", RECADO_LOG_LEVEL: "error" });
const { net } = gateway;
afterAll(() => gateway.end());

let ratchets: RatchetWatch;
let stopWatching: () => void;
/**
 * Is called with every message that has reached the network, before that is acknowledged; true keeps the acknowledgement
 * from being sent.
 */
let onMessage: () => boolean;
beforeEach(() => {
  ratchets = watchRatchets();
  onMessage = () => false;
  stopWatching = net.faults.dropAcks((message) => {
    ratchets.saw(message);
    return onMessage();
  });
});
afterEach(() => stopWatching());

/** Every text that was wanted, and those of them that were answered with 202, by id. */
type Sends = { wanted: string[]; accepted: Map<string, string> };
type Fire = { rounds: number; random: Random; chats: readonly string[]; answers(): Promise<unknown> };

/**
 * Sends texts, and kills the process at some of them: when the network has it and has not said so yet, or soon after it
 * was accepted.
 */
const sendUnderFire = async (customer: Customer, { rounds, random, chats, answers }: Fire): Promise<Sends> => {
  const sends: Sends = { wanted: [], accepted: new Map() };
  let unacknowledged = 0;
  for (let round = 0; round < rounds; round++) {
    await customer.device.open();
    await customer.until("CONNECTED");
    const killed = Promise.withResolvers<void>();
    const killAfter = (ms: number) => void gateway.killAfter(ms).then(killed.resolve, killed.reject);
    const isAtNetwork = random.float() < AT_NETWORK_SHARE;
    let left = 1 + Math.floor(random.float() * (PER_ROUND - 1));
    onMessage = () => {
      if (isAtNetwork && --left === 0) killAfter(0);
      if (left > 0) return false;
      unacknowledged++;
      return true;
    };
    for (let index = 0; index < PER_ROUND; index++) {
      const text = `${round}.${index}`;
      sends.wanted.push(text);
      // killed meanwhile
      const id = await customer.send(chats[index % chats.length] ?? "", "text", { text }).catch(() => undefined);
      if (id !== undefined) sends.accepted.set(id, text);
      if (!isAtNetwork && --left === 0) killAfter(random.float() * AIM_MS);
      if (index === 1) await answers();
    }
    await killed.promise;
    onMessage = () => false;
    await gateway.restart();
  }
  await customer.device.open();
  await gateway.settle();
  console.log(
    JSON.stringify({
      rounds,
      seed: SEED,
      wanted: sends.wanted.length,
      accepted: sends.accepted.size,
      unacknowledged,
      ciphertexts: ratchets.count,
    }),
  );
  return sends;
};

/** The texts that a reader was shown on a device. One that came under two ids is there twice. */
const shownTo = ({ received }: Contact, device = 0): string[] =>
  received.filter((one) => one.device === device && !one.isOwn && /^\d/.test(one.text)).map(({ text }) => text);

const expectKept = async (customer: Customer, { wanted, accepted }: Sends, shown: readonly string[]): Promise<void> => {
  expect(shown.toSorted()).toEqual([...new Set(shown)].sort());
  expect([...accepted.values()].filter((text) => !shown.includes(text))).toEqual([]);
  expect(shown.filter((text) => !wanted.includes(text))).toEqual([]);
  for (const id of accepted.keys())
    expect((await customer.ask(`/messages/${id}`)).body).toMatchObject({ status: "DELIVERED" });
  expect(ratchets.reused).toEqual([]);
  expect([net.stat.unhandled, net.stat.refused]).toEqual([[], []]);
};

test(
  `kill -9 between ratchet write and ack: every message arrives under one key, once, and no key is used twice (${ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const customer = await gateway.customer("5511900000001");
    await customer.pair();
    const [ana, bia] = [
      net.contact({ pn: "5511911110001", devices: 2 }),
      net.contact({ pn: "5511911110002", addressing: "pn" }),
    ];
    const sends = await sendUnderFire(customer, {
      rounds: ROUNDS,
      random: seededRandom(SEED),
      chats: [`${ana.pn}`, `${bia.pn}`],
      answers: () => Promise.all([ana, bia].map((reader) => reader.say("pois não", { to: customer.device }))),
    });
    await expectKept(customer, sends, [...shownTo(ana), ...shownTo(bia)]);
    expect(shownTo(ana, 1).sort()).toEqual(shownTo(ana).sort());
    expect([ana.unread, bia.unread]).toEqual([[], []]);
  },
  ROUNDS * 3_000 + 120_000,
);

test(
  `kill -9 between ratchet write and ack in a group: every member reads every message once (${GROUP_ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const customer = await gateway.customer("5511900000002");
    await customer.pair();
    const members = ["5511911110011", "5511911110012", "5511911110013"].map((pn) => net.contact({ pn }));
    const group = net.group({ subject: "Equipe", members: [customer.device, ...members] });
    const sends = await sendUnderFire(customer, {
      rounds: GROUP_ROUNDS,
      random: seededRandom(SEED + 1),
      chats: [group.jid],
      answers: () => Promise.all(members.map((member) => member.say("presente", { to: group }))),
    });
    for (const member of members) await expectKept(customer, sends, shownTo(member));
    expect(members.flatMap(({ unread }) => unread)).toEqual([]);
  },
  GROUP_ROUNDS * 3_000 + 120_000,
);

test(
  `kill -9 while a message that could not be read is sent again: it is read after all (${GROUP_ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED + 2);
    const customer = await gateway.customer("5511900000003");
    await customer.pair();
    const ana = net.contact({ pn: "5511911110021" });
    for (let round = 0; round < GROUP_ROUNDS; round++) {
      ana.blind = true;
      const id = await customer.send(`${ana.pn}`, "text", { text: `${round}` });
      await net.until(() => ana.unread.length > round);
      ana.blind = false;
      await gateway.killAfter(random.float() * AIM_MS);
      await gateway.restart();
      await ana.until(({ text }) => text === `${round}`);
      await customer.untilReceived(({ data }) => data.messageId === id && data.status === "delivered");
    }
    expect([shownTo(ana).length, ratchets.reused]).toEqual([GROUP_ROUNDS, []]);
  },
  GROUP_ROUNDS * 3_000 + 120_000,
);
