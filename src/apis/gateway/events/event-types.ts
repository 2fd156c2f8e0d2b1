import {
  EVENT_TYPES as DOMAIN_EVENT_TYPES,
  type EventType,
  isForStreams,
} from "../../../core/events/definitions/index.ts";
import { type GatewayEventType, named } from "./definitions/index.ts";

type Name = "call:*" | GatewayEventType;
const namesOf = (types: readonly EventType[]): readonly Name[] =>
  [...new Set(types.flatMap((type) => named(type).map(([name]) => name)))].flatMap((name) =>
    name === "call:offer" ? (["call:*", name] as const) : [name],
  );

/** The event types that a stream or a list may name. `call:*` stands for all events of calls. */
export const STREAM_EVENT_TYPES = namesOf(DOMAIN_EVENT_TYPES);
/** Those that a webhook may name. */
export const EVENT_TYPES = namesOf(DOMAIN_EVENT_TYPES.filter((type) => !isForStreams(type)));
