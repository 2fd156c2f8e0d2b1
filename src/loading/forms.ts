import { Type } from "@sinclair/typebox";
import { HISTORY_FIELD } from "../contract/abilities/history.ts";
import { type ChannelPlugin, PROXY_FIELD } from "../contract/plugin.ts";
import { type Issue, issuesOf, Text } from "../kernel/schema.ts";
import { isRecord, recordOf } from "../kernel/texts/json.ts";

type Fields = Record<string, unknown>;
const closed = { additionalProperties: false };

export const pattern = (form: RegExp, description: string) => Type.String({ pattern: form.source, description });

/** A text in each language of the console. */
export const WordsOf = (max: number) => {
  const words = Text(1, max);
  return Type.Object({ en: words, pt: words, es: words }, closed);
};
/** An issue of what an adapter declares, as its author reads it. */
export const sentenceOf = ({ path, message }: Pick<Issue, "path" | "message">): string =>
  /(?:^|\.)(?:label|help|text)$/.test(path) && message === "must be an object"
    ? `${path} must be an object with a text for each language: { en, pt, es }`
    : `${path} ${message}`;

/** A link that a page may show. */
export const Link = pattern(/^https:\/\/[^\s/]+(?:\/\S*)?$/, "must be an https address");

/** What a form says of a field. */
const Annotations = Type.Object({
  label: WordsOf(80),
  help: Type.Optional(WordsOf(300)),
  helpUrl: Type.Optional(Link),
  isSecret: Type.Optional(Type.Literal(true)),
});
const ChoiceWords = Type.Object({ label: Type.Optional(WordsOf(80)) });

/** The faults of what a form says of the fields of a schema, and of their choices. */
const wordFaults = (name: string, properties: Fields): string[] =>
  Object.entries(properties).flatMap(([field, schema]) => {
    const choices: unknown[] = isRecord(schema) && Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [];
    return [
      ...issuesOf(Annotations, schema, `${name}.${field}`),
      ...choices.flatMap((choice, place) => issuesOf(ChoiceWords, choice, `${name}.${field}.anyOf.${place}`)),
    ].map(sentenceOf);
  });

const isText = (schema: unknown): boolean =>
  isRecord(schema) &&
  (schema["type"] === "string" || (Array.isArray(schema["anyOf"]) && schema["anyOf"].every(isText)));

/** Checks that both APIs can publish the schema of the credentials, and that the vault can store its values. */
const credentialFaults = ({ credentials, signup, oauth, network }: Fields): string[] => {
  if (credentials === undefined) {
    const isMadeOtherwise =
      signup !== undefined || oauth !== undefined || (isRecord(network) && network["isPaired"] === true);
    return isMadeOtherwise
      ? []
      : ["credentials is missing: no client could make a channel (there is no pairing, signup or oauth)"];
  }
  const isObject = isRecord(credentials) && credentials["type"] === "object" && isRecord(credentials["properties"]);
  if (!isObject) return ["credentials must be the schema of an object, as Type.Object makes it"];
  const properties = credentials["properties"] as Fields;
  return [
    ...Object.entries(properties)
      .filter(([name, schema]) => !/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name) || !isText(schema))
      .map(([name]) => `credentials.${name} must be the schema of a text, with a name of letters, digits and _`),
    ...wordFaults("credentials", properties),
  ];
};

/** The faults of a form of optional texts. */
const textFaults = (name: string, schema: unknown): string[] => {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  if (!isRecord(properties)) return [`${name} must be the schema of an object, as Type.Object makes it`];
  const faults = Object.entries(properties)
    .filter(([field, one]) => !/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(field) || !isText(one))
    .map(([field]) => `${name}.${field} must be the schema of a text, with a name of letters, digits and _`);
  return [...faults, ...wordFaults(name, properties)];
};

/** The fields of a channel's vault that the core writes. */
const VAULT_FIELDS: readonly string[] = [PROXY_FIELD, HISTORY_FIELD];

/** A setting with the name of a credential would show it: both lie in the vault under their names. */
const settingFaults = ({ channelSettings, credentials }: Fields): string[] => {
  if (channelSettings === undefined) return [];
  const properties =
    isRecord(channelSettings) && isRecord(channelSettings["properties"]) ? channelSettings["properties"] : {};
  const secret = isRecord(credentials) && isRecord(credentials["properties"]) ? credentials["properties"] : {};
  const faults = Object.keys(properties).flatMap((name) => [
    ...(Object.hasOwn(secret, name) ? [`channelSettings.${name} has the name of a credential`] : []),
    ...(VAULT_FIELDS.includes(name) ? [`channelSettings.${name} is a setting of Recado's own`] : []),
  ]);
  return [...faults, ...textFaults("channelSettings", channelSettings)];
};

const optionFaults = ({ options }: Fields): string[] => {
  if (options === undefined) return [];
  const required = isRecord(options) ? options["required"] : undefined;
  return [
    ...textFaults("options", options),
    ...(Array.isArray(required) ? required : []).map((name) => `options.${String(name)} must be optional`),
  ];
};

/** The faults of the forms that an adapter declares: of its credentials, its settings and the options of a send. */
export const formFaults = (plugin: Fields): string[] => [
  ...credentialFaults(plugin),
  ...settingFaults(plugin),
  ...optionFaults(plugin),
];

const FORMS = ["credentials", "channelSettings", "options"] as const;

/**
 * The fields whose words may be those of their only choice. TypeBox makes a union of one that one, and its words then
 * stand in the place of the field's. A literal with the field's own words looks the same, and is good.
 */
export const oneChoiceWarnings = (plugin: Pick<ChannelPlugin, (typeof FORMS)[number]>): string[] =>
  FORMS.flatMap((name) =>
    Object.entries(recordOf(plugin[name]?.["properties"]))
      .filter(([, schema]) => recordOf(schema)["const"] !== undefined)
      .map(([field]) => `${name}.${field} has one choice, whose words hide those of a Type.Union around it`),
  );
