import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";

/** The description's reference to the schema of a title. */
const refOf = ({ title }: TSchema): string => `#/components/schemas/${title}`;

/**
 * One of several titled schemas, chosen by a field. `byValue` has the schema of each value of the field; one schema may
 * stand for several values.
 */
export const oneOfBy = <ByValue extends Record<string, TSchema>>(title: string, field: string, byValue: ByValue) =>
  Type.Unsafe<Static<ByValue[keyof ByValue]>>({
    title,
    oneOf: [...new Set(Object.values(byValue))],
    discriminator: {
      propertyName: field,
      mapping: Object.fromEntries(Object.entries(byValue).map(([value, schema]) => [value, refOf(schema)])),
    },
  });

/** An event as its API sends it: when it is published, in English, and the schema of its body. */
export type EventSchema = { when: string; schema: TSchema };

/**
 * An event of the description. `name` is part of its operation's id, as in `onMessageReceived`. `of`: its publisher.
 * `mayBeCut`: its body has no limit of its own, so a cut event may replace it.
 */
export type DescribedEvent = EventSchema & { type: string; name: string; of: string; mayBeCut: boolean };

/** The name of an event in schemas and operations: `message:poll-vote` is `MessagePollVote`. */
export const eventNameOf = (type: string): string =>
  type
    .split(/[^a-z]+/)
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join("");

/** The body of an event: the fields of every event, and its own. */
export const eventBody = <Common extends TObject, Own extends TObject>(title: string, common: Common, own: Own) =>
  Type.Intersect([common, own], { title });
