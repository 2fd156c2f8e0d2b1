import { dayText, type Language, reaisIn } from "../../kernel/texts/languages.ts";
import type { InvoiceRow } from "../../store/tables/billing/invoices.ts";
import type { TenantRow } from "../../store/tables/tenancy/tenants.ts";

type Stage = Exclude<TenantRow["dunningStage"], "NONE">;

/** A notice to an account: the dunning stage that it has reached, and its overdue invoices. */
export type Notice = {
  account: TenantRow;
  stage: Stage;
  overdue: readonly InvoiceRow[];
  /** The Pix code of an invoice; null if it has none. */
  pixOf(invoice: InvoiceRow): string | null;
};

/** The most invoices that a mail names. */
const NAMED = 10;

/** The language of reminders if the operator chose none. */
const DEFAULT: Language = "pt";

/** The mails in one language: the text of each stage, before and after the invoices. */
type Texts = Record<Stage, { subject: string; before: string; after: string }> & {
  greeting(name: string): string;
  invoice(id: string, amount: string, dueDay: string): string;
  pay: string;
  pix: string;
  boleto: string;
  more(count: number): string;
};

/** TABLE: the reminders in every language. */
const TEXTS: Record<Language, Texts> = {
  pt: {
    WARNING: {
      subject: "Lembrete: fatura em atraso",
      before: "Ainda não identificamos o pagamento:",
      after: "Se o pagamento já foi feito, desconsidere este aviso.",
    },
    CRITICAL: {
      subject: "Fatura em atraso: evite a suspensão da conta",
      before: "Sua conta está em situação crítica, porque ainda não identificamos o pagamento:",
      after:
        "Ao completar 14 dias de atraso, a conta será suspensa: " +
        "todas as chamadas à API serão recusadas e nenhuma mensagem será enviada.",
    },
    SUSPENDED: {
      subject: "Conta suspensa por falta de pagamento",
      before: "Sua conta foi suspensa, porque ainda não identificamos o pagamento:",
      after:
        "As chamadas à API são recusadas e as mensagens na fila aguardam. Os telefones continuam conectados. " +
        "A conta é reativada assim que não houver mais nenhuma fatura em atraso.",
    },
    greeting: (name) => `Olá, ${name},`,
    invoice: (id, amount, dueDay) => `Fatura ${id}: ${amount}, vencida em ${dueDay}`,
    pay: "Pagar",
    pix: "Pix copia e cola",
    boleto: "Boleto",
    more: (count) => `E mais ${count}.`,
  },
  en: {
    WARNING: {
      subject: "Reminder: invoice overdue",
      before: "We have not received this payment yet:",
      after: "If you have already paid, please disregard this notice.",
    },
    CRITICAL: {
      subject: "Invoice overdue: avoid the suspension of your account",
      before: "Your account is in a critical state, because we have not received this payment yet:",
      after:
        "After 14 days overdue the account is suspended: " +
        "all API requests are refused, and no message is sent any more.",
    },
    SUSPENDED: {
      subject: "Account suspended for lack of payment",
      before: "Your account was suspended, because we have not received this payment yet:",
      after:
        "API requests are refused, and queued messages wait. Phones stay connected. " +
        "The account is active again as soon as no invoice is overdue any more.",
    },
    greeting: (name) => `Hello ${name},`,
    invoice: (id, amount, dueDay) => `Invoice ${id}: ${amount}, due on ${dueDay}`,
    pay: "Pay",
    pix: "Pix code to copy",
    boleto: "Boleto",
    more: (count) => `And ${count} more.`,
  },
  es: {
    WARNING: {
      subject: "Recordatorio: factura vencida",
      before: "Todavía no hemos recibido este pago:",
      after: "Si ya pagaste, ignora este aviso.",
    },
    CRITICAL: {
      subject: "Factura vencida: evita la suspensión de la cuenta",
      before: "Tu cuenta está en situación crítica, porque todavía no hemos recibido este pago:",
      after:
        "Al cumplir 14 días de atraso, la cuenta se suspende: " +
        "se rechazan todas las llamadas a la API y no se envía ningún mensaje.",
    },
    SUSPENDED: {
      subject: "Cuenta suspendida por falta de pago",
      before: "Tu cuenta fue suspendida, porque todavía no hemos recibido este pago:",
      after:
        "Las llamadas a la API se rechazan y los mensajes en cola esperan. Los teléfonos siguen conectados. " +
        "La cuenta se reactiva en cuanto no quede ninguna factura vencida.",
    },
    greeting: (name) => `Hola, ${name}:`,
    invoice: (id, amount, dueDay) => `Factura ${id}: ${amount}, vencida el ${dueDay}`,
    pay: "Pagar",
    pix: "Código Pix para copiar",
    boleto: "Boleto",
    more: (count) => `Y ${count} más.`,
  },
};

/** The subject and body of the mail. */
export const noticeMail = (
  { account, stage, overdue, pixOf }: Notice,
  language: Language = DEFAULT,
): { subject: string; body: string } => {
  const texts = TEXTS[language];
  const { subject, before, after } = texts[stage];
  const more = overdue.length > NAMED ? [texts.more(overdue.length - NAMED)] : [];
  return {
    subject,
    body: [
      texts.greeting(account.name),
      before,
      ...overdue.slice(0, NAMED).map((one) => about(language, one, pixOf(one))),
      ...more,
      after,
    ].join("\n\n"),
  };
};

const about = (
  language: Language,
  { id, totalCents, dueDate, gatewayInvoiceUrl, boletoBarcode }: InvoiceRow,
  pixCopyPaste: string | null,
): string => {
  const { invoice, pay, pix, boleto } = TEXTS[language];
  return [
    invoice(id, reaisIn(language, totalCents), dayText(language, dueDate)),
    ...(gatewayInvoiceUrl === null ? [] : [`${pay}: ${gatewayInvoiceUrl}`]),
    ...(pixCopyPaste === null ? [] : [`${pix}: ${pixCopyPaste}`]),
    ...(boletoBarcode === null ? [] : [`${boleto}: ${boletoBarcode}`]),
  ].join("\n");
};
