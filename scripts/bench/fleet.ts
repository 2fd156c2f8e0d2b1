import type { Child } from "./process.ts";
import { type Account, newAccount, newSettings, type Recado, serve, WEBHOOK_SECRET } from "./recado.ts";
import { callNetwork, type NetworkAddress, type NetworkStat, startNetwork } from "./whatsapp.ts";

/** A paired phone: its id at the gateway, and its number. */
export type Session = { id: string; pn: string };
/** The fields of a phone from the gateway. */
export type SessionView = { id: string; status: string; updatedAt: string };

/** A Recado with sessions, their network, and their customer (this process). */
export type Fleet = {
  readonly settings: Record<string, string>;
  readonly place: NetworkAddress;
  readonly network: Child;
  readonly account: Account;
  readonly customer: SessionCustomer;
  readonly sessions: Session[];
  /** The present server. */
  recado: Recado;
};

/** The customer's webhook: counts the events about channels, and notes when each text arrived. */
export type SessionCustomer = {
  readonly url: string;
  readonly texts: Map<string, number>;
  repeats: number;
  channelEvents: string[];
  stop(): void;
};

type WebhookBody = { type: string; data: { content?: { text?: string } } };

const startCustomer = (): SessionCustomer => {
  const texts = new Map<string, number>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { type, data } = (await request.json()) as WebhookBody;
      if (type.startsWith("channel:")) customer.channelEvents.push(type);
      const text = data.content?.text;
      if (text !== undefined && texts.has(text)) customer.repeats++;
      else if (text !== undefined) texts.set(text, performance.now());
      return new Response("ok");
    },
  });
  const customer: SessionCustomer = {
    url: `http://127.0.0.1:${server.port}/hook`,
    texts,
    repeats: 0,
    channelEvents: [],
    stop: () => void server.stop(true),
  };
  return customer;
};

const FASTEST_RATE = "100000";

export const startFleet = async (): Promise<Fleet> => {
  const { child: network, place } = await startNetwork();
  const settings = {
    ...newSettings(),
    RECADO_WHATSAPP_WEB_URL: place.url,
    RECADO_WHATSAPP_WEB_ROOT: place.root,
    RECADO_SESSION_RATE: FASTEST_RATE,
    RECADO_SESSION_NEW_CHATS_A_DAY: "0",
    RECADO_TEST_CLOCK: "1",
  };
  const recado = await serve({ settings });
  return {
    settings,
    place,
    network,
    account: await newAccount(recado),
    customer: startCustomer(),
    sessions: [],
    recado,
  };
};

export const stopFleet = async ({ recado, network, customer }: Fleet): Promise<void> => {
  customer.stop();
  await Promise.all([recado.child.stop(), network.stop()]);
};

const LONGEST_MS = 300_000;
const LOOK_EVERY_MS = 50;

/** Asks again and again; throws when it takes far too long. */
export const until = async (what: string, isSo: () => Promise<boolean>, everyMs = LOOK_EVERY_MS): Promise<void> => {
  const giveUpAt = performance.now() + LONGEST_MS;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`waited too long for this: ${what}`);
    await Bun.sleep(everyMs);
  }
};

/** Runs a function for each item, so many at a time. */
export const each = async <Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const left = items.values();
  const drive = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, drive));
};

export const viewsOf = ({ recado, account }: Fleet): Promise<SessionView[]> =>
  recado.call<SessionView[]>("/v1/phones", { key: account.key });
export const statOf = ({ place }: Fleet): Promise<NetworkStat> => callNetwork<NetworkStat>(place, "stat");

/** Whether the gateway calls every session CONNECTED and the network has seen so many log in. */
export const allConnected = async (fleet: Fleet, logins: number): Promise<boolean> =>
  (await viewsOf(fleet)).every(({ status }) => status === "CONNECTED") && (await statOf(fleet)).logins >= logins;

const EVENTS = ["message:received", "channel:connected", "channel:disconnected", "channel:qrcode"];
const PAIRED_AT_ONCE = 8;
const QR_NOT_YET = /\b425\b/;

const qrOf = async ({ recado, account }: Fleet, id: string): Promise<string> => {
  let qr = "";
  const ask = async () => {
    const answer = await recado
      .call<{ qr: string }>(`/v1/phones/${id}/qrcode`, { key: account.key })
      .catch((error: unknown) => {
        if (QR_NOT_YET.test(String(error))) return undefined;
        throw error;
      });
    qr = answer?.qr ?? "";
    return qr !== "";
  };
  await until("a QR code", ask);
  return qr;
};

const pairOne = async (fleet: Fleet, pn: string): Promise<void> => {
  const { recado, account, place, customer } = fleet;
  const body = {
    type: "SESSION",
    label: "Benchmark",
    webhook: { url: customer.url, secret: WEBHOOK_SECRET, events: EVENTS },
  };
  const { id } = await recado.call<{ id: string }>("/v1/phones", { key: account.key, body });
  await callNetwork(place, "scan", { pn, qr: await qrOf(fleet, id) });
  fleet.sessions.push({ id, pn });
};

/** Creates and pairs so many sessions, some at a time. Resolves when all are CONNECTED, with the duration. */
export const pairUpTo = async (fleet: Fleet, count: number): Promise<number> => {
  const numbers = Array.from(
    { length: count - fleet.sessions.length },
    (_, n) => `55119${String(30_000_000 + fleet.sessions.length + n)}`,
  );
  const startedAt = performance.now();
  await each(numbers, PAIRED_AT_ONCE, (pn) => pairOne(fleet, pn));
  await until("all sessions to be paired", () => allConnected(fleet, count));
  return performance.now() - startedAt;
};
