import type { SentBy } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { account } from "../../frame/session.ts";
import { FilterSelect } from "../../parts/lists/filters.tsx";
import { authorTexts } from "../../parts/messages/author-texts.ts";
import { myKey } from "../../parts/messages/authors.ts";
import { useAssignees } from "../inbox/data.ts";
import { messagesTexts } from "./texts.ts";

/** TABLE: the kinds of senders of the filter, in its order. `user`: institutions alone have them. */
const KINDS = [
  "user",
  "operator",
  "agent",
  "phone",
  "key",
  "batch",
  "schedule",
  "chatwoot",
] as const satisfies readonly SentBy["kind"][];

/** A filter by who sent the messages: oneself, a colleague, or a kind of sender. A sender of the address stays a choice. */
export const AuthorFilter = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => {
  const t = authorTexts();
  const me = myKey();
  const colleagues = useAssignees()
    .map(({ userId, name }) => [`user:${userId}`, name] as const)
    .filter(([key]) => key !== me);
  const kinds = KINDS.filter((kind) => kind !== "user" || account.value?.isInstitution === true);
  const options: (readonly [value: string, text: string])[] = [
    ["", t.anybody],
    ...(me === undefined ? [] : [[me, t.you] as const]),
    ...colleagues,
    ...kinds.map((kind) => [kind, t.kinds[kind]] as const),
  ];
  const isKnown = options.some(([one]) => one === value);
  return (
    <FilterSelect
      label={t.author}
      value={value}
      onChange={onChange}
      options={isKnown ? options : [...options, [value, messagesTexts().chosenSender]]}
    />
  );
};
