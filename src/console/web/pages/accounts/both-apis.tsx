import { useState } from "preact/hooks";
import type { InstitutionPlan, UsedAccount } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { admin } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { loadSession } from "../../frame/session.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, Select, textIn } from "../../parts/forms/form.tsx";
import { HandOverLink } from "../../parts/hand-over-link.tsx";
import { Card } from "../../parts/layout.tsx";
import { JoinDialog } from "../../parts/people/joining.tsx";
import { Notice } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { PLANS } from "./plans.ts";
import { accountsTexts } from "./texts.ts";

/** Makes the account an institution, and invites its owner. Without a mail server the link is shown once. */
const OpenPlatform = ({ account, onClose }: { account: UsedAccount; onClose: () => void }) => {
  const t = accountsTexts();
  const [link, setLink] = useState<string>();
  // the card with this dialog goes when the page knows the account as an institution
  const close = () => {
    refresh("accounts ");
    onClose();
  };
  const act = useAct(async (form: FormData) => {
    const plan = textIn(form, "plan") as InstitutionPlan;
    const made = await admin.accounts.makeInstitution(account.id, { plan, ownerEmail: textIn(form, "ownerEmail") });
    await loadSession();
    notify(t.platformOpened);
    if (made.link === undefined) close();
    else setLink(made.link);
  });
  return (
    <Dialog title={t.openPlatform} onClose={close} isHeld={link !== undefined}>
      {link === undefined ? (
        <Form act={act} submit={t.openPlatform} onCancel={onClose}>
          <Select
            name="plan"
            label={t.institutionPlan}
            defaultValue="STARTER"
            options={PLANS.map((plan) => [plan, plan])}
          />
          <Field name="ownerEmail" type="email" label={t.ownerEmail} hint={t.ownerEmailHint} autocomplete="off" />
        </Form>
      ) : (
        <>
          <Notice tone="warning">{t.ownerLink}</Notice>
          <HandOverLink link={link} />
          <div class="dialog-actions">
            <Button tone="primary" onClick={close}>
              {t.done}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
};

/** The ways of a gateway account to the platform: a side of its own, or joining an institution. */
export const BothApisCard = ({ account }: { account: UsedAccount }) => {
  const t = accountsTexts();
  const [open, setOpen] = useState<"platform" | "join">();
  const close = () => setOpen(undefined);
  return (
    <Card title={t.bothApis} hint={t.bothApisHint}>
      <div class="form-actions">
        <Button onClick={() => setOpen("platform")}>{t.openPlatform}</Button>
        <Button onClick={() => setOpen("join")}>{t.joinInstitution}</Button>
      </div>
      {open === "platform" && <OpenPlatform account={account} onClose={close} />}
      {open === "join" && (
        <JoinDialog
          title={t.joinInstitution}
          label={t.institutionId}
          hint={t.institutionIdHint}
          join={(institutionId, dryRun) => admin.accounts.join(account.id, { institutionId }, { query: { dryRun } })}
          onJoined={() => {
            refresh("accounts ");
            void loadSession();
          }}
          onClose={close}
        />
      )}
    </Card>
  );
};
