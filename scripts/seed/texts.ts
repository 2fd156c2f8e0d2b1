/** The people who write with the company. `number` is invented (the country code 999 belongs to nobody). */
export type Person = { name: string; number: string; email?: string; tags: readonly string[]; language: "pt" | "en" };

export const PEOPLE: readonly Person[] = [
  { name: "Mariana Alves", number: "999110000102", email: "mariana@clientes.example", tags: ["vip"], language: "pt" },
  { name: "João Pereira", number: "999110000103", tags: ["bolos"], language: "pt" },
  { name: "Luiza Castro", number: "999110000104", tags: [], language: "pt" },
  { name: "Rafael Gomes", number: "999110000105", tags: ["atacado"], language: "pt" },
  { name: "Emily Carter", number: "999110000106", email: "emily@clients.example", tags: ["english"], language: "en" },
  { name: "Tom Becker", number: "999110000107", tags: ["english", "vip"], language: "en" },
  { name: "Beatriz Rocha", number: "999110000108", tags: [], language: "pt" },
  { name: "Priya Shah", number: "999110000109", tags: ["english"], language: "en" },
];

/** One exchange: the customer's words, the company's answer, and the customer's reply. */
export type Exchange = readonly [asked: string, answered: string, closed: string];

export const EXCHANGES: Readonly<Record<Person["language"], readonly Exchange[]>> = {
  pt: [
    [
      "Bom dia! Vocês fazem bolo sem glúten?",
      "Bom dia! Fazemos sim: cenoura, limão e chocolate.",
      "Ótimo, quero um de limão para sábado.",
    ],
    ["Meu pedido 4711 já saiu?", "Saiu às 14h20 e chega em cerca de meia hora.", "Obrigada!"],
    ["Qual é o horário de domingo?", "No domingo abrimos das 7h às 13h.", "Perfeito, passo aí cedo."],
    ["O pão de queijo veio frio hoje.", "Sentimos muito! O próximo é por nossa conta.", "Combinado, agradeço."],
    [
      "Dá para encomendar 50 brigadeiros para sexta?",
      "Dá, sim. Fica R$ 125,00. Confirmamos?",
      "Confirmado. Busco às 17h.",
    ],
    ["Vocês aceitam Pix na entrega?", "Aceitamos Pix, cartão e dinheiro.", "Então vou de Pix."],
  ],
  en: [
    [
      "Hi! Is the sourdough back this week?",
      "It is: fresh from Thursday to Sunday.",
      "Lovely, please keep two loaves for me.",
    ],
    ["Where is my order 4720?", "The driver is five minutes away from you.", "Got it, thank you!"],
    ["Do you deliver on holidays?", "We do, from 8 am to noon.", "Great, then the usual for Monday."],
    ["The invoice has the wrong company name.", "Sorry! Which name should it have?", "Becker & Sons, please."],
    ["Can I change my pickup time to 6 pm?", "Of course, see you at 6.", "You are the best."],
  ],
};

/** The agent's knowledge, and people's questions to it. */
export const KNOWLEDGE: readonly { title: string; text: string }[] = [
  {
    title: "Delivery areas",
    text: "We deliver within 8 km of the bakery. Delivery is free above R$ 60. Orders before 10:00 arrive on the same day.",
  },
  {
    title: "Horários",
    text: "De segunda a sábado abrimos das 6h às 20h. No domingo abrimos das 7h às 13h. Em feriados, das 8h às 12h.",
  },
];

export const AGENT_EXCHANGES: readonly { asked: string; answered: string }[] = [
  {
    asked: "Do you deliver to Vila Nova?",
    answered: "Yes, Vila Nova is within our 8 km. Above R$ 60 delivery is free.",
  },
  { asked: "Vocês abrem no domingo?", answered: "Abrimos, sim: no domingo, das 7h às 13h." },
];

export const BATCH_TEXT = "Olá, {{nome}}! Amanhã tem fornada especial de panetone. Quer reservar o seu?";
