import type { PageProps } from "../../frame/routes.tsx";
import { isOperator } from "../../frame/session.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Tabs } from "../../parts/layout.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { AllTab } from "./all.tsx";
import { EstimateTab } from "./estimate.tsx";
import { LedgerTab } from "./ledger.tsx";
import { OwnTab } from "./own.tsx";
import { PlansTab } from "./plans.tsx";
import { billingTexts } from "./texts.ts";

const TABS = { ledger: LedgerTab, estimate: EstimateTab, all: AllTab, plans: PlansTab };

/** Money: the use and the debt of the account. For operators: those of all accounts, and the plans. */
export const BillingPage = ({ id }: PageProps) => {
  const t = billingTexts();
  const forOperators = isOperator.value
    ? [
        { name: t.all, path: "/billing/all" },
        { name: t.plans, path: "/billing/plans" },
      ]
    : [];
  const tabs = [
    { name: t.own, path: "/billing" },
    { name: t.ledger, path: "/billing/ledger" },
    { name: t.estimate, path: "/billing/estimate" },
    ...forOperators,
  ];
  const path = id === undefined ? "/billing" : `/billing/${id}`;
  const isKnown = tabs.some((tab) => tab.path === path);
  const Tab = isKnown && id !== undefined ? TABS[id as keyof typeof TABS] : OwnTab;
  return (
    <>
      <PageHeader title={pageNames().billing} lead={id === "all" ? t.leadAll : t.lead} />
      <Tabs label={t.tabs} tabs={tabs} current={isKnown ? path : "/billing"} />
      <Tab />
    </>
  );
};
