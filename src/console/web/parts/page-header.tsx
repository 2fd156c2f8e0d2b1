import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { href } from "../frame/base.ts";

/** The head of a page: its title, which is also the tab's, one sentence, the way back, and the possible acts. */
export const PageHeader = ({
  title,
  lead,
  back,
  children,
}: {
  title: string;
  lead?: string;
  back?: { path: string; name: string };
  children?: ComponentChildren;
}) => {
  useEffect(() => {
    document.title = `${title} · Recado`;
  }, [title]);
  return (
    <header class="page-header">
      <div class="page-title">
        {back && (
          <a class="back" href={href(back.path)}>
            ← {back.name}
          </a>
        )}
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children && <div class="actions">{children}</div>}
    </header>
  );
};
