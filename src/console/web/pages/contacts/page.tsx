import { ContactRound, Plus, Search } from "lucide-preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Contact } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useListState } from "../../frame/address.ts";
import { href } from "../../frame/base.ts";
import { given } from "../../frame/filters.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import type { PageProps } from "../../frame/routes.tsx";
import { may } from "../../frame/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { FilterSearch, FilterSelect } from "../../parts/lists/filters.tsx";
import { ListPage } from "../../parts/lists/list.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { addressOf } from "../../parts/people/contact-names.ts";
import { When } from "../../parts/when.tsx";
import { ContactForm } from "./contact-form.tsx";
import { OneContact } from "./one.tsx";
import { Tags } from "./tags.tsx";
import { contactsTexts } from "./texts.ts";

/** The people of the account, and each of them. */
export const ContactsPage = ({ id }: PageProps) =>
  id === undefined ? <AllContacts /> : <OneContact key={id} id={id} />;

const columnsOf = (t: ReturnType<typeof contactsTexts>): Column<Contact>[] => [
  {
    title: t.name,
    isMain: true,
    cell: (contact) => {
      const name = contact.name ?? addressOf(contact);
      return (
        <span class="contact-name">
          <Avatar name={name} of={contact.id} />
          <bdi class="clamped">{name}</bdi>
          {contact.optedOutAt && <Badge tone="warning">{t.optedOut}</Badge>}
        </span>
      );
    },
  },
  { title: t.number, cell: (contact) => <span class="mono">{addressOf(contact)}</span> },
  { title: t.email, isMinor: true, cell: ({ email }) => email ?? <span class="soft">–</span> },
  { title: t.tags, isMinor: true, cell: ({ tags }) => <Tags tags={tags} /> },
  { title: t.created, cell: ({ createdAt }) => <When at={createdAt} /> },
];

const AllContacts = () => {
  const t = contactsTexts();
  const { route } = useLocation();
  const list = useListState({ q: "", optedOut: "" });
  const { q, optedOut, cursor } = list.filters;
  const [isNew, setNew] = useState(false);
  const query = useQuery(
    `contacts ${q} ${optedOut} ${cursor}`,
    (signal) => gateway.contacts.list(given({ q, optedOut, cursor, limit: "50" }), { signal }).page(),
    { on: ["message:received", "contact:synced", "contact:opted-"] },
  );
  const add = may("chats.write") && (
    <Button tone="primary" icon={Plus} onClick={() => setNew(true)}>
      {t.add}
    </Button>
  );
  return (
    <ListPage
      name="contacts"
      lead={t.lead}
      actions={add}
      state={list}
      filters={
        <>
          <FilterSearch label={t.search} {...list.field("q")} />
          <FilterSelect
            label={t.wishes}
            options={[
              ["", t.everyone],
              ["true", t.optedOut],
              ["false", t.notOptedOut],
            ]}
            {...list.field("optedOut")}
          />
        </>
      }
      query={query}
      lines={8}
      columns={columnsOf(t)}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/contacts/${id}`}
      empty={{ icon: ContactRound, title: t.empty, hint: t.emptyHint, children: add }}
      notFound={{ icon: Search, title: t.notFound, hint: t.notFoundHint }}
    >
      {isNew && <ContactForm onClose={() => setNew(false)} onSaved={({ id }) => route(href(`/contacts/${id}`))} />}
    </ListPage>
  );
};
