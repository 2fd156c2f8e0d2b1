import type { RefObject } from "preact";
import { lengthText } from "../../../parts/messages/send-limit-texts.ts";
import type { TextUse } from "../../../parts/messages/send-limits.ts";

/** The id of the line with the length of the text. */
const LENGTH_ID = "answer-length";

type AnswerTextProps = {
  area: RefObject<HTMLTextAreaElement | null>;
  label: string;
  text: string;
  /** Whether the text is longer than the network takes. */
  isOver: boolean;
  onWrite: (text: string) => void;
  onFiles: ((files: FileList) => void) | undefined;
  onSubmit: (event: Event) => void;
  /** The keys of an open menu; true: the key is used up. */
  onKey: (event: KeyboardEvent) => boolean;
  /** The attributes of the text while a menu is open below it. */
  menu: Readonly<Record<string, string>>;
};

/** The text of an answer. Enter sends it. */
export const AnswerText = ({ area, label, text, isOver, onWrite, onFiles, onSubmit, onKey, menu }: AnswerTextProps) => (
  <textarea
    ref={area}
    rows={1}
    value={text}
    placeholder={label}
    aria-label={label}
    aria-invalid={isOver}
    aria-describedby={LENGTH_ID}
    dir="auto"
    {...menu}
    onInput={({ currentTarget }) => onWrite(currentTarget.value)}
    onPaste={(event) => {
      if (!onFiles || !event.clipboardData?.files.length) return;
      event.preventDefault();
      onFiles(event.clipboardData.files);
    }}
    onKeyDown={(event) => {
      if (!event.isComposing && onKey(event)) return;
      if (event.key === "Escape") event.currentTarget.blur();
      // Enter that ends a word of an input method is no answer
      if (event.key === "Enter" && !event.isComposing && !event.shiftKey) onSubmit(event);
    }}
  />
);

/** The length of the answer's text beside its limit, or that it is too long. */
export const AnswerLength = ({ use }: { use: TextUse }) => (
  <p id={LENGTH_ID} class={use.isOver ? "composer-fault" : "answer-length"} role={use.isOver ? "alert" : undefined}>
    {lengthText(use)}
  </p>
);
