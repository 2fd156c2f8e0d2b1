import { Bell, BellOff } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Contact } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { notify } from "../../parts/toasts.tsx";
import { contactsTexts } from "./texts.ts";

/** Sets the opt-out of a contact, or ends it. */
export const WishButton = ({ contact }: { contact: Contact }) => {
  const t = contactsTexts();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button icon={contact.optedOutAt ? Bell : BellOff} onClick={() => setAsked(true)}>
        {contact.optedOutAt ? t.optIn : t.optOut}
      </Button>
      {isAsked && <Wish contact={contact} onClose={() => setAsked(false)} />}
    </>
  );
};

/** Sets the opt-out of a contact, or ends it, after a question. */
const Wish = ({ contact, onClose }: { contact: Contact; onClose: () => void }) => {
  const t = contactsTexts();
  const isOut = contact.optedOutAt !== null;
  const act = useAct(async () => {
    await (isOut ? gateway.contacts.optIn(contact.id) : gateway.contacts.optOut(contact.id));
    notify(isOut ? t.optInDone : t.optOutDone);
    refresh("contacts");
    refresh("chats/");
    onClose();
  });
  return (
    <Confirm title={isOut ? t.optInTitle : t.optOutTitle} yes={isOut ? t.optIn : t.optOut} act={act} onNo={onClose}>
      <p>{isOut ? t.optInHint : t.optOutHint}</p>
    </Confirm>
  );
};
