import { type TSchema, Type } from "@sinclair/typebox";
import { described, Nullable } from "../../../../kernel/schema.ts";
import { type DescribedEvent, eventBody, eventNameOf, oneOfBy } from "../../../shared/docs/event-schema.ts";
import { IDS } from "../../../shared/fields.ts";
import { GATEWAY_DEFINITIONS } from "../definitions/index.ts";
import { Id, shape } from "./parts.ts";

const Envelope = shape("EventEnvelope", {
  id: described(Id, "The event's id; the same for every delivery of the event", IDS.other),
  accountId: described(Id, "The account that the event belongs to", IDS.account),
  phoneId: Nullable(
    Type.String({
      format: "uuid",
      description: "The phone that the event is about; null for an event of the whole account",
      examples: [IDS.phone],
    }),
  ),
  timestamp: Type.String({ format: "date-time", description: "When it was published" }),
});

/** The body of every event of this API, by its type. */
export const GATEWAY_EVENTS: readonly DescribedEvent[] = [...GATEWAY_DEFINITIONS].map(([type, definition]) => {
  const { when, of, data, mayBeCut } = definition;
  const name = eventNameOf(type.replace(/^channel:/, "phone:")); // as this API calls a channel
  return {
    type,
    name,
    when,
    of,
    mayBeCut,
    schema: eventBody(
      `${name}Event`,
      Envelope,
      Type.Object({
        type: described(Type.Literal(type), "The type of the event, which decides what `data` has"),
        data: described(data, "What happened"),
      }),
    ),
  };
});

/** The data of every event, each shape once. */
export const EVENT_DATA: readonly TSchema[] = [...new Set([...GATEWAY_DEFINITIONS.values()].map(({ data }) => data))];

/** Any event of this API. */
export const GatewayEvent = oneOfBy(
  "GatewayEvent",
  "type",
  Object.fromEntries(GATEWAY_EVENTS.map(({ type, schema }) => [type, schema])),
);

/** An event of more than 256 KiB, as a webhook gets it: without its data. */
export const CutEvent = eventBody(
  "CutEvent",
  Envelope,
  Type.Object({
    type: Type.String({ description: "The type of the event" }),
    data: described(
      shape("CutData", {
        messageId: Type.Optional(described(Id, "The message that the event is about, if there is one", IDS.message)),
        type: Type.Optional(Type.String({ description: "The type of the message, if it has one", examples: ["text"] })),
        isCut: described(Type.Literal(true), "True: the event was too large, and its data is left out"),
        sizeBytes: Type.Integer({ description: "The size of the whole event in bytes", examples: [48213] }),
      }),
      "The rest of the event: where to read it",
    ),
  }),
);
