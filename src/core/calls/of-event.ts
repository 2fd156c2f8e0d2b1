import type { Reader } from "../../store/engine/db.ts";
import { type CallRow, findCall } from "../../store/tables/calls.ts";
import type { PublishedEvent } from "../domain-event.ts";

/** The call that an event is about; null for any other event. */
export const callOfEvent = async (r: Reader, { tenantId, domainEvent }: PublishedEvent): Promise<CallRow | null> =>
  "callId" in domainEvent ? ((await findCall(r, { tenantId }, domainEvent.callId)) ?? null) : null;
