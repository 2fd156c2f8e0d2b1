import { FileText, SendHorizontal, Smile, X } from "lucide-preact";
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { may } from "../../../frame/session.ts";
import { dateTime } from "../../../frame/texts/format.ts";
import { Button, IconButton } from "../../../parts/button.tsx";
import { SendOptions } from "../../../parts/messages/send-options.tsx";
import { Failure, Notice } from "../../../parts/states.tsx";
import type { Chat, LoggedMessage } from "../data.ts";
import { summaryOf } from "../history/content.tsx";
import { answering } from "../keys.ts";
import { inboxTexts } from "../texts.ts";
import { type ComposerProps, useAnswer, useFiles } from "./answer.ts";
import { AnswerLength, AnswerText } from "./answer-text.tsx";
import { Attach } from "./attach.tsx";
import { Attachment } from "./attachment.tsx";
import { useCanned } from "./canned/use-canned.tsx";
import { EMOJI } from "./emoji.ts";
import { TemplateDialog } from "./template-dialog.tsx";
import { useTypingSign } from "./typing.ts";

/** The place to answer a chat; or why the person cannot answer, with the next step. */
export const Composer = (props: ComposerProps) => {
  const t = inboxTexts();
  const { chat, capabilities, onChange } = props;
  const [hasTemplates, setTemplates] = useState(false);
  if (!may("messages.write")) return <p class="composer-note">{t.mayNotAnswer}</p>;
  if (chat.contact === null) return <p class="composer-note">{t.contactGone}</p>;
  if (chat.state === "CLOSED") return <p class="composer-note">{t.closedHint}</p>;
  const isClosed = chat.answerWindow !== null && !chat.answerWindow.isOpen;
  const template = capabilities?.hasTemplates && (
    <Button tone={isClosed ? "primary" : "quiet"} icon={FileText} onClick={() => setTemplates(true)}>
      {t.template}
    </Button>
  );
  return (
    <div class="composer">
      {chat.leader === "app" && <Notice tone="warning">{t.appHint}</Notice>}
      {isClosed ? (
        <div class="window-closed">
          <p>{chat.answerWindow?.endsAt ? t.windowClosed(dateTime(chat.answerWindow.endsAt)) : t.windowNever}</p>
          {template}
        </div>
      ) : (
        <Answer {...props}>{template}</Answer>
      )}
      {hasTemplates && <TemplateDialog chat={chat} onClose={() => setTemplates(false)} onSent={onChange} />}
    </div>
  );
};

const Answer = (props: ComposerProps & { children: ComponentChildren }) => {
  const { chat, capabilities, lastReceived, quoted, onQuote, children } = props;
  const t = inboxTexts();
  const { text, write, file, setFile, way, setWay, isCaption, use, fault, isReady, sent, act } = useAnswer(props);
  const area = useRef<HTMLTextAreaElement>(null);
  const showTyping = useTypingSign(chat, capabilities, lastReceived);
  const takesFiles = capabilities?.takesUploads ?? false;
  const take = (files: FileList | undefined): void => {
    if (files?.[0]) setFile(files[0]);
    area.current?.focus();
  };
  useFiles(takesFiles, take);
  useFocus(area, chat, quoted);
  const canned = useCanned({ chat, text, write, area });
  const insert = (emoji: string): void => {
    const { selectionStart = text.length, selectionEnd = text.length } = area.current ?? {};
    write(text.slice(0, selectionStart) + emoji + text.slice(selectionEnd));
    area.current?.focus();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (canned.stops()) return;
    if (area.current?.form) void act.run(new FormData(area.current.form));
  };
  return (
    <form onSubmit={submit}>
      {act.error !== undefined && <Failure error={act.error} />}
      {quoted && <Quoting message={quoted} onRemove={() => onQuote(undefined)} />}
      {file && (
        <Attachment
          file={file}
          fault={fault}
          capabilities={capabilities}
          way={way}
          onWay={setWay}
          onRemove={() => setFile(undefined)}
        />
      )}
      {canned.shown}
      <div class="composer-line">
        <Emoji onEmoji={insert} />
        <Attach {...props} onFiles={takesFiles ? take : undefined} />
        <AnswerText
          area={area}
          label={isCaption ? t.caption : t.write}
          text={text}
          isOver={use.isOver}
          onWrite={(value) => {
            write(value);
            showTyping();
          }}
          onFiles={takesFiles ? take : undefined}
          onSubmit={submit}
          onKey={canned.onKey}
          menu={canned.attributes}
        />
        {children}
        <Button
          tone="primary"
          type="submit"
          icon={SendHorizontal}
          isBusy={act.isRunning}
          aria-label={t.send}
          disabled={!isReady}
        />
      </div>
      <AnswerLength use={use} />
      {/* an option is of one message: the next begins without */}
      <SendOptions key={sent} phoneId={chat.phoneId} />
    </form>
  );
};

/** Gives the composer the focus when somebody wants to answer: they opened the chat for that, or quoted a message. */
const useFocus = (area: RefObject<HTMLTextAreaElement | null>, chat: Chat, quoted: LoggedMessage | undefined): void => {
  useEffect(() => {
    if (quoted) area.current?.focus();
  }, [quoted]);
  useEffect(() => {
    // on a phone the keyboard would cover the chat
    const isMouse = matchMedia("(pointer: fine)").matches;
    if (answering.peek() === chat.id && isMouse) area.current?.focus({ preventScroll: true });
  }, []);
};

const Quoting = ({ message, onRemove }: { message: LoggedMessage; onRemove: () => void }) => {
  const t = inboxTexts();
  return (
    <div class="quoting">
      <p class="quoted" dir="auto">
        {summaryOf(message, t)}
      </p>
      <IconButton label={t.noQuote} icon={X} onClick={onRemove} />
    </div>
  );
};

/** The most used emoji, in a menu. */
const Emoji = ({ onEmoji }: { onEmoji: (emoji: string) => void }) => {
  const t = inboxTexts();
  const menu = useRef<HTMLDivElement>(null);
  return (
    <>
      <IconButton label={t.emoji} icon={Smile} popovertarget="emoji" />
      <div id="emoji" popover="auto" class="emoji-menu" ref={menu} role="group" aria-label={t.emoji}>
        {EMOJI.map((emoji) => (
          <button
            type="button"
            key={emoji}
            onClick={() => {
              menu.current?.hidePopover();
              onEmoji(emoji);
            }}
          >
            {emoji}
          </button>
        ))}
      </div>
    </>
  );
};
