import { LogIn, Pencil, Power } from "lucide-preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { UsedAccount } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { admin } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { openAccount } from "../../frame/session.ts";
import { number } from "../../frame/texts/format.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Button } from "../../parts/button.tsx";
import { Card, Stat, Tabs } from "../../parts/layout.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Failure, Loaded, Notice } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { AllInvoices } from "../billing/all.tsx";
import { reais } from "../billing/amounts.ts";
import { AccountDialog, TurnOff } from "./edit.tsx";
import { NewInvoice } from "./invoice.tsx";
import { KeysCard } from "./keys.tsx";
import { Overview } from "./overview.tsx";
import { accountsTexts } from "./texts.ts";

const Actions = ({ account }: { account: UsedAccount }) => {
  const t = accountsTexts();
  const { route } = useLocation();
  const [open, setOpen] = useState<"edit" | "off">();
  const turnOn = useAct(async () => {
    await admin.accounts.update(account.id, { status: "ACTIVE" });
    refresh("accounts ");
    notify(t.turnedOn);
  });
  const opening = useAct(async () => {
    await openAccount(account.id);
    route(href("/"));
  });
  const isOn = account.status === "ACTIVE" && !account.isSuspended;
  return (
    <>
      <Button
        tone="primary"
        icon={LogIn}
        title={t.openHint}
        isBusy={opening.isRunning}
        onClick={() => void opening.run()}
      >
        {t.open}
      </Button>
      <Button icon={Pencil} onClick={() => setOpen("edit")}>
        {t.edit}
      </Button>
      <Button icon={Power} isBusy={turnOn.isRunning} onClick={() => (isOn ? setOpen("off") : void turnOn.run())}>
        {isOn ? t.turnOff : t.turnOn}
      </Button>
      {opening.error !== undefined && <Failure error={opening.error} />}
      {turnOn.error !== undefined && <Failure error={turnOn.error} />}
      {open === "edit" && <AccountDialog account={account} onClose={() => setOpen(undefined)} />}
      {open === "off" && <TurnOff account={account} onClose={() => setOpen(undefined)} />}
    </>
  );
};

const Numbers = ({ account }: { account: UsedAccount }) => {
  const t = accountsTexts();
  const { phones, connectedPhones, messagesSent, messagesReceived, owedCents, overdueCents, members } = account;
  return (
    <div class="stats">
      <Stat name={t.phones} value={number(phones)} note={t.phonesText(number(connectedPhones), number(phones))} />
      <Stat name={t.messages} value={number(messagesSent)} note={t.received(number(messagesReceived))} />
      <Stat
        name={t.owed}
        value={reais(owedCents)}
        note={overdueCents > 0 ? t.overdueText(reais(overdueCents)) : t.nothingOverdue}
        {...(overdueCents > 0 ? { tone: "bad" as const } : {})}
      />
      <Stat name={t.members} value={number(members)} />
    </div>
  );
};

const Content = ({ account, tab }: { account: UsedAccount; tab: string }) => {
  const t = accountsTexts();
  if (tab === "keys") return <KeysCard accountId={account.id} />;
  if (tab === "invoices")
    return (
      <Card title={t.invoices} actions={<NewInvoice accountId={account.id} />}>
        <AllInvoices accountId={account.id} />
      </Card>
    );
  return <Overview account={account} />;
};

/** One account: its numbers, limits, phones, keys and invoices. */
export const AccountDetail = ({ id, tab }: { id: string; tab: string }) => {
  const t = accountsTexts();
  const query = useQuery(`accounts one ${id}`, (signal) => admin.accounts.getUse(id, { signal }), { everyMs: 30_000 });
  const path = `/accounts/${id}`;
  const tabs = [
    { name: t.overview, path },
    { name: t.keys, path: `${path}/keys` },
    { name: t.invoices, path: `${path}/invoices` },
  ];
  return (
    <>
      <PageHeader
        title={query.data?.name ?? pageNames().accounts}
        back={{ path: "/accounts", name: pageNames().accounts }}
      >
        {query.data && query.data.joinedInto === undefined && <Actions account={query.data} />}
      </PageHeader>
      <Loaded query={query} lines={8}>
        {(account) => (
          <div class="stack">
            {account.isSuspended && <Notice tone="bad">{t.suspended}</Notice>}
            <Numbers account={account} />
            <Tabs label={t.tabs} tabs={tabs} current={tab === "overview" ? path : `${path}/${tab}`} />
            <Content account={account} tab={tab} />
          </div>
        )}
      </Loaded>
    </>
  );
};
