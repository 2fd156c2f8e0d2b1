import type {
  Invoice,
  MonthOfAccount,
  NetworkCharge,
} from "../../../../../clients/typescript/src/generated/gateway.ts";
import { money } from "../../frame/texts/format.ts";
import { catalogue, locale } from "../../frame/texts/languages.ts";
import type { BadgeTone } from "../../parts/badge.tsx";
import type { BarColour, MonthBar } from "../../parts/plots/month-bars.tsx";

/** Cents of BRL, such as "R$ 129,90". */
export const reais = (cents: number): string => money(cents / 100, "BRL");

/** Millionths of a currency. */
export const micros = (amount: number, currency: string): string => money(amount / 1_000_000, currency || "BRL");

/** A day without a time, such as "15 Nov 2026": the day is the same in every zone. */
export const dayText = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(locale(), { dateStyle: "medium", timeZone: "UTC" });

/** The month of an invoice's period; empty for a sum without a period. */
export const periodText = ({ periodStart, periodEnd }: Pick<Invoice, "periodStart" | "periodEnd">): string =>
  periodStart === periodEnd
    ? ""
    : new Date(periodStart).toLocaleDateString(locale(), { month: "long", year: "numeric", timeZone: "UTC" });

export const TONES: Record<Invoice["status"], BadgeTone> = {
  OPEN: "info",
  ISSUED: "info",
  PAID: "good",
  OVERDUE: "bad",
  FAILED: "bad",
  REFUNDED: "neutral",
  VOID: "neutral",
};

/** Processors round by up to five cents. */
const LEAST_DIFFERENCE_CENTS = 5;

/** Whether the payment of an invoice differs from its amount. */
export const isPaidOtherwise = ({
  status,
  totalCents,
  paidCents,
}: Pick<Invoice, "status" | "totalCents" | "paidCents">): boolean =>
  status === "PAID" && paidCents !== null && Math.abs(paidCents - totalCents) > LEAST_DIFFERENCE_CENTS;

export const isUnpaid = ({ status }: Pick<Invoice, "status">): boolean =>
  ["OPEN", "ISSUED", "OVERDUE"].includes(status);

/** Whether the invoice is past due, also before the server has noted it. */
export const isOverdue = (invoice: Pick<Invoice, "status" | "dueDate">): boolean =>
  invoice.status === "OVERDUE" || (isUnpaid(invoice) && invoice.dueDate < new Date().toLocaleDateString("sv-SE")); // the local day, as YYYY-MM-DD

const COLOURS: Readonly<Record<string, BarColour>> = {
  MARKETING: "accent",
  UTILITY: "busy",
  AUTHENTICATION: "warning",
  SERVICE: "good",
};

/** TABLE: the network's categories. A category without a line keeps its own name. */
const categories = catalogue({
  en: {
    MARKETING: "Marketing",
    UTILITY: "Utility",
    AUTHENTICATION: "Authentication",
    SERVICE: "Service",
    "": "By message",
  },
  pt: {
    MARKETING: "Marketing",
    UTILITY: "Utilidade",
    AUTHENTICATION: "Autenticação",
    SERVICE: "Atendimento",
    "": "Por mensagem",
  },
  es: {
    MARKETING: "Marketing",
    UTILITY: "Utilidad",
    AUTHENTICATION: "Autenticación",
    SERVICE: "Servicio",
    "": "Por mensaje",
  },
});

export const categoryText = (name: string): string =>
  (categories() as Readonly<Record<string, string>>)[name] ?? name.toLowerCase().replaceAll("_", " ");

/** The categories of some months, the dearest first, and their values in each month. */
export const byCategory = (
  months: readonly Pick<MonthOfAccount, "month" | "networkCharges">[],
  valueOf: (charge: NetworkCharge) => number,
): { parts: { name: string; text: string; colour: BarColour }[]; bars: MonthBar[] } => {
  const totals = new Map<string, number>();
  const bars = months.map(({ month, networkCharges }) => {
    const values: Record<string, number> = {};
    for (const charge of networkCharges) {
      const value = valueOf(charge);
      values[charge.category] = (values[charge.category] ?? 0) + value;
      totals.set(charge.category, (totals.get(charge.category) ?? 0) + value);
    }
    return { month, values };
  });
  const parts = [...totals]
    .filter(([, total]) => total > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name]) => ({ name, text: categoryText(name), colour: COLOURS[name] ?? "soft" }));
  return { parts, bars };
};
