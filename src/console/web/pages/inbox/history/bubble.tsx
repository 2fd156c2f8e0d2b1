import { Reply, RotateCw, SmilePlus } from "lucide-preact";
import { useState } from "preact/hooks";
import type { AnswerChat, PhoneCapabilities } from "../../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../../frame/requests/client.ts";
import { useAct } from "../../../frame/requests/query.ts";
import { may } from "../../../frame/session.ts";
import { dateTime, timeOfDay } from "../../../frame/texts/format.ts";
import { Button, IconButton } from "../../../parts/button.tsx";
import type { Chat, LoggedMessage } from "../data.ts";
import { StatusMark } from "../status.tsx";
import { inboxTexts } from "../texts.ts";
import { Author } from "./author.tsx";
import { Content, summaryOf } from "./content.tsx";

const REACTIONS = ["👍", "❤️", "😂", "😮", "😢", "🙏"] as const;

type BubbleProps = {
  message: LoggedMessage;
  isFirst: boolean;
  quoted: LoggedMessage | undefined;
  chat: Chat;
  capabilities: PhoneCapabilities | undefined;
  onQuote: (message: LoggedMessage) => void;
  onChange: () => void;
};

/** Whether the phone's network takes a reaction to this message, and the person may give one. */
const canReact = ({ message, capabilities }: Pick<BubbleProps, "message" | "capabilities">): boolean => {
  const { direction, deletedAt, status } = message;
  if (!may("messages.write") || deletedAt !== null || status === "FAILED" || status === "QUEUED") return false;
  return (direction === "inbound" ? capabilities?.onReceived : capabilities?.onSent)?.includes("react") === true;
};

/** One message. */
export const Bubble = (props: BubbleProps) => {
  const { message, isFirst, chat, onChange } = props;
  const [isReacting, setReacting] = useState(false);
  const { direction, deletedAt, status, reactions } = message;
  return (
    <li class={`message ${direction} ${isFirst ? "first" : ""}`}>
      <Said {...props} />
      {reactions.length > 0 && (
        <p class="reactions">
          {[...new Set(reactions.map(({ emoji }) => emoji))].map((emoji) => (
            <span key={emoji}>{emoji}</span>
          ))}
          {reactions.length > 1 && <span class="small">{reactions.length}</span>}
        </p>
      )}
      {deletedAt === null && <Tools {...props} isReacting={isReacting} onReact={() => setReacting(!isReacting)} />}
      {isReacting && <Reactions message={message} onDone={() => setReacting(false)} />}
      {status === "FAILED" && <Failed message={message} chat={chat} onChange={onChange} />}
    </li>
  );
};

/** The content of the message, with its time and its status. */
const Said = ({ message, isFirst, quoted }: BubbleProps) => {
  const t = inboxTexts();
  const { direction, deletedAt, createdAt, status } = message;
  return (
    <div class={`speech ${message.type === "sticker" ? "bare" : ""} ${status === "FAILED" ? "failed" : ""}`}>
      <Author message={message} isFirst={isFirst} />
      {message.quotedMessageId !== null && (
        <p class="quoted" dir="auto">
          {quoted ? summaryOf(quoted, t) : t.quotedEarlier}
        </p>
      )}
      {deletedAt === null ? <Content message={message} /> : <p class="soft deleted">{t.deleted}</p>}
      <p class="message-foot">
        {message.isStandby && <span>{t.standby}</span>}
        {message.editedAt !== null && deletedAt === null && <span>{t.edited}</span>}
        <time dateTime={createdAt} title={dateTime(createdAt)}>
          {timeOfDay(createdAt)}
        </time>
        {direction === "outbound" && <StatusMark status={status} />}
      </p>
    </div>
  );
};

/** The buttons to answer and to react, beside the message with the pointer or the focus. */
const Tools = ({ isReacting, onReact, ...props }: BubbleProps & { isReacting: boolean; onReact: () => void }) => {
  const t = inboxTexts();
  const { message, chat, onQuote } = props;
  return (
    <div class="message-tools">
      {may("messages.write") && chat.state === "OPEN" && (
        <IconButton label={t.reply} icon={Reply} onClick={() => onQuote(message)} />
      )}
      {canReact(props) && <IconButton label={t.react} icon={SmilePlus} aria-expanded={isReacting} onClick={onReact} />}
    </div>
  );
};

const Reactions = ({ message, onDone }: { message: LoggedMessage; onDone: () => void }) => {
  const t = inboxTexts();
  const own = message.reactions.find(({ by }) => by === null)?.emoji;
  const act = useAct(async (emoji: string) => {
    await gateway.messages.react(message.id, { phoneId: message.phoneId, emoji });
    onDone();
  });
  return (
    <div class="reaction-choice" role="group" aria-label={t.react}>
      {REACTIONS.map((emoji) => (
        <button
          type="button"
          key={emoji}
          aria-pressed={own === emoji}
          disabled={act.isRunning}
          onClick={() => void act.run(own === emoji ? "" : emoji)}
        >
          {emoji}
        </button>
      ))}
      {act.error !== undefined && <span class="fault">{t.failed}</span>}
    </div>
  );
};

/** Why a message was not sent, and a way to send it again. */
const Failed = ({ message, chat, onChange }: { message: LoggedMessage; chat: Chat; onChange: () => void }) => {
  const t = inboxTexts();
  const act = useAct(async () => {
    const { type, content } = message;
    await gateway.chats.answer(chat.id, { type, content } as AnswerChat); // it was accepted in this form before
    onChange();
  });
  return (
    <div class="message-failed">
      <p>
        {t.notSent} <span dir="ltr">{(message.failedReason ?? "").replace(/^\[[A-Z_]+\]\s*/, "")}</span>
      </p>
      {may("messages.write") && chat.state === "OPEN" && (
        <Button icon={RotateCw} isBusy={act.isRunning} onClick={() => void act.run()}>
          {t.sendAgain}
        </Button>
      )}
    </div>
  );
};
