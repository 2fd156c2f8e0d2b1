import { Type } from "@sinclair/typebox";
import { LABELS_AS_TAGS_FIELD } from "../../src/contract/abilities/chats.ts";
import { ChoiceOf, inForm, type Words } from "../../src/contract/forms.ts";
import { Text } from "../../src/kernel/schema.ts";

const YES_OR_NO: Readonly<Record<"on" | "off", Words>> = {
  on: { en: "Yes", pt: "Sim", es: "Sí" },
  off: { en: "No", pt: "Não", es: "No" },
};
const choice = (description: string) => Type.Optional({ ...ChoiceOf(YES_OR_NO, description), examples: ["on"] });

/** What the owner of a session may set. `nativeButtons`: whether buttons go out as the network's own. */
export const SessionChannelSettings = Type.Object({
  nativeButtons: Type.Optional(
    inForm(
      {
        ...ChoiceOf(
          {
            off: { en: "As a text with numbers", pt: "Como texto com números", es: "Como texto con números" },
            try: {
              en: "As buttons, else as a text",
              pt: "Como botões; se não der, como texto",
              es: "Como botones; si no, como texto",
            },
          },
          "How buttons and lists go out; null is `off`, a text with numbered options. `try` sends the network's own " +
            "first, whose form it may refuse at any time, and then the text",
        ),
        examples: ["try"],
      },
      {
        label: { en: "Buttons and lists", pt: "Botões e listas", es: "Botones y listas" },
        help: {
          en: "WhatsApp does not offer buttons to linked devices: whether this raises the risk of a ban is unknown",
          pt: "O WhatsApp não oferece botões a aparelhos conectados: não se sabe se isto aumenta o risco de banimento",
          es: "WhatsApp no ofrece botones a dispositivos vinculados: no se sabe si aumenta el riesgo de bloqueo",
        },
      },
    ),
  ),
  linkPreviews: inForm(
    choice(
      "`on`: a text with a web address gets a preview, for which Recado asks the page; null is `off`. `linkPreview` of " +
        "a text decides otherwise",
    ),
    {
      label: { en: "Previews of links", pt: "Prévias de links", es: "Vistas previas de enlaces" },
      help: {
        en: "The server asks the page once. Links that work once only are used up by that",
        pt: "O servidor consulta a página uma vez. Links de uso único se gastam com isso",
        es: "El servidor consulta la página una vez. Los enlaces de un solo uso se gastan con eso",
      },
    },
  ),
  [LABELS_AS_TAGS_FIELD]: inForm(
    choice(
      "`on`: a label of WhatsApp Business on a chat is a tag of its contact. A tag with the name of a label labels the " +
        "chats; null is `off`",
    ),
    { label: { en: "Labels as tags", pt: "Etiquetas como tags", es: "Etiquetas como etiquetas de contacto" } },
  ),
  alwaysOnline: inForm(
    choice(
      "`on`: people see the account as online while the session is connected, and the owner's phone shows no " +
        "notifications; null is `off`",
    ),
    {
      label: { en: "Always online", pt: "Sempre online", es: "Siempre en línea" },
      help: {
        en: "Silences the notifications of the owner's phone",
        pt: "Silencia as notificações do celular do dono",
        es: "Silencia las notificaciones del teléfono del dueño",
      },
    },
  ),
  readAutomatically: inForm(
    choice("`on`: received messages of people are marked as read, some seconds after they came; null is `off`"),
    {
      label: {
        en: "Mark messages as read",
        pt: "Marcar mensagens como lidas",
        es: "Marcar los mensajes como leídos",
      },
    },
  ),
  ignoreGroups: inForm(
    choice("`on`: messages in groups, and acts on them, are neither stored nor published; null is `off`"),
    {
      label: { en: "Ignore groups", pt: "Ignorar grupos", es: "Ignorar grupos" },
      help: {
        en: "Changes of groups are still events",
        pt: "Mudanças nos grupos continuam sendo eventos",
        es: "Los cambios de los grupos siguen siendo eventos",
      },
    },
  ),
  rejectCalls: inForm(
    choice("`on`: a call of one person is rejected at once, and stops ringing on the owner's phone; null is `off`"),
    { label: { en: "Reject calls", pt: "Rejeitar chamadas", es: "Rechazar llamadas" } },
  ),
  rejectCallsText: inForm(
    Type.Optional({
      ...Text(
        1,
        1000,
        "The text that a rejected caller gets, at most once in ten minutes. It is a send like any other. Null for none",
      ),
      examples: ["Não atendemos chamadas. Escreva aqui, por favor."],
    }),
    {
      label: { en: "Text to rejected callers", pt: "Texto para quem ligou", es: "Texto para quien llamó" },
    },
  ),
});
