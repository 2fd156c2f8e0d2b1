import { useId, useRef, useState } from "preact/hooks";
import { number } from "../frame/format.ts";
import { catalogue } from "../frame/languages.ts";
import { foundIn, type Option } from "./search-options.ts";

const texts = catalogue({
  en: { nothing: "Nothing is called that.", more: (count: string) => `${count} more: type a part of the name` },
  pt: { nothing: "Nada tem esse nome.", more: (count: string) => `Mais ${count}: digite uma parte do nome` },
  es: { nothing: "Nada tiene ese nombre.", more: (count: string) => `${count} más: escriba una parte del nombre` },
});

/** TABLE: by how much a key moves the chosen line. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

type Props = {
  id: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
  disabled?: boolean;
  describedBy?: string;
};

/**
 * A choice among many, which is found by a part of its name: the combobox of the WAI-ARIA authoring practices, with a
 * list of lines. Arrows move, Enter chooses, Escape leaves what was chosen.
 */
export const SearchField = ({ id, value, options, onChange, disabled = false, describedBy }: Props) => {
  const listId = useId();
  const [typed, setTyped] = useState<string>();
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const isOpen = typed !== undefined;
  const { found, more } = foundIn(options, typed ?? "");
  const chosen = options.find(([one]) => one === value)?.[1] ?? value;
  const close = (): void => setTyped(undefined);
  const open = (): void => {
    if (disabled || isOpen) return;
    setTyped("");
    setAt(foundIn(options, "").found.findIndex(([one]) => one === value)); // Enter changes nothing then
  };
  const choose = (option: Option | undefined): void => {
    if (option && option[0] !== value) onChange(option[0]);
    close();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (isOpen) setAt(Math.max(0, Math.min(at + step, found.length - 1)));
      else open();
    } else if (event.key === "Enter" && isOpen) {
      event.preventDefault(); // the form is sent by the next one
      choose(found[at]);
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault(); // a dialog around it stays
      event.stopPropagation();
      close();
    }
  };
  return (
    <div class="search-choice">
      <input
        ref={input}
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        {...(isOpen && found[at] ? { "aria-activedescendant": `${listId}-${at}` } : {})}
        {...(describedBy ? { "aria-describedby": describedBy } : {})}
        disabled={disabled}
        value={typed ?? chosen}
        placeholder={chosen}
        onClick={open}
        onBlur={close}
        onKeyDown={onKeyDown}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setAt(0);
        }}
      />
      <Lines id={listId} isOpen={isOpen} found={found} at={at} more={more} value={value} onChoose={choose} />
    </div>
  );
};

type LinesProps = {
  id: string;
  isOpen: boolean;
  found: readonly Option[];
  at: number;
  more: number;
  value: string;
  onChoose: (option: Option) => void;
};

const Lines = ({ id, isOpen, found, at, more, value, onChoose }: LinesProps) => {
  const t = texts();
  return (
    <div class="search-lines" hidden={!isOpen}>
      <ul id={id} role="listbox">
        {found.map((option, index) => (
          // a press must not take the focus from the field, which would close the list before the click
          <li
            key={option[0]}
            id={`${id}-${index}`}
            role="option"
            aria-selected={option[0] === value}
            class={index === at ? "active" : ""}
            ref={index === at ? scrollTo : null}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(option)}
          >
            {option[1]}
          </li>
        ))}
      </ul>
      {isOpen && found.length === 0 && (
        <p class="hint" role="status">
          {t.nothing}
        </p>
      )}
      {isOpen && more > 0 && <p class="hint">{t.more(number(more))}</p>}
    </div>
  );
};

const scrollTo = (line: HTMLLIElement | null): void => line?.scrollIntoView({ block: "nearest" });
