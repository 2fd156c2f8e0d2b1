import { useState } from "preact/hooks";
import type { MemberRole } from "../../../../../clients/typescript/src/generated/platform.ts";
import { platform } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { account, isOperator } from "../../frame/session.ts";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, textIn } from "../../parts/forms/form.tsx";
import { notify } from "../../parts/toasts.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { RoleChoice } from "./roles.tsx";
import { teamTexts } from "./texts.ts";

/** Invites somebody by e-mail. Without a mail server the link is shown, to be handed over. */
export const Invite = ({ onClose }: { onClose: () => void }) => {
  const t = teamTexts();
  const [made, setMade] = useState<{ link: string; email: string } | undefined>(undefined);
  const act = useAct(async (form: FormData) => {
    const email = textIn(form, "email").trim();
    const role = textIn(form, "role") as MemberRole;
    const { link } = await platform.institutions.addMember(account.value?.id ?? "", { email, role });
    refresh("team");
    if (link !== undefined) return setMade({ link, email });
    notify(t.mailed(email));
    onClose();
  });
  if (made)
    return (
      <LinkDialog
        link={made.link}
        hint={isOperator.value ? t.linkHint(made.email) : `${t.linkHint(made.email)} ${t.linkHintKnown}`}
        onClose={onClose}
      />
    );
  return (
    <Dialog title={t.invite} onClose={onClose}>
      <Form act={act} submit={t.send} onCancel={onClose}>
        <Field label={t.email} hint={t.inviteHint} name="email" type="email" autocomplete="off" autoFocus />
        <RoleChoice />
      </Form>
    </Dialog>
  );
};
