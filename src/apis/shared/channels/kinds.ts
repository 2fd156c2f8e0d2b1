import { type Static, Type } from "@sinclair/typebox";
import { OPERATIONS } from "../../../contract/capabilities.ts";
import { FURTHER_FIELDS } from "../../../contract/content/further-fields.ts";
import {
  type Abilities,
  abilitiesOf,
  CREATION_WAYS,
  type FormField,
  type KindInfo,
} from "../../../core/channels/kinds.ts";
import type { Registry } from "../../../core/channels/links/registry.ts";
import { HOUR_MS, MINUTE_MS } from "../../../kernel/clock.ts";
import { described, Nullable, OneOf } from "../../../kernel/schema.ts";

const WordsView = Type.Object(
  {
    en: Type.String({ description: "In English", examples: ["Bot token"] }),
    pt: Type.String({ description: "In Portuguese", examples: ["Token do bot"] }),
    es: Type.String({ description: "In Spanish", examples: ["Token del bot"] }),
  },
  { title: "LocalizedText" },
);

const ChoiceView = Type.Object(
  {
    value: Type.String({ description: "The value to send", examples: ["polling"] }),
    label: described(Nullable(WordsView), "What people call the value; null: show the value"),
  },
  { title: "FormChoice" },
);

const Count = Nullable(Type.Integer());

const FieldView = Type.Object(
  {
    name: Type.String({ description: "The name of the field in a request", examples: ["token"] }),
    label: described(WordsView, "What people call the field"),
    help: described(Nullable(WordsView), "Where a person finds the value; null without such a text"),
    helpUrl: Nullable(
      Type.String({
        description: "The network's page about it; null without one",
        examples: ["https://core.telegram.org/bots/features#botfather"],
      }),
    ),
    isSecret: Type.Boolean({ description: "Whether the value must not be readable on a screen" }),
    isRequired: Type.Boolean({ description: "Whether the field must be there" }),
    pattern: Nullable(
      Type.String({
        description: "The regular expression of the value; null for any text",
        examples: ["^[!-~]{1,4096}$"],
      }),
    ),
    minLength: described(Count, "The least number of characters; null without a limit", 1),
    maxLength: described(Count, "The greatest number of characters; null without a limit", 256),
    choices: described(Nullable(Type.Array(ChoiceView)), "The only values; null if the field is not a choice"),
  },
  { title: "FormField" },
);

const fieldView = ({ choices, ...field }: FormField): Static<typeof FieldView> => ({
  ...field,
  choices: choices && choices.map(({ value, label }) => ({ value, label: label && { ...label } })),
});

const LimitView = Type.Object(
  {
    operation: OneOf(OPERATIONS, { description: "The operation that this limits", examples: ["edit"] }),
    types: described(
      Nullable(Type.Array(Type.String(), { description: "The types of sent messages that allow it; null: all" })),
      "The types of sent messages that the operation takes; null means all",
    ),
    withinMinutes: Nullable(
      Type.Number({
        description: "The age of a message after which the operation is accepted without an effect; null: at no age",
      }),
    ),
  },
  { title: "OperationLimit" },
);

const ContentLimitView = Type.Object(
  {
    type: Type.String({ description: "The type of content", examples: ["text"] }),
    textMaxChars: described(Count, "The limit of its text in characters; null without a limit of the network", 4096),
    textMaxBytes: described(
      Count,
      "The limit of its text in bytes of UTF-8; null without a limit of the network",
      4000,
    ),
    captionMaxChars: described(
      Count,
      "The limit of its caption in characters; null without a limit of the network",
      1024,
    ),
    captionMaxBytes: described(
      Count,
      "The limit of its caption in bytes of UTF-8; null without a limit of the network",
      1000,
    ),
    maxFileBytes: described(Count, "The largest file in bytes; null without a limit of the network", 5_242_880),
    mimeTypes: described(
      Nullable(Type.Array(Type.String())),
      "The media types of its file, such as `image/png` or `audio/*`; null: any",
      ["image/jpeg", "image/png"],
    ),
    furtherFields: Type.Array(OneOf(FURTHER_FIELDS), {
      description: "The fields of its content that few networks have, and this one has",
      examples: [["viewOnce"]],
    }),
  },
  { title: "ContentLimit" },
);

/** What follows from the kind of a phone, connected or not. */
export const ABILITY_FIELDS = {
  contentTypes: Type.Array(Type.String(), { description: "The types of content that a send may have" }),
  contentLimits: Type.Array(ContentLimitView, { description: "The limits of each of these types" }),
  onReceived: Type.Array(OneOf(OPERATIONS), { description: "The operations on a received message" }),
  onSent: Type.Array(OneOf(OPERATIONS), { description: "The operations on a sent message" }),
  operationLimits: Type.Array(LimitView, { description: "The operations that only some messages allow" }),
  takesUploads: Type.Boolean({
    description: "Whether a send may name a file that POST /v1/media/files has kept",
  }),
  newsletterTypes: Type.Array(Type.String(), {
    description: "The types of content that a post of a newsletter may have; empty without newsletters",
    examples: [["text", "image"]],
  }),
  statusTypes: Type.Array(Type.String(), {
    description: "The types of content that a status may have; empty without statuses",
    examples: [["text", "image"]],
  }),
  imagesPerMessage: Type.Integer({ description: "How many images one message may have", examples: [1] }),
  quickReplies: Type.Integer({ description: "How many quick replies a text may have", examples: [13] }),
  tags: Type.Array(Type.String(), {
    description: "The tags with which a message may go out when its answer window is closed",
    examples: [["UTILITY"]],
  }),
  hasTemplates: Type.Boolean({ description: "Whether the network reviews templates" }),
  hasLookups: Type.Boolean({ description: "Whether the network can be asked which numbers it knows" }),
  answerWindowHours: Nullable(
    Type.Number({
      description: "How many hours after a person's message the phone may answer freely; null means for good",
    }),
  ),
  recipients: OneOf(["phone-numbers", "ids"], {
    title: "RecipientForm",
    description: "How a send names a person: by a phone number, or by an id of the network",
    examples: ["ids"],
  }),
};
const AbilitiesView = Type.Object(ABILITY_FIELDS, { title: "KindCapabilities" });

const abilitiesView = ({
  contentTypes,
  onReceived,
  onSent,
  operationLimits,
  answerWindowMs,
  ...abilities
}: Abilities): Static<typeof AbilitiesView> => ({
  contentTypes: contentTypes.map(({ type }) => type),
  contentLimits: contentTypes.map(({ type, limits: { mimeTypes, ...limits }, furtherFields }) => ({
    type,
    ...limits,
    mimeTypes: mimeTypes && [...mimeTypes],
    furtherFields,
  })),
  onReceived,
  onSent,
  operationLimits: operationLimits.map(({ operation, types, withinMs }) => ({
    operation,
    types,
    withinMinutes: withinMs === null ? null : withinMs / MINUTE_MS,
  })),
  takesUploads: abilities.keptFiles,
  newsletterTypes: abilities.newsletterTypes,
  statusTypes: abilities.statusTypes,
  imagesPerMessage: abilities.imagesPerMessage,
  quickReplies: abilities.quickReplies,
  tags: abilities.tags,
  hasTemplates: abilities.templates,
  hasLookups: abilities.lookups,
  answerWindowHours: answerWindowMs === null ? null : answerWindowMs / HOUR_MS,
  recipients: abilities.recipients,
});

/** What the phones of a kind can do; undefined if no adapter serves it. */
export const abilitiesOfKind = (
  registry: Registry,
  kind: Parameters<Registry["declared"]>[0],
): Static<typeof AbilitiesView> | undefined => {
  const declared = registry.declared(kind);
  return declared && abilitiesView(abilitiesOf(registry, declared));
};

/** How channels of a kind are made: the fields that both APIs show of it. */
export const KIND_FIELDS = {
  label: described(WordsView, "What people call the kind"),
  about: described(Nullable(WordsView), "One sentence for who chooses a kind; null without one"),
  site: Nullable(
    Type.String({
      description: "The network's own page about it; null without one",
      examples: ["https://core.telegram.org/bots"],
    }),
  ),
  ways: Type.Array(
    OneOf(CREATION_WAYS, { title: "CreationWay", description: "A way in which one is made", examples: ["pairing"] }),
    {
      description:
        "How one is made: `pairing` with its owner's device, from `credentials`, by the network's `signup`, or by " +
        "its owner's consent (`oauth`)",
      examples: [["credentials"]],
    },
  ),
  credentials: Type.Array(FieldView, { description: "The fields of `credentials`, in the order of a form" }),
  sendOptions: Type.Array(FieldView, { description: "The fields that `options` of a send may have" }),
};

/** What the gateway API shows besides: the platform API has neither these settings nor these operations. */
export const KIND_DETAILS = {
  creationSettings: Type.Array(FieldView, { description: "The further fields that only a new one takes" }),
  settings: Type.Array(FieldView, { description: "The settings that may be changed at any time" }),
  capabilities: described(AbilitiesView, "What one can do, connected or not"),
};

/** A kind as both APIs show it. */
export const kindView = ({ label, about, site, ways, credentials, options }: KindInfo) => ({
  label: { ...label },
  about: about && { ...about },
  site,
  ways,
  credentials: credentials.map(fieldView),
  sendOptions: options.map(fieldView),
});

export const kindDetails = ({ creation, settings, abilities }: KindInfo) => ({
  creationSettings: creation.map(fieldView),
  settings: settings.map(fieldView),
  capabilities: abilitiesView(abilities),
});
