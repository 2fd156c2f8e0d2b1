import { type TProperties, Type } from "@sinclair/typebox";
import { ALLOWANCES } from "../../../../contract/abilities/restriction.ts";
import { CONTACT_TYPES } from "../../../../core/domain-event.ts";
import { Nullable, OneOf } from "../../../../kernel/schema.ts";
import { Instant, InstantOrNull } from "../../schemas.ts";

/** Shapes that several events share, or an event and an answer. */

export const Id = Type.String({ format: "uuid" });
/** When something happened, as the network says. */
export const At = Type.String({ format: "date-time", description: "When it happened, as the network says" });
export const text = Type.String();
export const TextOrNull = Nullable(text);

/** An object of an event. */
export const shape = <Fields extends TProperties>(title: string, fields: Fields) => Type.Object(fields, { title });

/** A person or group as events name it. */
export const Peer = shape("Peer", {
  canonicalKey: Type.String({ description: "`<type>:<value>` by the strongest id that is known; send to it" }),
  type: OneOf(CONTACT_TYPES, { title: "ContactType" }),
  pn: Nullable(Type.String({ description: "The number as a chat address, `<digits>@s.whatsapp.net`" })),
  lid: Nullable(Type.String({ description: "The network's id as a chat address, `<digits>@lid`" })),
  bsuid: Type.Optional(Type.String({ description: "The person's id for your business" })),
  username: Type.Optional(text),
});

/** The app that leads a conversation in place of this one. */
export const Holder = shape("Holder", {
  role: Nullable(Type.String({ description: "The role of the app at the network; null where it is not known" })),
  since: Instant,
});

const mediaFields = {
  mediaId: Id,
  contentType: text,
  sizeBytes: Type.Integer(),
  filename: TextOrNull,
  downloadUrl: Type.String({ description: "Leads to the file, with the API key" }),
  expiresAt: Instant,
};

/** A stored file of an inbound message. */
export const ReceivedMedia = shape("ReceivedMedia", mediaFields);
export const MediaAvailable = shape("MediaAvailable", { messageId: Id, ...mediaFields });
/** The file of a message that could not be fetched. */
export const MissingMedia = shape("MissingMedia", {
  downloadUrl: Type.Null(),
  error: Type.Optional(OneOf(["STORAGE_QUOTA_EXCEEDED"])),
});

export const Restriction = Type.Object(
  {
    reason: Type.String({ description: "One word, in most cases the network's own" }),
    until: InstantOrNull,
    allows: OneOf(ALLOWANCES),
    text: Nullable(Type.String({ description: "What the network wants the owner to read" })),
  },
  { title: "Restriction", description: "What the network forbids the phone for a while; null where nothing is known" },
);

export const Hint = Type.Object(
  {
    code: Type.String({ description: "Such as SCAN_AGAIN or PASSKEY_REQUIRED" }),
    en: text,
    pt: text,
    retryAt: Type.Optional(Instant),
  },
  {
    title: "PairingHint",
    description: "What the person who links the phone has to know; absent where there is nothing",
  },
);

const flag = Type.Optional(Type.Boolean());
/** What only administrators of a group may do. */
export const GroupRules = shape("GroupRules", { onlyAdminsSend: flag, onlyAdminsEdit: flag, onlyAdminsAdd: flag });
