import { catalogue } from "../../../frame/texts/languages.ts";

/** The names of the types that have a form. They are apart from the texts of its fields, which load with the form. */
export const formKindNames = catalogue({
  en: {
    contact: "Contact",
    poll: "Poll",
    event: "Calendar event",
    location: "Location",
    button: "Buttons",
    list: "List",
    carousel: "Cards",
    cta_url: "Button with a link",
    copy_code: "Code to copy",
  },
  pt: {
    contact: "Contato",
    poll: "Enquete",
    event: "Evento",
    location: "Localização",
    button: "Botões",
    list: "Lista",
    carousel: "Cartões",
    cta_url: "Botão com link",
    copy_code: "Código para copiar",
  },
  es: {
    contact: "Contacto",
    poll: "Encuesta",
    event: "Evento",
    location: "Ubicación",
    button: "Botones",
    list: "Lista",
    carousel: "Tarjetas",
    cta_url: "Botón con enlace",
    copy_code: "Código para copiar",
  },
});
