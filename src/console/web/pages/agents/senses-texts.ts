import { catalogue } from "../../frame/texts/languages.ts";

/** What an agent reads besides texts, and how it answers. */
export const agentSensesTexts = catalogue({
  en: {
    transcribesVoice: "Read voice notes",
    transcribesVoiceHint: "They become text at the account's provider, up to five minutes each.",
    speaks: "Answer voice notes by voice",
    speaksHint: "Long answers and links are written.",
    voice: "Voice",
    voiceHint: "The provider's name of it, such as coral; empty: alloy.",
    images: "Look at pictures",
    imagesHint: "The model must take pictures; else it is told that one came.",
    documents: "Read documents",
    documentsHint: "PDF, Word, Excel and texts, up to 10 MB.",
  },
  pt: {
    transcribesVoice: "Ler mensagens de voz",
    transcribesVoiceHint: "Viram texto no provedor da conta, até cinco minutos cada uma.",
    speaks: "Responder por voz a mensagens de voz",
    speaksHint: "Respostas longas e links vão por escrito.",
    voice: "Voz",
    voiceHint: "O nome dela no provedor, como coral; vazio: alloy.",
    images: "Ver imagens",
    imagesHint: "O modelo precisa aceitar imagens; senão, fica sabendo que uma chegou.",
    documents: "Ler documentos",
    documentsHint: "PDF, Word, Excel e textos, até 10 MB.",
  },
  es: {
    transcribesVoice: "Leer notas de voz",
    transcribesVoiceHint: "Se vuelven texto en el proveedor de la cuenta, hasta cinco minutos cada una.",
    speaks: "Responder por voz a notas de voz",
    speaksHint: "Las respuestas largas y los enlaces van por escrito.",
    voice: "Voz",
    voiceHint: "Su nombre en el proveedor, como coral; vacío: alloy.",
    images: "Ver imágenes",
    imagesHint: "El modelo debe aceptar imágenes; si no, sabe que llegó una.",
    documents: "Leer documentos",
    documentsHint: "PDF, Word, Excel y textos, hasta 10 MB.",
  },
});
