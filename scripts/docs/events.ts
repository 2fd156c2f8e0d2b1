// The events of both APIs as the parts of docs/events.md.
import { GATEWAY_EVENTS } from "../../src/apis/gateway/events/event-schemas/index.ts";
import type { GatewayEventType } from "../../src/apis/gateway/events/event-types.ts";
import { gatewayAudience } from "../../src/apis/gateway/events/render.ts";
import { PLATFORM_EVENTS } from "../../src/apis/platform/event-schemas.ts";
import { platformAudience } from "../../src/apis/platform/render.ts";
import type { EventName } from "../../src/apis/platform/words.ts";
import { newComponents } from "../../src/apis/shared/description/components.ts";
import { plainSchema } from "../../src/apis/shared/description/json-schema.ts";
import type { DescribedEvent } from "../../src/apis/shared/docs/event-schema.ts";
import {
  AT,
  CHANNEL_ID,
  EVENT_ID,
  EVENTS,
  type SampleName,
  TENANT_ID,
} from "../../src/apis/shared/docs/sample-events.ts";
import type { Audience } from "../../src/core/events/audience.ts";
import { linkTo, nameIn, type Schema, type Shapes, shapeBody, shapeSection, shapesUsed } from "./shapes.ts";

/** `of`: what publishes the event. */
type Sampled = { of: string; samples: readonly SampleName[] };

/** TABLE: samples of each event of the gateway API. The compiler keeps it complete. */
const GATEWAY: Record<GatewayEventType, Sampled> = {
  "message:received": { of: "any phone", samples: ["text", "image"] },
  "message:standby": { of: "official numbers and Instagram", samples: ["standby"] },
  "message:status": { of: "any phone", samples: ["sent", "delivered", "read", "failed", "deleted", "readUpTo"] },
  "message:reaction": { of: "any phone", samples: ["reacted"] },
  "message:edited": { of: "any phone", samples: ["edited"] },
  "message:poll-vote": { of: "sessions", samples: ["pollVote"] },
  "message:operation_failed": { of: "any phone", samples: ["operationFailed"] },
  "message:fallback": { of: "any phone", samples: ["fallback"] },
  "status:received": { of: "sessions", samples: ["status"] },
  "newsletter:received": { of: "sessions", samples: ["newsletter"] },
  "channel:connected": { of: "any phone", samples: ["connected"] },
  "channel:disconnected": { of: "any phone", samples: ["disconnected"] },
  "channel:restricted": { of: "sessions", samples: ["restricted"] },
  "channel:unrestricted": { of: "sessions", samples: ["unrestricted"] },
  "channel:qrcode": { of: "sessions", samples: ["qrIssued"] },
  "channel:passkey-required": { of: "sessions", samples: ["passkeyRequired"] },
  "channel:client-expiring": { of: "sessions", samples: ["clientExpiring"] },
  "media:available": { of: "any phone", samples: ["mediaAvailable"] },
  "media:expired": { of: "any phone", samples: ["mediaExpired"] },
  "template:status": { of: "official numbers", samples: ["template"] },
  "history:progress": { of: "sessions", samples: ["history"] },
  "contact:synced": { of: "official numbers", samples: ["contactsSynced"] },
  "comment:received": { of: "Instagram", samples: ["comment"] },
  "conversation:held": { of: "official numbers and Instagram", samples: ["held"] },
  "conversation:released": { of: "official numbers and Instagram", samples: ["released"] },
  "contact:presence": { of: "sessions", samples: ["presence"] },
  "agent:handoff": { of: "any phone", samples: ["handoff"] },
  "agent:budget_exhausted": { of: "any phone", samples: ["budgetExhausted"] },
  "agent:document": { of: "any phone", samples: ["agentDocument"] },
  "group:lifecycle": { of: "sessions and official numbers", samples: ["groupCreated"] },
  "group:participants": { of: "sessions and official numbers", samples: ["groupJoined"] },
  "group:settings": { of: "sessions and official numbers", samples: ["groupSettings"] },
  "group:status": { of: "official numbers", samples: ["groupStatus"] },
  "billing:invoice.paid": { of: "the whole account: `phoneId` is null", samples: ["invoicePaid"] },
  "billing:invoice.failed": { of: "the whole account: `phoneId` is null", samples: ["invoiceFailed"] },
  "webhook:failed": { of: "the whole account: `phoneId` is null", samples: ["webhookFailed"] },
  "call:offer": { of: "official numbers", samples: ["callOffer"] },
  "call:ringing": { of: "official numbers", samples: ["callRinging"] },
  "call:accepted": { of: "official numbers", samples: ["callAccepted"] },
  "call:in_progress": { of: "official numbers", samples: ["callInProgress"] },
  "call:completed": { of: "official numbers", samples: ["callCompleted"] },
  "call:rejected": { of: "official numbers", samples: ["callRejected"] },
  "call:missed": { of: "official numbers", samples: ["callMissed"] },
  "call:failed": { of: "official numbers", samples: ["callFailed"] },
};

/** TABLE: the same of the platform API. */
const PLATFORM: Record<EventName, Sampled> = {
  "message.received": { of: "any channel", samples: ["text", "image"] },
  "message.sent": { of: "any channel", samples: ["sent"] },
  "message.delivered": { of: "any channel", samples: ["delivered"] },
  "message.read": { of: "any channel", samples: ["read"] },
  "conversation.created": { of: "any channel", samples: ["conversationCreated"] },
  "conversation.closed": { of: "any channel", samples: ["conversationClosed"] },
  "channel.connected": { of: "any channel", samples: ["connected"] },
  "channel.disconnected": { of: "any channel", samples: ["disconnected"] },
  "contact.created": { of: "the institution: `channelId` is null", samples: ["contactCreated"] },
  "contact.updated": { of: "the institution: `channelId` is null", samples: ["contactUpdated"] },
  "bulk.completed": { of: "any channel", samples: ["bulkCompleted"] },
  "bulk.failed": { of: "any channel", samples: ["bulkFailed"] },
};

const published = {
  id: EVENT_ID,
  tenantId: TENANT_ID,
  channelId: CHANNEL_ID,
  environment: "live",
  createdAt: AT,
} as const;

/** Whether an event belongs to no phone or channel. */
const isOfAll = ({ of }: Sampled): boolean => of.includes("is null");

type Body = Readonly<Record<string, unknown>>;
type Api = {
  name: "gateway" | "platform";
  audience: Audience;
  events: readonly DescribedEvent[];
  samples: Readonly<Record<string, Sampled>>;
};

const APIS: Readonly<Record<"gateway" | "platform", Api>> = {
  gateway: {
    name: "gateway",
    audience: gatewayAudience(() => "https://recado.example.com/gateway"),
    events: GATEWAY_EVENTS,
    samples: GATEWAY,
  },
  platform: {
    name: "platform",
    audience: platformAudience(() => "https://recado.example.com/platform"),
    events: PLATFORM_EVENTS,
    samples: PLATFORM,
  },
};

/** The body as the API renders it. Throws when it renders another event than `type`. */
const bodyOf = ({ audience, samples }: Api, type: string, sample: SampleName): Body => {
  const rendered = audience.render({
    ...published,
    channelId: samples[type] && isOfAll(samples[type]) ? null : published.channelId,
    domainEvent: EVENTS[sample],
  });
  if (rendered?.type !== type) throw new Error(`the sample ${sample} is rendered as ${rendered?.type}, not as ${type}`);
  return JSON.parse(rendered.body) as Body; // an object, as every audience renders
};

/** The samples of every event of an API, as it renders them. */
export const sampleBodies = (name: "gateway" | "platform"): { type: string; body: Body }[] => {
  const api = APIS[name];
  return Object.entries(api.samples).flatMap(([type, { samples }]) =>
    samples.map((sample) => ({ type, body: bodyOf(api, type, sample) })),
  );
};

/**
 * The own schema of an event: of the gateway's its data, of the platform's what its body has beside the envelope. Adds
 * all others that it refers to.
 */
const ownOf = ({ name: api }: Api, { schema, name }: DescribedEvent, shapes: Shapes): Schema => {
  const components = newComponents();
  const event = components.lifted(plainSchema(schema), name);
  const { allOf = [] } = (components.schemas[nameIn(event["$ref"])] ?? {}) as { allOf?: Schema[] };
  const { properties = {} } = (allOf[1] ?? {}) as { properties?: Record<string, Schema> };
  const data = api === "gateway" ? properties["data"] : undefined;
  const isShared = Object.keys(properties).length === 0 || SHARED.includes(nameIn(data?.["$ref"]));
  const inPlace = isShared ? undefined : components.schemas[nameIn(data?.["$ref"])];
  shapesUsed(Object.fromEntries(Object.entries(components.schemas).filter(([, one]) => one !== inPlace)), shapes);
  return inPlace ?? data ?? allOf[1] ?? {};
};

/** The data of more than one event. */
const SHARED = ["ReceivedMessage", "CallChange"];

const section = (api: Api, event: DescribedEvent): string => {
  const { type, when, schema } = event;
  const { of = "", samples = [] } = api.samples[type] ?? {};
  const own = ownOf(api, event, new Map());
  const isLinked = own["$ref"] !== undefined;
  const data = api.name === "gateway" ? ` Its \`data\`${isLinked ? ` is a ${linkTo(own)}.` : ":"}` : "";
  return [
    `#### \`${type}\``,
    when,
    `Of ${of}. Schema \`${String(schema.title)}\`.${data}`,
    ...(isLinked ? [] : [shapeBody(own)]),
    ...samples
      .slice(0, MOST_SAMPLES)
      .map((sample) => `\`\`\`json\n${JSON.stringify(bodyOf(api, type, sample), null, 2)}\n\`\`\``),
  ].join("\n\n");
};

/** Of an event with many forms the page shows the first ones. */
const MOST_SAMPLES = 2;

const pageOf = (api: Api): string => api.events.map((event) => section(api, event)).join("\n\n");

/** Every event of the gateway API as Markdown: when it is sent, its fields and a body. */
export const gatewayEvents = (): string => pageOf(APIS.gateway);

/** Every event of the platform API, likewise. */
export const platformEvents = (): string => pageOf(APIS.platform);

/** The objects that the events of both APIs consist of. */
export const eventShapes = (): string => {
  const shapes: Shapes = new Map();
  for (const api of Object.values(APIS)) for (const event of api.events) ownOf(api, event, shapes);
  return [...shapes]
    .filter(([name]) => !/Event(Envelope)?$/.test(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => shapeSection(name, schema))
    .join("\n\n");
};
