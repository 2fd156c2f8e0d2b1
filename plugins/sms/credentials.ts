import type { AdapterKit } from "../../src/contract/adapter.ts";
import type { FieldWords, Words } from "../../src/contract/forms.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import { reasonOf } from "../../src/kernel/errors.ts";
import { type SendFailure, without } from "./failures.ts";
import { type Sender, senderOf } from "./senders.ts";

export const PROVIDERS = ["twilio", "zenvia"] as const;
export type ProviderName = (typeof PROVIDERS)[number];

const WORDS = {
  provider: {
    label: { en: "Provider", pt: "Provedor", es: "Proveedor" },
    help: {
      en: "The provider, or another one with the same API that your operator has set",
      pt: "O provedor, ou outro com a mesma API que o operador configurou",
      es: "El proveedor, u otro con la misma API que su operador ha configurado",
    },
  },
  sender: {
    label: { en: "Sender", pt: "Remetente", es: "Remitente" },
    help: {
      en: "Twilio: a number with its country code, a short code, a name of at most 11 letters, or a Messaging Service (MG…). Zenvia: the alias of the SMS account",
      pt: "Twilio: um número com código do país, um número curto, um nome de até 11 letras ou um Messaging Service (MG…). Zenvia: o alias da conta de SMS",
      es: "Twilio: un número con código de país, un número corto, un nombre de hasta 11 letras o un Messaging Service (MG…). Zenvia: el alias de la cuenta de SMS",
    },
  },
  token: {
    label: { en: "Access token", pt: "Token de acesso", es: "Token de acceso" },
    help: {
      en: "Twilio: the Auth Token of the account. Zenvia: a token of the API console",
      pt: "Twilio: o Auth Token da conta. Zenvia: um token do console da API",
      es: "Twilio: el Auth Token de la cuenta. Zenvia: un token de la consola de la API",
    },
    isSecret: true,
  },
  account: {
    label: { en: "Account", pt: "Conta", es: "Cuenta" },
    help: {
      en: "Twilio: the Account SID (AC…). Zenvia: a name of your choice, the same in all phones of one Zenvia account",
      pt: "Twilio: o Account SID (AC…). Zenvia: um nome à sua escolha, o mesmo em todos os telefones de uma conta Zenvia",
      es: "Twilio: el Account SID (AC…). Zenvia: un nombre a su elección, el mismo en todos los teléfonos de una cuenta Zenvia",
    },
  },
  tokenSecret: {
    label: { en: "Token secret", pt: "Segredo do token", es: "Secreto del token" },
    help: {
      en: "Zenvia: only for a token of the kind that signs its requests",
      pt: "Zenvia: só para um token do tipo que assina as requisições",
      es: "Zenvia: solo para un token del tipo que firma sus solicitudes",
    },
    isSecret: true,
  },
} as const satisfies Record<string, FieldWords>;

const PROVIDER_WORDS: Readonly<Record<ProviderName, Words>> = {
  twilio: { en: "Twilio", pt: "Twilio", es: "Twilio" },
  zenvia: { en: "Zenvia", pt: "Zenvia", es: "Zenvia" },
};

/** The credentials that a customer gives to make a channel. */
export const credentialsSchema = ({ Type }: Pick<AdapterKit, "Type">) =>
  Type.Object({
    provider: Type.Union(
      PROVIDERS.map((name) => Type.Literal(name, { label: PROVIDER_WORDS[name] })),
      { description: "must be twilio or zenvia", ...WORDS.provider },
    ),
    sender: Type.String({
      pattern: "^[\\w+.-](?:[\\w+. -]{0,62}[\\w+.-])?$",
      description: "must be a number, a short code, a name, a Messaging Service or an alias, of at most 64 characters",
      ...WORDS.sender,
    }),
    token: Type.String({
      pattern: "^[!-~]{8,500}$",
      description: "must be 8 to 500 characters without spaces",
      ...WORDS.token,
    }),
    account: Type.Optional(
      Type.String({
        pattern: "^[\\w.-]{1,64}$",
        description: "must be 1 to 64 letters, digits, dots, dashes or underscores",
        ...WORDS.account,
      }),
    ),
    tokenSecret: Type.Optional(
      Type.String({
        pattern: "^(?:[!-~]{4,500})?$",
        description: "must be 4 to 500 characters without spaces",
        ...WORDS.tokenSecret,
      }),
    ),
  });

/** What a client may say of one send. Only Twilio has it. */
export const optionsSchema = ({ Type }: Pick<AdapterKit, "Type">) =>
  Type.Object({
    sender: Type.Optional(
      Type.String({
        pattern: "^[\\w+](?:[\\w+ -]{0,62}[\\w+-])?$",
        description: "must be another sender of the same account: a number, a short code or a name",
        label: { en: "Sender", pt: "Remetente", es: "Remitente" },
      }),
    ),
    validity: Type.Optional(
      Type.String({
        pattern: "^(?:[1-9]\\d{0,3}|[12]\\d{4}|3[0-5]\\d{3}|36000)$",
        description: "must be 1 to 36000 seconds",
        label: { en: "Validity in seconds", pt: "Validade em segundos", es: "Validez en segundos" },
        help: {
          en: "A message that waits longer at the provider is not sent",
          pt: "Uma mensagem que espera mais no provedor não é enviada",
          es: "Un mensaje que espera más en el proveedor no se envía",
        },
      }),
    ),
  });

/**
 * The contents of a channel's vault. `webhookToken` is ours: Zenvia shows it with each webhook. It exists from the first
 * connection on.
 */
export type Credentials = {
  provider: ProviderName;
  sender: Sender;
  token: string;
  account: string;
  tokenSecret: string | undefined;
  webhookToken: string | undefined;
};

/** The provider of a vault's fields. */
export const providerIn = (fields: Readonly<Record<string, string>>): ProviderName | undefined =>
  PROVIDERS.find((name) => name === fields["provider"]);

/** The account: Zenvia's API names none, so a phone without a given name is an account of its own. */
const accountIn = ({ account = "", sender = "" }: Readonly<Record<string, string>>): string => account || sender;

/**
 * The ids that envelopes name. A telephone number belongs to one account of one provider; names, short codes and aliases
 * may be in several.
 */
export const routeOf = (fields: Record<string, string>): { numberId: string; accountId: string } => {
  const sender = senderOf(fields["sender"] ?? "");
  const accountId = accountIn(fields);
  const isNumber = providerIn(fields) === "twilio" && sender.kind === "number";
  return { accountId, numberId: isNumber ? sender.value : numberIdAt(accountId, sender) };
};

/** The id of a sender that is known within its account alone. */
export const numberIdAt = (account: string, { value }: Sender): string => `${account}/${value}`;

export type NoCredentials = "missing" | "unreadable";

/** Read at every use, so that a new token counts from the next call on. Never throws. */
export const readCredentials = async (
  host: Pick<ChannelHost, "vault" | "log" | "channelId">,
): Promise<Credentials | NoCredentials> => {
  try {
    const fields = await host.vault.read();
    const provider = providerIn(fields);
    const { sender, token, tokenSecret, webhookToken } = fields;
    if (provider === undefined || !sender || !token || (provider === "twilio" && !fields["account"])) return "missing";
    return {
      provider,
      sender: senderOf(sender),
      token,
      account: accountIn(fields),
      tokenSecret: tokenSecret || undefined,
      webhookToken: webhookToken || undefined,
    };
  } catch (thrown) {
    host.log.error({ channelId: host.channelId, reason: reasonOf(thrown) }, "credentials could not be read");
    return "unreadable";
  }
};

/** The failures of requests to a channel whose credentials are missing or unreadable. */
export const FAILURE_WITHOUT: Readonly<Record<NoCredentials, SendFailure>> = {
  missing: without("refused", "CREDENTIALS_REFUSED", "the channel lacks a provider, a sender, a token or an account"),
  unreadable: without("retry", "INTERNAL_ERROR", "the channel's credentials could not be read"),
};
