import { catalogue } from "../frame/texts/languages.ts";

/** The texts of the page of a pairing link. */
export const pairTexts = catalogue({
  en: {
    title: "Link WhatsApp",
    lead: "Somebody asked you to link your WhatsApp to their system. Do it only if you know who sent you this link.",
    until: (time: string) => `This link works until ${time}.`,
    asleep: "No code is being made at the moment.",
    show: "Show a code",
    done: "Done. The phone is linked.",
    doneHint: "You can close this page. In WhatsApp, Linked devices shows the new device.",
    over: "This link no longer works",
    overHint: "It has expired, was taken back or is mistyped. Ask the person who sent it for a new one.",
    unreached: "The server was not reached. The page tries again by itself.",
  },
  pt: {
    title: "Conectar o WhatsApp",
    lead: "Alguém pediu para você conectar seu WhatsApp ao sistema deles. Só faça isso se souber quem mandou este link.",
    until: (time: string) => `Este link funciona até ${time}.`,
    asleep: "Nenhum código está sendo gerado agora.",
    show: "Mostrar um código",
    done: "Pronto. O celular está conectado.",
    doneHint: "Você pode fechar esta página. No WhatsApp, Dispositivos conectados mostra o novo dispositivo.",
    over: "Este link não funciona mais",
    overHint: "Ele expirou, foi cancelado ou está errado. Peça um novo a quem o enviou.",
    unreached: "Não foi possível falar com o servidor. A página tenta de novo sozinha.",
  },
  es: {
    title: "Vincular WhatsApp",
    lead: "Alguien le pidió vincular su WhatsApp con su sistema. Hágalo solo si sabe quién le envió este enlace.",
    until: (time: string) => `Este enlace funciona hasta las ${time}.`,
    asleep: "En este momento no se genera ningún código.",
    show: "Mostrar un código",
    done: "Listo. El teléfono está vinculado.",
    doneHint: "Puede cerrar esta página. En WhatsApp, Dispositivos vinculados muestra el nuevo dispositivo.",
    over: "Este enlace ya no funciona",
    overHint: "Venció, se canceló o está mal escrito. Pida uno nuevo a quien se lo envió.",
    unreached: "No se pudo contactar al servidor. La página lo intenta de nuevo sola.",
  },
});
