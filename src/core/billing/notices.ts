import { reaisText } from "../../kernel/brazil.ts";
import type { InvoiceRow } from "../../store/invoices.ts";
import type { TenantRow } from "../../store/tenants.ts";

/** A notice to an account: the dunning stage that it has reached, and its overdue invoices. */
export type Notice = {
  account: TenantRow;
  stage: Exclude<TenantRow["dunningStage"], "NONE">;
  overdue: readonly InvoiceRow[];
  /** The Pix code of an invoice; null where it has none. */
  pixOf(invoice: InvoiceRow): string | null;
};

/** The most invoices that a mail names. */
const NAMED = 10;

/** TABLE: the text of each stage, before and after the invoices. */
const TEXTS: Record<Notice["stage"], { subject: string; before: string; after: string }> = {
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
};

/** The subject and body of the mail, in Portuguese. */
export const textOf = ({ account, stage, overdue, pixOf }: Notice): { subject: string; body: string } => {
  const { subject, before, after } = TEXTS[stage];
  const more = overdue.length > NAMED ? [`E mais ${overdue.length - NAMED}.`] : [];
  return {
    subject,
    body: [
      `Olá, ${account.name},`,
      before,
      ...overdue.slice(0, NAMED).map((one) => about(one, pixOf(one))),
      ...more,
      after,
    ].join("\n\n"),
  };
};

const about = (
  { id, totalCents, dueDate, gatewayInvoiceUrl, boletoBarcode }: InvoiceRow,
  pixCopyPaste: string | null,
): string =>
  [
    `Fatura ${id}: ${reaisText(totalCents)}, vencida em ${dueDate.split("-").toReversed().join("/")}`,
    ...(gatewayInvoiceUrl === null ? [] : [`Pagar: ${gatewayInvoiceUrl}`]),
    ...(pixCopyPaste === null ? [] : [`Pix copia e cola: ${pixCopyPaste}`]),
    ...(boletoBarcode === null ? [] : [`Boleto: ${boletoBarcode}`]),
  ].join("\n");
