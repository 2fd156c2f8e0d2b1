import { catalogue } from "../../frame/texts/languages.ts";

/** The texts about an agent outside business hours. */
export const agentHoursTexts = catalogue({
  en: {
    respectHours: "Answer only during business hours",
    respectHoursHint: "The hours are those of the phone, or of the account.",
    closedText: "Text outside business hours",
    closedTextHint: "Sent once per contact and day; empty: nothing is sent.",
  },
  pt: {
    respectHours: "Responder somente no horário de funcionamento",
    respectHoursHint: "Vale o horário do telefone, ou o da conta.",
    closedText: "Texto fora do horário",
    closedTextHint: "Enviado uma vez por contato e dia; vazio: nada é enviado.",
  },
  es: {
    respectHours: "Responder solo en el horario de atención",
    respectHoursHint: "Vale el horario del teléfono, o el de la cuenta.",
    closedText: "Texto fuera del horario",
    closedTextHint: "Se envía una vez por contacto y día; vacío: no se envía nada.",
  },
});
