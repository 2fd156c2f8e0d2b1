import { catalogue } from "../../frame/texts/languages.ts";
import { KindFields, useKinds } from "../phones/kind-fields.tsx";
import { usePhone } from "../phones/phones.tsx";

const texts = catalogue({
  en: { more: "More options" },
  pt: { more: "Mais opções" },
  es: { more: "Más opciones" },
});

/** The options' names in a form: an option may be called `to`. */
const PREFIX = "sendOptions.";

/**
 * What the phone's network lets a person say of one message; nothing for a network without such options. It is folded,
 * unless a field must be filled in: browsers cannot show the fault of a hidden field.
 */
export const SendOptions = ({ phoneId }: { phoneId: string }) => {
  const type = usePhone(phoneId)?.type;
  const fields = useKinds().data?.find((kind) => kind.type === type)?.sendOptions ?? [];
  if (fields.length === 0) return null;
  return (
    <details key={phoneId} class="send-options" open={fields.some(({ isRequired }) => isRequired)}>
      <summary>{texts().more}</summary>
      <div class="form">
        <KindFields fields={fields} prefix={PREFIX} />
      </div>
    </details>
  );
};

/** The options that a form has filled in, as a field of a send. */
export const sendOptionsIn = (form: FormData): { sendOptions?: Record<string, string> } => {
  const filled = [...form].flatMap(([name, value]) =>
    name.startsWith(PREFIX) && typeof value === "string" && value.trim() !== ""
      ? [[name.slice(PREFIX.length), value.trim()] as const]
      : [],
  );
  return filled.length === 0 ? {} : { sendOptions: Object.fromEntries(filled) };
};
