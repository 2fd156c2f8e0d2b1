// The events of both APIs as the parts of docs/events.md.
import { GATEWAY_EVENTS } from "../../src/apis/gateway/events/event-schemas/index.ts";
import { documentedViews } from "../../src/apis/gateway/events/event-views.ts";
import { gatewayAudience } from "../../src/apis/gateway/events/render.ts";
import { PLATFORM_EVENTS } from "../../src/apis/platform/events/definitions.ts";
import { platformAudience } from "../../src/apis/platform/events/render.ts";
import { newComponents } from "../../src/apis/shared/description/components.ts";
import { plainSchema } from "../../src/apis/shared/description/json-schema.ts";
import type { DescribedEvent } from "../../src/apis/shared/docs/event-schema.ts";
import type { Audience } from "../../src/core/events/audience.ts";
import { SAMPLES } from "../../src/core/events/definitions/index.ts";
import { PUBLISHED } from "../../src/core/events/definitions/samples.ts";
import { linkTo, nameIn, type Schema, type Shapes, shapeBody, shapeSection, shapesUsed } from "./shapes.ts";

/** Whether an event belongs to no phone or channel. */
const isOfAll = ({ of }: DescribedEvent): boolean => of.includes("is null");

type Body = Readonly<Record<string, unknown>>;
type Api = {
  name: "gateway" | "platform";
  audience: Audience;
  events: readonly DescribedEvent[];
};

const APIS: Readonly<Record<"gateway" | "platform", Api>> = {
  gateway: {
    name: "gateway",
    audience: gatewayAudience(() => documentedViews("https://recado.example.com/gateway")),
    events: GATEWAY_EVENTS,
  },
  platform: {
    name: "platform",
    audience: platformAudience(() => "https://recado.example.com/platform"),
    events: PLATFORM_EVENTS,
  },
};

/** The samples that the API renders as events of one type. Throws without such a sample. */
const bodiesOf = ({ audience }: Api, event: DescribedEvent): Body[] => {
  const channelId = isOfAll(event) ? null : PUBLISHED.channelId;
  const rendered = SAMPLES.map((domainEvent) => audience.render({ ...PUBLISHED, channelId, domainEvent }));
  const bodies = rendered.flatMap((one) => (one?.type === event.type ? one.body : []));
  if (bodies.length === 0) throw new Error(`no sample is rendered as ${event.type}`);
  return bodies.map((body) => JSON.parse(body) as Body); // an object, as every audience renders it
};

/** The samples of every event of an API, rendered by it. */
export const sampleBodies = (name: "gateway" | "platform"): { type: string; body: Body }[] =>
  APIS[name].events.flatMap((event) => bodiesOf(APIS[name], event).map((body) => ({ type: event.type, body })));

/**
 * The own schema of an event: the data of a gateway event, or the fields of a platform event beside the envelope. Adds
 * all schemas that it refers to.
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
  const { type, when, of, schema } = event;
  const own = ownOf(api, event, new Map());
  const isLinked = own["$ref"] !== undefined;
  const data = api.name === "gateway" ? ` Its \`data\`${isLinked ? ` is a ${linkTo(own)}.` : ":"}` : "";
  return [
    `#### \`${type}\``,
    when,
    `Of ${of}. Schema \`${String(schema.title)}\`.${data}`,
    ...(isLinked ? [] : [shapeBody(own)]),
    ...bodiesOf(api, event)
      .slice(0, MOST_SAMPLES)
      .map((body) => `\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``),
  ].join("\n\n");
};

/** The page shows the first forms of an event with many. */
const MOST_SAMPLES = 2;

const pageOf = (api: Api): string => api.events.map((event) => section(api, event)).join("\n\n");

/** Every event of the gateway API as Markdown: its cause, its fields and a body. */
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
