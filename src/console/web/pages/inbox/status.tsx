import { Check, CheckCheck, CircleAlert, Clock, type LucideIcon } from "lucide-preact";
import { inboxTexts } from "./texts.ts";

/** TABLE: the icon of a status. A received message has no icon. */
const MARKS: Readonly<Record<string, LucideIcon>> = {
  QUEUED: Clock,
  SENT: Check,
  DELIVERED: CheckCheck,
  READ: CheckCheck,
  FAILED: CircleAlert,
};

/** The status of a sent message. */
export const StatusMark = ({ status }: { status: string }) => {
  const t = inboxTexts();
  const Icon = MARKS[status];
  if (!Icon) return null;
  return <Icon class={`status ${status.toLowerCase()}`} size={15} role="img" aria-label={t.status(status)} />;
};
