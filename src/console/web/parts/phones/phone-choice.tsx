import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Phone } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { catalogue } from "../../frame/texts/languages.ts";
import { Select, useField, withLabel } from "../forms/form.tsx";
import { type Lines, SearchField } from "../forms/search-field.tsx";
import type { Option } from "../forms/search-options.ts";
import { FilterSelect, PAUSE_MS } from "../lists/filters.tsx";
import { type FoundPhones, usePhoneName, usePhonesFound } from "./phones.tsx";

const texts = catalogue({
  en: { phone: "Phone", all: "All phones", choose: "Choose a phone" },
  pt: { phone: "Telefone", all: "Todos os telefones", choose: "Escolha um telefone" },
  es: { phone: "Teléfono", all: "Todos los teléfonos", choose: "Elige un teléfono" },
});

/** The number of letters that a search compares. */
const LONGEST = 100;

const optionOf = ({ id, label, phoneNumber }: Phone): Option => [
  id,
  phoneNumber ? `${label} (+${phoneNumber})` : label,
];

type Among = {
  /** Only phones of these types. */
  types?: readonly Phone["type"][] | undefined;
  /** Phones that are not offered. */
  except?: readonly string[] | undefined;
};

const offered = (found: FoundPhones | undefined, except: readonly string[]): readonly Phone[] =>
  (found?.items ?? []).filter(({ id }) => !except.includes(id));

/** The lines of a search for a phone, which the server answers when typing pauses. */
const useLines = (first: readonly Option[], { types, except = [] }: Among) => {
  const [typed, setTyped] = useState("");
  const [q, setQ] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const { data } = usePhonesFound(q, types);
  const wordsOf = (text: string): string => text.trim().slice(0, LONGEST);
  const onType = (next: string): void => {
    setTyped(next);
    clearTimeout(timer.current);
    if (next === "") setQ("");
    else timer.current = setTimeout(() => setQ(wordsOf(next)), PAUSE_MS);
  };
  const lines: Lines | undefined =
    data === undefined || wordsOf(typed) !== q
      ? undefined
      : { found: [...(q === "" ? first : []), ...offered(data, except).map(optionOf)], more: data.hasMore };
  return { lines, onType };
};

type FieldProps = Among & {
  label: string;
  name: string;
  /** The chosen phone. Without it the field keeps the choice itself. */
  value?: string;
  /** The first choice of a field that keeps its choice itself: a phone that the person chose before. */
  initial?: string;
  disabled?: boolean;
  onChoose?: (id: string) => void;
};

/**
 * A phone among the fields of a form: a choice of a few, or a search. It begins without a choice, so that nothing goes
 * out from a phone that nobody chose. An account's only phone needs no choice.
 */
export const PhoneSelect = ({ value, initial = "", onChoose, ...field }: FieldProps) => {
  const { types, except = [] } = field;
  const { data } = usePhonesFound("", types);
  const [own, setOwn] = useState(initial);
  const chosen = value ?? own;
  const all = offered(data, except);
  const only = data && !data.hasMore && all.length === 1 ? all[0]?.id : undefined;
  const choose = (id: string): void => {
    setOwn(id);
    onChoose?.(id);
  };
  useEffect(() => {
    if (only !== undefined && chosen === "") choose(only);
  }, [only, chosen]);
  if (data?.hasMore) return <Searched {...field} value={chosen} onChoose={choose} />;
  return <Few {...field} phones={data && all} value={chosen} onChoose={choose} />;
};

type Shown = FieldProps & { value: string; onChoose: (id: string) => void };

const Few = ({
  phones,
  label,
  name,
  value,
  disabled = false,
  onChoose,
}: Shown & { phones: readonly Phone[] | undefined }) => {
  const current = usePhoneName(value);
  const options = phones?.map(({ id, label: text }) => [id, text] as const) ?? [];
  const isKnown = value === "" || options.some(([id]) => id === value);
  const none = [["", texts().choose] as const];
  return (
    <Select
      label={label}
      name={name}
      value={value}
      required
      disabled={disabled || phones === undefined}
      options={[
        ...(options.length === 1 && value !== "" ? [] : none),
        ...(isKnown ? [] : [[value, current] as const]),
        ...options,
      ]}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    />
  );
};

const Searched = ({ label, name, value, disabled = false, onChoose, ...among }: Shown) => {
  const field = useField(name, undefined);
  const { lines, onType } = useLines([], among);
  const current = usePhoneName(value);
  const hidden = useRef<HTMLInputElement>(null);
  return withLabel(
    field,
    { label },
    <>
      <SearchField
        id={field.id}
        value={value}
        text={value === "" ? texts().choose : current}
        lines={lines}
        onType={onType}
        onChange={(id) => {
          onChoose(id);
          hidden.current?.dispatchEvent(new Event("input", { bubbles: true })); // the form counts it as touched
        }}
        disabled={disabled}
        describedBy={field.attributes["aria-describedby"] ?? ""}
        isFaulty={field.faults.length > 0}
      />
      <input type="hidden" ref={hidden} name={name} value={value} required />
    </>,
  );
};

type FilterProps = Among & {
  value: string;
  onChange: (id: string) => void;
  /** Whether one phone is always chosen. */
  isRequired?: boolean;
};

/** A filter by phone, if the account has several. */
export const PhoneFilter = ({ isRequired = false, ...filter }: FilterProps) => {
  const t = texts();
  const { data } = usePhonesFound("", filter.types);
  const first: readonly Option[] = isRequired ? [] : [["", t.all]];
  if (data?.hasMore) return <SearchedFilter {...filter} first={first} />;
  const options = data?.items.map(({ id, label }) => [id, label] as const) ?? [];
  const isKnown = filter.value === "" || options.some(([id]) => id === filter.value);
  if (options.length < 2 && isKnown && !isRequired) return null;
  return <FewFilter {...filter} options={[...first, ...options]} isKnown={isKnown} />;
};

const FewFilter = ({
  value,
  onChange,
  options,
  isKnown,
}: FilterProps & { options: readonly Option[]; isKnown: boolean }) => {
  const current = usePhoneName(value);
  const all = isKnown ? options : [...options, [value, current] as const];
  return <FilterSelect label={texts().phone} value={value} options={all} onChange={onChange} />;
};

const SearchedFilter = ({ value, onChange, first, ...among }: FilterProps & { first: readonly Option[] }) => {
  const t = texts();
  const id = useId();
  const { lines, onType } = useLines(first, among);
  const current = usePhoneName(value);
  return (
    <div class="filter">
      <label for={id}>{t.phone}</label>
      <SearchField
        id={id}
        value={value}
        text={value === "" ? t.all : current}
        lines={lines}
        onType={onType}
        onChange={onChange}
      />
    </div>
  );
};
