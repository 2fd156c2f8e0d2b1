import type { DeliveryOutcome } from "../../contract/ports/delivery-target.ts";
import type { TenantId } from "../../kernel/ids.ts";
import type { Reader } from "../../store/engine/db.ts";
import type { PublishedEvent, SigningSecrets } from "../domain-event.ts";

/** The input for the headers of an attempt. */
export type AttemptContext = SigningSecrets & {
  eventId: string;
  eventType: string;
  body: string;
  attempt: number;
  atMs: number;
  /** True for a test that its owner requested: a header says so. */
  isTest?: boolean;
};

/** A rendered event: its name for this audience, and the frozen body. */
export type Rendered = { type: string; body: string };

/** The retry settings of a subscription, in milliseconds. */
export type RetrySettings = { maxRetries: number; retryDelayMs: number };

/** `retryAfterMs`: the wait that the endpoint asked for, 0 without one. `statusCode`: 0 without an HTTP answer. */
export type FailedAttempt = Pick<DeliveryOutcome, "retryAfterMs" | "statusCode">;

/** When failed deliveries are retried, and when the series ends. */
export type RetryPolicy = {
  /** The wait in milliseconds after failed attempt number `attempt` (from 1); undefined when the series is over. */
  waitAfter(subscription: RetrySettings, attempt: number, failed: FailedAttempt): number | undefined;
  /** After how many lost events in a row the subscription is disabled; undefined if it never is. */
  disablesAfter: number | undefined;
  /** Whether a subscription that its owner disables still stores its events, and gets them when it is enabled again. */
  storesWhenDisabled: boolean;
  /** Whether the deliveries of a suspended account become dead letters. */
  stopsWhenSuspended: boolean;
  /** Whether a delivery whose subscription was removed becomes a dead letter. Otherwise it is deleted. */
  keepsOrphaned: boolean;
};

/** What a body is filled by. */
export type FilledEvent = { tenantId: TenantId; messageId: string | null; type: string; body: string };
/** The whole body of an attempt, which may be some megabytes. Never rejects. */
export type FillBody = () => Promise<string>;

/**
 * The subscribers that get events in one form. Each API registers one audience; events and subscriptions store its
 * name.
 */
export type Audience = {
  readonly name: string;
  /** Whether only institutions have subscriptions of it. Nothing is then rendered for other accounts. */
  readonly isOfInstitutions: boolean;
  /** Whether it also gets the events of test keys. */
  readonly takesTestEvents: boolean;
  /**
   * Whether its events are logged and streamed without a subscription. Otherwise only events with a subscription are
   * stored.
   */
  readonly isLogged: boolean;
  readonly retry: RetryPolicy;
  /** Undefined for a domain event that this audience does not get. */
  render(published: PublishedEvent): Rendered | undefined;
  /**
   * Makes a body that needs more than the event, from rows that it reads in the write that publishes. It is called only
   * if a subscription may get the event, so that other events do not pay for it. Undefined: no subscription gets the
   * event.
   */
  complete?(reader: Reader, published: PublishedEvent): Promise<Rendered | undefined>;
  /** The body as one subscription gets it, by its profile. The same input gives the same bytes. */
  adapt?(body: string, profile: string | null): string;
  /** Where an event of this type goes; its subscription's URL if absent. Pure. */
  addressOf?(url: string, type: string, profile: string | null): string;
  /**
   * Makes the body of an attempt with what is too large to be kept in it, such as a file in base64. Undefined if nothing
   * belongs in it. What cannot be had is left out: the attempt is made without it.
   */
  filled?(event: FilledEvent, profile: string | null): Promise<FillBody | undefined>;
  /** A realistic event of this type, which did not happen. Undefined if the type is not the name of an event. */
  sample(published: Omit<PublishedEvent, "domainEvent">, type: string): Rendered | undefined;
  /** Whether a subscription to these names gets events of this type. */
  isSubscribed(events: readonly string[], type: string): boolean;
  /**
   * Whether the loss of an event of this type is published as an event. The loss of such a report must not be
   * published.
   */
  reportsLossOf(type: string): boolean;
  headers(attempt: AttemptContext): Record<string, string>;
  /** A shorter body for an event that is too large: its size, and the id under which to read it. */
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
