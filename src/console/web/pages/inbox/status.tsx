import { Check, CheckCheck, CircleAlert, Clock, type LucideIcon } from "lucide-preact";
import { inboxTexts } from "./texts.ts";

/** TABLE: the picture of a status. A received message has none. */
const MARKS: Readonly<Record<string, LucideIcon>> = {
  QUEUED: Clock,
  SENT: Check,
  DELIVERED: CheckCheck,
  READ: CheckCheck,
  FAILED: CircleAlert,
};

/** What became of a message that was sent. */
export const StatusMark = ({ status }: { status: string }) => {
  const t = inboxTexts();
  const Icon = MARKS[status];
  if (!Icon) return null;
  return <Icon class={`status ${status.toLowerCase()}`} size={15} role="img" aria-label={t.status(status)} />;
};
