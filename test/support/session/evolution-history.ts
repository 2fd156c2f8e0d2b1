import type { HistoryRow } from "../../../src/contract/abilities/moving.ts";

// A history as Evolution 2.3 stores it: rows of its tables Message, Contact and Chat, in JSON as Prisma writes it.

type Row = Record<string, unknown>;
export type EvolutionHistory = { messages: Row[]; contacts: Row[]; chats: Row[] };

/** Evolution writes bytes as an object with a number for each. */
const indexed = (bytes: Uint8Array): Row => Object.fromEntries([...bytes].map((byte, index) => [String(index), byte]));
const bytesOf = (count: number, first: number): Row =>
  indexed(Uint8Array.from({ length: count }, (_, index) => (first + index) % 256));

/** The numbers of the people in a made history: the first writes most. */
export const personNumber = (index: number): string => `55119${String(20_000_000 + index)}`;

const idOf = (index: number): string => `cm${String(index).padStart(23, "0")}`;
const keyId = (index: number): string => `3EB0${index.toString(16).toUpperCase().padStart(18, "0")}`;

const image = (index: number): Row => ({
  imageMessage: {
    url: "https://mmg.whatsapp.net/v/t62.7118-24/picture.enc",
    mimetype: "image/jpeg",
    caption: `foto ${index}`,
    fileSha256: bytesOf(32, index),
    fileLength: { low: 2048, high: 0, unsigned: true },
    mediaKey: bytesOf(32, index + 1),
    fileEncSha256: bytesOf(32, index + 2),
    directPath: "/v/t62.7118-24/picture.enc",
    jpegThumbnail: bytesOf(200, index + 3),
  },
  mediaUrl: "https://s3.example.com/evolution/picture.jpg",
});

const document = (index: number): Row => ({
  documentMessage: {
    mimetype: "application/pdf",
    fileName: `nota-${index}.pdf`,
    title: `nota-${index}.pdf`,
    fileSha256: bytesOf(32, index),
    fileLength: { low: 4096, high: 0, unsigned: true },
    mediaKey: bytesOf(32, index + 1),
    fileEncSha256: bytesOf(32, index + 2),
    directPath: "/v/t62.7119-24/document.enc",
  },
});

/** TABLE: the messages in their rotation, and the type of each here; undefined for those that are left out. */
const KINDS: readonly { type: string | undefined; of(index: number): Row }[] = [
  ...Array.from({ length: 12 }, () => ({
    type: "text",
    of: (index: number) => ({ messageType: "conversation", message: { conversation: `mensagem ${index}` } }),
  })),
  { type: "image", of: (index) => ({ messageType: "imageMessage", message: image(index) }) },
  { type: "document", of: (index) => ({ messageType: "documentMessage", message: document(index) }) },
  {
    type: "location",
    of: () => ({
      messageType: "locationMessage",
      message: { locationMessage: { degreesLatitude: -23.55, degreesLongitude: -46.63, name: "Loja" } },
    }),
  },
  {
    type: "text", // which answers the message before
    of: (index) => ({
      messageType: "conversation",
      message: { conversation: `resposta ${index}` },
      contextInfo: {
        stanzaId: keyId(index - 1),
        participant: `${personNumber(0)}@s.whatsapp.net`,
        quotedMessage: { conversation: "a pergunta" },
      },
    }),
  },
  {
    type: undefined,
    of: (index) => ({
      messageType: "reactionMessage",
      message: { reactionMessage: { text: "👍", key: { id: keyId(index - 1), fromMe: false } } },
    }),
  },
  {
    type: undefined,
    of: (index) => ({
      key: {
        id: keyId(index),
        remoteJid: "120363000000000001@g.us",
        fromMe: false,
        participant: "5511977770000@s.whatsapp.net",
      },
      messageType: "conversation",
      message: { conversation: "no grupo" },
    }),
  },
  {
    type: undefined,
    of: () => ({ messageType: "conversation", message: { conversation: "apagada" }, status: "DELETED" }),
  },
  { type: undefined, of: () => ({ messageType: "imageMessage", message: { imageMessage: "no object" } }) },
];

/** How many rows of the rotation can be imported. */
export const ROTATION = KINDS.length;
export const TAKEN_OF_ROTATION = KINDS.filter(({ type }) => type !== undefined).length;

/** A history of so many messages with so many people; the same for the same numbers. `until`: of the last, in seconds. */
export const evolutionHistory = (
  instanceId: string,
  { messages, people, until }: { messages: number; people: number; until: number },
): EvolutionHistory => ({
  messages: Array.from({ length: messages }, (_, index) => {
    const person = (index * 7 + Math.floor(index / 5)) % people;
    const fromMe = index % 3 === 1;
    const kind = KINDS[index % ROTATION];
    return {
      id: idOf(index),
      key: { id: keyId(index), fromMe, remoteJid: `${personNumber(person)}@s.whatsapp.net` },
      pushName: fromMe ? "Você" : `Pessoa ${person}`,
      participant: null,
      contextInfo: null,
      source: "android",
      messageTimestamp: until - (messages - index) * 60,
      instanceId,
      status: fromMe ? "READ" : "DELIVERY_ACK",
      ...kind?.of(index),
    };
  }),
  contacts: [
    ...Array.from({ length: people }, (_, person) => ({
      id: `ct${idOf(person)}`,
      remoteJid: `${personNumber(person)}@s.whatsapp.net`,
      pushName: `Pessoa ${person}`,
      instanceId,
    })),
    { id: "ctgroup", remoteJid: "120363000000000001@g.us", pushName: "Grupo", instanceId },
    { id: "ctlid", remoteJid: "98765432100@lid", pushName: "Sem número", instanceId },
    { id: "ctquiet", remoteJid: "5511933330000@s.whatsapp.net", pushName: "Nunca escreveu", instanceId },
  ],
  chats: [{ id: "chat1", remoteJid: "5511933330001@s.whatsapp.net", name: "Da agenda", instanceId }],
});

/** The same as rows for the API: people first. */
export const historyRows = ({ messages, contacts, chats }: EvolutionHistory): HistoryRow[] => [
  ...[...contacts, ...chats].map((row) => ({ kind: "person" as const, text: JSON.stringify(row) })),
  ...messages.map((row) => ({ kind: "message" as const, text: JSON.stringify(row) })),
];
