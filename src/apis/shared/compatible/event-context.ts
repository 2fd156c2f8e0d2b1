import type { Call } from "../../../core/calls/calls.ts";
import { callOfEvent } from "../../../core/calls/of-event.ts";
import { type AppContext, appContextOf } from "../../../core/channels/settings/app-context.ts";
import type { Contact, PublishedEvent } from "../../../core/domain-event.ts";
import { groupOfEvent } from "../../../core/groups/of-event.ts";
import { authorOfSubject } from "../../../core/messaging/receiving/event-context.ts";
import type { ShownGroup } from "./groups.ts";

/**
 * What an event shows besides itself: its channel, its own id, when it was published, and the author of the message that
 * it is about; null for a message of the channel. `group`, `call`: those that it is about, as they are now.
 */
export type EventContext = AppContext & {
  eventId: string;
  publishedAt: number;
  author: Contact | null;
  group: ShownGroup | null;
  call: Pick<Call, "peer" | "direction" | "startedAt" | "createdAt"> | null;
};

/** The context of an event that programs of `app` get; undefined if its channel is none of theirs. */
export const eventContextOf = async (
  reader: Parameters<typeof appContextOf>[0],
  published: PublishedEvent,
  app: string,
): Promise<EventContext | undefined> => {
  const channel = await appContextOf(reader, published, app);
  if (!channel) return undefined;
  return {
    ...channel,
    eventId: published.id,
    publishedAt: published.createdAt,
    author: await authorOfSubject(reader, published.domainEvent),
    group: await groupOfEvent(reader, published),
    call: await callOfEvent(reader, published),
  };
};

const SAMPLE_AT = Date.UTC(2026, 10, 20, 12);

/** The context of samples, for a channel with this name. */
export const sampleContext = (label: string): EventContext => ({
  id: "01a5c0de-0000-4000-8000-000000000003" as EventContext["id"],
  label,
  phoneNumber: "5511900000001",
  url: null,
  eventId: "01a5c0de-0000-4000-8000-000000000004",
  publishedAt: SAMPLE_AT,
  author: null,
  group: {
    upstreamGroupId: "120363020000000001",
    subject: "Entregas",
    description: "",
    participants: [{ waId: "5511999999999", joinedAt: "2026-11-20T12:00:00.000Z" }],
    totalParticipantCount: 1,
    rules: null,
    community: null,
    createdAt: SAMPLE_AT,
  },
  call: { peer: "pn:5511999999999", direction: "INBOUND", startedAt: SAMPLE_AT, createdAt: SAMPLE_AT },
});
