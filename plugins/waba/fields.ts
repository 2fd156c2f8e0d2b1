import { Type } from "@sinclair/typebox";
import { ChoiceOf, inForm } from "../../src/contract/forms.ts";
import { described, Text } from "../../src/kernel/schema.ts";

const NodeId = Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$", description: "must be an id of the Graph API" });

/**
 * What a client gives to make a channel. Ids become path segments and the token a header: neither may hold a character
 * that would change their meaning there.
 */
export const WabaCredentials = Type.Object({
  phoneNumberId: inForm(described(NodeId, "The network's id of the number", "5647382910"), {
    label: { en: "Phone number ID", pt: "ID do número de telefone", es: "ID del número de teléfono" },
    help: {
      en: "In Meta's app dashboard: WhatsApp, API setup",
      pt: "No painel de aplicativos da Meta: WhatsApp, Configuração da API",
      es: "En el panel de aplicaciones de Meta: WhatsApp, Configuración de la API",
    },
    helpUrl: "https://developers.facebook.com/apps",
  }),
  businessAccountId: inForm(described(NodeId, "The network's id of the business account", "1029384756"), {
    label: {
      en: "WhatsApp Business account ID",
      pt: "ID da conta do WhatsApp Business",
      es: "ID de la cuenta de WhatsApp Business",
    },
  }),
  accessToken: inForm(
    described(
      Type.String({ pattern: "^[!-~]{1,4096}$", description: "must be a token without spaces" }),
      "A long-lived token without spaces; never shown again",
      "EAAGexemplo",
    ),
    {
      label: { en: "Access token", pt: "Token de acesso", es: "Token de acceso" },
      help: {
        en: "A system user's token that never expires. It is stored encrypted and never shown again",
        pt: "De um usuário do sistema, sem validade. Fica cifrado e nunca mais é mostrado",
        es: "De un usuario del sistema, sin vencimiento. Se guarda cifrado y no se muestra más",
      },
      isSecret: true,
    },
  ),
  verifyToken: Type.Optional(
    inForm(
      described(Text(1, 256), "The token that the handshake of the network's webhook has to name", "verificar-padaria"),
      {
        label: { en: "Verify token", pt: "Token de verificação", es: "Token de verificación" },
        help: {
          en: "Only for an app of your own, whose webhook names it when Meta checks the address",
          pt: "Só para um aplicativo seu, cujo webhook o informa quando a Meta verifica o endereço",
          es: "Solo para una aplicación suya, cuyo webhook lo nombra cuando Meta verifica la dirección",
        },
        isSecret: true,
      },
    ),
  ),
});

/**
 * What the owner of a channel may set. `messagingAccountId`: the Messaging account of the number that pays and sends,
 * if the token reaches several. `marketingMessages`: whether templates of the category MARKETING go by the Marketing
 * Messages API: `fallback` lets the network send them as ordinary messages if it cannot, `strict` does not. Default
 * `off`. `marketingPriceFactor`: what the maximum price of each such message is multiplied by. `directSendName`: the
 * name under which the network counts utility messages without a template; without it they are refused.
 */
export const WabaChannelSettings = Type.Object({
  messagingAccountId: Type.Optional(
    inForm(
      described(
        Type.String({ pattern: "^\\d{1,32}$", description: "must be an account's id" }),
        "The messaging account that pays and sends, 1 to 32 digits; null lets the network choose",
        "1029384756",
      ),
      { label: { en: "Messaging account ID", pt: "ID da conta de mensagens", es: "ID de la cuenta de mensajes" } },
    ),
  ),
  marketingMessages: Type.Optional(
    inForm(
      ChoiceOf(
        {
          off: { en: "As ordinary messages", pt: "Como mensagens comuns", es: "Como mensajes comunes" },
          fallback: {
            en: "By the Marketing Messages API, else as ordinary messages",
            pt: "Pela API de mensagens de marketing; se não der, como mensagens comuns",
            es: "Por la API de mensajes de marketing; si no se puede, como mensajes comunes",
          },
          strict: {
            en: "By the Marketing Messages API alone",
            pt: "Somente pela API de mensagens de marketing",
            es: "Solo por la API de mensajes de marketing",
          },
        },
        "How MARKETING templates go out; null is the default, `off`",
      ),
      { label: { en: "Marketing templates", pt: "Modelos de marketing", es: "Plantillas de marketing" } },
    ),
  ),
  marketingPriceFactor: Type.Optional(
    inForm(
      described(
        Type.String({
          pattern: "^(0\\.\\d{0,3}[1-9]|[1-9]\\d?(\\.\\d{1,4})?)$",
          description: "must be a number above 0 and below 100",
        }),
        "What the maximum price of a marketing message is multiplied by, with `marketingMessages`; null for none",
        "0.8",
      ),
      { label: { en: "Price factor", pt: "Fator de preço", es: "Factor de precio" } },
    ),
  ),
  directSendName: Type.Optional(
    inForm(
      described(
        Type.String({
          pattern: "^[a-z0-9_]{1,512}$",
          description: "must be lower-case letters, digits and underscores",
        }),
        "The name for messages with the tag UTILITY, which go out without a template; null refuses them",
        "avisos",
      ),
      {
        label: {
          en: "Name of utility messages",
          pt: "Nome das mensagens de utilidade",
          es: "Nombre de los mensajes de utilidad",
        },
      },
    ),
  ),
});
