import type { LucideIcon } from "lucide-preact";
import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { failureText, fieldFaults } from "../frame/requests/failure.ts";
import type { Query } from "../frame/requests/query.ts";
import { frameTexts } from "../frame/texts/texts.ts";
import { Button } from "./button.tsx";

/** Stands in place of an empty list. Says the purpose of the list, and the next step. */
export const Empty = ({
  icon: Icon,
  title,
  hint,
  children,
}: {
  icon?: LucideIcon | undefined;
  title: string;
  hint?: string | undefined;
  children?: ComponentChildren;
}) => (
  <div class="empty">
    {Icon && <Icon size={36} strokeWidth={1.5} aria-hidden="true" />}
    <h2>{title}</h2>
    {hint && <p>{hint}</p>}
    {children && <div class="actions">{children}</div>}
  </div>
);

/** Stands in place of content until it is loaded. */
export const Skeleton = ({ lines = 5 }: { lines?: number | undefined }) => (
  <div class="skeleton" role="status" aria-label={frameTexts().loading}>
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} />
    ))}
  </div>
);

/**
 * Shows a failure, and a way to try again. It shows also the faults of fields, unless `isShownAbove` says that the
 * field itself shows them.
 */
export const Failure = ({
  error,
  onAgain,
  isShownAbove = () => false,
}: {
  error: unknown;
  onAgain?: (() => void) | undefined;
  isShownAbove?: (field: string) => boolean;
}) => {
  const others = Object.entries(fieldFaults(error)).filter(([field]) => !isShownAbove(field));
  const { text, detail, requestId } = failureText(error);
  const t = frameTexts();
  return (
    <div class="notice bad" role="alert">
      <CircleAlert size={18} aria-hidden="true" />
      <div>
        <p>{text}</p>
        {detail && <p class="small">{detail}</p>}
        {others.length > 0 && (
          <ul class="small">
            {others.map(([field, faults]) => (
              <li key={field}>
                <code>{field}</code>: {faults.join("; ")}
              </li>
            ))}
          </ul>
        )}
        {requestId && <p class="small mono">{t.requestId(requestId)}</p>}
      </div>
      {onAgain && <Button onClick={onAgain}>{t.again}</Button>}
    </div>
  );
};

export type NoticeTone = "info" | "good" | "warning" | "bad";
const NOTICE_ICONS = { info: Info, good: CircleCheck, warning: TriangleAlert, bad: CircleAlert };

/** A sentence that a person should not miss. */
export const Notice = ({ tone = "info", children }: { tone?: NoticeTone; children: ComponentChildren }) => {
  const Icon = NOTICE_ICONS[tone];
  return (
    <div class={`notice ${tone}`}>
      <Icon size={18} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
};

/** Draws an answer: a skeleton until it comes, or the failure. An earlier answer stays visible. */
export const Loaded = <Data,>({
  query,
  lines,
  children,
}: {
  query: Query<Data>;
  lines?: number | undefined;
  children: (data: Data) => ComponentChildren;
}) => (
  <>
    {query.error !== undefined && <Failure error={query.error} onAgain={query.reload} />}
    {query.data === undefined ? query.error === undefined && <Skeleton lines={lines} /> : children(query.data)}
  </>
);
