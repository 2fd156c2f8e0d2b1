import type { Random } from "../../../src/kernel/random.ts";
import type { Graph } from "../graph/index.ts";
import { realTime } from "../waiting.ts";
import { APP_SECRET } from "../world.ts";

export type Phone = { id: string; key: string; phoneNumberId: string };
/**
 * A send that a client wants done once: no other has its `text`. With a `key` the client repeats it until it gets an
 * answer; without, never.
 */
export type Wanted = {
  phone: Phone;
  to: string;
  text: string;
  key: string | undefined;
  messageIds: string[];
  isAnswered: boolean;
  repeats: number;
};
/** An inbound text, from the moment the network posts it. */
export type Inbound = { text: string; isAnswered: boolean };

/** Every request of clients and of the network, and its answer. */
export type Burst = {
  readonly wanted: readonly Wanted[];
  readonly inbound: readonly Inbound[];
  /** Answers that no client should get. */
  readonly surprises: readonly string[];
  /** Sends that were refused with 503 and are repeated, because clients count 503 as no answer. */
  readonly refused: readonly string[];
  /** Sends and inbound texts, several at a time, until the server is gone. Resolves when every client has noticed. */
  run(url: string): Promise<void>;
  /**
   * The same, each send to the server that `urlOf` names at its moment, until the end. A client without an answer
   * continues.
   */
  runUntil(over: Promise<unknown>, urlOf: () => string): Promise<void>;
  /** Repeats every keyed send without an answer, as a client does after a crash, and some that had an answer. */
  repeatKeyed(url: string): Promise<void>;
  /** Reads some messages. A status that falls behind an earlier one is a surprise. */
  look(url: string): Promise<void>;
};

/** The settings of a server under load from a network and its customers. It logs only errors. */
export const settingsUnderFire = (graph: Graph) => ({
  RECADO_LOG_LEVEL: "error",
  RECADO_OUTBOUND_ALLOW: "127.0.0.1",
  RECADO_META_APP_SECRET: APP_SECRET,
  RECADO_META_GRAPH_URL: graph.url,
  RECADO_TEST_CLOCK: "1",
});

/**
 * Makes the network retry webhooks without an answer, for longer than any restart. Statuses come 100 ms after the
 * answer to the send.
 */
export const retryWebhooks = (graph: Graph, { url }: { url: string }): void => {
  graph.webhooks.configure({
    url: `${url}/gateway/v1/upstream-webhook`,
    appSecret: APP_SECRET,
    retryDelaysMs: Array<number>(200).fill(150),
    maxInFlight: 32,
  });
  graph.configure({ autoStatuses: ["sent", "delivered", "read"], autoDelayMs: 100 });
};

const CHATS = Array.from({ length: 9 }, (_, index) => `551199999010${index}`);
const SENDERS = 8;
const INBOUND_LOOPS = 4;
const KEYED_SHARE = 0.3;
const ANSWERED_REPEATED = 5;
/** The pause of a client without an answer, because requests without a pause would fill the memory. */
const UNANSWERED_PAUSE_MS = 10;
const LOOKED_AT = 20;
const RANKS = ["QUEUED", "SENT", "DELIVERED", "READ", "FAILED"];

/** `onAccepted` is called for each send that was answered with 202. */
export const createBurst = (graph: Graph, phones: readonly Phone[], random: Random, onAccepted: () => void): Burst => {
  const wanted: Wanted[] = [];
  const inbound: Inbound[] = [];
  const surprises: string[] = [];
  const refused: string[] = [];
  const seen = new Map<string, number>();
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random.float() * items.length)] as Item;

  /** False without an answer. */
  const ask = async (url: string, one: Wanted): Promise<boolean> => {
    const { phone, to, text, key } = one;
    const body = JSON.stringify({
      phoneId: phone.id,
      to,
      type: "text",
      content: { text },
      ...(key === undefined ? {} : { idempotencyKey: key }),
    });
    const answer = await post(`${url}/gateway/v1/messages`, phone.key, body);
    if (answer?.status === 503) refused.push(answer.body);
    if (!answer || answer.status === 503) return false;
    const { messageId } = JSON.parse(answer.body) as { messageId?: string };
    if ((answer.status !== 202 && answer.status !== 200) || messageId === undefined)
      surprises.push(`${answer.status} ${answer.body}`);
    else one.messageIds.push(messageId);
    one.isAnswered = true;
    if (answer.status === 202) onAccepted();
    return true;
  };
  const sender = async (urlOf: () => string, goesOn: (isAnswered: boolean) => boolean) => {
    let isUp = true;
    while (isUp) {
      const number = wanted.length;
      const key = random.float() < KEYED_SHARE ? `key-of-send-${number}` : undefined;
      const one: Wanted = {
        phone: pick(phones),
        to: pick(CHATS),
        text: `out ${number}`,
        key,
        messageIds: [],
        isAnswered: false,
        repeats: 0,
      };
      wanted.push(one);
      const isAnswered = await ask(urlOf(), one);
      isUp = goesOn(isAnswered);
      if (!isAnswered && isUp) await realTime(UNANSWERED_PAUSE_MS);
    }
  };
  const traffic = async (urlOf: () => string, goesOn: (isAnswered: boolean) => boolean) => {
    let isUp = true;
    const sends = Promise.all(Array.from({ length: SENDERS }, () => sender(urlOf, goesOn)));
    ended = sends.then(() => (isUp = false));
    await Promise.all([ended, ...Array.from({ length: INBOUND_LOOPS }, () => network(() => isUp))]);
  };
  const network = async (isUp: () => boolean) => {
    while (isUp()) {
      const one: Inbound = { text: `in ${inbound.length}`, isAnswered: false };
      inbound.push(one);
      const received = graph.inbound
        .text({ to: pick(phones).phoneNumberId, from: pick(CHATS), text: one.text })
        .then(({ delivery }) => {
          one.isAnswered = delivery.answers.at(-1)?.status === 200;
        });
      // the network goes on with other webhooks while one waits to be tried again
      await Promise.race([received, ended]);
    }
  };
  let ended: Promise<unknown> = Promise.resolve();

  return {
    wanted,
    inbound,
    surprises,
    refused,
    run: (url) =>
      traffic(
        () => url,
        (isAnswered) => isAnswered,
      ),
    async runUntil(over, urlOf) {
      let isOver = false;
      const end = () => void (isOver = true);
      over.then(end, end); // traffic must not outlive a failed test
      await traffic(urlOf, () => !isOver);
    },
    async repeatKeyed(url) {
      const keyed = wanted.filter((one) => one.key !== undefined);
      for (const one of [
        ...keyed.filter(({ isAnswered }) => !isAnswered),
        ...keyed.filter(({ isAnswered }) => isAnswered).slice(-ANSWERED_REPEATED),
      ]) {
        one.repeats++;
        await ask(url, one);
      }
    },
    async look(url) {
      const accepted = wanted.filter((one) => one.messageIds.length > 0);
      for (const { phone, messageIds } of [
        ...accepted.slice(-LOOKED_AT),
        ...Array.from({ length: LOOKED_AT }, () => pick(accepted)),
      ]) {
        const [id = ""] = messageIds;
        const answer = await fetch(`${url}/gateway/v1/messages/${id}`, {
          headers: { "x-api-key": phone.key },
          keepalive: false,
        });
        if (answer.status === 503) continue;
        const { status = "" } = (await answer.json()) as { status?: string };
        const rank = RANKS.indexOf(status);
        if (rank < (seen.get(id) ?? 0))
          surprises.push(`message ${id} went from ${RANKS[seen.get(id) ?? 0]} to ${status || answer.status}`);
        seen.set(id, rank);
      }
    },
  };
};

/**
 * Undefined when no answer came. Connections are not reused: after a killed server, a reused one could send a request
 * twice.
 */
const post = async (url: string, key: string, body: string): Promise<{ status: number; body: string } | undefined> => {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body,
      keepalive: false,
    });
    return { status: answer.status, body: await answer.text() };
  } catch {
    return undefined;
  }
};
