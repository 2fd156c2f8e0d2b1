import { isIP } from "node:net";
import type { DeliveryOutcome, DeliveryTarget, OutgoingDelivery } from "../../contract/ports/delivery-target.ts";
import { withTimeout } from "../../kernel/async.ts";
import type { OutboundHttp } from "../http/http.ts";
import { messageOf } from "../http/transfer.ts";
import { trustedContext } from "../http/trust.ts";
import { AMQP } from "./amqp.ts";
import { type Broker, type BrokerFailure, BrokerFault, type BrokerLink, type BrokerTls } from "./broker.ts";
import { createLinks } from "./links.ts";
import { NATS } from "./nats.ts";
import { type BrokerPlace, toBrokerPlace } from "./place.ts";
import { REDIS } from "./redis.ts";
import { openRelay, type Relay, type RelayTarget } from "./relay.ts";

/** TABLE: the brokers that take deliveries. */
const BROKERS: readonly Broker[] = [AMQP, NATS, REDIS];

const TIMEOUT_MS = 15_000;
const CONNECT_MS = 5000;
const MAX_ADDRESSES = 3;
const MAX_LINKS = 64;
const IDLE_MS = 60_000;
const MAX_ERROR_CHARACTERS = 300;

type BrokerPorts = {
  http: Pick<OutboundHttp, "checkedAddresses" | "isUrlAllowed" | "refusalOf">;
  /** PEM text of trust anchors beside the public ones. */
  extraCa: string | undefined;
  /** The time limit of one attempt, in ms. @default 15000 */
  timeoutMs?: number;
};

/** A URL of this form, or why it is invalid. */
const readUrl = (url: string): { broker: Broker; place: BrokerPlace } | string => {
  const scheme = URL.parse(url)?.protocol;
  const broker = BROKERS.find(({ plain, tls }) => scheme === plain.scheme || scheme === tls.scheme);
  if (!broker) return "names no broker that is known";
  const place = toBrokerPlace(url, broker);
  if (!place) return `must have the form ${broker.form}`;
  const fault = broker.faultOf(place);
  return fault === undefined ? { broker, place } : `${fault}: ${broker.form}`;
};

/**
 * Hands deliveries to message brokers. Only a confirmed delivery counts as delivered. A connection goes only to checked
 * addresses, as with HTTP; without TLS only to hosts that the operator lists. It is kept for a minute after its last
 * use. The clients are loaded with the first delivery.
 */
export const createBrokerTarget = ({ http, extraCa, timeoutMs = TIMEOUT_MS }: BrokerPorts): DeliveryTarget => {
  const links = createLinks({ max: MAX_LINKS, idleMs: IDLE_MS });
  const tlsFor = trusting(extraCa);

  const open = async (broker: Broker, place: BrokerPlace): Promise<BrokerLink> => {
    const addresses = await http.checkedAddresses(place.host, { isPlain: !place.isTls });
    if ("failure" in addresses) throw new BrokerFault(addresses.failure, addresses.message);
    const tls = place.isTls ? tlsFor(place.hostname) : undefined;
    let last: unknown;
    for (const address of addresses.slice(0, MAX_ADDRESSES)) {
      try {
        return await openThrough(broker, place, { address, port: place.port, connectMs: CONNECT_MS, tls });
      } catch (thrown) {
        // another address of the same broker would refuse it too
        if (thrown instanceof BrokerFault && thrown.failure === "login") throw thrown;
        last = thrown instanceof BrokerFault ? thrown : new BrokerFault(connectFailure(thrown), messageOf(thrown));
      }
    }
    throw last;
  };
  const confirmed = async ({ broker, place }: Exclude<ReturnType<typeof readUrl>, string>, sent: OutgoingDelivery) => {
    try {
      const work = links.run(
        sent.url,
        () => open(broker, place),
        (link) => link.publish(sent),
      );
      return await withTimeout(timeoutMs, work, {
        error: () => new BrokerFault("timeout", "no confirmation in time"),
      });
    } catch (thrown) {
      // it may be half dead, or still hold the message
      if (thrown instanceof BrokerFault && thrown.failure === "timeout") links.drop(sent.url);
      throw thrown;
    }
  };

  return {
    schemes: BROKERS.flatMap(({ plain, tls }) => [plain.scheme, tls.scheme]),
    async refusalOf(url) {
      const read = readUrl(url);
      if (typeof read === "string") return read;
      const { broker, place } = read;
      if (!place.isTls && !http.isUrlAllowed(`http://${place.host}/`))
        return `must begin with ${broker.tls.scheme}//; ${broker.plain.scheme}// is for hosts that RECADO_OUTBOUND_ALLOW lists`;
      return http.refusalOf(`https://${place.host}/`);
    },
    async send(delivery) {
      const begunAt = performance.now();
      const read = readUrl(delivery.url);
      const durationMs = () => performance.now() - begunAt;
      if (typeof read === "string") return failed("blocked", `the URL ${read}`, durationMs());
      try {
        const response = await confirmed(read, delivery);
        return { ...NOTHING, failure: null, error: null, response, durationMs: durationMs() };
      } catch (thrown) {
        const failure = thrown instanceof BrokerFault ? thrown.failure : "aborted";
        return failed(failure, withoutPassword(messageOf(thrown), read.place), durationMs());
      }
    },
    close: () => links.close(),
  };
};

/** Opens a connection whose broker may send only a limited amount. If that fails, nothing of it stays open. */
const openThrough = async (broker: Broker, place: BrokerPlace, { tls, ...to }: RelayTarget): Promise<BrokerLink> => {
  const { isBegunByClient } = broker.tls;
  const relay = await openRelay({ ...to, tls: isBegunByClient ? undefined : tls });
  try {
    const at = { port: relay.port, connectMs: to.connectMs, tls: isBegunByClient ? tls : undefined };
    const link = await withTimeout(to.connectMs, broker.open(place, at), {
      error: () => new BrokerFault("timeout", "no answer in time"),
    });
    relay.allowMessage(0);
    return boundedLink(link, relay);
  } catch (thrown) {
    relay.close();
    throw relay.fault ?? thrown;
  }
};

const boundedLink = (link: BrokerLink, relay: Relay): BrokerLink => ({
  get isOpen() {
    return link.isOpen;
  },
  async publish(delivery) {
    relay.allowMessage(Buffer.byteLength(delivery.body));
    try {
      return await link.publish(delivery);
    } catch (thrown) {
      throw relay.fault ?? thrown;
    }
  },
  close({ isUnused }) {
    link.close({ isUnused });
    if (!isUnused) relay.close();
  },
});

const NOTHING = { statusCode: 0, response: null, retryAfterMs: 0, isGone: false } as const;

const failed = (failure: BrokerFailure, message: string, durationMs: number): DeliveryOutcome => ({
  ...NOTHING,
  failure,
  error: `${failure}: ${message.slice(0, MAX_ERROR_CHARACTERS).toWellFormed()}`,
  durationMs,
});

/** Clients and brokers do not repeat a password; nothing makes sure that they never will. */
const withoutPassword = (message: string, { password }: BrokerPlace): string =>
  password === "" ? message : message.replaceAll(password, "********");

const connectFailure = (thrown: unknown): BrokerFailure => {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  if (/CERT|TLS|SSL|VERIFY|ISSUER|ALTNAME/.test(code)) return "tls";
  return /TIMEOUT/.test(code) ? "timeout" : "connect";
};

/** The TLS of connections. */
const trusting =
  (extraCa: string | undefined) =>
  (hostname: string): BrokerTls => ({
    name: isIP(hostname) === 0 ? { servername: hostname } : { host: hostname },
    context: trustedContext(extraCa),
  });
