import { signal } from "@preact/signals";
import { CircleCheck } from "lucide-preact";

const toasts = signal<readonly { id: number; text: string }[]>([]);
const SHOWN_MS = 5000;
let last = 0;

/** Confirms an act for a few seconds. */
export const notify = (text: string): void => {
  last += 1;
  const id = last;
  toasts.value = [...toasts.value, { id, text }];
  setTimeout(() => {
    toasts.value = toasts.value.filter((toast) => toast.id !== id);
  }, SHOWN_MS);
};

/** The place of these words. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map(({ id, text }) => (
      <p key={id}>
        <CircleCheck size={18} aria-hidden="true" />
        {text}
      </p>
    ))}
  </div>
);
