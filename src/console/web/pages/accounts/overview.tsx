import type {
  AccountLimit,
  InstitutionPlan,
  Phone,
  UsedAccount,
} from "../../../../../clients/typescript/src/generated/gateway.ts";
import { admin, gatewayIn } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { bytes, number } from "../../frame/texts/format.ts";
import { Badge } from "../../parts/badge.tsx";
import { Form, Select } from "../../parts/forms/form.tsx";
import { Bar, Card, Details } from "../../parts/layout.tsx";
import { InSteps } from "../../parts/lists/in-steps.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { Loaded } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { kindName, STATE_TONES } from "../phones/kinds.ts";
import { phonesTexts } from "../phones/texts.ts";
import { BothApisCard } from "./both-apis.tsx";
import { PLANS } from "./plans.ts";
import { StateBadge } from "./state.tsx";
import { accountsTexts } from "./texts.ts";

const InstitutionPlanForm = ({ account }: { account: UsedAccount }) => {
  const t = accountsTexts();
  const act = useAct(async (form: FormData) => {
    await admin.institutions.update(account.id, { plan: form.get("plan") as InstitutionPlan });
    refresh("accounts ");
    notify(t.institutionPlanSaved);
  });
  return (
    <Form act={act} submit={t.save}>
      <Select
        name="plan"
        label={t.institutionPlan}
        defaultValue={account.institutionPlan ?? "FREE"}
        options={PLANS.map((plan) => [plan, plan])}
      />
    </Form>
  );
};

const DetailsCard = ({ account }: { account: UsedAccount }) => {
  const t = accountsTexts();
  return (
    <Card title={t.details}>
      <div class="stack">
        <Details
          items={[
            [t.state, <StateBadge key="state" {...account} />],
            [t.kind, account.institutionPlan === null ? t.kinds.account : t.kinds.institution],
            [t.plan, account.planCode],
            [t.billingEmail, account.billingEmail ?? "–"],
            [t.made, <When key="made" at={account.createdAt} isFull />],
            [t.id, <code key="id">{account.id}</code>],
            ...(account.joinedInto === undefined
              ? []
              : [[t.joinedInto, <code key="joined">{account.joinedInto}</code>] as const]),
          ]}
        />
        {account.institutionPlan !== null && <InstitutionPlanForm account={account} />}
      </div>
    </Card>
  );
};

const limitText = ({ name, used, limit }: AccountLimit): string => {
  const shown = name === "stored-bytes" ? bytes : number;
  return `${shown(used)} / ${shown(limit)}`;
};

const LimitsCard = ({ accountId }: { accountId: string }) => {
  const t = accountsTexts();
  const names: Readonly<Record<string, string>> = t.limitNames;
  const query = useQuery(`accounts limits ${accountId}`, (signal) => gatewayIn(accountId).account.get({ signal }));
  return (
    <Card title={t.limits}>
      <Loaded query={query} lines={6}>
        {({ limits }) => (
          <div class="stack">
            {limits.map((limit) => (
              <Bar
                key={limit.name}
                name={names[limit.name] ?? limit.name}
                used={limit.used}
                limit={limit.limit}
                text={limitText(limit)}
              />
            ))}
          </div>
        )}
      </Loaded>
    </Card>
  );
};

/** The number of rows of one answer. The page asks for all answers. */
const AT_ONCE = 200;

const PhonesCard = ({ accountId }: { accountId: string }) => {
  const t = accountsTexts();
  const query = useQuery(
    `accounts phones ${accountId}`,
    () => gatewayIn(accountId).phones.search({ limit: AT_ONCE }).toArray(),
    {
      everyMs: 30_000,
    },
  );
  const columns: Column<Phone>[] = [
    { title: t.label, cell: ({ label }) => label, isMain: true },
    { title: t.kind, cell: ({ type }) => kindName(type), isMinor: true },
    { title: t.number, cell: ({ phoneNumber }) => phoneNumber ?? "–" },
    {
      title: t.state,
      cell: ({ status }) => <Badge tone={STATE_TONES[status]}>{phonesTexts().states[status]}</Badge>,
    },
  ];
  return (
    <Card title={t.phones}>
      <Loaded query={query}>
        {(phones) =>
          phones.length === 0 ? (
            <p class="soft">{t.noPhones}</p>
          ) : (
            <InSteps rows={phones}>
              {(rows) => (
                <Table label={`${t.phones} (${phones.length})`} rows={rows} columns={columns} keyOf={({ id }) => id} />
              )}
            </InSteps>
          )
        }
      </Loaded>
    </Card>
  );
};

export const Overview = ({ account }: { account: UsedAccount }) => (
  <div class="grid">
    <div class="stack">
      <DetailsCard account={account} />
      {account.institutionPlan === null && account.joinedInto === undefined && <BothApisCard account={account} />}
      <PhonesCard accountId={account.id} />
    </div>
    <LimitsCard accountId={account.id} />
  </div>
);
