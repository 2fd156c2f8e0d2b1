import type { LucideIcon } from "lucide-preact";
import type { ComponentChildren } from "preact";

/** What a message is about, beside an icon. */
export const Labelled = ({ icon: Icon, children }: { icon: LucideIcon; children: ComponentChildren }) => (
  <div class="labelled">
    <Icon size={20} aria-hidden="true" />
    <div>{children}</div>
  </div>
);
