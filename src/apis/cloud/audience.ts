import { signatureHeaders } from "../../core/domain-event.ts";
import type { Audience, FailedAttempt } from "../../core/events/audience.ts";
import { fixedWaits } from "../../core/events/schedule.ts";
import { type EventContext, readEventContext } from "../../core/messaging/receiving/event-context.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../kernel/clock.ts";
import { ACCOUNT_RETRY } from "../shared/account-retry.ts";
import { CLOUD } from "../shared/cloud-programs.ts";
import { sampleBy } from "../shared/docs/sample-events.ts";
import { fieldOf, rendered } from "./render/index.ts";
import { adapted, cutBody } from "./render/profiles.ts";

/** The waits after failed attempts: 23 h 42 min in all, the last one 12 h. */
const WAITS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  3 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
];
const usually = fixedWaits(WAITS_MS);

/** The number of attempts for a body that its reader refuses: the reader would refuse it for days. */
const REFUSED_ATTEMPTS = 3;

/** The answers of a 4xx status that do not refuse the body itself. */
const PASSING = [408, 425, 429];

const isRefused = ({ statusCode }: FailedAttempt): boolean =>
  statusCode >= 400 && statusCode < 500 && !PASSING.includes(statusCode);

/** The phone of samples. */
const SAMPLE: EventContext = {
  number: { numberId: "106540352242922", accountId: "102290129340398", displayNumber: null },
  phoneNumber: "5511900000001",
  quotedType: null,
  sha256: null,
  sent: null,
  isTheirs: true,
};

/**
 * The audience of events of this API: the programs of channels, in the webhooks of the Cloud API. An empty list of names
 * means all.
 */
export const cloudAudience = (): Audience => ({
  name: CLOUD,
  isOfInstitutions: false,
  takesTestEvents: false,
  isLogged: false,
  retry: {
    ...ACCOUNT_RETRY,
    waitAfter: (subscription, attempt, failed) =>
      isRefused(failed) && attempt >= REFUSED_ATTEMPTS ? undefined : usually(subscription, attempt, failed),
  },
  // only its name: the body is made when a program of the channel gets it
  render({ domainEvent }) {
    const type = fieldOf(domainEvent);
    return type && { type, body: "" };
  },
  async complete(reader, published) {
    const context = await readEventContext(reader, published);
    return context && rendered(published, context);
  },
  adapt: adapted,
  sample: sampleBy((published) => rendered(published, SAMPLE)),
  cut: cutBody,
  isSubscribed: (events, type) => events.length === 0 || events.includes(type),
  reportsLossOf: () => true,
  headers: ({ body, secret, isTest }) => ({
    "Content-Type": "application/json",
    "User-Agent": "Recado",
    // the network signs once: the previous secret of a webhook is for its other audiences
    ...signatureHeaders("X-Hub-Signature-256", { body, secret, previousSecret: undefined }),
    ...(isTest ? { "X-Recado-Test": "true" } : {}),
  }),
});
