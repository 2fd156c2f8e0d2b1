import type { LucideIcon } from "lucide-preact";
import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { href } from "../frame/base.ts";

export type Tone = "primary" | "plain" | "danger" | "quiet";

type Shown = { tone?: Tone; icon?: LucideIcon; isBusy?: boolean; children?: ComponentChildren };

const inside = ({ icon: Icon, isBusy = false, children }: Shown) => (
  <>
    {isBusy ? <span class="spinner" aria-hidden="true" /> : Icon && <Icon size={16} aria-hidden="true" />}
    {children !== undefined && <span>{children}</span>}
  </>
);

/** A button. While `isBusy` it takes no click, and keeps the focus. */
export const Button = ({
  tone = "plain",
  icon,
  isBusy = false,
  children,
  onClick,
  type = "button",
  ...rest
}: Shown & Omit<ButtonHTMLAttributes<HTMLButtonElement>, "icon">) => (
  <button
    {...rest}
    type={type}
    class={`button ${tone}`}
    aria-busy={isBusy}
    onClick={(event) => {
      if (isBusy) event.preventDefault();
      else onClick?.(event);
    }}
  >
    {inside({ ...(icon ? { icon } : {}), isBusy, children })}
  </button>
);

/** A button with an icon alone; `label` is its name. */
export const IconButton = ({
  label,
  icon: Icon,
  onClick,
  ...rest
}: { label: string; icon: LucideIcon } & Omit<ButtonHTMLAttributes<HTMLButtonElement>, "icon" | "label">) => (
  <button {...rest} type="button" class="button quiet icon" aria-label={label} title={label} onClick={onClick}>
    <Icon size={18} aria-hidden="true" />
  </button>
);

/** A link to a page of the console that looks like a button. */
export const ButtonLink = ({ path, tone = "plain", icon, children }: Omit<Shown, "isBusy"> & { path: string }) => (
  <a class={`button ${tone}`} href={href(path)}>
    {inside({ ...(icon ? { icon } : {}), children })}
  </a>
);
