import { RedisClient } from "bun";
import type { OutgoingDelivery } from "../../contract/ports/delivery-target.ts";
import { type Broker, type BrokerAddress, BrokerFault, type BrokerLink, filled } from "./broker.ts";
import type { BrokerPlace } from "./place.ts";

const MAX_CHARACTERS = 255;

/** Redis streams, and those of Valkey. A message is confirmed when its entry is added. */
export const REDIS: Broker = {
  plain: { scheme: "redis:", port: 6379 },
  tls: { scheme: "rediss:", port: 6379, isBegunByClient: false },
  form: "rediss://user:password@host/0?stream=name",
  options: ["stream", "maxLength"],
  faultOf({ path, options: { stream = "", maxLength = "1" } }) {
    if (!/^\d{0,5}$/.test(path)) return "needs the number of a database as its path";
    if (stream === "" || stream.length > MAX_CHARACTERS) return "needs the name of a stream";
    return /^[1-9]\d{0,14}$/.test(maxLength) ? undefined : "needs a number as maxLength";
  },
  async open(place, at) {
    const client = new RedisClient(addressOf(place, at.port), optionsOf(at));
    try {
      await client.connect();
    } catch (thrown) {
      client.close();
      throw connectFault(thrown);
    }
    return linkOver(client, place);
  },
};

const addressOf = ({ user, password, path }: BrokerPlace, port: number): string => {
  const login = user === "" && password === "" ? "" : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return `redis://${login}127.0.0.1:${port}/${path}`;
};

const optionsOf = ({ connectMs }: BrokerAddress) => ({
  connectionTimeout: connectMs,
  autoReconnect: false,
  enableOfflineQueue: false,
  maxRetries: 0,
});

/** The client only reports that the connection is closed. */
const connectFault = (thrown: unknown): unknown =>
  codeOf(thrown) === "ERR_REDIS_CONNECTION_CLOSED"
    ? new BrokerFault("connect", "no connection, or the broker ended it; check the user and the password")
    : thrown;

const codeOf = (thrown: unknown): string => (thrown instanceof Error && "code" in thrown ? String(thrown.code) : "");

const linkOver = (client: RedisClient, { options }: BrokerPlace): BrokerLink => {
  const { stream = "", maxLength } = options;
  const limit = maxLength === undefined ? [] : ["MAXLEN", "~", maxLength];
  return {
    get isOpen() {
      return client.connected;
    },
    async publish({ body, headers, eventType }: OutgoingDelivery) {
      const fields = [...Object.entries(headers).flat(), "body", body];
      try {
        const id: unknown = await client.send("XADD", [filled(stream, eventType), ...limit, "*", ...fields]);
        return `entry ${String(id)}`;
      } catch (thrown) {
        if (codeOf(thrown) !== "ERR_REDIS_SERVER_ERROR") throw thrown;
        throw new BrokerFault("refused", `the broker refuses: ${thrown instanceof Error ? thrown.message : ""}`);
      }
    },
    close: () => client.close(),
  };
};
