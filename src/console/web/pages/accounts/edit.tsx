import { useLocation } from "preact-iso";
import type { Plan, UsedAccount } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { admin } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { loadSession } from "../../frame/session.ts";
import { Confirm, Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, onlyTouched, Select, type Touched, textIn } from "../../parts/forms/form.tsx";
import { Loaded } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { accountsTexts } from "./texts.ts";

const fieldsIn = (form: FormData) => ({
  name: textIn(form, "name"),
  planCode: textIn(form, "planCode"),
  billingEmail: textIn(form, "billingEmail") || null,
  wabaMarkupPct: textIn(form, "wabaMarkupPct") === "" ? null : Number(textIn(form, "wabaMarkupPct")),
});

const Fields = ({ account, plans }: { account: UsedAccount | undefined; plans: readonly Plan[] }) => {
  const t = accountsTexts();
  return (
    <>
      <Field name="name" label={t.name} maxLength={120} defaultValue={account?.name ?? ""} autoFocus />
      <Select
        name="planCode"
        label={t.plan}
        defaultValue={account?.planCode ?? "free_tier"}
        options={plans.map(({ code }) => [code, code])}
      />
      <Field
        name="billingEmail"
        type="email"
        label={t.billingEmail}
        hint={t.billingEmailHint}
        defaultValue={account?.billingEmail ?? ""}
        isOptional
      />
      <Field
        name="wabaMarkupPct"
        type="number"
        min={0}
        max={1000}
        step="any"
        label={t.markup}
        hint={t.markupHint}
        defaultValue={account?.wabaMarkupPct === undefined ? "" : String(account.wabaMarkupPct ?? "")}
        isOptional
      />
    </>
  );
};

/** Makes an account, or changes one. */
export const AccountDialog = ({ account, onClose }: { account?: UsedAccount; onClose: () => void }) => {
  const t = accountsTexts();
  const { route } = useLocation();
  const plans = useQuery("admin plans", () => admin.plans.list().page());
  const act = useAct(async (form: FormData, touched: Touched) => {
    if (account) await admin.accounts.update(account.id, onlyTouched(touched, fieldsIn(form)));
    const made = account ?? (await admin.accounts.create(fieldsIn(form)));
    refresh("accounts ");
    await loadSession(); // the choice of accounts has it too
    notify(account ? t.saved : t.created);
    onClose();
    if (!account) route(href(`/accounts/${made.id}`));
  });
  return (
    <Dialog title={account ? t.editTitle : t.create} onClose={onClose}>
      <Loaded query={plans}>
        {(known) => (
          <Form act={act} submit={account ? t.save : t.create} onCancel={onClose}>
            <Fields account={account} plans={known} />
          </Form>
        )}
      </Loaded>
    </Dialog>
  );
};

/** Switches an account off, after asking once. */
export const TurnOff = ({ account, onClose }: { account: UsedAccount; onClose: () => void }) => {
  const t = accountsTexts();
  const act = useAct(async () => {
    await admin.accounts.update(account.id, { status: "INACTIVE" });
    refresh("accounts ");
    notify(t.turnedOff);
    onClose();
  });
  return (
    <Confirm title={t.turnOffTitle} yes={t.turnOff} act={act} onNo={onClose}>
      <p>{t.turnOffText(account.name)}</p>
    </Confirm>
  );
};
