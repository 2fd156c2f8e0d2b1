import type { ComponentChildren, InputHTMLAttributes } from "preact";
import { createContext } from "preact";
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { holdPage } from "../../frame/leaving.ts";
import { fieldFaults } from "../../frame/requests/failure.ts";
import type { Act } from "../../frame/requests/query.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { Button } from "../button.tsx";
import { Failure } from "../states.tsx";
import { faultsAtFields } from "./field-faults.ts";

const Faults = createContext<Readonly<Record<string, readonly string[]>>>({});

/** The names of the fields that a person has changed since the form was opened or saved. */
export type Touched = ReadonlySet<string>;

/** The fields that a person has changed. Untouched fields are not sent, so that they stay. */
export const onlyTouched = <Fields extends object>(touched: Touched, fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => touched.has(name))) as Partial<Fields>;

/** The faults that the browser does not find: a required text of blanks alone. A password may be of blanks. */
const ownFaults = (form: HTMLFormElement): Record<string, string[]> => {
  const blank = [...form.elements].filter(
    (field) =>
      (field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && field.type !== "password")) &&
      field.required &&
      field.name !== "" &&
      field.value.trim() === "",
  );
  return Object.fromEntries(blank.map((field) => [field.getAttribute("name") ?? "", [frameTexts().blank]]));
};

/** The faults of a form: those of the refusal, in the form's own words if it has some, or those found here. */
const useFaults = (error: unknown, texts: Readonly<Record<string, string>>) => {
  const form = useRef<HTMLFormElement>(null);
  const [own, setOwn] = useState<Record<string, string[]>>({});
  const isField = (name: string): boolean => form.current !== null && form.current.elements.namedItem(name) !== null;
  const refused = faultsAtFields(fieldFaults(error), isField);
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [error, own]);
  return {
    form,
    faults: {
      ...Object.fromEntries(Object.entries(refused).map(([name, said]) => [name, texts[name] ? [texts[name]] : said])),
      ...own,
    },
    /** Whether the form may be sent. */
    check(sent: HTMLFormElement): boolean {
      const found = ownFaults(sent);
      setOwn(found);
      return Object.keys(found).length === 0;
    },
    /** Whether the form shows the faults under this name of the refusal at its fields. */
    isShown: (name: string): boolean => isField(name) || refused[name] === undefined,
  };
};

/** Whether the form has a longer typed text that is not stored yet. The page asks before it loses it. */
const useTypedText = () => {
  const changed = useRef(new Set<HTMLTextAreaElement>());
  const [isTyped, setTyped] = useState(false);
  // before the next act of the person: an effect would come after the next frame
  useLayoutEffect(() => (isTyped ? holdPage() : undefined), [isTyped]);
  const count = (): void => setTyped([...changed.current].some(({ isConnected }) => isConnected));
  return {
    typed({ target }: Event): void {
      if (!(target instanceof HTMLTextAreaElement)) return;
      if (target.value === target.defaultValue) changed.current.delete(target);
      else changed.current.add(target);
      count();
    },
    stored(): void {
      changed.current.clear();
      count();
    },
  };
};

/**
 * A form that runs an act with its fields, and with the names of the touched ones. It shows a refusal at the fields
 * that the refusal names, else below the form. The browser checks `required`, `type`, `min` and the like before.
 * `faultTexts`: the meaning of a field's refusal here, by the field's name, in place of the server's words.
 */
export const Form = ({
  act,
  submit,
  onCancel,
  faultTexts = {},
  children,
}: {
  act: Act<[FormData, Touched]>;
  submit: string;
  faultTexts?: Readonly<Record<string, string>>;
  onCancel?: () => void;
  children: ComponentChildren;
}) => {
  const { form, faults, check, isShown } = useFaults(act.error, faultTexts);
  const touched = useRef(new Set<string>());
  const { typed, stored } = useTypedText();
  const submitted = async (fields: FormData): Promise<void> => {
    if (await act.run(fields, new Set(touched.current))) {
      touched.current.clear();
      stored();
    }
  };
  return (
    <form
      ref={form}
      class="form"
      onInput={(event) => {
        const { target } = event;
        typed(event);
        if (target instanceof Element) touched.current.add(target.getAttribute("name") ?? "");
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (check(event.currentTarget)) void submitted(new FormData(event.currentTarget));
      }}
    >
      <Faults.Provider value={faults}>{children}</Faults.Provider>
      {act.error !== undefined && <Failure error={act.error} isShownAbove={isShown} />}
      <div class="form-actions">
        {onCancel && <Button onClick={onCancel}>{frameTexts().cancel}</Button>}
        <Button tone="primary" type="submit" isBusy={act.isRunning}>
          {submit}
        </Button>
      </div>
    </form>
  );
};

type FieldTexts = { label: string; hint?: string | undefined; isOptional?: boolean | undefined };

/** The props of a control beside its texts. `defaultValue`: for a form that reads its fields when it is sent. */
type Control<Element> = {
  name?: string;
  value?: string;
  defaultValue?: string;
  placeholder?: string;
  autocomplete?: string;
  autoFocus?: boolean;
  disabled?: boolean;
  required?: boolean;
  minLength?: number;
  maxLength?: number;
  onInput?: (event: { currentTarget: Element }) => void;
  onChange?: (event: { currentTarget: Element }) => void;
};

type InputTypes =
  | "text"
  | "email"
  | "password"
  | "number"
  | "tel"
  | "url"
  | "date"
  | "time"
  | "datetime-local"
  | "file"
  | "color";
type InputControl = Control<HTMLInputElement> & {
  type?: InputTypes;
  inputMode?: "numeric" | "decimal" | "tel" | "email" | "url";
  pattern?: string;
  min?: string | number;
  max?: string | number;
  step?: string | number;
  accept?: string;
  multiple?: boolean;
  list?: string;
};

/** The attributes and faults of a field of the form around it. `own`: a fault that the field itself finds. */
export const useField = (name: string | undefined, hint: string | undefined, own = "") => {
  const id = useId();
  const refused = useContext(Faults)[name ?? ""] ?? [];
  const faults = own === "" ? refused : [own];
  const describedBy = [hint && `${id}-hint`, faults.length > 0 && `${id}-fault`].filter(Boolean).join(" ");
  return {
    id,
    faults,
    attributes: {
      id,
      name,
      "aria-invalid": faults.length > 0,
      ...(describedBy === "" ? {} : { "aria-describedby": describedBy }),
    },
  };
};

/** A control with its label, its hint and its faults. */
export const withLabel = (
  { id, faults }: { id: string; faults: readonly string[] },
  { label, hint, isOptional }: FieldTexts,
  control: ComponentChildren,
) => (
  <div class="field">
    <label for={id}>
      {label}
      {isOptional && <span class="soft"> ({frameTexts().optional})</span>}
    </label>
    {control}
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {faults.length > 0 && (
      <p class="fault" id={`${id}-fault`}>
        {faults.join("; ")}
      </p>
    )}
  </div>
);

/** One line of text, a number, a date, a password … with its label, its hint and its faults. */
export const Field = ({ label, hint, name, isOptional, ...rest }: FieldTexts & InputControl) => {
  const field = useField(name, hint);
  // the library has one type for each `type`, and this `type` may be any of them
  const attributes = { type: "text", required: !isOptional, ...rest, ...field.attributes };
  return withLabel(
    field,
    { label, hint, isOptional },
    <input {...(attributes as InputHTMLAttributes<HTMLInputElement>)} />,
  );
};

/** A field for a new password, with the server's limits. */
export const NewPasswordField = (texts: { label: string; hint: string }) => (
  <Field {...texts} name="password" type="password" autocomplete="new-password" minLength={8} maxLength={1024} />
);

/** Several lines of text. */
export const TextArea = ({
  label,
  hint,
  name,
  isOptional,
  ...rest
}: FieldTexts & { rows?: number } & Control<HTMLTextAreaElement>) => {
  const field = useField(name, hint);
  return withLabel(
    field,
    { label, hint, isOptional },
    <textarea rows={4} required={!isOptional} {...rest} {...field.attributes} />,
  );
};

/**
 * A choice of a few. `options`: the value and the text of each. It shows `value` or `defaultValue` even if that is no
 * longer an option, so that a stored value never looks like another.
 */
export const Select = ({
  label,
  hint,
  name,
  options,
  value,
  defaultValue,
  ...rest
}: FieldTexts & { options: readonly (readonly [value: string, text: string])[] } & Omit<
    Control<HTMLSelectElement>,
    "minLength" | "maxLength" | "placeholder"
  >) => {
  const field = useField(name, hint);
  const chosen = value ?? defaultValue;
  const isKnown = chosen === undefined || chosen === "" || options.some(([one]) => one === chosen);
  return withLabel(
    field,
    { label, hint },
    <select {...rest} {...(value === undefined ? {} : { value })} {...field.attributes}>
      {(isKnown ? options : [[chosen, chosen] as const, ...options]).map(([one, text]) => (
        // the library writes the `defaultValue` of a choice as an attribute, which browsers ignore
        <option key={one} value={one} selected={one === chosen}>
          {text}
        </option>
      ))}
    </select>,
  );
};

/** A switch with its sentence. */
export const Check = ({
  label,
  hint,
  name,
  ...rest
}: FieldTexts &
  Pick<Control<HTMLInputElement>, "name" | "disabled" | "required" | "onChange" | "value"> & {
    checked?: boolean;
    defaultChecked?: boolean;
  }) => {
  const field = useField(name, hint);
  return (
    <div class="field check">
      <input type="checkbox" {...rest} {...field.attributes} />
      <div>
        <label for={field.id}>{label}</label>
        {hint && (
          <p class="hint" id={`${field.id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
};

/** The unchanged text of a form's field, such as a password; empty without such a field. */
export const typedIn = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

/** The same without blanks around it. */
export const textIn = (form: FormData, name: string): string => typedIn(form, name).trim();
