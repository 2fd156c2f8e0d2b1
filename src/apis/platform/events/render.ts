import { type PublishedEvent, signatureHeaders } from "../../../core/domain-event.ts";
import type { AttemptContext, Audience } from "../../../core/events/audience.ts";
import { ownWaits } from "../../../core/events/schedule.ts";
import { iso } from "../../../kernel/clock.ts";
import { sampleBy } from "../../shared/docs/sample-events.ts";
import { STANDARD_HEADERS, standardHeaders } from "../../shared/standard-webhooks.ts";
import { shownBy } from "./definitions.ts";

const render = ({ id, tenantId, channelId, environment, createdAt, domainEvent }: PublishedEvent, baseUrl: string) => {
  const event = shownBy(domainEvent, baseUrl);
  if (!event) return undefined;
  const { type, own } = event;
  const common = {
    id,
    event: type.replace(".", ":"),
    type,
    timestamp: iso(createdAt),
    institutionId: tenantId,
    channelId,
    environment,
  };
  return { type, body: JSON.stringify({ ...common, ...own }) };
};

const cut = (body: string): string => {
  // as `render` made it
  const { text: _text, content: _content, ...rest } = JSON.parse(body) as { text?: unknown; content?: unknown };
  return JSON.stringify({ ...rest, isCut: true, sizeBytes: Buffer.byteLength(body) });
};

/** The headers of a delivery, with their meanings. */
export const PLATFORM_HEADERS = {
  ...STANDARD_HEADERS,
  "X-Webhook-Signature":
    "`sha256=<hex>`: the HMAC-SHA256 of the raw body. For 24 hours after a change of the secret, " +
    "`X-Webhook-Signature-Previous` has that of the old one.",
  "X-Webhook-Id": "The event's id",
  "X-Webhook-Event": "The event's type",
  "X-Webhook-Attempt": "The number of this attempt, from 1",
} as const;

const headers = (envelope: AttemptContext): Record<string, string> => ({
  ...standardHeaders(envelope),
  ...signatureHeaders("X-Webhook-Signature", envelope),
  "X-Webhook-Id": envelope.eventId,
  "X-Webhook-Event": envelope.eventType,
  "X-Webhook-Attempt": String(envelope.attempt),
  ...(envelope.isTest ? { "X-Webhook-Test": "true" } : {}),
});

/** The name of this API's audience of events. */
export const PLATFORM = "platform";

/**
 * The audience of events of this API. Event names have a dot in subscriptions and a colon in bodies. Five events in a
 * row that fail for good disable a webhook. `baseUrl` is called for every event, because it is known only when the
 * process listens.
 */
export const platformAudience = (baseUrl: () => string): Audience => ({
  name: PLATFORM,
  isOfInstitutions: true,
  takesTestEvents: true,
  isLogged: false,
  retry: {
    waitAfter: ownWaits,
    disablesAfter: 5,
    storesWhenDisabled: false,
    stopsWhenSuspended: false,
    keepsOrphaned: false,
  },
  render: (published) => render(published, baseUrl()),
  sample: sampleBy((published) => render(published, baseUrl())),
  cut,
  headers,
  isSubscribed: (events, type) => events.includes(type),
  reportsLossOf: () => false,
});
