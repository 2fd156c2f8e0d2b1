import { catalogue } from "../../../frame/texts/languages.ts";

/** The texts of what an answer has besides its text. */
export const attachTexts = catalogue({
  en: {
    attachMore: "Attach",
    file: "File",
    fileAs: "Send as",
    fileWays: {
      asIs: "The file as it is",
      standard: "Picture in standard quality",
      hd: "Picture in HD",
      viewOnce: "View once",
      videoNote: "Round video note",
      gifPlayback: "GIF",
    },
  },
  pt: {
    attachMore: "Anexar",
    file: "Arquivo",
    fileAs: "Enviar como",
    fileWays: {
      asIs: "Arquivo como está",
      standard: "Imagem em qualidade padrão",
      hd: "Imagem em HD",
      viewOnce: "Visualização única",
      videoNote: "Recado de vídeo redondo",
      gifPlayback: "GIF",
    },
  },
  es: {
    attachMore: "Adjuntar",
    file: "Archivo",
    fileAs: "Enviar como",
    fileWays: {
      asIs: "El archivo tal como está",
      standard: "Imagen en calidad estándar",
      hd: "Imagen en HD",
      viewOnce: "Ver una sola vez",
      videoNote: "Nota de vídeo redonda",
      gifPlayback: "GIF",
    },
  },
});
