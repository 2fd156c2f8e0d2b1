import type { Reader } from "../../store/engine/db.ts";
import { findGroup, type Group } from "../../store/tables/groups.ts";
import type { PublishedEvent } from "../domain-event.ts";

/** The group that an event is about; null for any other event, and for a group that is gone. */
export const groupOfEvent = async (r: Reader, { tenantId, domainEvent }: PublishedEvent): Promise<Group | null> =>
  "groupId" in domainEvent ? ((await findGroup(r, { tenantId }, domainEvent.groupId)) ?? null) : null;
