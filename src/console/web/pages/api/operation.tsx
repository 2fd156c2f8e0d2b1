import { Card } from "../../parts/layout.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import {
  type ApiName,
  type Description,
  type FieldRow,
  fieldsOf,
  jsonSchemaOf,
  type Operation,
  type Schema,
} from "./description.ts";
import { Method } from "./method.tsx";
import { apiTexts } from "./texts.ts";
import { TryCard } from "./try.tsx";

const FieldTable = ({ title, fields }: { title: string; fields: readonly FieldRow[] }) => {
  const t = apiTexts();
  const columns: Column<FieldRow>[] = [
    {
      title: t.field,
      isMain: true,
      cell: ({ name, isRequired }) => (
        <>
          <code>{name}</code>
          {isRequired && <span class="soft small"> {t.required}</span>}
        </>
      ),
    },
    { title: t.type, cell: ({ type }) => <code>{type}</code> },
    { title: t.meaning, cell: ({ description }) => <span lang="en">{description}</span> },
  ];
  return <Table label={`${title} (${fields.length})`} rows={fields} columns={columns} keyOf={({ name }) => name} />;
};

const FieldsCard = ({
  title,
  document,
  schema,
}: {
  title: string;
  document: Description;
  schema: Schema | undefined;
}) => {
  const fields = schema ? fieldsOf(document, schema) : [];
  return fields.length === 0 ? null : (
    <Card title={title}>
      <FieldTable title={title} fields={fields} />
    </Card>
  );
};

/** The schema of the first successful answer. */
const answerSchema = (document: Description, { responses = {} }: Operation): Schema | undefined =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, answer]) => jsonSchemaOf(document, answer))
    .find((schema) => schema !== undefined);

/** One request: its description, its fields, and a form that sends it. */
export const OperationPage = ({
  api,
  document,
  operation,
}: {
  api: ApiName;
  document: Description;
  operation: Operation;
}) => {
  const t = apiTexts();
  const { method, path, summary = operation.operationId, description } = operation;
  return (
    <>
      <PageHeader title={summary} back={{ path: api === "gateway" ? "/api" : "/api/platform", name: t.back }} />
      <p class="api-place">
        <Method method={method} /> <code>{path}</code>
      </p>
      {description && (
        <p class="api-about" lang="en">
          {description.replaceAll("`", "")}
        </p>
      )}
      <div class="stack">
        <TryCard api={api} document={document} operation={operation} />
        <FieldsCard title={t.fields} document={document} schema={jsonSchemaOf(document, operation.requestBody)} />
        <FieldsCard title={t.answerFields} document={document} schema={answerSchema(document, operation)} />
      </div>
    </>
  );
};
