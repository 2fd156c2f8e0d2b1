import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import { hmacSha256 } from "../../../src/kernel/crypto.ts";
import { createFailures } from "../telegram/failures.ts";
import { serveMessenger } from "./server.ts";
import type { Fields, JournalEntry, Page, Person, State } from "./state.ts";
import { listsOf } from "./threads.ts";

/** A page of the simulated network, and people's acts on it. */
export type SimulatedPage = Page & {
  addPerson(psid: string, name?: string): Person;
  /** A person's message: it opens the window. Gives the item of its webhook. */
  write(psid: string, message: Fields): Fields & { message: Fields };
  /** A person's act that is no message, such as `{ read: { watermark } }`. */
  act(psid: string, what: Fields): Fields;
  /** Registers the one address of the page's app, as Meta does: it must answer the challenge, or this throws. */
  register(url: string, verifyToken: string): Promise<void>;
  /** Posts these items to the registered address. Gives the status of the answer. */
  deliver(...items: Fields[]): Promise<number>;
};

/** The simulated Messenger Platform: a client's view of the real one, and a test's orders. */
export type Messenger = {
  /** The value for RECADO_PLUGIN_MESSENGER_GRAPH_URL. */
  readonly url: string;
  readonly journal: readonly JournalEntry[];
  /** `appId`: pages with the same one share an app; by default each has its own. */
  addPage(seed: { id: string; appSecret: string; token: string; name?: string; appId?: string }): SimulatedPage;
  /** Posts one envelope with an entry for each page; all are of the first page's app. Gives the status of the answer. */
  deliverTogether(...entries: { page: SimulatedPage; items: Fields[] }[]): Promise<number>;
  /**
   * The next call that matches, such as `POST messages`, is answered with this error of the catalogue, after `skip` calls
   * that succeed.
   */
  refuseNext(what: RegExp, code: number, subcode?: number, skip?: number): void;
  /** The next call that matches gets no answer; `isTaken`: after it was carried out. */
  cutNext(what: RegExp, isTaken: boolean): void;
  garbleNext(what: RegExp): void;
  /** From now on the simulator does not answer. */
  stop(): Promise<void>;
};

export const startMessenger = async ({ clock = systemClock() }: { clock?: Clock } = {}): Promise<Messenger> => {
  const state: State = { clock, pages: new Map(), webhooks: new Map(), nextId: 1000, journal: [] };
  const failures = createFailures();
  const server = serveMessenger(state, failures);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  let isUp = true;
  return {
    url: `http://127.0.0.1:${port}`,
    journal: state.journal,
    addPage: (seed) => addPage(state, seed),
    deliverTogether: (...entries) => deliver(state, entries),
    refuseNext: (what, code, subcode, skip = 0) =>
      failures.order(
        what,
        {
          kind: "refuse",
          status: code,
          description: "",
          ...(subcode === undefined ? {} : { parameters: { subcode } }),
        },
        1,
        skip,
      ),
    cutNext: (what, isTaken) => failures.order(what, { kind: "cut", isTaken }, 1, 0),
    garbleNext: (what) => failures.order(what, { kind: "garble" }, 1, 0),
    async stop() {
      if (!isUp) return;
      isUp = false;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

/** The body and the headers of a webhook, signed as Meta signs. */
export const envelopeOf = (page: Pick<Page, "id" | "appSecret">, items: readonly Fields[], time: number) =>
  signed(page, [{ id: page.id, time, messaging: items }]);

const signed = (page: Pick<Page, "appSecret">, entry: readonly Fields[]) => {
  const body = JSON.stringify({ object: "page", entry });
  const signature = `sha256=${hmacSha256(page.appSecret, body, "hex")}`;
  return { body, headers: { "content-type": "application/json", "X-Hub-Signature-256": signature } };
};

const deliver = async (state: State, entries: readonly { page: Page; items: Fields[] }[]): Promise<number> => {
  const [first] = entries;
  const url = first && state.webhooks.get(first.page.appId);
  if (!first || url === undefined) throw new Error("no webhook is registered");
  const time = state.clock.now();
  const entry = entries.map(({ page, items }) => ({ id: page.id, time, ...listsOf(page, items) }));
  const { body, headers } = signed(first.page, entry);
  return (await fetch(url, { method: "POST", headers, body })).status;
};

const addPage = (
  state: State,
  { id, appSecret, token, name = "Padaria Estrela", appId = `app of ${id}` }: Parameters<Messenger["addPage"]>[0],
): SimulatedPage => {
  const now = () => state.clock.now();
  const page: Page = {
    id,
    name,
    appId,
    appSecret,
    tokens: new Set([token]),
    hasHumanAgent: false,
    maySubscribe: true,
    subscribed: undefined,
    people: new Map(),
    sent: [],
    actions: [],
    files: new Map(),
    leaders: new Map(),
    mayTake: true,
    received: new Set(),
  };
  state.pages.set(id, page);
  const act = (psid: string, what: Fields): Fields => ({
    sender: { id: psid },
    recipient: { id },
    timestamp: now(),
    ...what,
  });
  return Object.assign(page, {
    addPerson(psid: string, personName = "Ana Souza") {
      const person: Person = { psid, name: personName, lastWroteAt: now(), isBlocking: false, hidesName: false };
      page.people.set(psid, person);
      return person;
    },
    act,
    write(psid: string, message: Fields) {
      const person = page.people.get(psid);
      if (!person) throw new Error(`there is no person ${psid}`);
      person.lastWroteAt = now();
      state.nextId += 1;
      const mid: string = message["mid"] ?? `m_RECEIVED-${id}-${state.nextId}`;
      page.received.add(mid);
      const written = { mid, ...message };
      return { ...act(psid, {}), message: written };
    },
    async register(url: string, verifyToken: string) {
      const query = new URLSearchParams({
        "hub.mode": "subscribe",
        "hub.challenge": "1158201444",
        "hub.verify_token": verifyToken,
      });
      const answer = await fetch(`${url}?${query.toString()}`);
      if (answer.status !== 200 || (await answer.text()) !== "1158201444")
        throw new Error("The URL couldn't be validated. Callback verification failed");
      state.webhooks.set(page.appId, url);
    },
    deliver: (...items: Fields[]) => deliver(state, [{ page, items }]),
  });
};
