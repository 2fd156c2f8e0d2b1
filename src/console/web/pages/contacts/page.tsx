import { ContactRound, Plus, Search } from "lucide-preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Contact } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useFilters } from "../../frame/address.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import type { PageProps } from "../../frame/routes.tsx";
import { may } from "../../frame/session.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Button } from "../../parts/button.tsx";
import { FilterSearch, Filters, Pager } from "../../parts/lists/filters.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { addressOf } from "../../parts/people/contact-names.ts";
import { Empty, Loaded } from "../../parts/states.tsx";
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
  const [{ q, cursor }, change] = useFilters({ q: "", cursor: "" });
  const [isNew, setNew] = useState(false);
  const mayWrite = may("chats.write");
  const query = useQuery(
    `contacts ${q} ${cursor}`,
    (signal) =>
      gateway.contacts
        .list({ ...(q === "" ? {} : { q }), ...(cursor === "" ? {} : { cursor }), limit: "50" }, { signal })
        .page(),
    { on: ["message:received", "contact:synced"] },
  );
  const add = mayWrite && (
    <Button tone="primary" icon={Plus} onClick={() => setNew(true)}>
      {t.add}
    </Button>
  );
  return (
    <>
      <PageHeader title={pageNames().contacts} lead={t.lead}>
        {add}
      </PageHeader>
      <Filters>
        <FilterSearch label={t.search} value={q} onChange={(words) => change({ q: words })} />
      </Filters>
      <Loaded query={query} lines={8}>
        {({ items, nextCursor }) =>
          items.length === 0 && nextCursor === null ? (
            <Nothing isSearch={q !== ""}>{add}</Nothing>
          ) : (
            <>
              <Table
                label={pageNames().contacts}
                rows={items}
                columns={columnsOf(t)}
                keyOf={(contact) => contact.id}
                linkOf={(contact) => `/contacts/${contact.id}`}
              />
              <Pager cursor={cursor} nextCursor={nextCursor} onCursor={(next) => change({ cursor: next })} />
            </>
          )
        }
      </Loaded>
      {isNew && <ContactForm onClose={() => setNew(false)} onSaved={({ id }) => route(href(`/contacts/${id}`))} />}
    </>
  );
};

const Nothing = ({ isSearch, children }: { isSearch: boolean; children: preact.ComponentChildren }) => {
  const t = contactsTexts();
  return isSearch ? (
    <Empty icon={Search} title={t.notFound} hint={t.notFoundHint} />
  ) : (
    <Empty icon={ContactRound} title={t.empty} hint={t.emptyHint}>
      {children}
    </Empty>
  );
};
