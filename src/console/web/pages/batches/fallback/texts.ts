import { catalogue } from "../../../frame/texts/languages.ts";

/** The texts about what is sent where the phone of a batch does not get through. */
export const fallbackTexts = catalogue({
  en: {
    use: "Send a template through another phone where this one does not get through",
    phone: "The other phone",
    after: "Minutes that the first phone has",
    when: "The cases in which it is sent",
    cases: {
      lost: "The first phone is not connected",
      restricted: "The network restricts the first phone",
      silent: "No receipt says that the message was delivered",
    },
    twice: "Send it even if the first message may still arrive",
    twiceHint: "Some people may get both messages.",
    costs: "The other phone",
    amount: (amount: string) => `at most ${amount} by today's price list, if everybody gets the template`,
  },
  pt: {
    use: "Enviar um modelo por outro telefone quando este não conseguir",
    phone: "O outro telefone",
    after: "Minutos que o primeiro telefone tem",
    when: "Os casos em que ele é enviado",
    cases: {
      lost: "O primeiro telefone está desconectado",
      restricted: "A rede restringe o primeiro telefone",
      silent: "Nenhuma confirmação diz que a mensagem foi entregue",
    },
    twice: "Enviar mesmo que a primeira mensagem ainda possa chegar",
    twiceHint: "Algumas pessoas podem receber as duas mensagens.",
    costs: "O outro telefone",
    amount: (amount: string) => `no máximo ${amount} pela tabela de preços de hoje, se todos receberem o modelo`,
  },
  es: {
    use: "Enviar una plantilla por otro teléfono cuando este no lo logre",
    phone: "El otro teléfono",
    after: "Minutos que tiene el primer teléfono",
    when: "Los casos en que se envía",
    cases: {
      lost: "El primer teléfono está desconectado",
      restricted: "La red restringe el primer teléfono",
      silent: "Ninguna confirmación dice que el mensaje se entregó",
    },
    twice: "Enviarla aunque el primer mensaje todavía pueda llegar",
    twiceHint: "Algunas personas pueden recibir los dos mensajes.",
    costs: "El otro teléfono",
    amount: (amount: string) => `como máximo ${amount} según la lista de precios de hoy, si todos reciben la plantilla`,
  },
});
