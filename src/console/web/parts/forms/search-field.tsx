import { useId, useState } from "preact/hooks";
import { number } from "../../frame/texts/format.ts";
import { catalogue } from "../../frame/texts/languages.ts";
import { foundIn, type Option } from "./search-options.ts";

const texts = catalogue({
  en: {
    nothing: "Nothing is called that.",
    searching: "Searching …",
    more: (count: string) => `${count} more: type a part of the name`,
    some: "There are more: type a part of the name",
  },
  pt: {
    nothing: "Nada tem esse nome.",
    searching: "Buscando …",
    more: (count: string) => `Mais ${count}: digite uma parte do nome`,
    some: "Há mais: digite uma parte do nome",
  },
  es: {
    nothing: "Nada tiene ese nombre.",
    searching: "Buscando …",
    more: (count: string) => `${count} más: escriba una parte del nombre`,
    some: "Hay más: escriba una parte del nombre",
  },
});

/** TABLE: by how much a key moves the chosen line. */
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The matches of the typed words. `more`: the number of further matches, or whether there are any. */
export type Lines = { found: readonly Option[]; more: number | boolean };

type Common = {
  id: string;
  value: string;
  onChange: (value: string) => void;
  disabled?: boolean;
  describedBy?: string;
  isFaulty?: boolean;
};

type Props = Common & {
  /** The name of `value`. */
  text: string;
  /** Undefined during a search, so that nothing can be chosen by mistake. */
  lines: Lines | undefined;
  /** Gets the typed text, and an empty text when the list closes. */
  onType: (typed: string) => void;
};

/** The effect of a key on a list: moves, chooses, or keeps the choice. */
const useKeys = ({ lines, at, isOpen, ...act }: KeysOf) => {
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (isOpen) act.move(Math.max(0, Math.min(at + step, (lines?.found.length ?? 0) - 1)));
      else act.open();
    } else if (event.key === "Enter" && isOpen) {
      event.preventDefault(); // the form is sent by the next one
      if (lines) act.choose(lines.found[at]);
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault(); // a dialog around it stays
      event.stopPropagation();
      act.close();
    }
  };
  return onKeyDown;
};

type KeysOf = {
  lines: Lines | undefined;
  at: number;
  isOpen: boolean;
  move: (to: number) => void;
  open: () => void;
  close: () => void;
  choose: (option: Option | undefined) => void;
};

/**
 * A choice among many, by a part of the name: the combobox of the WAI-ARIA authoring practices, with a list of lines.
 * Arrows move, Enter chooses, Escape keeps the choice.
 */
export const SearchField = (props: Props) => {
  const { id, value, text, lines, onType, onChange, disabled = false, describedBy, isFaulty = false } = props;
  const listId = useId();
  const [typed, setTyped] = useState<string>();
  const [at, setAt] = useState(0);
  const isOpen = typed !== undefined;
  const type = (next: string | undefined): void => {
    setTyped(next);
    onType(next ?? "");
  };
  const close = (): void => type(undefined);
  const open = (): void => {
    if (disabled || isOpen) return;
    type("");
    setAt(lines?.found.findIndex(([one]) => one === value) ?? -1); // Enter changes nothing then
  };
  const choose = (option: Option | undefined): void => {
    if (option && option[0] !== value) onChange(option[0]);
    close();
  };
  const onKeyDown = useKeys({ lines, at, isOpen, move: setAt, open, close, choose });
  return (
    <div class="search-choice">
      <input
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-invalid={isFaulty}
        {...(isOpen && lines?.found[at] ? { "aria-activedescendant": `${listId}-${at}` } : {})}
        {...(describedBy ? { "aria-describedby": describedBy } : {})}
        disabled={disabled}
        value={typed ?? text}
        placeholder={text}
        onClick={open}
        onBlur={close}
        onKeyDown={onKeyDown}
        onInput={({ currentTarget }) => {
          type(currentTarget.value);
          setAt(0);
        }}
      />
      <List id={listId} isOpen={isOpen} lines={lines} at={at} value={value} onChoose={choose} />
    </div>
  );
};

/** The same among options that the page has in full. */
export const ChoiceField = ({ options, value, ...rest }: Common & { options: readonly Option[] }) => {
  const [typed, setTyped] = useState("");
  const text = options.find(([one]) => one === value)?.[1] ?? value;
  return <SearchField {...rest} value={value} text={text} lines={foundIn(options, typed)} onType={setTyped} />;
};

type ListProps = {
  id: string;
  isOpen: boolean;
  lines: Lines | undefined;
  at: number;
  value: string;
  onChoose: (option: Option) => void;
};

const List = ({ id, isOpen, lines, at, value, onChoose }: ListProps) => (
  <div class="search-lines" hidden={!isOpen}>
    <ul id={id} role="listbox">
      {lines?.found.map((option, index) => (
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
    {isOpen && <State lines={lines} />}
  </div>
);

/** Says that the lines do not show everything. */
const State = ({ lines }: { lines: Lines | undefined }) => {
  const t = texts();
  if (lines === undefined || lines.found.length === 0)
    return (
      <p class="hint" role="status">
        {lines === undefined ? t.searching : t.nothing}
      </p>
    );
  if (lines.more === false || lines.more === 0) return null;
  return <p class="hint">{lines.more === true ? t.some : t.more(number(lines.more))}</p>;
};

const scrollTo = (line: HTMLLIElement | null): void => line?.scrollIntoView({ block: "nearest" });
