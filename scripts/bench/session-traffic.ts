import { each, type Fleet, type Session, statOf, until } from "./fleet.ts";
import { callNetwork, type NetworkAddress } from "./whatsapp.ts";
import { type Spread, spreadOf } from "./wire.ts";

const SENT_AT_ONCE = 32;
const SAID_AT_ONCE = 16;

/** `cpuMs`: processor time of the server per message. */
export type Flow = { count: number; perSecond: number; cpuMs: number };

/** A person on the network, by number. */
export const contactNumber = (n: number): string => `1555${String(2_000_000 + n)}`;

/** Puts so many people on the network. */
export const newContacts = async (place: NetworkAddress, first: number, count: number): Promise<string[]> => {
  const numbers = Array.from({ length: count }, (_, n) => contactNumber(first + n));
  await each(numbers, SAID_AT_ONCE, async (pn) => void (await callNetwork(place, "contact", { pn })));
  return numbers;
};

/** The senders and their recipients, in turn. */
const turnsOf = (
  sessions: readonly Session[],
  contacts: readonly string[],
  count: number,
): { from: Session; to: string }[] =>
  Array.from({ length: count }, (_, n) => ({
    from: sessions[n % sessions.length] as Session,
    to: contacts[Math.floor(n / sessions.length) % contacts.length] ?? "",
  }));

/** Asks the gateway to send a text; answers its id, and when it was asked. */
const send = async (
  { recado, account }: Fleet,
  { from, to }: { from: Session; to: string },
): Promise<{ id: string; askedAt: number }> => {
  const askedAt = performance.timeOrigin + performance.now();
  const body = { phoneId: from.id, to, type: "text", content: { text: "Hello, this is a message of the benchmark." } };
  const { messageId } = await recado.call<{ messageId: string }>("/v1/messages", { key: account.key, body });
  return { id: messageId, askedAt };
};

type Status = { status: string; sentAt: string | null; failedReason: string | null };
const statusOf = ({ recado, account }: Fleet, id: string): Promise<Status> =>
  recado.call<Status>(`/v1/messages/${id}`, { key: account.key });

const sentAtOf = async (fleet: Fleet, id: string): Promise<number> => {
  const { sentAt, status, failedReason } = await statusOf(fleet, id);
  if (sentAt === null) throw new Error(`a message is ${status}: ${failedReason ?? "and not sent"}`);
  return Date.parse(sentAt);
};

/** Sends so many texts as fast as they are accepted, until the last is SENT. */
export const sendFlow = async (
  fleet: Fleet,
  { sessions, contacts, count }: { sessions: readonly Session[]; contacts: readonly string[]; count: number },
): Promise<Flow> => {
  const { child } = fleet.recado;
  const seen = (await statOf(fleet)).stanzas["message"] ?? 0;
  const [cpuMs, startedAt] = [child.cpuMs(), performance.timeOrigin + performance.now()];
  const sent: string[] = [];
  await each(
    turnsOf(sessions, contacts, count),
    SENT_AT_ONCE,
    async (turn) => void sent.push((await send(fleet, turn)).id),
  );
  await until(
    "the network to have all sends",
    async () => ((await statOf(fleet)).stanzas["message"] ?? 0) >= seen + count,
  );
  await each(sent.slice(-SENT_AT_ONCE), SENT_AT_ONCE, (id) =>
    until("the last sends", async () => (await statusOf(fleet, id)).status !== "QUEUED"),
  );
  const usedMs = child.cpuMs() - cpuMs;
  let lastAt = 0;
  await each(sent, SENT_AT_ONCE, async (id) => void (lastAt = Math.max(lastAt, await sentAtOf(fleet, id))));
  return { count, perSecond: (count * 1000) / (lastAt - startedAt), cpuMs: usedMs / count };
};

const SENDS_EVERY_MS = 25;

/** Sends so many texts one after the other with time between; from the request to SENT, to the millisecond. */
export const sendLag = async (
  fleet: Fleet,
  { session, contacts, count }: { session: Session; contacts: readonly string[]; count: number },
): Promise<Spread> => {
  const asked: { id: string; askedAt: number }[] = [];
  for (const turn of turnsOf([session], contacts, count)) {
    asked.push(await send(fleet, turn));
    await Bun.sleep(SENDS_EVERY_MS);
  }
  await until("the last send", async () => (await statusOf(fleet, asked.at(-1)?.id ?? "")).status !== "QUEUED");
  const lags: number[] = [];
  await each(asked, SENT_AT_ONCE, async ({ id, askedAt }) => void lags.push((await sentAtOf(fleet, id)) - askedAt));
  return spreadOf(lags);
};

let texts = 0;
const nextText = (): string => `message ${++texts} of the benchmark`;

const sayTo = ({ place }: Fleet, from: string, to: Session, text: string): Promise<unknown> =>
  callNetwork(place, "say", { from, to: to.pn, text });

/** Makes so many texts wait in the network, then releases them all. Ends when each is at the customer's webhook. */
export const receiveFlow = async (
  fleet: Fleet,
  { sessions, contacts, count }: { sessions: readonly Session[]; contacts: readonly string[]; count: number },
): Promise<Flow> => {
  const { customer, place, recado } = fleet;
  await callNetwork(place, "fault", { name: "holdIncoming" });
  const said: string[] = [];
  await each(turnsOf(sessions, contacts, count), SAID_AT_ONCE, async ({ from, to }) => {
    const text = nextText();
    said.push(text);
    await sayTo(fleet, to, from, text);
  });
  const [cpuMs, startedAt] = [recado.child.cpuMs(), performance.now()];
  await callNetwork(place, "heal");
  await until("all that was said to arrive", async () => said.every((text) => customer.texts.has(text)), 5);
  const usedMs = recado.child.cpuMs() - cpuMs;
  const lastAt = Math.max(...said.map((text) => customer.texts.get(text) ?? Number.NaN));
  return { count, perSecond: (count * 1000) / (lastAt - startedAt), cpuMs: usedMs / count };
};

/**
 * `lag`: from the moment when a text was written until the customer's webhook had it. `network`: the part that the
 * simulated network took to encrypt it and hand it over.
 */
export type ReceiveLag = { lag: Spread; network: Spread };

/** Sends so many texts one after the other, each after the arrival of the one before. */
export const receiveLag = async (
  fleet: Fleet,
  { session, contacts, count }: { session: Session; contacts: readonly string[]; count: number },
): Promise<ReceiveLag> => {
  const [lags, networkMs]: [number[], number[]] = [[], []];
  for (const { from, to } of turnsOf([session], contacts, count)) {
    const [text, saidAt] = [nextText(), performance.now()];
    await sayTo(fleet, to, from, text);
    networkMs.push(performance.now() - saidAt);
    await until("what was said to arrive", async () => fleet.customer.texts.has(text), 1);
    lags.push((fleet.customer.texts.get(text) ?? Number.NaN) - saidAt);
  }
  return { lag: spreadOf(lags), network: spreadOf(networkMs) };
};
