import { X } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Act } from "../../frame/requests/act.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { Button, IconButton } from "../button.tsx";
import { Failure } from "../states.tsx";

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const isControl = (target: EventTarget | null): target is Control =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
const contentOf = (control: Control): string =>
  control instanceof HTMLInputElement && (control.type === "checkbox" || control.type === "radio")
    ? String(control.checked)
    : control.value;

/** Follows the typing into a dialog. The result says whether some of it would be lost. */
const followTyping = (dialog: HTMLElement): (() => boolean) => {
  const before = new Map<Control, string | undefined>();
  const typedInto = new Set<Control>();
  dialog.addEventListener("focusin", ({ target }) => {
    if (isControl(target) && !before.has(target)) before.set(target, contentOf(target));
  });
  dialog.addEventListener("input", ({ target }) => void (isControl(target) && typedInto.add(target)));
  return () => [...typedInto].some((control) => control.isConnected && contentOf(control) !== before.get(control));
};

/** Asks before a dialog closes and loses the typed text. */
const Leaving = ({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) => {
  const t = frameTexts();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    box.current?.querySelector("button")?.focus();
    return () => void (before instanceof HTMLElement && before.focus());
  }, []);
  return (
    <div class="notice warning" role="alert" ref={box}>
      <div>
        <p>{t.discard}</p>
        <div class="actions">
          <Button tone="primary" onClick={onStay}>
            {t.goOn}
          </Button>
          <Button onClick={onLeave}>{t.discardIt}</Button>
        </div>
      </div>
    </div>
  );
};

/**
 * A modal dialog, open while it is drawn. Escape, the cross and a click beside it close it, and ask first if somebody
 * typed into it. `isHeld`: only the cross and its own buttons close it, because its content cannot be shown again.
 */
export const Dialog = ({
  title,
  onClose,
  isWide = false,
  isHeld = false,
  children,
}: {
  title: string;
  onClose: () => void;
  isWide?: boolean;
  isHeld?: boolean;
  children: ComponentChildren;
}) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isTyped = useRef((): boolean => false);
  const [isLeaving, setLeaving] = useState(false);
  // before anything is painted, so that immediate typing goes into the dialog
  useLayoutEffect(() => {
    const shown = dialog.current;
    if (shown) isTyped.current = followTyping(shown);
    shown?.showModal();
    return () => shown?.close(); // the browser gives the focus back to its former element
  }, []);
  const leave = (): void => {
    if (isTyped.current()) setLeaving(true);
    else onClose();
  };
  return (
    <dialog
      ref={dialog}
      class={isWide ? "wide" : ""}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!isHeld) leave();
      }}
      onMouseDown={(event) => {
        if (event.target !== dialog.current || isHeld) return;
        event.preventDefault(); // the focus stays where it is
        leave();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={titleId} tabIndex={-1}>
            {title}
          </h2>
          <IconButton label={frameTexts().close} icon={X} onClick={leave} />
        </header>
        {isLeaving && <Leaving onStay={() => setLeaving(false)} onLeave={onClose} />}
        {children}
      </div>
    </dialog>
  );
};

/**
 * Asks once before an act that cannot be undone. `children`: the loss; `yes`: the word on the button. The other button
 * says "back", because "Cancel" would be ambiguous if the act itself cancels something.
 */
export const Confirm = ({
  title,
  yes,
  act,
  onNo,
  children,
}: {
  title: string;
  yes: string;
  act: Pick<Act<[]>, "run" | "isRunning" | "error">;
  onNo: () => void;
  children: ComponentChildren;
}) => (
  <Dialog title={title} onClose={onNo}>
    {children}
    {act.error !== undefined && <Failure error={act.error} />}
    <div class="dialog-actions">
      <Button onClick={onNo}>{frameTexts().back}</Button>
      <Button tone="danger" isBusy={act.isRunning} onClick={() => void act.run()}>
        {yes}
      </Button>
    </div>
  </Dialog>
);
