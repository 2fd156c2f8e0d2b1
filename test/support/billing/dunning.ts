import { rowsOf } from "../customers/customer.ts";
import { type MailSink, startMailSink } from "../servers/smtp.ts";
import type { World } from "../world.ts";
import { type BilledWorld, newPayer, type Payer, startBilledWorld } from "./billing.ts";
import { change } from "./invoicing.ts";

/** A world whose operator has a payment processor and a mail server. */
export type DunningWorld = BilledWorld & { sink: MailSink };

export const startDunningWorld = async (env: Record<string, string> = {}): Promise<DunningWorld> => {
  const sink = await startMailSink();
  const world = await startBilledWorld({
    RECADO_SMTP_URL: sink.url,
    RECADO_MAIL_FROM: "Recado <cobranca@recado.example>",
    ...env,
  });
  const stop = world.stop;
  return Object.assign(world, {
    sink,
    async stop() {
      await stop();
      await sink.stop();
    },
  });
};

let counter = 0;

/** A payer with an address of its own. */
export const newDebtor = async (
  w: DunningWorld,
  options: { isKnown?: boolean } = {},
): Promise<Payer & { email: string }> => {
  const payer = await newPayer(w, options);
  const email = `contas${++counter}@padaria.example`;
  await change(w, payer.accountId, { billingEmail: email });
  return { ...payer, email };
};

/** The day that lies so many days before today, on the world's clock. */
export const daysAgo = (w: World, days: number): string =>
  new Date(w.clock.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Runs the dunning as the administrator, and waits for all its effects. */
export const dun = async (w: World): Promise<void> => {
  const { status, text } = await w.gateway("/v1/admin/jobs/dunning/run", { admin: true, method: "POST" });
  if (status !== 202) throw new Error(`the dunning was not run: ${status} ${text}`);
  await w.settle();
};

/** The status and dunning stage of an account for its administrator. */
export const accountStatus = async (w: World, accountId: string): Promise<string> => {
  const { status, dunningStage } = (await w.gateway(`/v1/admin/accounts/${accountId}`, { admin: true })).body;
  return `${status} ${dunningStage}`;
};

/** The subjects of the mails to somebody, in their order. */
export const subjectsTo = ({ sink }: DunningWorld, email: string): string[] =>
  sink.received.filter(({ to }) => to.includes(email)).map(({ subject }) => subject);

export const mailsOf = (w: World, accountId: string) =>
  rowsOf<{ recipient: string | null; sentAt: number | null; lastError: string | null }>(
    w,
    "SELECT recipient, sent_at AS sentAt, last_error AS lastError FROM mails WHERE tenant_id = ?1 ORDER BY id",
    [accountId],
  );

export const REMINDER = "Lembrete: fatura em atraso";
export const FIRM = "Fatura em atraso: evite a suspensão da conta";
export const SUSPENSION = "Conta suspensa por falta de pagamento";

/** Marks an invoice as paid, as the administrator. */
export const markPaid = async (w: World, id: string): Promise<void> => {
  const { status, text } = await w.gateway(`/v1/admin/invoices/${id}/mark-paid`, { admin: true, method: "POST" });
  if (status !== 200) throw new Error(`the invoice was not paid: ${status} ${text}`);
  await w.settle();
};
