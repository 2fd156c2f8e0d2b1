/** One signed event on its way to the address of a webhook. */
export type OutgoingDelivery = {
  url: string;
  /** The event's id, the same on every attempt: a target recognises repeats by it. */
  eventId: string;
  /** The type of the event, as its audience names it: `message:received`. */
  eventType: string;
  /** Deliveries of one webhook with the same key belong to one chat of one channel. */
  orderingKey: string;
  /** The signatures, and the webhook's own headers. */
  headers: Record<string, string>;
  /** JSON. The signatures are over exactly these bytes. */
  body: string;
};

/**
 * The outcome of one attempt to hand a delivery over.
 *
 * - `failure`: the class of the failure, one word of a small fixed set, because it labels metrics: `timeout`,
 *   `http_5xx` …; null when it was delivered. `timeout` counts twice against the webhook's breaker.
 * - `error`: the same for its owner, in a few words; null when it was delivered.
 * - `statusCode`: the HTTP status of the answer; 0 without an answer, or for a target that is not HTTP.
 * - `response`: the beginning of the answer's text, at most 4096 characters; null without a text.
 * - `retryAfterMs`: how long the target asks Recado to wait, in ms; 0 if it does not ask.
 * - `isGone`: the target will never take deliveries again: the series of attempts ends.
 * - `durationMs`: how long the attempt took, in ms.
 */
export type DeliveryOutcome = {
  failure: string | null;
  error: string | null;
  statusCode: number;
  response: string | null;
  retryAfterMs: number;
  isGone: boolean;
  durationMs: number;
};

/** A way to hand deliveries over: HTTP, or a message broker. */
export type DeliveryTarget = {
  /** The schemes of its URLs, each with its colon: `https:`. */
  readonly schemes: readonly string[];
  /** Why a webhook may not have this URL, in words for its owner; undefined if it may. */
  refusalOf(url: string): Promise<string | undefined>;
  /**
   * Hands one delivery over, within 15 s. Never throws: every outcome is a value. A delivery that may have arrived and
   * was not confirmed is a failure, and is sent again.
   */
  send(delivery: OutgoingDelivery): Promise<DeliveryOutcome>;
  /** Ends its connections. Deliveries in flight fail. */
  close(): void;
};
