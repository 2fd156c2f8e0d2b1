import type { Static, TSchema } from "@sinclair/typebox";
import type { EventOf, TypesTo } from "../../../../core/events/definitions/index.ts";
import type { Views } from "../event-views.ts";

/** An event of this API, under the name that webhooks and streams use. */
export type GatewayEvent<Event, Data extends TSchema = TSchema> = {
  /** When it is published, in English. Links lead to the pages of docs/. */
  when: string;
  /** The publisher of the event, as in "Of any phone". */
  of: string;
  data: Data;
  /** Texts of people and networks have no limit here, so such an event may be cut. */
  mayBeCut: boolean;
  /** The data of a domain event; undefined if it has another name. */
  render: (domainEvent: Event, views: Views) => Static<Data> | undefined;
};

/** Holds the renderer of an event to its schema. */
export const event = <Event, Data extends TSchema>(definition: GatewayEvent<Event, Data>) => definition;

/** The names that each domain event for accounts may have, each with its definition. */
export type GatewayEvents<Fields> = {
  readonly [Type in keyof Fields & TypesTo<"accounts">]: Readonly<Record<string, GatewayEvent<EventOf<Type>>>>;
};
