import { Trash2, Wrench } from "lucide-preact";
import { useState } from "preact/hooks";
import type { AgentTool, AgentToolTestResult } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { IconButton } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { Field, Form, TextArea, textIn } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { agentToolTexts } from "./tool-texts.ts";

const keyOf = (phoneId: string): string => `agent-tools/${phoneId}`;
const NO_ARGUMENTS = '{ "type": "object", "properties": {} }';

/** The HTTP tools that an agent may call, with a form for one more. */
export const HttpTools = ({ phoneId }: { phoneId: string }) => {
  const t = agentToolTexts();
  const tools = useQuery(keyOf(phoneId), (signal) => gateway.ai.listAgentTools(phoneId, {}, { signal }).page());
  return (
    <Card title={t.tools} hint={t.toolsHint}>
      <Loaded query={tools} lines={2}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon={Wrench} title={t.noTools} />
          ) : (
            <ul class="documents" aria-label={t.tools}>
              {found.map((tool) => (
                <Tool key={tool.id} phoneId={phoneId} tool={tool} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {may("ai.write") && <AddTool phoneId={phoneId} />}
    </Card>
  );
};

const Tool = ({ phoneId, tool }: { phoneId: string; tool: AgentTool }) => {
  const t = agentToolTexts();
  const { id, name, description, url } = tool;
  const headers = Object.keys(tool.headers);
  return (
    <li>
      <Wrench size={20} aria-hidden="true" />
      <div class="document">
        <p class="document-name">{name}</p>
        <p class="small soft">{description}</p>
        <p class="small soft">{url}</p>
        {headers.length > 0 && <p class="small soft">{t.withHeaders(headers.join(", "))}</p>}
        {may("ai.write") && (
          <details>
            <summary>{t.tryIt}</summary>
            <TryTool phoneId={phoneId} id={id} />
          </details>
        )}
      </div>
      {may("ai.write") && <Remove phoneId={phoneId} id={id} name={name} />}
    </li>
  );
};

const TryTool = ({ phoneId, id }: { phoneId: string; id: string }) => {
  const t = agentToolTexts();
  const [result, setResult] = useState<AgentToolTestResult>();
  const act = useAct(async (form: FormData) => {
    const given = JSON.parse(textIn(form, "arguments")) as Record<string, unknown>;
    setResult(await gateway.ai.testAgentTool(phoneId, id, { arguments: given }));
  });
  return (
    <Form act={act} submit={t.tryIt}>
      <TextArea label={t.arguments} name="arguments" rows={3} defaultValue="{}" />
      {result && (
        <p role="status" class="small agent-turn-text">
          {t.outcome[result.outcome]}: {result.answer}
        </p>
      )}
    </Form>
  );
};

const Remove = ({ phoneId, id, name }: { phoneId: string; id: string; name: string }) => {
  const t = agentToolTexts();
  const [isAsking, setAsking] = useState(false);
  const act = useAct(async () => {
    await gateway.ai.deleteAgentTool(phoneId, id);
    refresh(keyOf(phoneId));
  });
  return (
    <>
      <IconButton label={`${t.remove}: ${name}`} icon={Trash2} onClick={() => setAsking(true)} />
      {isAsking && (
        <Confirm title={t.removeTitle(name)} yes={t.remove} act={act} onNo={() => setAsking(false)}>
          <p>{t.removeHint}</p>
        </Confirm>
      )}
    </>
  );
};

/** A header a line, as `Name: value`. The server says what is wrong with a name or a value. */
const headersIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => {
        const [name = "", ...value] = line.split(":");
        return [name.trim(), value.join(":").trim()];
      }),
  );

const AddTool = ({ phoneId }: { phoneId: string }) => {
  const t = agentToolTexts();
  const [added, setAdded] = useState(0);
  const act = useAct(async (form: FormData) => {
    await gateway.ai.createAgentTool(phoneId, {
      name: textIn(form, "name"),
      description: textIn(form, "description"),
      parameters: JSON.parse(textIn(form, "parameters")) as Record<string, unknown>,
      url: textIn(form, "url"),
      secret: textIn(form, "secret"),
      headers: headersIn(textIn(form, "headers")),
    });
    refresh(keyOf(phoneId));
    setAdded(added + 1);
  });
  return (
    // a new form after each tool: the secrets of the last one are not shown again
    <details key={added}>
      <summary>{t.add}</summary>
      <Form act={act} submit={t.add}>
        <Field label={t.name} hint={t.nameHint} name="name" maxLength={64} />
        <TextArea label={t.description} hint={t.descriptionHint} name="description" rows={2} maxLength={1000} />
        <TextArea label={t.schema} hint={t.schemaHint} name="parameters" rows={6} defaultValue={NO_ARGUMENTS} />
        <Field label={t.address} name="url" type="url" />
        <Field label={t.secret} hint={t.secretHint} name="secret" type="password" minLength={16} />
        <TextArea label={t.headers} hint={t.headersHint} name="headers" rows={2} isOptional />
      </Form>
    </details>
  );
};
