import { isOperator } from "../../frame/session.ts";
import { dateTime } from "../../frame/texts/format.ts";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { actionText } from "./actions.ts";
import type { Entry } from "./page.tsx";
import { auditTexts } from "./texts.ts";

/** The actor: a person or a key by name, else the kind of the actor. */
const Actor = ({ actor, actorName, details }: Entry) => {
  const t = auditTexts();
  const [kind = actor, id] = actor.split(":");
  const kindText = (t.actors as Readonly<Record<string, string>>)[kind] ?? kind;
  const { address } = details as { address?: unknown };
  return (
    <>
      <span>{actorName ?? (id === undefined ? kindText : `${kindText} ${id.slice(0, 8)}`)}</span>
      <span class="soft small under">
        {[actorName === null ? undefined : kindText, typeof address === "string" ? address : undefined]
          .filter(Boolean)
          .join(" · ")}
      </span>
    </>
  );
};

const UUID = /^(?:\w+:)?([\da-f]{8})-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** The changed thing: by name, else by the beginning of its id. */
const Target = ({ target, targetName, actor }: Entry) => {
  if (targetName !== null) return <>{targetName}</>;
  if (target === null || target === actor) return <span class="soft">–</span>;
  const [, short] = UUID.exec(target) ?? [];
  return <code title={target}>{short ?? target}</code>;
};

const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The other details of an act. The address stands beside the actor. */
const EntryDetails = ({ details }: Entry) => {
  const rest = Object.entries(details).filter(([name]) => name !== "address");
  if (rest.length === 0) return <span class="soft">–</span>;
  return (
    <span class="audit-details">
      {rest.map(([name, value]) => (
        <span key={name}>
          <span class="soft">{name}</span> {shown(value)}
        </span>
      ))}
    </span>
  );
};

const columnsOf = (): Column<Entry>[] => {
  const t = auditTexts();
  return [
    { title: t.what, cell: ({ action }) => actionText(action), isMain: true },
    { title: t.who, cell: (entry) => <Actor {...entry} /> },
    { title: t.target, cell: (entry) => <Target {...entry} /> },
    ...(isOperator.value
      ? [{ title: t.account, cell: ({ tenantName, tenantId }: Entry) => tenantName ?? tenantId ?? "–", isMinor: true }]
      : []),
    { title: t.details, cell: (entry) => <EntryDetails {...entry} /> },
    {
      title: t.when,
      cell: ({ at }) => (
        <time class="at" dateTime={at}>
          {dateTime(at)}
        </time>
      ),
    },
  ];
};

export const EntryTable = ({ entries }: { entries: readonly Entry[] }) => (
  <div class="audit">
    <Table label={auditTexts().what} rows={entries} columns={columnsOf()} keyOf={({ id }) => id} />
  </div>
);
