import type { ChangeContact, Contact, CreateContact } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, onlyTouched, TextArea, type Touched, textIn } from "../../parts/forms/form.tsx";
import { notify } from "../../parts/toasts.tsx";
import { metadataLines, metadataOf, tagsOf } from "./fields.ts";
import { contactsTexts } from "./texts.ts";

/** Makes a contact, or changes `contact`. */
export const ContactForm = ({
  contact,
  onClose,
  onSaved,
}: {
  contact?: Contact;
  onClose: () => void;
  onSaved: (contact: Contact) => void;
}) => {
  const t = contactsTexts();
  const act = useAct(async (form: FormData, touched: Touched) => {
    const textOf = (name: string): string => textIn(form, name);
    const fields: ChangeContact = {
      name: textOf("name"),
      email: textOf("email") || null,
      tags: tagsOf(textOf("tags")),
      metadata: metadataOf(textOf("metadata"), contact?.metadata),
    };
    const saved = contact
      ? await gateway.contacts.update(contact.id, onlyTouched(touched, fields))
      : await gateway.contacts.create({ ...fields, phoneNumber: textOf("phoneNumber") } as CreateContact);
    refresh("contacts");
    refresh("chats/");
    notify(t.saved);
    onClose();
    onSaved(saved);
  });
  return (
    <Dialog title={contact ? t.change : t.add} onClose={onClose}>
      <Form act={act} submit={t.save} onCancel={onClose}>
        {!contact && <Field label={t.number} name="phoneNumber" hint={t.numberHint} inputMode="tel" autoFocus />}
        <Field
          label={t.name}
          name="name"
          defaultValue={contact?.name ?? ""}
          maxLength={120}
          autoFocus={Boolean(contact)}
        />
        <Field
          label={t.email}
          name="email"
          type="email"
          defaultValue={contact?.email ?? ""}
          maxLength={320}
          isOptional
        />
        <Field label={t.tags} name="tags" hint={t.tagsHint} defaultValue={contact?.tags.join(", ") ?? ""} isOptional />
        <TextArea
          label={t.metadata}
          name="metadata"
          hint={t.metadataHint}
          rows={4}
          defaultValue={contact ? metadataLines(contact.metadata) : ""}
          isOptional
        />
      </Form>
    </Dialog>
  );
};
