import { Type } from "@sinclair/typebox";
import { ChoiceOf, inForm } from "../../src/contract/forms.ts";

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
});
