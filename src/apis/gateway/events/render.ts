import type { ChannelKind } from "../../../contract/kind.ts";
import { type PublishedEvent, signatureHeaders } from "../../../core/domain-event.ts";
import type { AttemptContext, Audience } from "../../../core/events/audience.ts";
import { iso } from "../../../kernel/clock.ts";
import { ACCOUNT_RETRY } from "../../shared/account-retry.ts";
import { sampleBy } from "../../shared/docs/sample-events.ts";
import { STANDARD_HEADERS, standardHeaders } from "../../shared/standard-webhooks.ts";
import { type GatewayEventType, shownBy } from "./definitions/index.ts";
import type { Views } from "./event-views.ts";

const render = (
  { id, tenantId, channelId, kind, createdAt, domainEvent }: PublishedEvent,
  viewsFor: (kind: ChannelKind | null) => Views,
) => {
  const event = shownBy(domainEvent, viewsFor(kind));
  if (!event) return undefined;
  const { type, data } = event;
  return {
    type,
    body: JSON.stringify({ id, type, accountId: tenantId, phoneId: channelId, timestamp: iso(createdAt), data }),
  };
};

const cut = (body: string): string => {
  // as `render` made it
  const { data, ...envelope } = JSON.parse(body) as { data: { messageId?: string; type?: string } };
  const { messageId, type } = data;
  return JSON.stringify({
    ...envelope,
    data: {
      ...(messageId === undefined ? {} : { messageId }),
      ...(type === undefined ? {} : { type }),
      isCut: true,
      sizeBytes: Buffer.byteLength(body),
    },
  });
};

/** The headers of a delivery, with their meanings. */
export const GATEWAY_HEADERS = {
  ...STANDARD_HEADERS,
  "X-Gateway-Signature":
    "`sha256=<hex>`: the HMAC-SHA256 of the raw body. For 24 hours after a change of the secret, " +
    "`X-Gateway-Signature-Previous` has that of the old one.",
  "X-Gateway-Attempt": "The number of this attempt, from 1",
} as const;

const headers = (envelope: AttemptContext): Record<string, string> => ({
  ...standardHeaders(envelope),
  ...signatureHeaders("X-Gateway-Signature", envelope),
  "X-Gateway-Attempt": String(envelope.attempt),
  ...(envelope.isTest ? { "X-Gateway-Test": "true" } : {}),
});

/** The name of this API's audience of events. */
export const GATEWAY = "gateway";

const LOSS: GatewayEventType = "webhook:failed";

/**
 * The audience of events of this API. An empty list of names means all. `viewsFor` is called for every event, because
 * the public URL is known only when the process listens.
 */
export const gatewayAudience = (viewsFor: (kind: ChannelKind | null) => Views): Audience => ({
  name: GATEWAY,
  isOfInstitutions: false,
  takesTestEvents: false,
  isLogged: true,
  retry: ACCOUNT_RETRY,
  render: (published) => render(published, viewsFor),
  sample: sampleBy((published) => render(published, viewsFor)),
  cut,
  headers,
  isSubscribed: (events, type) =>
    events.length === 0 || events.includes(type) || (type.startsWith("call:") && events.includes("call:*")),
  reportsLossOf: (type) => type !== LOSS,
});
