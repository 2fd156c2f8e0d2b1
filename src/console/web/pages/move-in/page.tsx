import { useState } from "preact/hooks";
import type { SessionReport } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { admin } from "../../frame/requests/client.ts";
import { failureText } from "../../frame/requests/failure.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { account } from "../../frame/session.ts";
import { number } from "../../frame/texts/format.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Badge } from "../../parts/badge.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Check, Field, Form, Select } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Empty, Failure, Notice, Skeleton } from "../../parts/states.tsx";
import { type ChosenSession, MOST_CHARS, sessionsIn } from "./reading.ts";
import { moveInTexts } from "./texts.ts";

/** The state of a session. `phoneId`: the phone that the import made of it. */
type Looked = ChosenSession & SessionReport & { phoneId?: string };

/** TABLE: the programs, and whether a browser can read their sessions. */
const PROGRAMS: readonly (readonly [name: string, isFolder: boolean])[] = [
  ["Baileys", true],
  ["WAHA (NOWEB)", true],
  ["Evolution", false],
  ["WAHA (GOWS)", false],
  ["whatsmeow", false],
];

const FORMAT = "baileys";
/** The attribute of the browsers' own that chooses a folder. */
const FOLDER = { webkitdirectory: true } as object;

const canCome = ({ problems, phoneId }: Looked): boolean => problems.length === 0 && phoneId === undefined;

/** A refused session does not hold up the others. */
const withProblem = (session: ChosenSession, error: unknown): Looked => ({
  ...session,
  phoneNumber: null,
  keys: {},
  notes: [],
  problems: [failureText(error).text],
});

const looked = async (session: ChosenSession): Promise<Looked> => {
  if (session.session.length > MOST_CHARS)
    return { ...withProblem(session, undefined), problems: [moveInTexts().tooLarge(session.name)] };
  const report = await admin.imports
    .inspect({ format: FORMAT, session: session.session })
    .catch((error: unknown) => withProblem(session, error));
  return { ...report, ...session };
};

const broughtIn = async (one: Looked, accountId: string): Promise<Looked> => {
  const { session, name } = one;
  const body = { format: FORMAT, session, accountId, label: name.slice(0, 120), oldServerStopped: true } as const;
  try {
    const { id, ...report } = await admin.imports.create(body);
    return { ...one, ...report, phoneId: id };
  } catch (error) {
    return withProblem(one, error);
  }
};

const StateOf = ({ session }: { session: Looked }) => {
  const t = moveInTexts();
  if (session.phoneId !== undefined) return <Badge tone="good">{t.came}</Badge>;
  return session.problems.length === 0 ? <Badge tone="info">{t.can}</Badge> : <Badge tone="bad">{t.cannot}</Badge>;
};

const Found = ({ sessions }: { sessions: readonly Looked[] }) => {
  const t = moveInTexts();
  const columns: Column<Looked>[] = [
    { title: t.session, cell: ({ name }) => name, isMain: true },
    { title: t.number, cell: ({ phoneNumber }) => phoneNumber ?? "–" },
    {
      title: t.keys,
      cell: ({ keys }) => number(Object.values(keys).reduce((sum, count) => sum + count, 0)),
      isNumber: true,
    },
    { title: t.state, cell: (session) => <StateOf session={session} /> },
    { title: t.notes, cell: ({ notes, problems }) => [...problems, ...notes].join("; ") || "–" },
  ];
  return (
    <Card title={t.found} hint={t.foundHint}>
      <Table
        label={t.session}
        rows={sessions}
        columns={columns}
        keyOf={({ name }) => name}
        linkOf={({ phoneId }) => (phoneId === undefined ? undefined : `/phones/${phoneId}`)}
      />
    </Card>
  );
};

const BringIn = ({ sessions, onDone }: { sessions: readonly Looked[]; onDone: (after: readonly Looked[]) => void }) => {
  const t = moveInTexts();
  const into = account.value;
  const act = useAct(async () => {
    if (!into) return;
    const after: Looked[] = [];
    for (const one of sessions) after.push(canCome(one) ? await broughtIn(one, into.id) : one);
    refresh("phones ");
    onDone(after);
  });
  if (!into) return <Notice tone="warning">{t.noAccount}</Notice>;
  return (
    <Card title={t.import} hint={t.importHint}>
      <Form act={act} submit={t.start(number(sessions.filter(canCome).length))}>
        <p>{t.into(into.name)}</p>
        <Check name="stopped" label={t.stopped} hint={t.stoppedHint} required />
      </Form>
    </Card>
  );
};

const Folder = ({ onFound }: { onFound: (sessions: readonly Looked[] | undefined) => void }) => {
  const t = moveInTexts();
  const look = useAct(async (files: readonly File[]) => {
    onFound(undefined);
    const found: Looked[] = [];
    for (const session of await sessionsIn(files)) found.push(await looked(session));
    onFound(found);
  });
  return (
    <>
      <Field
        type="file"
        multiple
        label={t.folder}
        hint={t.folderHint}
        onChange={({ currentTarget: { files } }) => void look.run([...(files ?? [])])}
        {...FOLDER}
      />
      {look.isRunning && <Skeleton lines={3} />}
      {look.error !== undefined && <Failure error={look.error} />}
    </>
  );
};

/** Brings in sessions of other programs: their source, the found sessions, and the import. */
export const MoveInPage = () => {
  const t = moveInTexts();
  const [program, setProgram] = useState<string>("Baileys");
  const [sessions, setSessions] = useState<readonly Looked[]>();
  const isFolder = PROGRAMS.find(([name]) => name === program)?.[1] ?? false;
  const came = sessions?.filter(({ phoneId }) => phoneId !== undefined).length ?? 0;
  return (
    <>
      <PageHeader title={pageNames().moveIn} lead={t.lead} />
      <div class="stack">
        <Card title={t.from}>
          <Select
            label={t.program}
            value={program}
            options={PROGRAMS.map(([name]) => [name, name] as const)}
            onChange={({ currentTarget }) => {
              setProgram(currentTarget.value);
              setSessions(undefined);
            }}
          />
          {isFolder && <Folder key={program} onFound={setSessions} />}
          {!isFolder && <p>{t.onMachineHint}</p>}
          {!isFolder && <CopyLine text="recado import" />}
        </Card>
        {sessions?.length === 0 && <Empty title={t.nothing} hint={t.nothingHint} />}
        {sessions && sessions.length > 0 && <Found sessions={sessions} />}
        {sessions?.some(canCome) && <BringIn sessions={sessions} onDone={setSessions} />}
        {came > 0 && (
          <Notice tone="good">
            <p>{t.done(number(came))}</p>
            <p>{t.old}</p>
          </Notice>
        )}
      </div>
    </>
  );
};
