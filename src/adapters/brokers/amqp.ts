import type { AsyncMessage, Channel, Connection, ReturnedMessage } from "rabbitmq-client";
import type { OutgoingDelivery } from "../../contract/ports/delivery-target.ts";
import { withTimeout } from "../../kernel/async.ts";
import { messageOf } from "../http/transfer.ts";
import { type Broker, type BrokerAddress, BrokerFault, type BrokerLink, filled } from "./broker.ts";
import type { BrokerPlace } from "./place.ts";

/** The maximum of the short strings of AMQP 0-9-1. */
const MAX_BYTES = 255;
const HEARTBEAT_S = 30;
const LEAVE_MS = 2000;

const isLong = (text = ""): boolean => Buffer.byteLength(text) > MAX_BYTES - 64; // with room for the type

/** RabbitMQ and other brokers of AMQP 0-9-1. A message is confirmed when a queue has it. */
export const AMQP: Broker = {
  plain: { scheme: "amqp:", port: 5672 },
  tls: { scheme: "amqps:", port: 5671, isBegunByClient: false },
  form: "amqps://user:password@host/vhost?exchange=name&routingKey=key",
  options: ["exchange", "routingKey"],
  faultOf({ options: { exchange = "", routingKey = "" } }) {
    if (exchange === "" && routingKey === "") return "needs an exchange, or the routingKey of a queue";
    return isLong(exchange) || isLong(routingKey) ? "has a name that is too long" : undefined;
  },
  async open(place, at) {
    const { Connection } = await import("rabbitmq-client");
    const connection = new Connection({ ...loginOf(place), ...connectionTo(at) });
    let fault: Error | undefined;
    // without a listener its errors would end the process; it would reconnect, to an address that may be stale
    connection.on("error", (error: Error) => {
      fault ??= error;
      connection.unsafeDestroy();
    });
    try {
      const channel = await connection.acquire();
      await channel.confirmSelect();
      return linkOver(connection, channel, place);
    } catch (thrown) {
      connection.unsafeDestroy();
      throw faultOf(fault ?? thrown);
    }
  },
};

const loginOf = ({ user, password, path }: BrokerPlace) => ({
  username: user === "" ? "guest" : user,
  password: user === "" ? "guest" : password,
  vhost: path === "" ? "/" : path,
});

const connectionTo = ({ port, connectMs }: BrokerAddress) => ({
  hostname: "127.0.0.1",
  port,
  connectionTimeout: connectMs,
  acquireTimeout: connectMs,
  heartbeat: HEARTBEAT_S,
  noDelay: true,
  connectionName: "recado",
});

/** `REFUSED` and others: https://www.rabbitmq.com/docs/channels#error-handling */
const faultOf = (thrown: unknown): unknown => {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  const message = messageOf(thrown).replace(/^undefined: /, ""); // the prefix of a fault that ends a connection
  if (code === "ACCESS_REFUSED") return new BrokerFault("login", `the broker refuses: ${message}`);
  if (/^(NOT_FOUND|NOT_ALLOWED|NACK|PRECONDITION_FAILED|RESOURCE_ERROR|CONTENT_TOO_LARGE)$/.test(code))
    return new BrokerFault("refused", `the broker refuses: ${message}`);
  return thrown;
};

type Routed = Pick<ReturnedMessage | AsyncMessage, "exchange" | "routingKey" | "messageId">;

const keyOf = ({ exchange, routingKey, messageId }: Routed): string =>
  JSON.stringify([exchange, routingKey, messageId]);

const linkOver = (connection: Connection, channel: Channel, { options }: BrokerPlace): BrokerLink => {
  const { exchange = "", routingKey = "" } = options;
  /** Messages in flight that no queue took. */
  const returned = new Map<string, string>();
  channel.on("basic.return", (message: ReturnedMessage) => void returned.set(keyOf(message), message.replyText));
  return {
    get isOpen() {
      return channel.active;
    },
    async publish({ body, headers, eventId, eventType }: OutgoingDelivery) {
      const routed = { exchange, routingKey: filled(routingKey, eventType), messageId: eventId };
      const properties = { type: eventType, headers, contentType: "application/json", durable: true, mandatory: true };
      try {
        await channel.basicPublish({ ...routed, ...properties }, Buffer.from(body));
      } catch (thrown) {
        throw faultOf(thrown);
      }
      // the client emits a return, which comes before its confirmation, in the next turn
      await new Promise<void>((resolve) => setImmediate(resolve));
      const reason = returned.get(keyOf(routed));
      if (reason === undefined) return "confirmed";
      returned.delete(keyOf(routed));
      throw new BrokerFault("unroutable", `no queue takes it: ${reason}`);
    },
    close: ({ isUnused }) => (isUnused ? takeLeave(connection, channel) : connection.unsafeDestroy()),
  };
};

/** A broker logs a connection that just ends as a fault. */
const takeLeave = (connection: Connection, channel: Channel): void => {
  const destroy = () => connection.unsafeDestroy();
  void withTimeout(
    LEAVE_MS,
    channel.close().then(() => connection.close()),
  ).then(destroy, destroy);
};
