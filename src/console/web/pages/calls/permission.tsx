import { useState } from "preact/hooks";
import type { CallPermission } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useAct } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { dateTime } from "../../frame/texts/format.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, textIn } from "../../parts/forms/form.tsx";
import { PhoneSelect } from "../../parts/phones/phone-choice.tsx";
import { Failure, Notice } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { callsTexts } from "./texts.ts";

/** Whether somebody may be called; if not, the network can ask them. */
export const PermissionDialog = ({ onClose }: { onClose: () => void }) => {
  const t = callsTexts();
  const [found, setFound] = useState<CallPermission | undefined>();
  const check = useAct(async (form: FormData) => {
    setFound(undefined);
    setFound(await gateway.calls.getPermission({ phoneId: textIn(form, "phoneId"), to: textIn(form, "to") }));
  });
  return (
    <Dialog title={t.permission} onClose={onClose}>
      <p class="soft">{t.permissionHint}</p>
      <Form act={check} submit={t.check} onCancel={onClose}>
        <PhoneSelect label={t.phone} name="phoneId" />
        <Field label={t.number} hint={t.numberHint} name="to" type="tel" placeholder="+55 11 99999-0000" />
      </Form>
      {found && <Answer permission={found} onAsked={onClose} />}
    </Dialog>
  );
};

const Answer = ({
  permission: { phoneId, to, granted, expiresAt },
  onAsked,
}: {
  permission: CallPermission;
  onAsked: () => void;
}) => {
  const t = callsTexts();
  const act = useAct(async () => {
    await gateway.calls.requestPermission({ phoneId, to });
    notify(t.asked);
    onAsked();
  });
  if (granted)
    return <Notice tone="good">{expiresAt === null ? t.granted : t.grantedUntil(dateTime(expiresAt))}</Notice>;
  return (
    <Notice tone="warning">
      <p>{t.notGranted}</p>
      {act.error !== undefined && <Failure error={act.error} />}
      {may("calls.write") && (
        <p class="notice-act">
          <Button isBusy={act.isRunning} onClick={() => void act.run()}>
            {t.ask}
          </Button>
        </p>
      )}
    </Notice>
  );
};
