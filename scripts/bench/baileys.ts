// The yardstick for messages of sessions, a process of its own: unmodified Baileys with its keys in memory, one linked
// device, no server around it. Reads one order from stdin, prints one line of JSON with the result, and ends.
import { type Client, connect } from "../../test/support/whatsapp/baileys.ts";
import { each } from "./fleet.ts";
import { callNetwork, type NetworkAddress } from "./whatsapp.ts";

/** The linked number, its correspondent, and the number of messages each way. */
export type BaileysOrder = { place: NetworkAddress; pn: string; contacts: string[]; count: number; sentAtOnce: number };
type Rate = { perSecond: number; cpuMs: number };
export type BaileysResult = { first: Rate; sent: Rate; received: Rate };

const GREETING = "Hello.";

/** The duration of so many messages, and their processor time. */
const rateOf = async (count: number, work: () => Promise<unknown>): Promise<Rate> => {
  const [before, startedAt] = [process.cpuUsage(), performance.now()];
  await work();
  const tookMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(before);
  return { perSecond: (count * 1000) / tookMs, cpuMs: (user + system) / 1000 / count };
};

const linkedClient = async ({ place, pn }: BaileysOrder): Promise<Client> => {
  const first = connect(place);
  await callNetwork(place, "scan", { pn, qr: await first.qr() });
  await first.closed();
  const client = connect(place, first.identity);
  await client.opened();
  return client;
};

/** Sends texts, so many at a time. A send ends when the network has acknowledged it. */
const sender = ({ sock }: Client, { contacts, sentAtOnce }: BaileysOrder) => {
  const waiting = new Map<string, () => void>();
  sock.ws.on("CB:ack,class:message", ({ attrs }: { attrs: { id: string } }) => waiting.get(attrs.id)?.());
  let sent = 0;
  const sendOne = async () => {
    const messageId = `BENCH${++sent}`;
    const acknowledged = new Promise<void>((resolve) => waiting.set(messageId, resolve));
    await sock.sendMessage(
      `${contacts[sent % contacts.length]}@s.whatsapp.net`,
      { text: "Hello, this is a message of the benchmark.", linkPreview: null },
      { messageId },
    );
    await acknowledged;
    waiting.delete(messageId);
  };
  return (count: number) => each(Array.from({ length: count }), sentAtOnce, sendOne);
};

const receive = async ({ sock }: Client, { place, pn, contacts, count }: BaileysOrder): Promise<Rate> => {
  await callNetwork(place, "fault", { name: "holdIncoming" });
  await each(
    Array.from({ length: count }, (_, n) => contacts[n % contacts.length]),
    16,
    async (from) => void (await callNetwork(place, "say", { from, to: pn, text: GREETING })),
  );
  let arrived = 0;
  const all = new Promise<void>((resolve) =>
    sock.ev.on("messages.upsert", ({ messages }) => {
      arrived += messages.filter(({ message }) => message?.conversation === GREETING).length;
      if (arrived >= count) resolve();
    }),
  );
  return rateOf(count, async () => {
    await callNetwork(place, "heal");
    await all;
  });
};

if (import.meta.main) {
  const order = JSON.parse(await Bun.stdin.text()) as BaileysOrder;
  const client = await linkedClient(order);
  const send = sender(client, order);
  const first = await rateOf(order.contacts.length, () => send(order.contacts.length));
  const sent = await rateOf(order.count, () => send(order.count));
  const received = await receive(client, order);
  process.stdout.write(`${JSON.stringify({ first, sent, received } satisfies BaileysResult)}\n`);
  process.exit(0);
}
