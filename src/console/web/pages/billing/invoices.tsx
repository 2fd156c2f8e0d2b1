import { Banknote } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Invoice, IssuedInvoice } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Card, Details } from "../../parts/layout.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { Empty, Failure } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { dayText, isOverdue, isPaidOtherwise, isUnpaid, periodText, reais, TONES } from "./amounts.ts";
import { billingTexts } from "./texts.ts";

type Payable = Pick<IssuedInvoice, "gatewayInvoiceUrl" | "pixQrCode" | "pixCopyPaste" | "boletoUrl" | "boletoBarcode">;

/** A page of the processor; any other scheme is no link. */
const ExternalLink = ({ url, text }: { url: string; text: string }) =>
  /^https?:\/\//.test(url) ? (
    <a class="button primary" href={url} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  ) : null;

const Ways = ({ gatewayInvoiceUrl, pixQrCode, pixCopyPaste, boletoUrl, boletoBarcode }: Payable) => {
  const t = billingTexts();
  return (
    <div class="stack">
      {gatewayInvoiceUrl !== null && <ExternalLink url={gatewayInvoiceUrl} text={t.payPage} />}
      {pixCopyPaste !== null && (
        <div class="stack">
          <p>{t.pix}</p>
          {pixQrCode !== null && <img class="pix" src={`data:image/png;base64,${pixQrCode}`} alt={t.pix} />}
          <CopyLine text={pixCopyPaste} />
        </div>
      )}
      {boletoBarcode !== null && (
        <div class="stack">
          <p>{t.boleto}</p>
          <CopyLine text={boletoBarcode} />
          {boletoUrl !== null && <ExternalLink url={boletoUrl} text={t.openBoleto} />}
        </div>
      )}
    </div>
  );
};

/** The ways to pay an invoice. An invoice without a charge gets one here. */
const PayDialog = ({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) => {
  const t = billingTexts();
  const [issued, setIssued] = useState<Payable>();
  // the list has no QR code for the operator's own Pix key
  const one = useQuery(`billing invoice ${invoice.id}`, (signal) => gateway.billing.getInvoice(invoice.id, { signal }));
  const payable = issued ?? one.data ?? invoice;
  const isCharged = payable.gatewayInvoiceUrl !== null || payable.pixCopyPaste !== null || payable.boletoUrl !== null;
  const issue = useAct(async () => {
    setIssued(await gateway.billing.issueInvoice(invoice.id));
    refresh("billing invoices");
    notify(t.issued);
  });
  return (
    <Dialog title={t.payTitle(reais(invoice.totalCents))} onClose={onClose}>
      <Details
        items={[
          [t.due, dayText(invoice.dueDate)],
          [t.partMessages, reais(invoice.breakdown.messages)],
          [t.partPhones, reais(invoice.breakdown.phoneMonths)],
          [t.partNetwork, reais(invoice.breakdown.wabaPassthrough)],
        ]}
      />
      {isCharged ? (
        <Ways {...payable} />
      ) : (
        <>
          <p>{t.notIssued}</p>
          {issue.error !== undefined && <Failure error={issue.error} />}
          <div class="dialog-actions">
            <Button tone="primary" isBusy={issue.isRunning} onClick={() => void issue.run()}>
              {t.issue}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
};

type Debt = Pick<Invoice, "status" | "dueDate" | "totalCents" | "paidCents">;

/** The subject of an invoice, and the paid amount if it differs. */
const Amount = ({ invoice }: { invoice: Debt }) => (
  <>
    {reais(invoice.totalCents)}
    {isPaidOtherwise(invoice) && (
      <div>
        <Badge tone="bad">{billingTexts().paidOtherwise(reais(invoice.paidCents ?? 0))}</Badge>
      </div>
    )}
  </>
);

/** The state of an invoice, its due day, and its subject. */
export const debtColumns = (): Column<Debt>[] => {
  const t = billingTexts();
  return [
    {
      title: t.status,
      cell: (invoice) => {
        const status = isOverdue(invoice) ? "OVERDUE" : invoice.status;
        return <Badge tone={TONES[status]}>{t.statuses[status]}</Badge>;
      },
    },
    { title: t.due, cell: ({ dueDate }) => dayText(dueDate) },
    { title: t.total, cell: (invoice) => <Amount invoice={invoice} />, isNumber: true },
  ];
};

/** The last invoices of the account, the unpaid ones with their way to pay. */
export const InvoicesCard = ({ invoices }: { invoices: readonly Invoice[] }) => {
  const t = billingTexts();
  const [paying, setPaying] = useState<Invoice>();
  const columns: Column<Invoice>[] = [
    { title: t.period, cell: (invoice) => periodText(invoice) || t.invoices, isMain: true },
    ...debtColumns(),
    {
      title: t.pay,
      cell: (invoice) =>
        isUnpaid(invoice) && may("billing.write") ? (
          <Button
            icon={Banknote}
            tone={isOverdue(invoice) ? "primary" : "plain"}
            aria-label={`${t.pay} ${periodText(invoice)}`}
            onClick={() => setPaying(invoice)}
          >
            {t.pay}
          </Button>
        ) : null,
    },
  ];
  return (
    <Card title={t.invoices}>
      {invoices.length === 0 ? (
        <Empty title={t.noInvoices} hint={t.noInvoicesHint} />
      ) : (
        <Table label={`${t.invoices} (${invoices.length})`} rows={invoices} columns={columns} keyOf={({ id }) => id} />
      )}
      {paying && <PayDialog invoice={paying} onClose={() => setPaying(undefined)} />}
    </Card>
  );
};
