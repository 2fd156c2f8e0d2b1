// The domain events, and the name that each API has for them, as the rows of `npm run list -- events`.
import { cloudFields } from "../../src/apis/cloud/render/index.ts";
import { evolutionNames } from "../../src/apis/evolution/webhooks/render.ts";
import { named } from "../../src/apis/gateway/events/definitions/index.ts";
import { EVENT_NAMES } from "../../src/apis/platform/events/definitions.ts";
import { wahaNames } from "../../src/apis/waha/events/render.ts";
import type { Definition } from "../../src/core/events/definitions/definition.ts";
import { DEFINITIONS, EVENT_TYPES, type EventType } from "../../src/core/events/definitions/index.ts";

const directionText = (direction: Definition<never>["direction"]): string =>
  typeof direction === "function" ? "by the event" : (direction ?? "none");

const textOf = (names: readonly string[]): string => names.join(", ") || "not published";

const rowOf = (type: EventType): string[] => {
  const { ordering, direction } = DEFINITIONS[type];
  return [
    type,
    ordering.by,
    directionText(direction),
    textOf(named(type).map(([name]) => name)),
    textOf(EVENT_NAMES.filter((name) => name === type)),
    textOf(evolutionNames(type)),
    textOf(wahaNames(type)),
    textOf(cloudFields(type)),
  ];
};

/** A row for each domain event, below the names of the columns. */
export const eventRows = (): string[][] => [
  ["event", "ordered by", "direction", "gateway", "platform", "evolution", "waha", "cloud"],
  ...EVENT_TYPES.map(rowOf),
];
