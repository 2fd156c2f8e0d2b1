import type { Restriction } from "../../../contract/abilities/restriction.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import type { Contact, HeldBy, MediaMetadata } from "../../../core/domain-event.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { addressesOn, type Declarations } from "../phones/addresses.ts";

/** The parts of events that look the same in the answers of this API. */

/** How this API shows the people and files of one phone. `baseUrl`: the public URL of this API. */
export type Views = { baseUrl: string; person: (contact: Contact) => Contact };

/** The views of a phone of this kind; `kind` is null if it is not known. */
export const viewsOf = (declarations: Declarations, kind: ChannelKind | null, baseUrl: string): Views => {
  const shown = addressesOn(declarations, kind);
  return { baseUrl, person: (contact) => ({ ...contact, ...shown(contact) }) };
};

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

/** The views that the documents show: of a phone whose network has chat addresses. */
export const documentedViews = (baseUrl: string): Views => viewsOf({ declared: () => undefined }, null, baseUrl);
