import { useLocation } from "preact-iso";
import type { Contact } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { isOperator } from "../../frame/session.ts";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { notify } from "../../parts/toasts.tsx";
import { contactsTexts } from "./texts.ts";

/** Says the effects of a deletion, and the data that stay. */
export const Deletion = ({ contact, onClose }: { contact: Contact; onClose: () => void }) => {
  const t = contactsTexts();
  const { route } = useLocation();
  const act = useAct(async () => {
    await gateway.contacts.delete(contact.id);
    notify(t.deleted);
    route(href("/contacts"));
    refresh("contacts "); // the lists; this contact is not asked for again
    refresh("chats/");
  });
  return (
    <Confirm title={t.deleteTitle} yes={t.delete} act={act} onNo={onClose}>
      <p>{t.deleteHint}</p>
      <p class="soft">{isOperator.value ? t.eraseHintOperator : t.eraseHint}</p>
    </Confirm>
  );
};
