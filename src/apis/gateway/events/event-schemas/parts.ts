import { type TProperties, Type } from "@sinclair/typebox";
import { ALLOWANCES } from "../../../../contract/abilities/restriction.ts";
import { TRIAL_CAUSES } from "../../../../core/ai/trials/runs.ts";
import { CONTACT_TYPES } from "../../../../core/domain-event.ts";
import { MEDIA_FAILURES } from "../../../../core/events/definitions/messages.ts";
import { described, Nullable, OneOf } from "../../../../kernel/schema.ts";
import { IDS } from "../../../shared/fields.ts";
import { Instant, InstantOrNull } from "../../instants.ts";

/** Shapes that several events share, or an event and an answer. */

export const Id = Type.String({ format: "uuid" });
/** When something happened, as the network says. */
export const At = Type.String({ format: "date-time", description: "When it happened, as the network says" });
export const text = Type.String();
export const TextOrNull = Nullable(text);

/** What began a run of an agent's questions. */
export const TrialCause = OneOf(TRIAL_CAUSES, {
  title: "TrialCause",
  description: "What began the run: a request, or a change of the agent or of its knowledge",
});

/** An object of an event. */
export const shape = <Fields extends TProperties>(title: string, fields: Fields) => Type.Object(fields, { title });

/** A person or group as events name it. */
export const Peer = shape("Peer", {
  canonicalKey: Type.String({
    description: "The person's key on this network, whatever the number",
    examples: ["pn:5511988887777"],
  }),
  type: OneOf(CONTACT_TYPES, {
    title: "ContactType",
    description: "The kind of address that `canonicalKey` has",
    examples: ["pn"],
  }),
  pn: Nullable(
    Type.String({
      description:
        "The number as a chat address, `<digits>@s.whatsapp.net`, or as digits where the network is not WhatsApp; " +
        "null if unknown",
      examples: ["5511988887777@s.whatsapp.net"],
    }),
  ),
  lid: Nullable(
    Type.String({
      description: "The network's id as a chat address, `<digits>@lid`; null if unknown",
      examples: ["98765432@lid"],
    }),
  ),
  bsuid: Type.Optional(Type.String({ description: "The person's id for your business" })),
  username: Type.Optional(
    described(text, "The person's username on the network; absent if none is known", "padariaestrela"),
  ),
});

/** The app that leads a conversation in place of this one. */
export const Holder = shape("Holder", {
  role: Nullable(
    Type.String({
      description: "The role of the app at the network; null if unknown",
      examples: ["page_inbox"],
    }),
  ),
  since: described(Instant, "When the app got the lead"),
});

const mediaFields = {
  mediaId: described(Id, "The file, as `GET /v1/media/{id}` answers it"),
  contentType: described(text, "The media type of the file", "image/jpeg"),
  sizeBytes: Type.Integer({ description: "The size of the file in bytes", examples: [48213] }),
  filename: described(TextOrNull, "The shown name; null if none is known", "cardapio.pdf"),
  downloadUrl: Type.String({ description: "Leads to the file, with the API key" }),
  expiresAt: described(Instant, "When the file is deleted", "2026-11-29T12:00:00.000Z"),
};

/** A stored file of an inbound message. */
export const ReceivedMedia = shape("ReceivedMedia", mediaFields);
export const MediaAvailable = shape("MediaAvailable", {
  messageId: described(Id, "The message that has the file", IDS.message),
  ...mediaFields,
});
/** The file of a message that could not be fetched. */
export const MissingMedia = shape("MissingMedia", {
  downloadUrl: described(Type.Null(), "Always null: there is no file to get"),
  error: Type.Optional(
    OneOf(MEDIA_FAILURES, {
      title: "MediaFailure",
      description: "Why there is no file; absent while it waits for good credentials, and for messages of long ago",
    }),
  ),
});

export const Restriction = Type.Object(
  {
    reason: Type.String({ description: "One word, in most cases the network's own", examples: ["BUSINESS_LOCKED"] }),
    until: described(InstantOrNull, "When it ends; null if unknown", "2026-11-23T12:00:00.000Z"),
    allows: OneOf(ALLOWANCES, { description: "The messages that may still be sent: `replies` allows only answers" }),
    text: Nullable(
      Type.String({
        description: "The network's text for the owner; null without a text",
        examples: ["Olá, Maria! Seu bolo está pronto."],
      }),
    ),
  },
  { title: "Restriction", description: "The network's restriction of the phone; null if none is known" },
);

export const Hint = Type.Object(
  {
    code: Type.String({ description: "Such as SCAN_AGAIN or PASSKEY_REQUIRED", examples: ["SCAN_AGAIN"] }),
    en: described(text, "The sentence in English", "Scan the code once more."),
    pt: described(text, "The sentence in Portuguese", "Leia o código mais uma vez."),
    retryAt: Type.Optional(described(Instant, "When trying again makes sense", "2026-11-22T13:00:00.000Z")),
  },
  {
    title: "PairingHint",
    description: "A hint for the person who links the phone; absent without a hint",
  },
);

const flag = Type.Optional(Type.Boolean());
/** What only administrators of a group may do. */
export const GroupRules = shape("GroupRules", {
  onlyAdminsSend: described(flag, "Whether only they write", false),
  onlyAdminsEdit: described(flag, "Whether only they change the group"),
  onlyAdminsAdd: described(flag, "Whether only they add people", false),
});
