import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { RedisClient } from "bun";
import { Connection } from "rabbitmq-client";
import {
  type BrokerOptions,
  type BrokerServer,
  PASSWORD,
  startNats,
  startRabbit,
  startRedis,
} from "./broker-servers.ts";

/** A message as a consumer gets it. `body`: the JSON text. */
export type Taken = { id: string; headers: Record<string, string>; body: string };

/** What the tests need to know of a kind of broker. */
export type BrokerKind = {
  name: string;
  start(options?: BrokerOptions): Promise<BrokerServer>;
  /** The URL of a webhook for it, with its password; at another host or port where they are given. */
  url(server: Pick<BrokerServer, "port">, at?: { host?: string; isTls?: boolean; password?: string }): string;
  /** Makes what takes the messages: without it the broker refuses them. Redis needs nothing. */
  prepare(server: BrokerServer): Promise<void>;
  /** All messages that it has, in its order. */
  read(server: BrokerServer): Promise<Taken[]>;
};

type At = { host?: string; isTls?: boolean; password?: string };

const placeOf = (port: number, { host = "127.0.0.1", password = PASSWORD }: At) =>
  `${encodeURIComponent(password)}@${host}:${port}`;

const withRabbit = async <Result>({ port }: BrokerServer, use: (broker: Connection) => Promise<Result>) => {
  const broker = new Connection({ hostname: "127.0.0.1", port, username: "guest", password: PASSWORD });
  broker.on("error", () => {});
  try {
    return await use(broker);
  } finally {
    await broker.close();
  }
};

const RABBIT: BrokerKind = {
  name: "RabbitMQ",
  start: startRabbit,
  url: ({ port }, at = {}) =>
    `${at.isTls ? "amqps" : "amqp"}://guest:${placeOf(port, at)}/?exchange=amq.topic&routingKey=recado.{type}`,
  prepare: (server) =>
    withRabbit(server, async (broker) => {
      await broker.queueDeclare({ queue: "recado", durable: true });
      await broker.queueBind({ queue: "recado", exchange: "amq.topic", routingKey: "recado.#" });
    }),
  read: (server) =>
    withRabbit(server, async (broker) => {
      const taken: Taken[] = [];
      for (;;) {
        const message = await broker.basicGet({ queue: "recado", noAck: true });
        if (!message) return taken;
        const headers = message.headers as Record<string, string>;
        taken.push({ id: message.messageId ?? "", headers, body: JSON.stringify(message.body) });
      }
    }),
};

const withNats = async <Result>(
  { port }: BrokerServer,
  use: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<Result>,
) => {
  const broker = await connect({ servers: `127.0.0.1:${port}`, user: "app", pass: PASSWORD });
  try {
    return await use(await jetstreamManager(broker));
  } finally {
    await broker.close();
  }
};

const NATS: BrokerKind = {
  name: "NATS JetStream",
  start: startNats,
  url: ({ port }, at = {}) =>
    `${at.isTls ? "nats+tls" : "nats"}://app:${placeOf(port, at)}/EVENTS?subject=recado.{type}`,
  prepare: (server) =>
    withNats(server, async (manager) => void (await manager.streams.add({ name: "EVENTS", subjects: ["recado.>"] }))),
  read: (server) =>
    withNats(server, async (manager) => {
      const { state } = await manager.streams.info("EVENTS");
      const taken: Taken[] = [];
      for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
        const message = await manager.streams.getMessage("EVENTS", { seq });
        if (!message) continue;
        const headers = Object.fromEntries([...message.header].map(([name, values]) => [name, values.join()]));
        const [id = ""] = (headers["Nats-Msg-Id"] ?? "").split("/");
        taken.push({ id, headers, body: new TextDecoder().decode(message.data) });
      }
      return taken;
    }),
};

const REDIS: BrokerKind = {
  name: "Redis",
  start: startRedis,
  url: ({ port }, at = {}) => `${at.isTls ? "rediss" : "redis"}://:${placeOf(port, at)}/0?stream=recado.{type}`,
  prepare: async () => {},
  async read({ port }) {
    const client = new RedisClient(`redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/0`);
    try {
      const entries: [string, string[]][] = await client.send("XRANGE", ["recado.message.received", "-", "+"]);
      return entries.map(([, flat]) => {
        const fields: Record<string, string> = {};
        for (let at = 0; at < flat.length; at += 2) fields[flat[at] ?? ""] = flat[at + 1] ?? "";
        const { body = "", ...headers } = fields;
        return { id: headers["webhook-id"] ?? "", headers, body };
      });
    } finally {
      client.close();
    }
  },
};

/** Every kind of broker that deliveries go to. */
export const BROKER_KINDS: readonly BrokerKind[] = [NATS, REDIS, RABBIT];
