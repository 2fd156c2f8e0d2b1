import { type Static, type TOptional, type TSchema, Type } from "@sinclair/typebox";
import { HISTORY_FIELD, type HISTORY_MODES } from "../../../contract/abilities/history.ts";
import { ChoiceOf, inForm, type Words } from "../../../contract/forms.ts";
import type { ChannelKind, NetworkTraits } from "../../../contract/kind.ts";
import { type ChannelPlugin, PROXY_FIELD } from "../../../contract/plugin.ts";
import { Text } from "../../../kernel/schema.ts";
import type { Registry } from "../links/registry.ts";
import { checkedProxy, type ProxyEnv } from "./proxies.ts";

/**
 * What is true of a setting of a phone, for every API. Its value is a text, which lies sealed in the channel's vault
 * under the setting's name. An absent or empty value means the default.
 */
export type PhoneSetting = {
  /** What a client may write. Its text and its example are those of the documents. */
  schema: TSchema;
  /** Whether the phones of a network have it. */
  isOf(network: NetworkTraits): boolean;
  /** The reason for which phones of other networks are refused it. */
  refusal: string;
  /** The value that is equal to no setting. */
  default?: string;
} & (
  | {
      /** Requests that create a phone take it. */
      takenAt: "creation";
      /**
       * Asks others whether the value works, before it is stored. Resolves with the part of it that the channel's
       * profile shows.
       * @throws AppError
       */
      check?(env: ProxyEnv, kind: ChannelKind, value: string): Promise<string>;
    }
  | {
      /** The phone's settings show and change it. They ask nobody, so it can have no check. */
      takenAt: "any-time";
      check?: never;
    }
);

/** The setting that says whether received voice notes become text. */
export const TRANSCRIBE_FIELD = "transcribeVoice";

/** The settings that say whether a phone reads the words of an opt-out, and which ones beside the usual. */
export const OPT_OUT_FIELD = "optOutWords";
export const OWN_OPT_OUT_FIELD = "ownOptOutWords";

const HISTORY_WORDS: Readonly<Record<(typeof HISTORY_MODES)[number], Words>> = {
  none: { en: "Do not take over", pt: "Não importar", es: "No importar" },
  recent: { en: "Take over the recent ones", pt: "Importar as recentes", es: "Importar las recientes" },
  full: { en: "Take over all of them", pt: "Importar todas", es: "Importar todas" },
};

/** TABLE: the settings of phones that are no network's own. An adapter declares those of its network (`channelSettings`). */
export const PHONE_SETTINGS = {
  [PROXY_FIELD]: {
    schema: inForm(
      Text(
        1,
        1000,
        "A proxy that a session connects through: http:// (CONNECT) or socks5://, with host and port, and " +
          "user:password@ if the proxy asks for them. User and password are never shown again",
      ),
      {
        label: { en: "Proxy", pt: "Proxy", es: "Proxy" },
        help: {
          en: "http:// or socks5://, for a phone that must not connect from this server's address",
          pt: "http:// ou socks5://, para um celular que não deve se conectar pelo endereço deste servidor",
          es: "http:// o socks5://, para un teléfono que no debe conectarse desde la dirección de este servidor",
        },
      },
    ),
    takenAt: "creation", // its own route changes it, and connects the phone anew
    isOf: ({ proxiedTo }) => proxiedTo !== undefined,
    refusal: "is not for this type",
    check: async (env, kind, url) => (await checkedProxy(env, kind, { url, field: PROXY_FIELD })).shown,
  },
  [HISTORY_FIELD]: {
    schema: inForm(ChoiceOf(HISTORY_WORDS, "How much of the earlier chats is imported; `none` by default"), {
      label: { en: "Earlier chats", pt: "Conversas anteriores", es: "Conversaciones anteriores" },
    }),
    takenAt: "creation",
    isOf: ({ importsHistory = false }) => importsHistory,
    refusal: "cannot be imported on a channel of this kind",
    default: "none",
  },
  [TRANSCRIBE_FIELD]: {
    schema: inForm(
      {
        ...ChoiceOf(
          {
            off: { en: "Leave as sound", pt: "Deixar como áudio", es: "Dejar como audio" },
            voice: { en: "Make text of them", pt: "Transformar em texto", es: "Convertir en texto" },
          },
          "`voice`: voice notes of people become text at the account's provider of language models, and an event " +
            "with the text follows; null is `off`. An agent with `transcribesVoice` reads them in any case",
        ),
        examples: ["voice"],
      },
      { label: { en: "Voice notes", pt: "Mensagens de voz", es: "Mensajes de voz" } },
    ),
    takenAt: "any-time",
    isOf: () => true,
    refusal: "is not for this type",
    default: "off",
  },
  [OPT_OUT_FIELD]: {
    schema: inForm(
      {
        ...ChoiceOf(
          {
            on: { en: "Read them", pt: "Ler", es: "Leerlas" },
            off: { en: "Do not read them", pt: "Não ler", es: "No leerlas" },
          },
          "`on`: a person who writes only STOP, PARAR, SAIR, BAJA or a like word opts out, and in again by START, " +
            "VOLTAR or ALTA; null is `on` for a network of SMS, else `off`",
        ),
        examples: ["on"],
      },
      {
        label: { en: "Words such as STOP", pt: "Palavras como SAIR", es: "Palabras como BAJA" },
        help: {
          en: "A person who writes only such a word gets answers alone from then on",
          pt: "Quem escreve só uma dessas palavras passa a receber só respostas",
          es: "Quien escribe solo una de estas palabras recibe desde entonces solo respuestas",
        },
      },
    ),
    takenAt: "any-time",
    isOf: () => true,
    refusal: "is not for this type",
  },
  [OWN_OPT_OUT_FIELD]: {
    schema: inForm(
      {
        ...Text(1, 500, "Further words of an opt-out, with commas between them, beside the usual; null for none"),
        examples: ["não quero, remover"],
      },
      {
        label: { en: "Further words", pt: "Outras palavras", es: "Otras palabras" },
        help: { en: "With commas between them", pt: "Separadas por vírgulas", es: "Separadas por comas" },
      },
    ),
    takenAt: "any-time",
    isOf: () => true,
    refusal: "is not for this type",
  },
} as const satisfies Record<string, PhoneSetting>;

type Settings = typeof PHONE_SETTINGS;
type CreationName = {
  [Name in keyof Settings]: Settings[Name]["takenAt"] extends "creation" ? Name : never;
}[keyof Settings];

/** The settings that a request to create a phone may have. */
export type CreationSettings = { [Name in CreationName]?: Static<Settings[Name]["schema"]> };
type CreationFields = { [Name in CreationName]: TOptional<Settings[Name]["schema"]> };

const settingsTakenAt = (time: PhoneSetting["takenAt"]): [name: string, PhoneSetting][] =>
  Object.entries<PhoneSetting>(PHONE_SETTINGS).filter(([, { takenAt }]) => takenAt === time);

/** The text of a setting, with the kinds of phones that have it, where others have it not. */
const textFor = (
  { schema, isOf }: PhoneSetting,
  adapters: readonly ChannelPlugin[],
  word: (kind: ChannelPlugin) => string,
) => {
  const having = adapters.filter(({ network }) => isOf(network));
  const text = String(schema["description"]);
  return having.length === adapters.length ? text : `${text}. Only for ${having.map(word).join(", ")}`;
};

/** The fields of a request that creates a phone. `word`: how the API calls a kind of phone. */
export const creationFields = (
  { adapters }: Pick<Registry, "adapters">,
  word: (plugin: ChannelPlugin) => string = ({ kind }) => kind,
): CreationFields =>
  Object.fromEntries(
    settingsTakenAt("creation").map(([name, setting]) => [
      name,
      Type.Optional({ ...setting.schema, description: textFor(setting, adapters, word) }),
    ]),
  ) as CreationFields; // of the same table

/** The settings that a new phone of an adapter takes: their schemas, by name. */
export const creationSchemas = ({ network }: ChannelPlugin): Record<string, TSchema> =>
  Object.fromEntries(
    settingsTakenAt("creation").flatMap(([name, { schema, isOf }]) => (isOf(network) ? [[name, schema]] : [])),
  );

/** The settings in a request that creates a phone. */
export const creationSettingsIn = (body: CreationSettings): CreationSettings =>
  Object.fromEntries(
    settingsTakenAt("creation").flatMap(([name]) => {
      const value = body[name as CreationName];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** The settings that phones of an adapter show and change at any time: their schemas, by name. */
export const anyTimeSettings = ({ network, channelSettings }: ChannelPlugin): Record<string, TSchema> => ({
  ...Object.fromEntries(
    settingsTakenAt("any-time").flatMap(([name, { schema, isOf }]) => (isOf(network) ? [[name, schema]] : [])),
  ),
  ...(channelSettings?.["properties"] as Record<string, TSchema> | undefined),
});
