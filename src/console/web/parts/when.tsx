import { signal } from "@preact/signals";
import { dateTime, distance } from "../frame/texts/format.ts";

/** The time of day, renewed so that distances grow by themselves. */
const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 10_000);

/** A time as its distance from now, with the whole of it on hover; null: a dash. `isFull`: written out. */
export const When = ({ at, isFull = false }: { at: string | number | null | undefined; isFull?: boolean }) => {
  if (at === null || at === undefined) return <span class="soft">–</span>;
  const whole = dateTime(at);
  return (
    <time dateTime={new Date(at).toISOString()} title={whole}>
      {isFull ? whole : distance(at, Math.max(now.value, Date.now()))}
    </time>
  );
};
