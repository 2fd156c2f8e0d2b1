import { LogOut, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Phone } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { Check } from "../../parts/forms/form.tsx";
import { notify } from "../../parts/toasts.tsx";
import { isOfficial, isOpen, isPaired } from "./kinds.ts";
import { phoneTexts } from "./phone-texts.ts";

/** Logs the phone out, or deletes it, after it says the loss. */
export const EndPhone = ({ phone }: { phone: Phone }) => {
  const t = phoneTexts();
  const [asked, setAsked] = useState<"logout" | "delete">();
  const close = () => setAsked(undefined);
  return (
    <>
      {isPaired(phone) && isOpen(phone) && (
        <Button icon={LogOut} onClick={() => setAsked("logout")}>
          {t.logout}
        </Button>
      )}
      <Button icon={Trash2} onClick={() => setAsked("delete")}>
        {t.delete}
      </Button>
      {asked === "logout" && <Logout phone={phone} onClose={close} />}
      {asked === "delete" && <Delete phone={phone} onClose={close} />}
    </>
  );
};

const Logout = ({ phone: { id }, onClose }: { phone: Phone; onClose: () => void }) => {
  const t = phoneTexts();
  const act = useAct(async () => {
    await gateway.phones.logout(id);
    refresh("phones/");
    onClose();
  });
  return (
    <Confirm title={t.logoutTitle} yes={t.logout} act={act} onNo={onClose}>
      <p>{t.logoutText}</p>
    </Confirm>
  );
};

const Delete = ({ phone, onClose }: { phone: Phone; onClose: () => void }) => {
  const t = phoneTexts();
  const { route } = useLocation();
  const [isDeregistered, setDeregistered] = useState(false);
  const act = useAct(async () => {
    const answer = await gateway.phones.delete(phone.id, isDeregistered ? { query: { deregister: true } } : {});
    notify(answer ? t.deletedPending : t.deleted);
    route(href("/phones"), true);
    refresh("phones/found"); // the page does not ask for this phone again
  });
  return (
    <Confirm title={t.deleteTitle(phone.label)} yes={t.delete} act={act} onNo={onClose}>
      <p>{t.deleteText}</p>
      {isOfficial(phone) && (
        <Check
          label={t.deregister}
          hint={t.deregisterHint}
          checked={isDeregistered}
          onChange={({ currentTarget }) => setDeregistered(currentTarget.checked)}
        />
      )}
    </Confirm>
  );
};
