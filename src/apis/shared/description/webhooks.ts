import type { TSchema } from "@sinclair/typebox";
import type { DescribedEvent } from "../docs/event-schema.ts";
import type { Components } from "./components.ts";
import { plainSchema, type Schema } from "./json-schema.ts";
import type { Parameter } from "./operations.ts";

/**
 * The events that an API sends. `union`: any of them. `cut`: the replacement of an event that is too large. `headers`:
 * the headers of a delivery, each with its meaning.
 */
export type DescribedWebhooks = {
  events: readonly DescribedEvent[];
  union: TSchema;
  cut?: TSchema;
  headers: Readonly<Record<string, string>>;
};

/** TABLE: the effect of each answer of a customer's endpoint. */
const ANSWERS: Readonly<Record<string, readonly [status: string, description: string]>> = {
  EventTaken: ["2XX", "The event is delivered"],
  EventGivenUp: ["410", "The event is not tried again"],
  EventTriedAgain: ["default", "The event is tried again later"],
};

const ANSWER_REFERENCES = Object.fromEntries(
  Object.entries(ANSWERS).map(([name, [status]]) => [status, { $ref: `#/components/responses/${name}` }]),
);

/** A text without its links and the pages that they lead to. */
const withoutLinks = (text: string): string => text.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, "$1");

/** The first sentence of a text, without links. */
const summaryOf = (when: string): string => {
  const text = withoutLinks(when);
  return (/^.*?[.:;](?= |$)/.exec(text)?.[0] ?? text).slice(0, -1);
};

const parametersOf = (headers: DescribedWebhooks["headers"]): Parameter[] =>
  Object.entries(headers).map(([name, description]) => ({
    name,
    in: "header",
    required: true,
    description,
    schema: { type: "string" },
  }));

/** One operation per type of event, and the answers that all share. */
export const describedWebhooks = (
  { events, union, cut, headers }: DescribedWebhooks,
  { lifted }: Components,
): { webhooks: Record<string, { post: object }>; responses: Record<string, { description: string }> } => {
  const cutEvent = cut && lifted(plainSchema(cut), "CutEvent");
  const bodyOf = (schema: Schema, mayBeCut: boolean): Schema =>
    cutEvent && mayBeCut ? { anyOf: [schema, cutEvent] } : schema;
  const parameters = parametersOf(headers);
  lifted(plainSchema(union), "Event");
  return {
    webhooks: Object.fromEntries(
      events.map(({ type, name, when, schema, mayBeCut }) => [
        type,
        {
          post: {
            operationId: `on${name}`,
            summary: summaryOf(when),
            description: withoutLinks(when),
            security: [],
            parameters,
            requestBody: {
              required: true,
              content: { "application/json": { schema: bodyOf(lifted(plainSchema(schema), name), mayBeCut) } },
            },
            responses: ANSWER_REFERENCES,
          },
        },
      ]),
    ),
    responses: Object.fromEntries(Object.entries(ANSWERS).map(([name, [, description]]) => [name, { description }])),
  };
};
