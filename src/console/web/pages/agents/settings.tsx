import { Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { AgentRequest, ListedAgent } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { number } from "../../frame/texts/format.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { Check, Field, Form, TextArea, type Touched, textIn } from "../../parts/forms/form.tsx";
import { Bar, Card } from "../../parts/layout.tsx";
import { notify } from "../../parts/toasts.tsx";
import { BuiltInTools, builtInTools } from "./built-in-tools.tsx";
import { HttpTools } from "./http-tools.tsx";
import { OutsideHours } from "./outside-hours.tsx";
import { Senses } from "./senses.tsx";
import { agentsTexts } from "./texts.ts";
import { trialsTexts } from "./trials-texts.ts";

/** The configuration of a form. An empty field returns to its default, and an untouched field stays. */
const configurationOf = (form: FormData, touched: Touched, agent: ListedAgent): AgentRequest => {
  const text = (name: string): string => textIn(form, name);
  const count = (name: string): number | undefined => (text(name) === "" ? undefined : Number(text(name)));
  const optional = <Name extends string>(name: Name): { [Key in Name]?: number } =>
    (count(name) === undefined ? {} : { [name]: count(name) }) as { [Key in Name]?: number };
  const lines = text("keywords")
    .split("\n")
    .map((line) => line.trim());
  const textOr = <Stored extends string | null>(name: string, stored: Stored) =>
    touched.has(name) ? text(name) || null : stored;
  const { keywords } = agent.handoffRules;
  return {
    systemPrompt: touched.has("systemPrompt") ? text("systemPrompt") : agent.systemPrompt,
    enabled: agent.enabled,
    ...(text("model") === "" ? {} : { model: text("model") }),
    greeting: textOr("greeting", agent.greeting),
    respectHours: form.has("respectHours"),
    builtInTools: builtInTools().filter((name) => form.has(name)),
    closedText: textOr("closedText", agent.closedText),
    runTrialsOnChange: form.has("runTrialsOnChange"),
    transcribesVoice: form.has("transcribesVoice"),
    speaks: form.has("speaks"),
    voice: textOr("voice", agent.voice),
    sees: { images: form.has("seesImages"), documents: form.has("seesDocuments") },
    handoffRules: {
      keywords: touched.has("keywords") ? lines.filter((line) => line !== "") : keywords,
      afterTurns: count("afterTurns") ?? null,
    },
    ...optional("contextWindowTurns"),
    ...optional("ragTopK"),
    ...optional("conversationTtlDays"),
    budget: {
      dailyTokens: count("dailyTokens") ?? null,
      dailyTokensPerContact: count("dailyTokensPerContact") ?? null,
    },
  };
};

export const AgentSettings = ({ agent }: { agent: ListedAgent }) => {
  const t = agentsTexts();
  const { usedTokens, budget } = agent;
  const act = useAct(async (form: FormData, touched: Touched) => {
    await gateway.ai.putAgent(agent.phoneId, configurationOf(form, touched, agent));
    refresh("agents/");
    notify(t.saved);
  });
  const bar = t.of(number(usedTokens), number(budget.dailyTokens));
  return (
    <div class="stack agent-settings">
      <Card>
        <Bar name={t.tokensToday} used={usedTokens} limit={budget.dailyTokens} text={bar} />
      </Card>
      <Card>
        <Form act={act} submit={t.save}>
          <Words agent={agent} />
          <Senses agent={agent} />
          <details>
            <summary>{t.limits}</summary>
            <Limits agent={agent} />
          </details>
        </Form>
      </Card>
      <HttpTools phoneId={agent.phoneId} />
      {may("ai.write") && <Remove agent={agent} />}
    </div>
  );
};

const Words = ({ agent }: { agent: ListedAgent }) => {
  const t = agentsTexts();
  const trials = trialsTexts();
  const { systemPrompt, greeting, handoffRules, model, runTrialsOnChange } = agent;
  return (
    <>
      <TextArea
        label={t.instructions}
        hint={t.instructionsHint}
        name="systemPrompt"
        rows={10}
        minLength={20}
        maxLength={20_000}
        defaultValue={systemPrompt}
      />
      <TextArea
        label={t.greeting}
        hint={t.greetingHint}
        name="greeting"
        rows={2}
        maxLength={4096}
        defaultValue={greeting ?? ""}
        isOptional
      />
      <OutsideHours agent={agent} />
      <BuiltInTools agent={agent} />
      <Check
        label={trials.onChange}
        hint={trials.onChangeHint}
        name="runTrialsOnChange"
        defaultChecked={runTrialsOnChange ?? false}
      />
      <TextArea
        label={t.keywords}
        hint={t.keywordsHint}
        name="keywords"
        rows={3}
        defaultValue={handoffRules.keywords.join("\n")}
        isOptional
      />
      <Field label={t.model} hint={t.modelHint} name="model" defaultValue={model} maxLength={120} isOptional />
    </>
  );
};

const Limits = ({ agent }: { agent: ListedAgent }) => {
  const t = agentsTexts();
  const fields = [
    ["afterTurns", t.afterTurns, agent.handoffRules.afterTurns, 1, 1000],
    ["contextWindowTurns", t.memory, agent.contextWindowTurns, 1, 50],
    ["ragTopK", t.topK, agent.ragTopK, 0, 20],
    ["conversationTtlDays", t.ttl, agent.conversationTtlDays, 1, 365],
    ["dailyTokensPerContact", t.perContact, agent.budget.dailyTokensPerContact, 1, undefined],
    ["dailyTokens", t.perAgent, agent.budget.dailyTokens, 1, undefined],
  ] as const;
  return (
    <div class="grid limits">
      {fields.map(([name, label, value, min, max]) => (
        <Field
          key={name}
          label={label}
          name={name}
          type="number"
          min={min}
          {...(max === undefined ? {} : { max })}
          defaultValue={value === null ? "" : String(value)}
          isOptional
        />
      ))}
    </div>
  );
};

const Remove = ({ agent: { phoneId, documentCount } }: { agent: ListedAgent }) => {
  const t = agentsTexts();
  const { route } = useLocation();
  const [isAsking, setAsking] = useState(false);
  const act = useAct(async () => {
    await gateway.ai.deleteAgent(phoneId);
    refresh("agents/");
    notify(t.removed);
    route(href("/agents"));
  });
  return (
    <p>
      <Button icon={Trash2} onClick={() => setAsking(true)}>
        {t.remove}
      </Button>
      {isAsking && (
        <Confirm title={t.removeTitle} yes={t.remove} act={act} onNo={() => setAsking(false)}>
          <p>{t.removeHint(t.documentsCounted(documentCount))}</p>
        </Confirm>
      )}
    </p>
  );
};
