import { catalogue } from "../../../../frame/texts/languages.ts";

export const cannedTexts = catalogue({
  en: {
    menu: "Canned replies",
    none: "No canned reply has this word.",
    unfilled: (names: string) => `Without a value: ${names}. Complete the text, or send it as it is with Enter again.`,
    draft: "Draft:",
  },
  pt: {
    menu: "Respostas prontas",
    none: "Nenhuma resposta pronta tem essa palavra.",
    unfilled: (names: string) => `Sem valor: ${names}. Complete o texto, ou envie assim mesmo com outro Enter.`,
    draft: "Rascunho:",
  },
  es: {
    menu: "Respuestas rápidas",
    none: "Ninguna respuesta rápida tiene esa palabra.",
    unfilled: (names: string) => `Sin valor: ${names}. Completa el texto, o envíalo tal cual con otro Enter.`,
    draft: "Borrador:",
  },
});
