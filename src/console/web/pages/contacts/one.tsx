import { MessagesSquare, Pencil, Send, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Chat, Contact } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { isOperator, may } from "../../frame/session.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Card, Details } from "../../parts/layout.tsx";
import { Table } from "../../parts/lists/table.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { addressOf } from "../../parts/people/contact-names.ts";
import { PhoneName, useHowMany } from "../../parts/phones/phones.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { NewMessage } from "../inbox/new-message.tsx";
import { inboxTexts } from "../inbox/texts.ts";
import { ContactForm } from "./contact-form.tsx";
import { Deletion } from "./deletion.tsx";
import { PersonData } from "./person-data.tsx";
import { Tags } from "./tags.tsx";
import { contactsTexts } from "./texts.ts";
import { WishButton } from "./wish.tsx";

/** One contact: the person, their chats, and the possible acts. */
export const OneContact = ({ id }: { id: string }) => {
  const query = useQuery(`contacts/${id}`, (signal) => gateway.contacts.get(id, { signal }), {
    on: ["message:received", "contact:opted-"],
  });
  return <Loaded query={query}>{(contact) => <Shown contact={contact} />}</Loaded>;
};

const Shown = ({ contact }: { contact: Contact }) => {
  const t = contactsTexts();
  const { route } = useLocation();
  const [dialog, setDialog] = useState<"change" | "delete" | "write" | undefined>(undefined);
  const phones = useHowMany();
  const mayWrite = may("chats.write");
  const close = (): void => setDialog(undefined);
  return (
    <>
      <PageHeader
        title={contact.name ?? addressOf(contact)}
        lead={contact.name === null ? t.nameless : addressOf(contact)}
        back={{ path: "/contacts", name: pageNames().contacts }}
      >
        {may("messages.write") && phones !== undefined && phones !== "none" && (
          <Button tone="primary" icon={Send} onClick={() => setDialog("write")}>
            {t.write}
          </Button>
        )}
        {mayWrite && (
          <Button icon={Pencil} onClick={() => setDialog("change")}>
            {t.edit}
          </Button>
        )}
        {mayWrite && <WishButton contact={contact} />}
        {mayWrite && (
          <Button icon={Trash2} onClick={() => setDialog("delete")}>
            {t.delete}
          </Button>
        )}
      </PageHeader>
      <div class="stack">
        <div class="grid">
          <Card title={t.about}>
            <About contact={contact} />
          </Card>
          <Card title={t.ids} hint={t.idsHint}>
            <div class="stack">
              <div>
                <p class="small soft">{t.recipient}</p>
                <CopyLine text={contact.canonicalKey} />
              </div>
              <div>
                <p class="small soft">{t.id}</p>
                <CopyLine text={contact.id} />
              </div>
            </div>
          </Card>
        </div>
        <Card title={t.chats}>
          <Chats contact={contact} />
        </Card>
        {isOperator.value && <PersonData contact={contact} />}
      </div>
      {dialog === "change" && <ContactForm contact={contact} onClose={close} onSaved={close} />}
      {dialog === "write" && (
        <NewMessage
          to={contact.phoneNumber ? addressOf(contact) : contact.canonicalKey}
          onClose={close}
          onOpen={(chatId) => route(href(`/inbox/${chatId}`))}
        />
      )}
      {dialog === "delete" && <Deletion contact={contact} onClose={close} />}
    </>
  );
};

const About = ({ contact }: { contact: Contact }) => {
  const t = contactsTexts();
  return (
    <Details
      items={[
        [t.number, contact.phoneNumber === null ? t.hidden : addressOf(contact)],
        [t.email, contact.email ?? "–"],
        [t.tags, <Tags key="tags" tags={contact.tags} />],
        ...(contact.optedOutAt === null
          ? []
          : [
              [
                t.optedOutSince,
                <span key="wish">
                  <When at={contact.optedOutAt} />
                  {contact.optedOutBy && `, ${t.optedOutBy[contact.optedOutBy]}`}
                </span>,
              ] as const,
            ]),
        ...Object.entries(contact.metadata).map(
          ([name, value]) =>
            [name, <bdi key={name}>{typeof value === "string" ? value : JSON.stringify(value)}</bdi>] as const,
        ),
        [t.created, <When key="created" at={contact.createdAt} />],
        [t.updated, <When key="updated" at={contact.updatedAt} />],
      ]}
    />
  );
};

/** The newest chats with the person, on all phones. */
const Chats = ({ contact }: { contact: Contact }) => {
  const t = contactsTexts();
  const inbox = inboxTexts();
  const query = useQuery(
    `chats/of/${contact.id}`,
    (signal) => gateway.chats.list({ contactId: contact.id }, { signal }).toArray(),
    { on: ["message:", "conversation:", "agent:"] },
  );
  return (
    <Loaded query={query}>
      {(items) =>
        items.length === 0 ? (
          <Empty icon={MessagesSquare} title={t.noChats} hint={t.noChatsHint} />
        ) : (
          <Table<Chat>
            label={t.chatsWith}
            rows={items}
            keyOf={({ id }) => id}
            linkOf={({ id }) => `/inbox/${id}`}
            columns={[
              {
                title: t.lastMessage,
                isMain: true,
                cell: ({ lastMessage }) => (
                  <bdi class="clamped">
                    {lastMessage?.deletedAt
                      ? inbox.deleted
                      : (lastMessage?.text ?? inbox.kindOf(lastMessage?.type ?? "text"))}
                  </bdi>
                ),
              },
              { title: inbox.phone, cell: ({ phoneId }) => <PhoneName id={phoneId} /> },
              {
                title: t.state,
                cell: ({ state, leader }) => (
                  <Badge tone={state === "OPEN" ? (leader === "agent" ? "info" : "good") : "neutral"}>
                    {state === "CLOSED" ? inbox.closed : leader === "agent" ? inbox.agentLeads : t.open}
                  </Badge>
                ),
              },
              { title: t.when, cell: ({ lastMessageAt }) => <When at={lastMessageAt} /> },
            ]}
          />
        )
      }
    </Loaded>
  );
};
