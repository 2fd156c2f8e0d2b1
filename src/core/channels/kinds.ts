import type { TSchema } from "@sinclair/typebox";
import { OPERATIONS, type OperationName, type SendLimits, takesKeptFiles } from "../../contract/capabilities.ts";
import type { ContentType } from "../../contract/content/content.ts";
import type { FurtherField } from "../../contract/content/further-fields.ts";
import type { Choice, FieldWords, Words } from "../../contract/forms.ts";
import type { ChannelKind } from "../../contract/kind.ts";
import type { ChannelPlugin } from "../../contract/plugin.ts";
import { isRecord } from "../../kernel/texts/json.ts";
import type { Registry } from "./links/registry.ts";
import { anyTimeSettings, creationSchemas } from "./settings/phone-settings.ts";

/**
 * How a channel of a kind is made. `pairing`: with its owner's device. `credentials`: from what a client gives.
 * `signup`: by the network's sign-up. `oauth`: by its owner's consent at the network.
 */
export const CREATION_WAYS = ["pairing", "credentials", "signup", "oauth"] as const;
export type CreationWay = (typeof CREATION_WAYS)[number];

/** A field of a form. `choices`: the only values; null if any text of the form is allowed. */
export type FormField = {
  name: string;
  label: Words;
  help: Words | null;
  helpUrl: string | null;
  isSecret: boolean;
  isRequired: boolean;
  pattern: string | null;
  minLength: number | null;
  maxLength: number | null;
  choices: { value: string; label: Words | null }[] | null;
};

/** The limits of a content type; null where the network has none. */
export type ContentLimits = { [Limit in keyof SendLimits]-?: NonNullable<SendLimits[Limit]> | null };

/** What the channels of a kind can do, as far as it follows from the kind alone. */
export type Abilities = {
  contentTypes: { type: ContentType; limits: ContentLimits; furtherFields: FurtherField[] }[];
  onReceived: OperationName[];
  onSent: OperationName[];
  operationLimits: { operation: OperationName; types: ContentType[] | null; withinMs: number | null }[];
  keptFiles: boolean;
  newsletterTypes: ContentType[];
  statusTypes: ContentType[];
  lookups: boolean;
  templates: boolean;
  tags: string[];
  imagesPerMessage: number;
  quickReplies: number;
  answerWindowMs: number | null;
  recipients: ChannelPlugin["network"]["recipients"];
};

/** A kind of channel, with the forms of its channels. */
export type KindInfo = {
  kind: ChannelKind;
  label: Words;
  about: Words | null;
  site: string | null;
  ways: CreationWay[];
  /** The form of what a client gives to make a channel, and to replace its credentials. */
  credentials: FormField[];
  /** The form of the settings that only a new channel takes. */
  creation: FormField[];
  /** The form of the settings that the owner of a channel may change at any time. */
  settings: FormField[];
  /** The form of what a client may say of one send beside its content. */
  options: FormField[];
  abilities: Abilities;
};

/** The kinds of channels that this server has, the compiled-in ones first. */
export const listKinds = (registry: Registry): KindInfo[] =>
  registry.adapters.map((declared) => {
    // the simulator takes no credentials in place of a network
    const { credentials } = registry.ofKind(declared.kind) ?? declared;
    return {
      kind: declared.kind,
      label: declared.label,
      about: declared.about?.text ?? null,
      site: declared.about?.site ?? null,
      ways: waysOf(declared),
      credentials: formOf(credentials),
      creation: fieldsOf(creationSchemas(declared), []),
      settings: fieldsOf(anyTimeSettings(declared), []),
      options: formOf(declared.options),
      abilities: abilitiesOf(registry, declared),
    };
  });

const waysOf = ({ network, credentials, signup, oauth }: ChannelPlugin): CreationWay[] => {
  const has = { pairing: network.isPaired, credentials, signup, oauth };
  return CREATION_WAYS.filter((way) => has[way]);
};

const formOf = (schema: TSchema | undefined): FormField[] =>
  schema
    ? fieldsOf(schema["properties"] as Record<string, TSchema>, (schema["required"] ?? []) as readonly string[])
    : [];

const fieldsOf = (schemas: Readonly<Record<string, TSchema>>, required: readonly string[]): FormField[] =>
  Object.entries(schemas).map(([name, schema]) => {
    const { label, help, helpUrl, isSecret } = schema as Partial<FieldWords>;
    return {
      name,
      label: label ?? { en: name, pt: name, es: name },
      help: help ?? null,
      helpUrl: helpUrl ?? null,
      isSecret: isSecret === true,
      isRequired: required.includes(name),
      pattern: textIn(schema, "pattern"),
      minLength: numberIn(schema, "minLength"),
      maxLength: numberIn(schema, "maxLength"),
      choices: choicesOf(schema),
    };
  });

const textIn = (schema: TSchema, keyword: string): string | null =>
  typeof schema[keyword] === "string" ? schema[keyword] : null;
const numberIn = (schema: TSchema, keyword: string): number | null =>
  typeof schema[keyword] === "number" ? schema[keyword] : null;

const choicesOf = (schema: TSchema): FormField["choices"] => {
  const { anyOf } = schema;
  const choices: unknown[] = isChoice(schema) ? [schema] : Array.isArray(anyOf) ? anyOf : [];
  if (choices.length === 0 || !choices.every(isChoice)) return null;
  return choices.map(({ const: value, label = null }) => ({ value, label }));
};

const isChoice = (value: unknown): value is Choice => isRecord(value) && typeof value["const"] === "string";

const NO_LIMITS: ContentLimits = {
  textMaxChars: null,
  textMaxBytes: null,
  captionMaxChars: null,
  captionMaxBytes: null,
  maxFileBytes: null,
  mimeTypes: null,
};

/** What a kind can do. Operations are those of the simulator if it replaces the network, as they are accepted. */
export const abilitiesOf = (
  registry: Pick<Registry, "of">,
  { kind, network, capabilities }: ChannelPlugin,
): Abilities => {
  const { operations } = registry.of(kind, "live")?.capabilities ?? capabilities;
  const { send, lookups = false, templates, tags = [], imagesPerMessage = 1, quickReplies = 0 } = capabilities;
  const { furtherFields = {}, broadcasts = {} } = capabilities;
  return {
    contentTypes: (Object.keys(send) as ContentType[]).toSorted().map((type) => ({
      type,
      limits: { ...NO_LIMITS, ...send[type] },
      furtherFields: [...(furtherFields[type] ?? [])],
    })),
    onReceived: OPERATIONS.filter((name) => operations[name]?.inbound),
    onSent: OPERATIONS.filter((name) => operations[name]?.outbound),
    operationLimits: OPERATIONS.flatMap((operation) => {
      const { types, withinMs } = operations[operation] ?? {};
      return types || withinMs !== undefined
        ? [{ operation, types: types ? [...types] : null, withinMs: withinMs ?? null }]
        : [];
    }),
    keptFiles: takesKeptFiles(capabilities),
    newsletterTypes: [...(broadcasts.newsletter ?? [])],
    statusTypes: [...(broadcasts.broadcast ?? [])],
    lookups,
    templates,
    tags: [...tags],
    imagesPerMessage,
    quickReplies,
    answerWindowMs: network.answerWindowMs ?? null,
    recipients: network.recipients,
  };
};
