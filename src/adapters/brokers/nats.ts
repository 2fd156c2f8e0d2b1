import type { JetStreamClient } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { OutgoingDelivery } from "../../contract/ports/delivery-target.ts";
import { type Broker, type BrokerAddress, BrokerFault, type BrokerLink, filled } from "./broker.ts";
import type { BrokerPlace } from "./place.ts";

/** https://docs.nats.io/nats-concepts/subjects#characters-allowed-and-recommended-for-subject-names */
const SUBJECT = /^[^\s.*>]+(\.[^\s.*>]+)*$/;
const STREAM = /^[^\s.*>/\\]+$/;
const MAX_CHARACTERS = 255;
const PING_MS = 20_000;
/** Longer than a delivery may take. */
const CONFIRM_MS = 20_000;

type Modules = { headers: typeof import("@nats-io/transport-node").headers };

/** NATS JetStream. A message is confirmed when the named stream has it; the stream drops repeats of its id. */
export const NATS: Broker = {
  plain: { scheme: "nats:", port: 4222 },
  tls: { scheme: "nats+tls:", port: 4222, isBegunByClient: true },
  form: "nats+tls://user:password@host/stream?subject=name",
  options: ["subject"],
  faultOf({ path, options: { subject = "" } }) {
    if (!STREAM.test(path) || path.length > MAX_CHARACTERS) return "needs the name of a stream as its path";
    return SUBJECT.test(filled(subject, "type")) && subject.length <= MAX_CHARACTERS
      ? undefined
      : "needs a subject without wildcards";
  },
  async open(place, at) {
    const [{ connect, headers }, { jetstream }] = await Promise.all([
      import("@nats-io/transport-node"),
      import("@nats-io/jetstream"),
    ]);
    try {
      const connection = await connect(optionsOf(place, at));
      return linkOver(connection, jetstream(connection, { timeout: CONFIRM_MS }), place, { headers });
    } catch (thrown) {
      throw faultOf(thrown);
    }
  },
};

const optionsOf = ({ user, password }: BrokerPlace, { port, connectMs, tls }: BrokerAddress) => ({
  servers: `127.0.0.1:${port}`,
  name: "recado",
  timeout: connectMs,
  // what a cluster says of its other servers is not checked
  ignoreClusterUpdates: true,
  reconnect: false,
  resolve: false,
  pingInterval: PING_MS,
  noAsyncTraces: true,
  ...(user === "" ? {} : password === "" ? { token: user } : { user, pass: password }),
  // beside its own options, the client passes these on to TLS
  tls: tls ? { handshakeFirst: false, secureContext: tls.context, ...tls.name } : null,
});

const faultOf = (thrown: unknown): unknown => {
  if (!(thrown instanceof Error)) return thrown;
  const { name, message } = thrown;
  if (name === "AuthorizationError" || name === "UserAuthenticationExpiredError")
    return new BrokerFault("login", `the broker refuses: ${message}`);
  if (name === "TimeoutError") return new BrokerFault("timeout", "no answer in time");
  if (name === "NoRespondersError" || /no responders|jetstream/i.test(message))
    return new BrokerFault("unroutable", "no stream takes this subject");
  return name === "JetStreamApiError" || name === "PermissionViolationError"
    ? new BrokerFault("refused", `the broker refuses: ${message}`)
    : thrown;
};

const linkOver = (
  connection: NatsConnection,
  stream: JetStreamClient,
  { path, options: { subject: template = "" } }: BrokerPlace,
  { headers: newHeaders }: Modules,
): BrokerLink => ({
  get isOpen() {
    return !connection.isClosed();
  },
  async publish({ body, headers, eventId, eventType }: OutgoingDelivery) {
    const subject = filled(template, eventType);
    const sent = newHeaders();
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    try {
      const { seq, duplicate } = await stream.publish(subject, body, {
        // with the subject: two webhooks may share a stream, which would drop the second's message
        msgID: `${eventId}/${subject}`,
        headers: sent,
        expect: { streamName: path },
      });
      return `stream ${path}, message ${seq}${duplicate ? ", which it had already" : ""}`;
    } catch (thrown) {
      throw faultOf(thrown);
    }
  },
  close: () => void connection.close().catch(() => {}),
});
