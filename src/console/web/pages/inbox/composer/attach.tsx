import {
  BarChart3,
  CalendarDays,
  ClipboardCopy,
  ContactRound,
  File,
  GalleryHorizontal,
  Link,
  List,
  type LucideIcon,
  MapPin,
  MessageSquareReply,
  Paperclip,
} from "lucide-preact";
import { useRef, useState } from "preact/hooks";
import { useAct } from "../../../frame/requests/query.ts";
import { IconButton } from "../../../parts/button.tsx";
import { type FormKind, formKindsOf } from "../../../parts/messages/content/kinds.ts";
import { formKindNames } from "../../../parts/messages/content/names.ts";
import { Failure } from "../../../parts/states.tsx";
import { inboxTexts } from "../texts.ts";
import type { ComposerProps } from "./answer.ts";
import { attachTexts } from "./attach-texts.ts";
import type { ContentDialog } from "./content-dialog.tsx";

/** TABLE: the icon of each type that has a form. */
const ICONS: Record<FormKind, LucideIcon> = {
  contact: ContactRound,
  poll: BarChart3,
  event: CalendarDays,
  location: MapPin,
  button: MessageSquareReply,
  list: List,
  carousel: GalleryHorizontal,
  cta_url: Link,
  copy_code: ClipboardCopy,
};

/** TABLE: by how much a key moves the focus in the menu. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Moves the focus through the items of the menu. */
const goThrough = (event: KeyboardEvent, menu: HTMLElement | null): void => {
  const step = STEPS[event.key];
  if (step === undefined || !menu) return;
  event.preventDefault();
  const items = [...menu.querySelectorAll("button")];
  const at = items.findIndex((item) => item === document.activeElement);
  items[(at + step + items.length) % items.length]?.focus();
};

type AttachProps = Pick<ComposerProps, "chat" | "capabilities" | "quoted" | "onQuote" | "onChange"> & {
  /** Undefined if the network takes no file. */
  onFiles: ((files: FileList | undefined) => void) | undefined;
};

type Opened = { kind: FormKind; Shown: typeof ContentDialog };

/** What an answer may be besides a text: a file, or what has a form. Only what the phone's network takes is there. */
export const Attach = ({ chat, capabilities, quoted, onQuote, onChange, onFiles }: AttachProps) => {
  const t = inboxTexts();
  const input = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  const kinds = formKindsOf(capabilities);
  const open = useAct(async (kind: FormKind) => {
    // the forms are loaded when somebody wants one
    const { ContentDialog: Shown } = await import("./content-dialog.tsx");
    setOpened({ kind, Shown });
  });
  const pick = (): void => input.current?.click();
  return (
    <>
      {kinds.length > 0 ? (
        <Menu kinds={kinds} onFile={onFiles && pick} onKind={(kind) => void open.run(kind)} />
      ) : (
        onFiles && <IconButton label={t.attach} icon={Paperclip} onClick={pick} />
      )}
      {onFiles && (
        <input
          ref={input}
          class="file-input"
          type="file"
          tabIndex={-1}
          aria-label={t.attach}
          onChange={({ currentTarget }) => {
            onFiles(currentTarget.files ?? undefined);
            currentTarget.value = "";
          }}
        />
      )}
      {open.error !== undefined && <Failure error={open.error} />}
      {opened && (
        <opened.Shown
          kind={opened.kind}
          chat={chat}
          quotedMessageId={quoted?.id}
          onClose={() => setOpened(undefined)}
          onSent={() => {
            onQuote(undefined);
            onChange();
          }}
        />
      )}
    </>
  );
};

type MenuProps = {
  kinds: readonly FormKind[];
  onFile: (() => void) | undefined;
  onKind: (kind: FormKind) => void;
};

const Menu = ({ kinds, onFile, onKind }: MenuProps) => {
  const t = attachTexts();
  const names = formKindNames();
  const menu = useRef<HTMLDivElement>(null);
  const choose = (act: () => void) => (): void => {
    menu.current?.hidePopover();
    act();
  };
  return (
    <>
      <IconButton label={t.attachMore} icon={Paperclip} popovertarget="attach" />
      <div
        id="attach"
        popover="auto"
        class="attach-menu"
        ref={menu}
        role="group"
        aria-label={t.attachMore}
        onKeyDown={(event) => goThrough(event, menu.current)}
        onToggle={() => {
          if (menu.current?.matches(":popover-open")) menu.current.querySelector("button")?.focus();
        }}
      >
        {onFile && <Item icon={File} text={t.file} onChoose={choose(onFile)} />}
        {kinds.map((kind) => (
          <Item key={kind} icon={ICONS[kind]} text={names[kind]} onChoose={choose(() => onKind(kind))} />
        ))}
      </div>
    </>
  );
};

const Item = ({ icon: Icon, text, onChoose }: { icon: LucideIcon; text: string; onChoose: () => void }) => (
  <button type="button" onClick={onChoose}>
    <Icon size={18} aria-hidden="true" />
    <span>{text}</span>
  </button>
);
