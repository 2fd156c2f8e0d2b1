import type { SecureContext } from "node:tls";
import type { OutgoingDelivery } from "../../contract/ports/delivery-target.ts";
import type { BrokerPlace } from "./place.ts";

/**
 * Why a broker did not confirm a delivery. `login`, `unroutable` and `refused` are the broker's answers, and `aborted`
 * means that the connection ended before one came.
 */
export type BrokerFailure =
  | "dns"
  | "blocked"
  | "connect"
  | "tls"
  | "timeout"
  | "aborted"
  | "login"
  | "unroutable"
  | "refused";

/** A delivery was not confirmed. The message is for the owner of the webhook, and names no secret. */
export class BrokerFault extends Error {
  override name = "BrokerFault";
  readonly failure: BrokerFailure;
  constructor(failure: BrokerFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/**
 * The address for a client: a relay at 127.0.0.1, which leads to a checked address and bounds the bytes from there.
 * `tls`: the options if the client begins TLS itself; undefined if the relay has begun it, or there is no TLS.
 */
export type BrokerAddress = {
  port: number;
  connectMs: number;
  tls: BrokerTls | undefined;
};

/** `name`: what the certificate must be for, a name or an address, as options of `tls.connect`. */
export type BrokerTls = {
  name: { servername: string } | { host: string };
  context: SecureContext;
};

/** A connection to a broker. It never reconnects by itself. */
export type BrokerLink = {
  /** False once the connection is lost. */
  readonly isOpen: boolean;
  /**
   * Resolves with the broker's confirmation in a few words; the broker then has the message.
   * @throws BrokerFault, or an error of its client
   */
  publish(delivery: OutgoingDelivery): Promise<string>;
  /**
   * Ends the connection at once: unconfirmed deliveries fail. An `isUnused` connection may say goodbye to the broker
   * first.
   */
  close(options: { isUnused: boolean }): void;
};

/** A kind of message broker. */
export type Broker = {
  plain: { scheme: string; port: number };
  /** `isBegunByClient`: it speaks first, and TLS begins behind its greeting. */
  tls: { scheme: string; port: number; isBegunByClient: boolean };
  /** The form of its URLs, for people. */
  form: string;
  /** The parameters of its URLs. */
  options: readonly string[];
  /** The fault of a URL of this form, for its owner; undefined for a valid URL. */
  faultOf(place: BrokerPlace): string | undefined;
  /** @throws BrokerFault, or an error of its client */
  open(place: BrokerPlace, at: BrokerAddress): Promise<BrokerLink>;
};

/** A text of a URL with the type of an event in place of `{type}`. Its parts are joined by dots: `message.received`. */
export const filled = (template: string, eventType: string): string =>
  template.replaceAll("{type}", eventType.replaceAll(":", "."));
