import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { href } from "../frame/base.ts";

/** A part of a page with its own heading. */
export const Card = ({
  title,
  hint,
  actions,
  children,
}: {
  title?: string;
  hint?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) => {
  const id = useId();
  return (
    <section class="card" {...(title === undefined ? {} : { "aria-labelledby": id })}>
      {title !== undefined && (
        <header>
          <div>
            <h2 id={id}>{title}</h2>
            {hint && <p class="hint">{hint}</p>}
          </div>
          {actions && <div class="actions">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
};

/** A number that people look at. `path`: the page that explains it. */
export const Stat = ({
  name,
  value,
  note,
  path,
  tone,
}: {
  name: string;
  value: ComponentChildren;
  note?: ComponentChildren;
  path?: string;
  tone?: "good" | "warning" | "bad";
}) => {
  const content = (
    <>
      <span class="stat-name">{name}</span>
      <span class="stat-value">{value}</span>
      {note !== undefined && <span class="stat-note">{note}</span>}
    </>
  );
  const className = `stat ${tone ?? ""}`;
  return path === undefined ? (
    <div class={className}>{content}</div>
  ) : (
    <a class={className} href={href(path)}>
      {content}
    </a>
  );
};

/** Names with their values, one below the other. */
export const Details = ({ items }: { items: readonly (readonly [name: string, value: ComponentChildren])[] }) => (
  <dl class="details">
    {items.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** A quota: the use of its limit, as a bar with its end. Without a limit (null) it is only a number. */
export const Bar = ({
  name,
  used,
  limit,
  text,
}: {
  name: string;
  used: number;
  limit: number | null;
  text?: string;
}) => {
  const share = limit === null || limit === 0 ? 0 : Math.min(1, used / limit);
  const tone = share >= 1 ? "bad" : share >= 0.8 ? "warning" : "good";
  return (
    <div class="bar">
      <span class="bar-name">{name}</span>
      <span class="bar-text">{text ?? (limit === null ? used : `${used} / ${limit}`)}</span>
      {limit !== null && <meter class={tone} min={0} max={1} value={share} aria-label={name} />}
    </div>
  );
};

/** Pages of one thing, each with its own address. */
export const Tabs = ({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly { name: string; path: string }[];
  current: string;
}) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ name, path }) => (
      <a key={path} href={href(path)} {...(path === current ? { "aria-current": "page" as const } : {})}>
        {name}
      </a>
    ))}
  </nav>
);
