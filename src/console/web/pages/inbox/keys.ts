import { signal } from "@preact/signals";

/** The chat that a person has opened by hand, as opposed to a chat that an address names. */
export const opened = signal<string | undefined>(undefined);

/** The chat that a person has opened to answer it: its composer takes the focus. */
export const answering = signal<string | undefined>(undefined);

/** Whether a key belongs to the control that has the focus. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input, textarea, select, dialog *, [role=menu] *, [popover] *"));
