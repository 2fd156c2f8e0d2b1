import type { Restriction } from "../../../contract/abilities/restriction.ts";
import type { Contact, HeldBy, MediaMetadata } from "../../../core/domain-event.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { chatAddresses } from "../phones/addresses.ts";

/** The parts of events that look the same in the answers of this API. */

/** A contact: the four documented fields, and any other known ones. */
export const person = (contact: Contact) => ({ ...contact, ...chatAddresses(contact) });

/** A restriction as this API shows it, in phones and events. */
export const restrictionView = ({ reason, until, allows, text }: Restriction) => ({
  reason,
  until: isoOrNull(until),
  allows,
  text: text ?? null,
});

/** The app that leads a conversation in place of this one. */
export const holderView = ({ role, since }: HeldBy) => ({ role, since: iso(since) });

/** A file. A request to `downloadUrl` with the API key leads to it. */
export const mediaData = (
  { mediaId, contentType, sizeBytes, filename, expiresAt }: MediaMetadata,
  baseUrl: string,
) => ({
  mediaId,
  contentType,
  sizeBytes,
  filename,
  downloadUrl: `${baseUrl}/v1/media/${mediaId}`,
  expiresAt: iso(expiresAt),
});
