import { Check, RotateCcw, X } from "lucide-preact";
import { useEffect } from "preact/hooks";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button, IconButton } from "../../parts/button.tsx";
import { Field, Form, Select, type Touched, textIn } from "../../parts/forms/form.tsx";
import { Details as Values } from "../../parts/layout.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { addressOf, nameOf } from "../../parts/people/contact-names.ts";
import { PhoneName } from "../../parts/phones/phones.tsx";
import { Failure } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { type Chat, useAssignees } from "./data.ts";
import { isTyping } from "./keys.ts";
import { inboxTexts } from "./texts.ts";

type DetailsProps = { chat: Chat; onClose: () => void; onChange: () => void };

/** The details of a chat and its person, its assignee, and the acts of the agent. */
export const Details = ({ chat, onClose, onChange }: DetailsProps) => {
  const t = inboxTexts();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && !isTyping(event.target)) onClose();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  const name = nameOf(chat, t.deletedContact);
  return (
    <aside class="chat-details" aria-label={t.details}>
      <header>
        <h2>{t.details}</h2>
        <IconButton label={t.closeDetails} icon={X} onClick={onClose} />
      </header>
      <div class="person-card">
        <Avatar name={name} of={chat.contact?.id ?? chat.id} isLarge />
        <p class="person-title" dir="auto">
          {name}
        </p>
        {chat.contact && <p class="soft">{addressOf(chat.contact)}</p>}
        {chat.contact?.optedOutAt && <Badge tone="warning">{t.optedOut}</Badge>}
        {chat.contact && <a href={href(`/contacts/${chat.contact.id}`)}>{t.toContact}</a>}
      </div>
      <Values
        items={[
          [t.phone, <PhoneName key="phone" id={chat.phoneId} />],
          [t.begun, <When at={chat.createdAt} key="at" />],
          ...(chat.answerWindow
            ? [
                [
                  t.window,
                  chat.answerWindow.isOpen ? <When at={chat.answerWindow.endsAt} key="window" /> : t.windowIsClosed,
                ] as const,
              ]
            : []),
          ...(chat.closedAt ? [[t.closed, <When at={chat.closedAt} key="closed" />] as const] : []),
        ]}
      />
      {chat.state === "OPEN" && <Assigning chat={chat} onChange={onChange} />}
      {chat.agent && chat.contact && <AgentNotes chat={chat} />}
      <ChatState chat={chat} onChange={onChange} />
    </aside>
  );
};

/** The assignee of the chat, with a note for them. */
const Assigning = ({ chat, onChange }: { chat: Chat; onChange: () => void }) => {
  const t = inboxTexts();
  const members = useAssignees();
  const act = useAct(async (form: FormData, touched: Touched) => {
    const userId = textIn(form, "userId") || null;
    const note = touched.has("note") ? textIn(form, "note") : (chat.note ?? "");
    await gateway.chats.assign(chat.id, userId === null ? { userId } : { userId, note });
    notify(t.saved);
    onChange();
  });
  if (members.length === 0) return null;
  if (!may("chats.write")) return <Values items={[[t.assignee, chat.assignee?.name ?? t.nobody]]} />;
  return (
    <section class="detail-part" key={`${chat.assignedUserId} ${chat.note}`}>
      <h3>{t.assignment}</h3>
      <Form act={act} submit={t.assign}>
        <Select
          label={t.assignee}
          name="userId"
          defaultValue={chat.assignedUserId ?? ""}
          options={[["", t.nobody], ...members.map(({ userId, name }) => [userId, name] as const)]}
        />
        <Field label={t.note} name="note" defaultValue={chat.note ?? ""} maxLength={500} isOptional hint={t.noteHint} />
      </Form>
    </section>
  );
};

/** The number of the agent's turns that the page shows. */
const TURNS = 6;

/** The agent's conversation with the person: its state, why the agent gave up, and the last turns. */
const AgentNotes = ({ chat }: { chat: Chat }) => {
  const t = inboxTexts();
  const key = chat.contact?.canonicalKey ?? "";
  const turns = useQuery(
    `agent-turns/${chat.phoneId}/${key}`,
    (signal) => gateway.ai.listTurns(chat.phoneId, key, { limit: TURNS }, { signal }).page(),
    { on: ["message:", "agent:"] },
  );
  if (!chat.agent) return null;
  const { status, handoffReason, handoffAt } = chat.agent;
  return (
    <section class="detail-part">
      <h3>{t.agent}</h3>
      <p>
        <Badge tone={status === "AI" ? "info" : "neutral"}>{t.agentStatus[status]}</Badge>
      </p>
      {handoffAt && (
        <p class="small soft">
          {t.handedOff} <When at={handoffAt} />
        </p>
      )}
      {handoffReason && <p class="agent-reason">{t.reasonOf(handoffReason)}</p>}
      {may("ai.read") && (turns.data?.length ?? 0) > 0 && (
        <details>
          <summary>{t.agentTurns}</summary>
          <ol class="agent-turns">
            {turns.data?.map(({ id, role, content }) => (
              <li key={id}>
                <b>{t.turnOf[role]}</b> <span dir="auto">{content}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
};

/** Closing and opening, which the head leaves out of narrow windows. */
const ChatState = ({ chat, onChange }: { chat: Chat; onChange: () => void }) => {
  const t = inboxTexts();
  const act = useAct(async () => {
    if (chat.state === "OPEN") await gateway.chats.close(chat.id);
    else await gateway.chats.reopen(chat.id);
    notify(chat.state === "OPEN" ? t.done.close : t.done.reopen);
    onChange();
  });
  if (!may("chats.write")) return null;
  return (
    <section class="detail-part">
      <p class="small soft">{chat.state === "OPEN" ? t.closeHint : t.reopenHint}</p>
      {act.error !== undefined && <Failure error={act.error} />}
      <Button icon={chat.state === "OPEN" ? Check : RotateCcw} isBusy={act.isRunning} onClick={() => void act.run()}>
        {chat.state === "OPEN" ? t.closeChat : t.reopen}
      </Button>
    </section>
  );
};
