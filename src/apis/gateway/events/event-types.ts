import { EVENT_TYPES as DOMAIN_EVENT_TYPES } from "../../../core/events/definitions/index.ts";
import { type GatewayEventType, named } from "./definitions/index.ts";

const types = new Set(DOMAIN_EVENT_TYPES.flatMap((type) => named(type).map(([name]) => name)));

/** The event types that a webhook or a stream may name. `call:*` stands for all events of calls. */
export const EVENT_TYPES: readonly ("call:*" | GatewayEventType)[] = [...types].flatMap((type) =>
  type === "call:offer" ? (["call:*", type] as const) : [type],
);
