import { Send } from "lucide-preact";
import { useState } from "preact/hooks";
import { fetchThroughDoor } from "../../frame/requests/client.ts";
import { useAct } from "../../frame/requests/query.ts";
import { account } from "../../frame/session.ts";
import { Button } from "../../parts/button.tsx";
import { CodeBlock } from "../../parts/copy.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { Field, TextArea } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { Failure, Notice } from "../../parts/states.tsx";
import { type Answer, AnswerView, readAnswer } from "./answer.tsx";
import {
  type ApiName,
  baseUrlOf,
  bodyExample,
  type Description,
  isStream,
  type Operation,
  type Parameter,
  parametersOf,
} from "./description.ts";
import { curlOf, type Filled, keyOf, requestOf } from "./request.ts";
import { apiTexts } from "./texts.ts";

type Tried = { api: ApiName; document: Description; operation: Operation };

/** The sentence about the first fault of the form; undefined without a fault. */
const faultOf = ({ document, operation }: Tried, { values, body }: Filled): string | undefined => {
  const t = apiTexts();
  const missing = parametersOf(document, operation).find(
    (parameter) => (parameter.required || parameter.in === "path") && !values[keyOf(parameter)],
  );
  if (missing) return t.missing(missing.name);
  try {
    if (body !== "") JSON.parse(body);
    return undefined;
  } catch (error) {
    return `${t.badJson} ${error instanceof Error ? error.message : ""}`;
  }
};

const ParameterField = ({
  parameter,
  value,
  onValue,
}: {
  parameter: Parameter;
  value: string;
  onValue: (value: string) => void;
}) => {
  const example = parameter.example ?? parameter.schema?.example;
  return (
    <Field
      label={parameter.name}
      hint={parameter.description?.replaceAll("`", "")}
      isOptional={!(parameter.required || parameter.in === "path")}
      value={value}
      placeholder={typeof example === "string" || typeof example === "number" ? String(example) : ""}
      onInput={({ currentTarget }) => onValue(currentTarget.value)}
    />
  );
};

const Inputs = ({
  document,
  operation,
  filled,
  onFilled,
}: Omit<Tried, "api"> & { filled: Filled; onFilled: (filled: Filled) => void }) => {
  const t = apiTexts();
  const parameters = parametersOf(document, operation);
  return (
    <>
      {parameters.length > 0 && (
        <div class="api-parameters">
          {parameters.map((parameter) => (
            <ParameterField
              key={keyOf(parameter)}
              parameter={parameter}
              value={filled.values[keyOf(parameter)] ?? ""}
              onValue={(value) => onFilled({ ...filled, values: { ...filled.values, [keyOf(parameter)]: value } })}
            />
          ))}
        </div>
      )}
      {operation.requestBody && (
        <div class="api-body">
          <TextArea
            label={t.body}
            rows={Math.min(18, filled.body.split("\n").length + 1)}
            value={filled.body}
            onInput={({ currentTarget }) => onFilled({ ...filled, body: currentTarget.value })}
          />
        </div>
      )}
    </>
  );
};

const Sender = ({ filled, ...tried }: Tried & { filled: Filled }) => {
  const t = apiTexts();
  const { api, document, operation } = tried;
  const [answer, setAnswer] = useState<Answer>();
  const [fault, setFault] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const send = useAct(async () => {
    setAsking(false);
    const { url, init } = requestOf(document, { api, operation }, filled);
    const begun = performance.now();
    const answered = await fetchThroughDoor(url, init);
    setAnswer(await readAnswer(answered, performance.now() - begun));
  });
  const begin = (): void => {
    const found = faultOf(tried, filled);
    setFault(found);
    if (found !== undefined) return;
    if (operation.method === "DELETE") setAsking(true);
    else void send.run();
  };
  return (
    <>
      {operation.method !== "GET" && <p class="soft small">{t.acts(account.value?.name ?? "–")}</p>}
      {fault !== undefined && <Notice tone="bad">{fault}</Notice>}
      <div class="form-actions">
        <Button tone="primary" icon={Send} isBusy={send.isRunning} onClick={begin}>
          {t.send}
        </Button>
      </div>
      {send.error !== undefined && <Failure error={send.error} />}
      {answer && <AnswerView answer={answer} />}
      {isAsking && (
        <Confirm title={t.deleteTitle} yes={t.send} act={{ ...send, error: undefined }} onNo={() => setAsking(false)}>
          <p>{t.deleteText(operation.path)}</p>
        </Confirm>
      )}
    </>
  );
};

/** A form that sends the request as the person, and the same for a shell. */
export const TryCard = (tried: Tried) => {
  const t = apiTexts();
  const { api, document, operation } = tried;
  const [filled, setFilled] = useState<Filled>(() => ({ values: {}, body: bodyExample(document, operation) }));
  const baseUrl = baseUrlOf(document);
  const isFile = operation.requestBody !== undefined && filled.body === "" && bodyExample(document, operation) === "";
  const note = isStream(document, operation) ? t.isStream : isFile ? t.noForm : undefined;
  return (
    <Card title={t.tryIt}>
      <div class="stack">
        {note === undefined ? (
          <>
            <Inputs document={document} operation={operation} filled={filled} onFilled={setFilled} />
            <Sender {...tried} filled={filled} />
          </>
        ) : (
          <Notice>{note}</Notice>
        )}
        <CodeBlock label={t.curl} text={curlOf(document, { api, operation, baseUrl }, filled)} />
      </div>
    </Card>
  );
};
