import type { AdapterKit } from "../../src/contract/adapter.ts";
import type { FieldWords, Words } from "../../src/contract/forms.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import type { SendFailure } from "./errors.ts";

/** `<bot id>:<secret>`, as BotFather gives it: https://core.telegram.org/bots/api#authorizing-your-bot. */
const TOKEN = /^[1-9]\d{3,15}:[A-Za-z0-9_-]{30,64}$/;

export const MODES = ["polling", "webhook"] as const;

const TOKEN_WORDS: FieldWords = {
  label: { en: "Bot token", pt: "Token do bot", es: "Token del bot" },
  help: {
    en: "BotFather gives it when you create a bot, and again with /token",
    pt: "O BotFather o dá quando você cria um bot, e de novo com /token",
    es: "BotFather lo da cuando usted crea un bot, y de nuevo con /token",
  },
  helpUrl: "https://core.telegram.org/bots/features#botfather",
  isSecret: true,
};

const MODE_WORDS: Readonly<Record<(typeof MODES)[number], Words>> = {
  polling: { en: "Recado asks Telegram", pt: "O Recado pergunta ao Telegram", es: "Recado pregunta a Telegram" },
  webhook: { en: "Telegram calls Recado", pt: "O Telegram chama o Recado", es: "Telegram llama a Recado" },
};

const MODES_WORDS: FieldWords = {
  label: { en: "How messages come", pt: "Como as mensagens chegam", es: "Cómo llegan los mensajes" },
  help: {
    en: "Telegram can call only a server with a public HTTPS address",
    pt: "O Telegram só chama um servidor com endereço HTTPS público",
    es: "Telegram solo llama a un servidor con dirección HTTPS pública",
  },
};

/** The credentials that a customer gives to make a channel. */
export const credentialsSchema = ({ Type }: Pick<AdapterKit, "Type">) =>
  Type.Object({
    token: Type.String({
      pattern: TOKEN.source,
      description: "must be a bot token as BotFather gives it: digits, a colon, and at least 30 letters and digits",
      ...TOKEN_WORDS,
    }),
    mode: Type.Optional(
      Type.Union(
        MODES.map((mode) => Type.Literal(mode, { label: MODE_WORDS[mode] })),
        { description: "must be polling (the default) or webhook", ...MODES_WORDS },
      ),
    ),
  });

/** The option of a send: the member of the group that gets the message alone. */
export const ONLY_FOR = "onlyFor";

const ONLY_FOR_WORDS: FieldWords = {
  label: { en: "Only for", pt: "Só para", es: "Solo para" },
  help: {
    en: "The id of a member of the group, who alone sees the message. The bot must be an administrator",
    pt: "O id de um membro do grupo, que é o único a ver a mensagem. O bot precisa ser administrador",
    es: "El id de un miembro del grupo, el único que ve el mensaje. El bot debe ser administrador",
  },
  helpUrl: "https://core.telegram.org/bots/api#ephemeralmessageparameters",
};

/** What a client may say of one send beside its content. */
export const optionsSchema = ({ Type }: Pick<AdapterKit, "Type">) =>
  Type.Object({
    [ONLY_FOR]: Type.Optional(
      Type.String({
        pattern: "^(?:uid:)?[1-9]\\d{3,15}$",
        description: "must be the id of a person: uid: and digits, or digits alone",
        ...ONLY_FOR_WORDS,
      }),
    ),
  });

/** The bot's own id, which its token begins with. */
export const botIdOf = (token: string): string => token.split(":", 1)[0] ?? "";

/**
 * The contents of a channel's vault. `webhookSecret` is ours; it exists from the first connection in webhook mode on.
 */
export type Credentials = { token: string; mode: (typeof MODES)[number]; webhookSecret: string | undefined };
export type NoCredentials = "missing" | "unreadable";

/** Read at every use, so that a new token counts from the next call on. Never throws. */
export const readCredentials = async (
  host: Pick<ChannelHost, "vault" | "log">,
): Promise<Credentials | NoCredentials> => {
  try {
    const { token, mode, webhookSecret } = await host.vault.read();
    if (token === undefined || !TOKEN.test(token)) return "missing";
    return { token, mode: mode === "webhook" ? "webhook" : "polling", webhookSecret };
  } catch {
    host.log.error({}, "credentials could not be read");
    return "unreadable";
  }
};

/** The failures of requests to a channel whose credentials are missing or unreadable. */
export const FAILURE_WITHOUT: Readonly<Record<NoCredentials, SendFailure>> = {
  missing: { ok: false, kind: "refused", code: "CREDENTIALS_REFUSED", reason: "the channel has no bot token" },
  unreadable: {
    ok: false,
    kind: "retry",
    code: "INTERNAL_ERROR",
    reason: "the channel's credentials could not be read",
  },
};
