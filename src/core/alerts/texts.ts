import { iso } from "../../kernel/clock.ts";
import { countText, type Language, timeText } from "../../kernel/texts/languages.ts";

/** `title` and `over` begin a message; `many` counts several. */
type Title = { title: string; many: string; over: string };

/** The kinds of troubles. */
export const TROUBLE_KINDS = [
  "phone-lost",
  "phone-restricted",
  "phone-unlinked",
  "token-expired",
  "endpoint-failing",
  "dead-letters",
  "no-backup",
  "disk-full",
  "database-away",
  "database-not-durable",
  "client-ending",
  "adapter-unusable",
  "invoice-amount",
] as const;
export type TroubleKind = (typeof TROUBLE_KINDS)[number];

/** The texts of alerts in one language. A text of another program (`why`, `last`, `error`) stays unchanged. */
export type AlertTexts = {
  titles: Record<TroubleKind, Title>;
  more(count: number): string;
  phone(phone: { label: string; kind: string; id: string; tenantId: string; why: string }): string;
  unreadableAddress: string;
  webhook(webhook: { host: string; id: string; failures: number; isActive: boolean; last: string | null }): string;
  deadLetters(count: number): string;
  /** `madeAtMs`: when the last good backup was made. `error`: why the last try failed. */
  backup(backup: { madeAtMs: number | undefined; error: string | undefined }): string;
  databaseAway(error: string): string;
  databaseNotDurable: string;
  /** The room of a disk in MB. */
  disk(room: { free: number; total: number }): string;
  client(client: { kind: string; version: string; expiresAt: number }): string;
  /** `reason`: in English, as the loader says it. */
  adapter(adapter: { name: string; reason: string }): string;
  invoice(invoice: { id: string; tenantId: string; totalCents: number; paidCents: number }): string;
  test: { title: string; text: string };
};

/** An amount as Brazil writes it. */
const reais = (cents: number): string => `R$ ${Math.floor(cents / 100)},${String(cents % 100).padStart(2, "0")}`;

/** A number in English stays without separators: programs read these texts in webhooks. */
const EN: AlertTexts = {
  titles: {
    "phone-lost": {
      title: "A phone is not connected",
      many: "phones are not connected",
      over: "A phone is connected again",
    },
    "phone-restricted": {
      title: "A network restricts a phone",
      many: "phones are restricted by their network",
      over: "A phone is no longer restricted",
    },
    "phone-unlinked": {
      title: "A phone has to be linked again",
      many: "phones have to be linked again",
      over: "A phone is linked again",
    },
    "token-expired": {
      title: "The token of a phone has expired",
      many: "phones have an expired token",
      over: "A phone has a valid token again",
    },
    "endpoint-failing": {
      title: "A webhook has been failing for 15 minutes",
      many: "webhooks have been failing for 15 minutes",
      over: "A webhook takes events again",
    },
    "dead-letters": {
      title: "Events could not be delivered",
      many: "kinds of dead letters",
      over: "There are no dead letters any more",
    },
    "no-backup": { title: "There is no recent backup", many: "backups are missing", over: "A backup was made" },
    "disk-full": {
      title: "The disk is nearly full",
      many: "disks are nearly full",
      over: "The disk has room again",
    },
    "database-away": {
      title: "The database is out of reach",
      many: "databases are out of reach",
      over: "The database answers again",
    },
    "database-not-durable": {
      title: "The database server acknowledges before its disk does",
      many: "database servers acknowledge before their disk does",
      over: "The database server writes to its disk first again",
    },
    "client-ending": {
      title: "A network stops accepting the client version in use",
      many: "networks stop accepting the client version in use",
      over: "The client version in use is accepted",
    },
    "adapter-unusable": {
      title: "An adapter cannot be used",
      many: "adapters cannot be used",
      over: "All adapters can be used",
    },
    "invoice-amount": {
      title: "An invoice was paid with another amount",
      many: "invoices were paid with another amount",
      over: "No invoice of the last seven days was paid with another amount",
    },
  },
  more: (count) => `And ${count} more.`,
  phone: ({ label, kind, id, tenantId, why }) => `${label} (${kind} ${id} of account ${tenantId}): ${why}`,
  unreadableAddress: "an address that cannot be read",
  webhook: ({ host, id, failures, isActive, last }) => {
    const state = isActive ? `${failures} failures in a row` : "it was disabled after its failures";
    return `${host} (webhook ${id}): ${state}${last === null ? "" : `, the last one: ${last}`}`;
  },
  deadLetters: (count) => `${count} deliveries are dead letters. Repair their endpoints, then replay them.`,
  backup: ({ madeAtMs, error }) => {
    const made = madeAtMs === undefined ? "None was made yet." : `The last good one is of ${iso(madeAtMs)}.`;
    return `${made}${error === undefined ? "" : ` The last try failed: ${error}`}`;
  },
  databaseAway: (error) => `Nothing is accepted meanwhile: ${error}`,
  databaseNotDurable:
    "A loss of power there loses messages that were accepted. Set its durability_mode to strong, at each of its starts.",
  disk: ({ free, total }) => `${free} MB are free of ${total} MB.`,
  client: ({ kind, version, expiresAt }) =>
    `${kind}: version ${version} ends at ${iso(expiresAt)}. Update Recado, or give it a newer version.`,
  adapter: ({ name, reason }) =>
    `${name}: ${reason}. Its channels are not served. Repair it as recado doctor says, then restart the server.`,
  invoice: ({ id, tenantId, totalCents, paidCents }) =>
    `Invoice ${id} of account ${tenantId}: ${reais(paidCents)} instead of ${reais(totalCents)}. It counts as paid.`,
  test: { title: "This is a test", text: "Recado would notify you here of what goes wrong." },
};

const PT: AlertTexts = {
  titles: {
    "phone-lost": {
      title: "Um telefone não está conectado",
      many: "telefones não estão conectados",
      over: "Um telefone está conectado de novo",
    },
    "phone-restricted": {
      title: "Uma rede restringe um telefone",
      many: "telefones estão restritos pela rede",
      over: "Um telefone não está mais restrito",
    },
    "phone-unlinked": {
      title: "Um telefone precisa ser vinculado de novo",
      many: "telefones precisam ser vinculados de novo",
      over: "Um telefone está vinculado de novo",
    },
    "token-expired": {
      title: "O token de um telefone venceu",
      many: "telefones têm um token vencido",
      over: "Um telefone tem de novo um token válido",
    },
    "endpoint-failing": {
      title: "Um webhook falha há 15 minutos",
      many: "webhooks falham há 15 minutos",
      over: "Um webhook recebe eventos de novo",
    },
    "dead-letters": {
      title: "Eventos não puderam ser entregues",
      many: "tipos de eventos não entregues",
      over: "Não há mais eventos sem entrega",
    },
    "no-backup": { title: "Não há backup recente", many: "backups faltam", over: "Um backup foi feito" },
    "disk-full": {
      title: "O disco está quase cheio",
      many: "discos estão quase cheios",
      over: "O disco tem espaço de novo",
    },
    "database-away": {
      title: "O banco de dados não responde",
      many: "bancos de dados não respondem",
      over: "O banco de dados responde de novo",
    },
    "database-not-durable": {
      title: "O servidor do banco confirma antes de gravar no disco",
      many: "servidores do banco confirmam antes de gravar no disco",
      over: "O servidor do banco grava no disco primeiro de novo",
    },
    "client-ending": {
      title: "Uma rede vai deixar de aceitar a versão de cliente em uso",
      many: "redes vão deixar de aceitar a versão de cliente em uso",
      over: "A versão de cliente em uso é aceita",
    },
    "adapter-unusable": {
      title: "Um adaptador não pode ser usado",
      many: "adaptadores não podem ser usados",
      over: "Todos os adaptadores podem ser usados",
    },
    "invoice-amount": {
      title: "Uma fatura foi paga com outro valor",
      many: "faturas foram pagas com outro valor",
      over: "Nenhuma fatura dos últimos sete dias foi paga com outro valor",
    },
  },
  more: (count) => `E mais ${countText("pt", count)}.`,
  phone: ({ label, kind, id, tenantId, why }) => `${label} (${kind} ${id} da conta ${tenantId}): ${why}`,
  unreadableAddress: "um endereço ilegível",
  webhook: ({ host, id, failures, isActive, last }) => {
    const state = isActive ? `${countText("pt", failures)} falhas seguidas` : "foi desativado depois das falhas";
    return `${host} (webhook ${id}): ${state}${last === null ? "" : `, a última: ${last}`}`;
  },
  deadLetters: (count) =>
    `Entregas desistidas: ${countText("pt", count)}. Corrija os endpoints e depois reenvie os eventos.`,
  backup: ({ madeAtMs, error }) => {
    const made = madeAtMs === undefined ? "Nenhum foi feito ainda." : `O último bom é de ${timeText("pt", madeAtMs)}.`;
    return `${made}${error === undefined ? "" : ` A última tentativa falhou: ${error}`}`;
  },
  databaseAway: (error) => `Nada é aceito enquanto isso: ${error}`,
  databaseNotDurable:
    "Uma queda de energia lá perde mensagens já aceitas. Defina durability_mode como strong em cada início dele.",
  disk: ({ free, total }) => `Restam ${countText("pt", free)} MB livres de ${countText("pt", total)} MB.`,
  client: ({ kind, version, expiresAt }) =>
    `${kind}: a versão ${version} termina em ${timeText("pt", expiresAt)}. ` +
    "Atualize o Recado ou informe uma versão mais nova.",
  adapter: ({ name, reason }) =>
    `${name}: ${reason}. Os canais dele não são atendidos. Conserte-o como recado doctor diz e reinicie o servidor.`,
  invoice: ({ id, tenantId, totalCents, paidCents }) =>
    `Fatura ${id} da conta ${tenantId}: ${reais(paidCents)} em vez de ${reais(totalCents)}. Ela vale como paga.`,
  test: { title: "Isto é um teste", text: "O Recado avisaria você aqui sobre o que der errado." },
};

const ES: AlertTexts = {
  titles: {
    "phone-lost": {
      title: "Un teléfono no está conectado",
      many: "teléfonos no están conectados",
      over: "Un teléfono está conectado de nuevo",
    },
    "phone-restricted": {
      title: "Una red restringe un teléfono",
      many: "teléfonos están restringidos por su red",
      over: "Un teléfono ya no está restringido",
    },
    "phone-unlinked": {
      title: "Hay que vincular de nuevo un teléfono",
      many: "teléfonos se deben vincular de nuevo",
      over: "Un teléfono está vinculado de nuevo",
    },
    "token-expired": {
      title: "El token de un teléfono ha vencido",
      many: "teléfonos tienen un token vencido",
      over: "Un teléfono tiene de nuevo un token válido",
    },
    "endpoint-failing": {
      title: "Un webhook falla desde hace 15 minutos",
      many: "webhooks fallan desde hace 15 minutos",
      over: "Un webhook recibe eventos de nuevo",
    },
    "dead-letters": {
      title: "No se pudieron entregar eventos",
      many: "tipos de eventos sin entregar",
      over: "Ya no hay eventos sin entregar",
    },
    "no-backup": {
      title: "No hay una copia de seguridad reciente",
      many: "copias de seguridad faltan",
      over: "Se hizo una copia de seguridad",
    },
    "disk-full": {
      title: "El disco está casi lleno",
      many: "discos están casi llenos",
      over: "El disco tiene espacio de nuevo",
    },
    "database-away": {
      title: "La base de datos no responde",
      many: "bases de datos no responden",
      over: "La base de datos responde de nuevo",
    },
    "database-not-durable": {
      title: "El servidor de la base confirma antes de escribir en el disco",
      many: "servidores de la base confirman antes de escribir en el disco",
      over: "El servidor de la base escribe primero en el disco de nuevo",
    },
    "client-ending": {
      title: "Una red dejará de aceptar la versión de cliente en uso",
      many: "redes dejarán de aceptar la versión de cliente en uso",
      over: "La versión de cliente en uso se acepta",
    },
    "adapter-unusable": {
      title: "Un adaptador no se puede usar",
      many: "adaptadores no se pueden usar",
      over: "Todos los adaptadores se pueden usar",
    },
    "invoice-amount": {
      title: "Una factura se pagó con otro importe",
      many: "facturas se pagaron con otro importe",
      over: "Ninguna factura de los últimos siete días se pagó con otro importe",
    },
  },
  more: (count) => `Y ${countText("es", count)} más.`,
  phone: ({ label, kind, id, tenantId, why }) => `${label} (${kind} ${id} de la cuenta ${tenantId}): ${why}`,
  unreadableAddress: "una dirección ilegible",
  webhook: ({ host, id, failures, isActive, last }) => {
    const state = isActive ? `${countText("es", failures)} fallos seguidos` : "se desactivó después de sus fallos";
    return `${host} (webhook ${id}): ${state}${last === null ? "" : `, el último: ${last}`}`;
  },
  deadLetters: (count) =>
    `Entregas abandonadas: ${countText("es", count)}. Repara los endpoints y después reenvía los eventos.`,
  backup: ({ madeAtMs, error }) => {
    const made =
      madeAtMs === undefined ? "Todavía no se hizo ninguna." : `La última buena es del ${timeText("es", madeAtMs)}.`;
    return `${made}${error === undefined ? "" : ` El último intento falló: ${error}`}`;
  },
  databaseAway: (error) => `Nada se acepta mientras tanto: ${error}`,
  databaseNotDurable:
    "Un corte de energía allí pierde mensajes ya aceptados. Pon durability_mode en strong en cada inicio suyo.",
  disk: ({ free, total }) => `Quedan ${countText("es", free)} MB libres de ${countText("es", total)} MB.`,
  client: ({ kind, version, expiresAt }) =>
    `${kind}: la versión ${version} termina el ${timeText("es", expiresAt)}. ` +
    "Actualiza Recado o indica una versión más nueva.",
  adapter: ({ name, reason }) =>
    `${name}: ${reason}. Sus canales no se atienden. Repáralo como recado doctor dice y reinicia el servidor.`,
  invoice: ({ id, tenantId, totalCents, paidCents }) =>
    `Factura ${id} de la cuenta ${tenantId}: ${reais(paidCents)} en lugar de ${reais(totalCents)}. Vale como pagada.`,
  test: { title: "Esto es una prueba", text: "Recado te avisaría aquí de lo que falle." },
};

/** TABLE: the texts of alerts in every language. */
export const ALERT_TEXTS: Record<Language, AlertTexts> = { pt: PT, en: EN, es: ES };

/** A text of an alert: `text` for programs, `localText` for people in the language of the server, if one is set. */
export type AlertText = { text: string; localText: string | null };

/** Makes a text for programs and for people. */
export const alertText = (language: Language | undefined, make: (texts: AlertTexts) => string): AlertText => ({
  text: make(EN),
  localText: language === undefined ? null : make(ALERT_TEXTS[language]),
});

/** The first line of a message. */
export const titleOf = (
  { titles }: AlertTexts,
  { kind, type, count }: { kind: TroubleKind; type: "trouble.opened" | "trouble.closed"; count: number },
): string => {
  const { title, many, over } = titles[kind];
  if (type === "trouble.closed") return count === 1 ? over : `${over} (${count})`;
  return count === 1 ? title : `${count} ${many}`;
};
