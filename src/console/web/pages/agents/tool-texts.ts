import { catalogue } from "../../frame/texts/languages.ts";

/** The texts about what an agent may do besides answering. */
export const agentToolTexts = catalogue({
  en: {
    mayDo: "What the agent may do",
    builtIn: {
      hand_over: "Hand the conversation over to a person",
      send_template: "Send an approved template",
      send_file: "Send files of its knowledge that are marked for it",
      look_up_contact: "Look up the contact who writes",
      set_tag: "Set tags of the contact who writes",
      business_hours: "Say the business hours",
    },
    called: (tool: string) => `Called ${tool}`,
    outcome: { ANSWERED: "answered", REFUSED: "refused", FAILED: "failed" },
  },
  pt: {
    mayDo: "O que o agente pode fazer",
    builtIn: {
      hand_over: "Passar a conversa para uma pessoa",
      send_template: "Enviar um modelo aprovado",
      send_file: "Enviar arquivos do conhecimento marcados para isso",
      look_up_contact: "Consultar o contato que escreve",
      set_tag: "Definir etiquetas do contato que escreve",
      business_hours: "Dizer o horário de funcionamento",
    },
    called: (tool: string) => `Chamou ${tool}`,
    outcome: { ANSWERED: "respondeu", REFUSED: "recusou", FAILED: "falhou" },
  },
  es: {
    mayDo: "Lo que el agente puede hacer",
    builtIn: {
      hand_over: "Pasar la conversación a una persona",
      send_template: "Enviar una plantilla aprobada",
      send_file: "Enviar archivos del conocimiento marcados para ello",
      look_up_contact: "Consultar al contacto que escribe",
      set_tag: "Poner etiquetas al contacto que escribe",
      business_hours: "Decir el horario de atención",
    },
    called: (tool: string) => `Llamó a ${tool}`,
    outcome: { ANSWERED: "respondió", REFUSED: "rechazó", FAILED: "falló" },
  },
});
