import type { PublishedEvent, SigningSecrets } from "../domain-event.ts";

/** What an attempt's headers are made from. */
export type AttemptContext = SigningSecrets & {
  eventId: string;
  eventType: string;
  body: string;
  attempt: number;
  atMs: number;
};

/** A domain event as an audience gets it: its name there, and the frozen body. */
export type Rendered = { type: string; body: string };

/** What a subscription asks for in its retries, in milliseconds. */
export type RetrySettings = { maxRetries: number; retryDelayMs: number };

/** How failed deliveries are repeated, and when they are given up. */
export type RetryPolicy = {
  /**
   * How many milliseconds to wait after failed attempt number `attempt` (from 1); undefined when the series is over.
   * `retryAfterMs`: what the endpoint asked for, 0 where it asked for nothing.
   */
  waitAfter(subscription: RetrySettings, attempt: number, retryAfterMs: number): number | undefined;
  /** After so many events in a row that were lost for good, a subscription is disabled; undefined where it never is. */
  disablesAfter: number | undefined;
  /** Whether the deliveries of a suspended account are given up. */
  stopsWhenSuspended: boolean;
  /** Whether a delivery whose subscription was removed becomes a dead letter. Otherwise it is deleted. */
  keepsOrphaned: boolean;
};

/** Those who get events in one way. An API registers one; events and subscriptions keep its name. */
export type Audience = {
  readonly name: string;
  /** Whether events that test keys caused are for it too. */
  readonly takesTestEvents: boolean;
  /** Whether its events are logged and streamed without a subscription. Otherwise only those with one are kept. */
  readonly isLogged: boolean;
  readonly retry: RetryPolicy;
  /** Undefined for a domain event that this audience does not get. */
  render(published: PublishedEvent): Rendered | undefined;
  /** Whether a subscription to these names gets this type. */
  isSubscribed(events: readonly string[], type: string): boolean;
  /** Whether the loss of an event of this type is a domain event of its own. A report of such a loss must say no. */
  reportsLossOf(type: string): boolean;
  headers(attempt: AttemptContext): Record<string, string>;
  /** The body without what makes it long: it says how long it is, and by its id where to read it. */
  cut(body: string): string;
};

/** All audiences of this server. */
export type Audiences = {
  readonly all: readonly Audience[];
  /** @throws Error for a name that no API has registered: a row of another version of Recado. */
  of(name: string): Audience;
};

/** @throws Error when two audiences have one name. */
export const createAudiences = (all: readonly Audience[]): Audiences => {
  const byName = new Map(all.map((one) => [one.name, one]));
  if (byName.size < all.length) throw new Error("two audiences have the same name");
  return {
    all,
    of(name) {
      const audience = byName.get(name);
      if (!audience) throw new Error(`there is no audience ${name}`);
      return audience;
    },
  };
};
