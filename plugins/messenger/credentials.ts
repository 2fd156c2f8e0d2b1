import type { AdapterKit } from "../../src/contract/adapter.ts";
import type { FieldWords } from "../../src/contract/forms.ts";
import { credentialsBy, failuresWithout } from "../meta/credentials.ts";

const WORDS = {
  pageId: {
    label: { en: "Page ID", pt: "ID da Página", es: "ID de la página" },
    help: {
      en: "Facebook Page → About → Page transparency",
      pt: "Página do Facebook → Sobre → Transparência da Página",
      es: "Página de Facebook → Información → Transparencia de la página",
    },
    helpUrl: "https://www.facebook.com/help/1503421039731588",
  },
  accessToken: {
    label: { en: "Page access token", pt: "Token de acesso da Página", es: "Token de acceso de la página" },
    help: {
      en: "Meta app dashboard → Messenger → API settings → Generate token",
      pt: "Painel do app da Meta → Messenger → Configurações da API → Gerar token",
      es: "Panel de la app de Meta → Messenger → Configuración de la API → Generar token",
    },
    helpUrl: "https://developers.facebook.com/docs/pages/access-tokens",
    isSecret: true,
  },
  appSecret: {
    label: { en: "App secret", pt: "Chave secreta do app", es: "Clave secreta de la app" },
    help: {
      en: "Meta app dashboard → App settings → Basic",
      pt: "Painel do app da Meta → Configurações do app → Básico",
      es: "Panel de la app de Meta → Configuración de la app → Básica",
    },
    helpUrl: "https://developers.facebook.com/docs/development/create-an-app/app-dashboard/basic-settings",
    isSecret: true,
  },
  appId: {
    label: { en: "App ID", pt: "ID do app", es: "ID de la app" },
    help: {
      en: "Only where several pages share an app: then one webhook brings the messages of all",
      pt: "Só quando várias Páginas usam um mesmo app: um webhook traz então as mensagens de todas",
      es: "Solo si varias páginas comparten una app: un webhook trae entonces los mensajes de todas",
    },
    helpUrl: "https://developers.facebook.com/docs/development/create-an-app/app-dashboard/basic-settings",
  },
  verifyToken: {
    label: { en: "Verify token", pt: "Token de verificação", es: "Token de verificación" },
    help: {
      en: "A word of your choice: type the same one at Meta, beside the callback URL",
      pt: "Uma palavra à sua escolha: digite a mesma na Meta, ao lado da URL de callback",
      es: "Una palabra a su elección: escriba la misma en Meta, junto a la URL de devolución de llamada",
    },
    helpUrl: "https://developers.facebook.com/docs/messenger-platform/webhooks",
    isSecret: true,
  },
} as const satisfies Record<string, FieldWords>;

/** The credentials that a customer gives to make a channel. */
export const credentialsSchema = ({ Type }: Pick<AdapterKit, "Type">) =>
  Type.Object({
    pageId: Type.String({ pattern: "^\\d{5,40}$", description: "must be the page's id: digits", ...WORDS.pageId }),
    accessToken: Type.String({
      pattern: "^[!-~]{20,1000}$",
      description: "must be an access token of the page: 20 to 1,000 characters without spaces",
      ...WORDS.accessToken,
    }),
    appSecret: Type.String({
      pattern: "^[!-~]{16,200}$",
      description: "must be the secret of the app: 16 to 200 characters without spaces",
      ...WORDS.appSecret,
    }),
    verifyToken: Type.String({
      pattern: "^[!-~]{8,200}$",
      description: "must be 8 to 200 characters without spaces",
      ...WORDS.verifyToken,
    }),
    appId: Type.Optional(
      Type.String({ pattern: "^(\\d{5,40})?$", description: "must be the app's id: digits", ...WORDS.appId }),
    ),
  });

/** The setting of a phone without which it sends no message with the human-agent tag. */
export const HUMAN_AGENT_SETTING = "humanAgent";

const HUMAN_AGENT_WORDS: FieldWords = {
  label: { en: "Human agent", pt: "Atendente humano", es: "Agente humano" },
  help: {
    en: "Say granted where Meta has granted the app its Human Agent feature",
    pt: "Escolha concedido se a Meta concedeu ao app o recurso Human Agent",
    es: "Elija concedido si Meta concedió a la app la función Human Agent",
  },
  helpUrl: "https://developers.facebook.com/docs/features-reference/human-agent",
};

export const settingsSchema = ({ Type }: Pick<AdapterKit, "Type">) => {
  const granted = Type.Literal("granted", { label: { en: "Granted", pt: "Concedido", es: "Concedido" } });
  // a union of one would be the choice alone, with its words in the place of the field's
  const choice = { ...Type.Union([granted, granted]), anyOf: [granted] };
  return Type.Object({
    [HUMAN_AGENT_SETTING]: Type.Optional({
      ...choice,
      description: "must be granted, or empty",
      ...HUMAN_AGENT_WORDS,
    }),
  });
};

/** The part of a channel's vault that calls need. */
export type Credentials = { pageId: string; accessToken: string; appSecret: string };

export const readCredentials = credentialsBy<Credentials>(({ pageId, accessToken, appSecret }) =>
  pageId && accessToken && appSecret ? { pageId, accessToken, appSecret } : undefined,
);

export const FAILURE_WITHOUT = failuresWithout("CREDENTIALS_REFUSED");
