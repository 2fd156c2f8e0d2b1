import { proto } from "@whiskeysockets/baileys";
import type { InboundContent } from "../../../../src/contract/content/inbound-content.ts";
import type { EventResponse } from "../../../../src/contract/events.ts";
import { iso } from "../../../../src/kernel/clock.ts";
import { isDegrees } from "./degrees.ts";

const { GOING, NOT_GOING, MAYBE } = proto.Message.EventResponseMessage.EventResponseType;

/** TABLE: the network's numbers of the answers to an event. */
export const RESPONSES: ReadonlyMap<number, EventResponse> = new Map([
  [GOING, "going"],
  [NOT_GOING, "not_going"],
  [MAYBE, "maybe"],
]);

/** The number of an answer. */
export const responseNumber = (response: EventResponse): number =>
  [...RESPONSES].find(([, named]) => named === response)?.[0] ?? MAYBE;

/** The last moment of the year 9999: later ones have no time in the events' format. */
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59);
const LONGEST = 4096;
/** The longest address of a call in the event's schema; part of an address leads nowhere. */
const LONGEST_LINK = 2048;

const timeOf = (seconds: { toString(): string } | number | null | undefined): string | undefined => {
  const at = Number(String(seconds ?? "")) * 1000;
  return at > 0 && at <= LATEST_MS ? iso(at) : undefined;
};

const placeOf = (place: proto.Message.ILocationMessage) => {
  const { name, address, degreesLatitude: latitude, degreesLongitude: longitude } = place;
  const isPlaced = isDegrees(latitude, 90) && isDegrees(longitude, 180) && (latitude !== 0 || longitude !== 0);
  return {
    ...(name ? { name: name.slice(0, LONGEST) } : {}),
    ...(address ? { address: address.slice(0, LONGEST) } : {}),
    ...(isPlaced ? { latitude, longitude } : {}),
  };
};

/** A calendar event as content; undefined for one without a name or a beginning. */
export const calendarEvent = (event: proto.Message.IEventMessage): InboundContent | undefined => {
  const { name, description, location, joinLink, isCanceled, extraGuestsAllowed } = event;
  const startsAt = timeOf(event.startTime);
  const endsAt = timeOf(event.endTime);
  if (!name || startsAt === undefined) return undefined;
  return {
    type: "event",
    content: {
      name,
      startsAt,
      ...(description ? { description } : {}),
      ...(endsAt === undefined ? {} : { endsAt }),
      ...(location ? { location: placeOf(location) } : {}),
      ...(joinLink && joinLink.length <= LONGEST_LINK ? { callLink: joinLink } : {}),
      ...(extraGuestsAllowed ? { extraGuestsAllowed } : {}),
      ...(isCanceled ? { isCanceled } : {}),
    },
  };
};
