import { X } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { frameTexts } from "../frame/texts.ts";
import { Button, IconButton } from "./button.tsx";
import { Failure } from "./states.tsx";

/**
 * A modal dialog, open while it is drawn. Escape, the cross and a click beside it close it. `isHeld`: the cross and its
 * own buttons alone do, because what it shows cannot be shown again.
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
  // before anything is painted, so that what is typed at once goes into the dialog
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close(); // the browser gives the focus back to what had it
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isWide ? "wide" : ""}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!isHeld) onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current && !isHeld) onClose();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={titleId}>{title}</h2>
          <IconButton label={frameTexts().close} icon={X} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
};

/**
 * Asks once before what cannot be undone. `children` say what will be lost; `act` is the word on the button. The other
 * button goes back: where the act is to cancel something, nobody can take "Cancel" for it.
 */
export const Confirm = ({
  title,
  act,
  isBusy,
  error,
  onYes,
  onNo,
  children,
}: {
  title: string;
  act: string;
  isBusy: boolean;
  error?: unknown;
  onYes: () => void;
  onNo: () => void;
  children: ComponentChildren;
}) => (
  <Dialog title={title} onClose={onNo}>
    {children}
    {error !== undefined && <Failure error={error} />}
    <div class="dialog-actions">
      <Button onClick={onNo}>{frameTexts().back}</Button>
      <Button tone="danger" isBusy={isBusy} onClick={onYes}>
        {act}
      </Button>
    </div>
  </Dialog>
);
