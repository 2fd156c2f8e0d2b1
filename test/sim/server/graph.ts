import { createHmac } from "node:crypto";
import type { Chance } from "./chance.ts";
import type { Machine } from "./machine.ts";
import type { Remote, Reply } from "./network.ts";
import { APP_SECRET, type Server } from "./server.ts";

/** A send that the network has taken: it will arrive. */
export type Taken = { messageId: string; wamid: string; numberId: string; to: string; text: string; at: number };

/** How the network answers sends now: weights. */
export type SendMood = Readonly<
  Record<
    "taken" | "refused" | "limited" | "pairLimited" | "troubled" | "takenSilently" | "takenWith500" | "gateway",
    number
  >
>;
export const GOOD_MOOD: SendMood = {
  taken: 1,
  refused: 0,
  limited: 0,
  pairLimited: 0,
  troubled: 0,
  takenSilently: 0,
  takenWith500: 0,
  gateway: 0,
};

/** What the network reports of sends, and how untidily it posts. */
export type PostMood = { repeats: number; isShuffled: boolean; saysFailed: number; saysRead: number };
export const TIDY: PostMood = { repeats: 0, isShuffled: false, saysFailed: 0, saysRead: 0.5 };

/** The official network: what it took, what it refused, and what it has posted. */
export type Graph = {
  mood: SendMood;
  posting: PostMood;
  readonly taken: readonly Taken[];
  readonly refused: ReadonlySet<string>;
  /** The receipts that were posted, by the message. */
  readonly receipts: ReadonlyMap<string, readonly string[]>;
  /** The inbound messages that the server has acknowledged. */
  readonly acknowledged: ReadonlySet<string>;
  readonly inbound: ReadonlyMap<string, { numberId: string; text: string }>;
  /** Webhooks that were not acknowledged yet. */
  readonly unposted: number;
  remote: Remote;
  /** A person writes to a number. */
  write(numberId: string, from: string, text: string): void;
};

const POST_AGAIN_MS = [1000, 5000, 30_000];
const SECOND_MS = 1000;

const json = (status: number, body: unknown, tookMs: number): Reply => ({ status, body: JSON.stringify(body), tookMs });
const fault = (status: number, code: number, tookMs: number) =>
  json(status, { error: { code, message: `error ${code}`, type: "OAuthException" } }, tookMs);

type Parts = { machine: Machine; chance: Chance; server(): Server };

export const createGraph = ({ machine, chance, server }: Parts): Graph => {
  const taken: Taken[] = [];
  const refused = new Set<string>();
  const receipts = new Map<string, string[]>();
  const inbound = new Map<string, { numberId: string; text: string }>();
  const acknowledged = new Set<string>();
  let unposted = 0;
  let people = 0;

  const post = (value: object, numberId: string, onDone: () => void = () => {}) => {
    const first = JSON.stringify({
      object: "whatsapp_business_account",
      entry: [
        {
          id: `1022${numberId}`,
          changes: [
            {
              field: "messages",
              value: {
                messaging_product: "whatsapp",
                metadata: { display_phone_number: numberId, phone_number_id: numberId },
                ...value,
              },
            },
          ],
        },
      ],
    });
    const tryNow = async (body: string, tries = 0): Promise<void> => {
      const signature = createHmac("sha256", APP_SECRET).update(body).digest("hex");
      const headers = { "x-hub-signature-256": `sha256=${signature}` };
      const answer = await server().ask("/gateway/v1/upstream-webhook", { raw: body, headers });
      if (answer?.status === 200) {
        unposted--;
        return onDone();
      }
      machine.after(POST_AGAIN_MS[tries] ?? 60_000, "webhook again", () => void tryNow(body, tries + 1));
    };
    unposted++;
    void tryNow(first);
    if (!chance.isHit(graph.posting.repeats)) return;
    unposted++;
    machine.after(chance.below(3000), "webhook repeated", () => void tryNow(chance.isHit(1 / 2) ? first : `${first} `));
  };

  const report = ({ messageId, wamid, numberId, to }: Taken, status: string) => {
    receipts.set(messageId, [...(receipts.get(messageId) ?? []), status]);
    post(
      {
        contacts: [{ profile: { name: "Somebody" }, wa_id: to }],
        statuses: [
          {
            id: wamid,
            status,
            timestamp: String(Math.floor(machine.wall / SECOND_MS)),
            recipient_id: to,
            biz_opaque_callback_data: messageId,
            ...(status === "failed" ? { errors: [{ code: 131026, title: "Undeliverable" }] } : {}),
          },
        ],
      },
      numberId,
    );
  };
  /** Receipts of one message, in their order or in any. */
  const reportAll = (one: Taken) => {
    const { posting } = graph;
    const isFailed = chance.isHit(posting.saysFailed);
    const said = isFailed
      ? ["sent", "failed"]
      : ["sent", "delivered", ...(chance.isHit(posting.saysRead) ? ["read"] : [])];
    let at = 0;
    for (const status of said) {
      at += chance.between(1, 800);
      machine.after(posting.isShuffled ? chance.below(2000) : at, `receipt ${status}`, () => report(one, status));
    }
  };

  const take = (numberId: string, body: any): Taken => {
    const one: Taken = {
      messageId: String(body.biz_opaque_callback_data ?? ""),
      wamid: `wamid.${numberId}.${taken.length + 1}`,
      numberId,
      to: String(body.to ?? body.recipient),
      text: String(body.text?.body ?? ""),
      at: machine.now,
    };
    taken.push(one);
    reportAll(one);
    return one;
  };
  const accepted = ({ wamid, to }: Taken, tookMs: number) =>
    json(
      200,
      { messaging_product: "whatsapp", contacts: [{ input: to, wa_id: to }], messages: [{ id: wamid }] },
      tookMs,
    );

  const send = (numberId: string, body: any): Reply => {
    const tookMs = chance.below(60);
    switch (chance.weighted(graph.mood)) {
      case "taken":
        return accepted(take(numberId, body), tookMs);
      case "refused":
        refused.add(String(body.biz_opaque_callback_data));
        return fault(400, 131026, tookMs);
      case "limited":
        return fault(429, 130429, tookMs);
      case "pairLimited":
        return fault(400, 131056, tookMs);
      case "troubled":
        return fault(500, 131000, tookMs);
      case "takenSilently":
        take(numberId, body);
        return undefined;
      case "takenWith500":
        take(numberId, body);
        return { status: 502, body: "<html>bad gateway</html>", tookMs };
      case "gateway":
        return { status: 504, body: "<html>timeout</html>", tookMs };
    }
  };

  const remote: Remote = ({ url, method, text }) => {
    const [, , node = "", edge = ""] = new URL(url).pathname.split("/");
    if (method === "POST" && edge === "messages") {
      const body = JSON.parse(text);
      return body.status === undefined ? send(node, body) : json(200, { success: true }, 5);
    }
    if (method === "GET" && edge === "")
      return json(
        200,
        { id: node, display_phone_number: `+${node}`, verified_name: "A company", quality_rating: "GREEN" },
        5,
      );
    return json(200, { success: true, data: [] }, 5);
  };

  const graph: Graph = {
    mood: GOOD_MOOD,
    posting: TIDY,
    taken,
    refused,
    receipts,
    acknowledged,
    inbound,
    get unposted() {
      return unposted;
    },
    remote,
    write(numberId, from, text) {
      const id = `wamid.in.${++people}`;
      inbound.set(id, { numberId, text });
      const timestamp = String(Math.floor(machine.wall / SECOND_MS));
      post(
        {
          contacts: [{ profile: { name: `Person ${from}` }, wa_id: from }],
          messages: [{ from, id, timestamp, type: "text", text: { body: text } }],
        },
        numberId,
        () => acknowledged.add(id),
      );
    },
  };
  return graph;
};
