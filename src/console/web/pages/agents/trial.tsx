import { MessageCircleQuestion } from "lucide-preact";
import { useState } from "preact/hooks";
import type { AgentReply } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useAct } from "../../frame/requests/query.ts";
import { number, percent } from "../../frame/texts/format.ts";
import { Check, Form, TextArea, textIn } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { agentsTexts } from "./texts.ts";
import { agentToolTexts } from "./tool-texts.ts";
import { CalledTool } from "./transcript.tsx";

type Tried = AgentReply & { question: string };

/** Questions to the agent as a customer would ask them, with the passages of its documents that it used. */
export const Trial = ({ phoneId }: { phoneId: string }) => {
  const t = agentsTexts();
  const tools = agentToolTexts();
  const [tried, setTried] = useState<readonly Tried[]>([]);
  const act = useAct(async (form: FormData) => {
    const question = textIn(form, "message");
    const callTools = form.get("callTools") !== null;
    const reply = await gateway.ai.testAgent(phoneId, { message: question, withKnowledge: true, callTools });
    setTried((before) => [{ ...reply, question }, ...before]);
  });
  return (
    <Card title={t.trial} hint={t.trialHint}>
      <Form act={act} submit={t.ask}>
        <TextArea label={t.question} name="message" rows={2} maxLength={4000} />
        <Check label={tools.callInTest} hint={tools.callInTestHint} name="callTools" />
      </Form>
      <div role="log" aria-label={t.answer} class="trials">
        {tried.map((one, index) => (
          <Answer key={tried.length - index} tried={one} />
        ))}
      </div>
    </Card>
  );
};

const Answer = ({ tried: { question, reply, passages = [], toolCalls = [], usage, model } }: { tried: Tried }) => {
  const t = agentsTexts();
  return (
    <article class="trial">
      <p class="agent-turn user">
        <MessageCircleQuestion size={16} aria-hidden="true" /> {question}
      </p>
      <p class="agent-turn assistant">{reply}</p>
      {toolCalls.map((call, at) => (
        <CalledTool key={at} call={call} />
      ))}
      <p class="small soft">{t.cost(number(usage.promptTokens + usage.completionTokens), model)}</p>
      {passages.length === 0 ? (
        <p class="small soft">{t.noPassages}</p>
      ) : (
        <>
          <h3 class="small">{t.usedPassages}</h3>
          {passages.map(({ id, title, text, similarity }) => (
            <details key={id} class="passage">
              <summary>
                <span>{title ?? t.untitled}</span>
                <span class="soft">{t.similarity(percent(similarity))}</span>
                <meter min={0} max={1} value={similarity} aria-label={t.similarity(percent(similarity))} />
              </summary>
              <p>{text}</p>
            </details>
          ))}
        </>
      )}
    </article>
  );
};
