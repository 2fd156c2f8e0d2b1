import { afterAll, expect, test } from "bun:test";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { processes } from "../../support/processes/process.ts";
import { roundsOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";
import { type Customer, type Gateway, startGateway } from "../../support/session/gateway-process.ts";
import type { Contact } from "../../support/whatsapp/index.ts";

const ROUNDS = roundsOf(6);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
const PHONES = 5;
const PEOPLE_OF_A_PHONE = 3;
/** So many texts of a chat come before the kill, while the process is away, and while it reads those. */
const [BEFORE, AWAY, LIVE] = [3, 5, 4];
/** When the process is killed, after the texts before it began to come. */
const KILLED_WITHIN_MS = 60;

const tools = processes(afterAll);
const gateway = await startGateway(tools, { RECADO_TEST_CLOCK: "1", RECADO_LOG_LEVEL: "error" });
afterAll(() => gateway.end());

/** A person who writes to one phone; `written` counts the texts. */
type Chat = { customer: Customer; person: Contact; written: number };

const numberOf = (phone: number, person: number): string => `5511911${phone}0${String(person).padStart(4, "0")}`;

const chatsOf = async (): Promise<Chat[]> => {
  const chats: Chat[] = [];
  for (let phone = 0; phone < PHONES; phone++) {
    const customer = await gateway.customer(`551190000000${phone}`);
    await customer.pair();
    for (let person = 0; person < PEOPLE_OF_A_PHONE; person++) {
      const named = gateway.net.contact({
        pn: numberOf(phone, person),
        ...(person === 2 ? { addressing: "pn" } : {}),
      });
      chats.push({ customer, person: named, written: 0 });
    }
  }
  return chats;
};

/** The next texts of a chat, one after the other. */
const write = async (chat: Chat, count: number): Promise<void> => {
  for (let left = count; left > 0; left--) await chat.person.say(String(chat.written++), { to: chat.customer.device });
};

const untilRead = (chats: readonly Chat[]) =>
  gateway.net.until(() => chats.every(({ customer }) => customer.device.devices[0]?.queued === 0));

test(
  `the texts of each chat are published in the order in which the network gave them, over kill -9, with those that waited and new ones at once (${ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const chats = await chatsOf();
    for (let round = 0; round < ROUNDS; round++) {
      const killed = gateway.killAfter(random.float() * KILLED_WITHIN_MS);
      await Promise.all(chats.map((chat) => write(chat, BEFORE)));
      await killed;
      await Promise.all(chats.map((chat) => write(chat, AWAY)));
      await gateway.restart();
      // as soon as a phone's link is open, while it reads what waited
      await Promise.all(
        chats.map(async (chat) => {
          await chat.customer.device.open();
          await write(chat, LIVE);
        }),
      );
      await untilRead(chats);
    }
    const published = textsOnDisk(gateway);
    const expected = chats.map(({ person, written }) => [person.lidJid, Array.from({ length: written }, (_, n) => n)]);
    expect(chats.map(({ person: { lidJid } }) => [lidJid, published.get(lidJid)])).toEqual(expected);
    await gateway.stop();
    expect([gateway.net.stat.unhandled, gateway.net.stat.refused]).toEqual([[], []]);
  },
  ROUNDS * 10_000 + 60_000,
);

/** The texts of each person's LID, in the order of their events. */
const textsOnDisk = ({ disk }: Gateway): Map<string, number[]> => {
  const texts = new Map<string, number[]>();
  for (const { type, body } of disk().events) {
    if (type !== "message:received") continue;
    const { chat, content } = JSON.parse(body).data;
    texts.set(chat.lid, [...(texts.get(chat.lid) ?? []), Number(content.text)]);
  }
  return texts;
};
