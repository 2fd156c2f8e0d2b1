import { Search } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { frameTexts } from "../../frame/texts/texts.ts";
import { Button } from "../button.tsx";

/** The row of filters above a list. */
export const Filters = ({ children }: { children: ComponentChildren }) => (
  <div class="filters" role="search">
    {children}
  </div>
);

/** A choice among the filters. */
export const FilterSelect = ({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
}) => {
  const id = useId();
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
};

/** A field for words. The search begins when typing pauses. */
export const PAUSE_MS = 300;

/** `isBare`: the label is shown within the empty field. */
export const FilterSearch = ({
  label,
  value,
  onChange,
  isBare = false,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  isBare?: boolean;
}) => {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <div class="filter search">
      <label for={id} class={isBare ? "visually-hidden" : ""}>
        {label}
      </label>
      <div class="search-box">
        <Search size={16} aria-hidden="true" />
        <input
          id={id}
          type="search"
          placeholder={isBare ? label : ""}
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            clearTimeout(timer.current);
            timer.current = setTimeout(() => onChange(currentTarget.value.trim()), PAUSE_MS);
          }}
        />
      </div>
    </div>
  );
};

/** The way to the next page of a list, and back to the first. */
export const Pager = ({
  cursor,
  nextCursor,
  onCursor,
}: {
  cursor: string;
  nextCursor: string | null | undefined;
  onCursor: (cursor: string) => void;
}) => {
  const t = frameTexts();
  if (cursor === "" && !nextCursor) return null;
  return (
    <nav class="pager" aria-label={t.next}>
      <Button disabled={cursor === ""} onClick={() => onCursor("")}>
        {t.first}
      </Button>
      <Button disabled={!nextCursor} onClick={() => onCursor(nextCursor ?? "")}>
        {t.next}
      </Button>
    </nav>
  );
};
