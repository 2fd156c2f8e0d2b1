import type { Content, ContentType } from "../contract/content/content.ts";

const FILES = "https://files.example.com";
const IMAGE_URL = `${FILES}/a.jpg`;

/** One valid content of each type, with few optional fields. */
export const SAMPLES = {
  text: { text: "Bom dia, Dona Conceição: o seu pedido saiu 🚚" },
  image: { mediaUrl: IMAGE_URL, caption: "a frente da loja" },
  video: { mediaUrl: `${FILES}/a.mp4`, caption: "a loja por dentro" },
  audio: { mediaUrl: `${FILES}/a.ogg` },
  document: { mediaUrl: `${FILES}/a.pdf`, filename: "nota.pdf" },
  sticker: { mediaUrl: `${FILES}/a.webp` },
  location: { latitude: -23.5614, longitude: -46.6559 },
  contact: { contacts: [{ name: "Ana Souza", phone: "+55 11 99999-0001" }] },
  button: { text: "Confirma?", buttons: [{ id: "yes", text: "Sim" }] },
  list: {
    text: "Qual?",
    buttonText: "Escolher",
    sections: [{ title: "Pães", rows: [{ id: "roll", title: "Pão francês" }] }],
  },
  template: { name: "order_update", variables: ["Ana", "123"] },
  cta_url: { text: "O seu pedido", buttonText: "Acompanhar", url: "https://shop.example.com/orders/1" },
  location_request: { text: "Onde entregamos?" },
  address_message: { text: "Qual é o endereço?" },
  flow: { text: "Marque a sua visita", flowId: "530404409952136", flowCta: "Marcar" },
  poll: { question: "Quando entregamos?", options: ["De manhã", "À tarde"] },
  copy_code: { text: "O seu cupom", buttonText: "Copiar", code: "BOLO10" },
  carousel: {
    text: "Os bolos de hoje",
    cards: ["cenoura", "fubá"].map((id) => ({
      header: { type: "image", mediaUrl: "https://files.example.com/a.jpg" } as const,
      text: `Bolo de ${id}`,
      buttons: [{ type: "reply" as const, id, text: "Quero este" }],
    })),
  },
  event: { name: "Entrega", startsAt: "2026-12-05T18:00:00.000Z", location: { name: "A loja" } },
  phone_number_request: {},
  phone_number_share: {},
  order_details: {
    text: "O seu pedido 123",
    referenceId: "pedido-123",
    goods: "physical-goods",
    totalAmount: { value: 1450 },
    payments: [
      {
        type: "pix_dynamic_code",
        code: "00020101021226…",
        merchantName: "Padaria",
        key: "39580525000189",
        keyType: "CNPJ",
      },
    ],
    items: [{ retailerId: "roll", name: "Pão francês", quantity: 2, amount: { value: 500 } }],
    subtotal: { value: 1000 },
    shipping: { value: 450 },
  },
  order_status: { text: "O seu pedido saiu", referenceId: "pedido-123", status: "shipped" },
  rich_text: { text: "# Cardápio\n\n- Cenoura\n- Chocolate", buttons: [[{ text: "Quero", id: "sim" }]] },
  call_permission_request: {},
} as const satisfies { [Type in ContentType]: Extract<Content, { type: Type }>["content"] };

/** The samples as messages. */
export const CONTENTS: readonly Content[] = Object.entries(SAMPLES).map(
  ([type, content]) => ({ type, content }) as Content,
);
