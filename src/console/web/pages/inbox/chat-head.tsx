import { ArrowLeft, Bot, Check, PanelRight, RotateCcw, UserRound } from "lucide-preact";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useAct } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button, IconButton } from "../../parts/button.tsx";
import { Avatar } from "../../parts/people/avatar.tsx";
import { addressOf, nameOf } from "../../parts/people/contact-names.ts";
import { usePhoneName } from "../../parts/phones/phones.tsx";
import { Failure } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import type { Chat } from "./data.ts";
import { inboxTexts } from "./texts.ts";
import { colleagueIn } from "./work/colleagues.ts";
import { Snooze } from "./work/snooze.tsx";
import { workTexts } from "./work/texts.ts";

type HeadProps = {
  chat: Chat;
  back: string;
  presence: "composing" | "recording" | undefined;
  hasDetails: boolean;
  onDetails: () => void;
  onChange: () => void;
};

/** The person of the chat, its leader, and the possible acts. */
export const ChatHead = ({ chat, back, presence, hasDetails, onDetails, onChange }: HeadProps) => {
  const t = inboxTexts();
  const name = nameOf(chat, t.deletedContact);
  const phone = usePhoneName(chat.phoneId);
  const w = workTexts();
  const colleague = colleagueIn(chat.id);
  const address = chat.contact && chat.contact.name !== null ? addressOf(chat.contact) : "";
  return (
    <header class="chat-head">
      <a class="button quiet icon chat-back" href={href(back)} aria-label={t.back} title={t.back}>
        <ArrowLeft size={18} aria-hidden="true" />
      </a>
      <Avatar name={name} of={chat.contact?.id ?? chat.id} />
      <div class="chat-who">
        <h2 dir="auto">{name}</h2>
        <p class="small soft">
          {colleague !== undefined ? (
            <span class="writing" role="status">
              {w.answering(colleague || w.somebody)}
            </span>
          ) : presence ? (
            <span class="writing" role="status">
              {t.presence[presence]}
            </span>
          ) : (
            [address, phone].filter(Boolean).join(" · ")
          )}
        </p>
      </div>
      <Lead chat={chat} onChange={onChange} />
      <Snooze chat={chat} onChange={onChange} />
      <IconButton label={t.details} icon={PanelRight} aria-pressed={hasDetails} onClick={onDetails} />
    </header>
  );
};

type Change = "person" | "agent" | "close" | "reopen";

/** TABLE: the changes of a chat, with their icons. */
const ICONS = { person: UserRound, agent: Bot, close: Check, reopen: RotateCcw };

/** The changes that a chat allows now. */
const changesOf = ({ state, leader, agent }: Chat): Change[] => {
  if (state === "CLOSED") return ["reopen"];
  if (leader !== "person") return ["person", "close"];
  return agent && agent.status !== "CLOSED" ? ["agent", "close"] : ["close"];
};

/** The leader of the chat, with the ways to change it. */
const Lead = ({ chat, onChange }: { chat: Chat; onChange: () => void }) => {
  const t = inboxTexts();
  const act = useAct(async (what: Change) => {
    if (what === "close") await gateway.chats.close(chat.id);
    else if (what === "reopen") await gateway.chats.reopen(chat.id);
    else await gateway.chats.handOver(chat.id, { to: what });
    notify(t.done[what]);
    onChange();
  });
  const names: Record<Change, string> = { person: t.takeOver, agent: t.handBack, close: t.close, reopen: t.reopen };
  return (
    <div class="chat-lead">
      <LeadBadge chat={chat} />
      {may("chats.write") &&
        changesOf(chat).map((what) => (
          <Button
            key={what}
            tone={what === "person" ? "primary" : "plain"}
            icon={ICONS[what]}
            isBusy={act.isRunning}
            onClick={() => void act.run(what)}
          >
            {names[what]}
          </Button>
        ))}
      {act.error !== undefined && (
        <div class="chat-lead-fault">
          <Failure error={act.error} />
        </div>
      )}
    </div>
  );
};

const LeadBadge = ({ chat }: { chat: Chat }) => {
  const t = inboxTexts();
  if (chat.state === "CLOSED") return <Badge>{t.closed}</Badge>;
  if (chat.leader === "agent") return <Badge tone="info">{t.agentLeads}</Badge>;
  return chat.leader === "app" ? <Badge tone="warning">{t.appLeads(chat.heldBy?.role ?? "")}</Badge> : null;
};
