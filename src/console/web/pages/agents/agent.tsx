import { Power, PowerOff } from "lucide-preact";
import { RecadoError } from "../../../../../clients/typescript/src/errors.ts";
import type { ListedAgent } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Form, TextArea, textIn } from "../../parts/forms/form.tsx";
import { Card, Tabs } from "../../parts/layout.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { usePhoneName } from "../../parts/phones/phones.tsx";
import { Failure, Loaded, Notice } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { Conversations } from "./conversations.tsx";
import { Knowledge } from "./knowledge.tsx";
import { ProviderNotice } from "./provider.tsx";
import { AgentSettings } from "./settings.tsx";
import { agentsTexts } from "./texts.ts";
import { Trial } from "./trial.tsx";
import { TrialRuns } from "./trial-runs.tsx";
import { TrialQuestions } from "./trial-set.tsx";

/** The agent of a phone, with its fields of the list; null for a phone without an agent. */
const useAgent = (phoneId: string) =>
  useQuery(
    `agents/one/${phoneId}`,
    async (signal): Promise<ListedAgent | null> => {
      const { items } = await gateway.ai.listAgents({ phoneId }, { signal }).page();
      if (items[0]) return items[0];
      // the list is empty for a phone without an agent, and for an unknown phone
      await gateway.ai.getAgent(phoneId, { signal }).catch((error: unknown) => {
        if (!(error instanceof RecadoError && error.code === "AGENT_NOT_FOUND")) throw error;
      });
      return null;
    },
    { on: ["agent:"] },
  );

export const AgentView = ({ phoneId, tab }: { phoneId: string; tab: string }) => {
  const t = agentsTexts();
  const agent = useAgent(phoneId);
  const name = usePhoneName(phoneId);
  const path = `/agents/${phoneId}`;
  const current = tab === "learn" ? path : `${path}/${tab}`;
  return (
    <>
      <PageHeader title={name} back={{ path: "/agents", name: pageNames().agents }}>
        {agent.data && <Switch agent={agent.data} />}
      </PageHeader>
      <ProviderNotice />
      <Loaded query={agent}>
        {(found) =>
          found === null ? (
            <NoAgent phoneId={phoneId} />
          ) : (
            <>
              <Tabs
                label={t.parts}
                current={current}
                tabs={[
                  { name: t.tabs.learn, path },
                  { name: t.tabs.trials, path: `${path}/trials` },
                  { name: t.tabs.settings, path: `${path}/settings` },
                  { name: t.tabs.conversations, path: `${path}/conversations` },
                ]}
              />
              <Part agent={found} tab={tab} />
            </>
          )
        }
      </Loaded>
    </>
  );
};

const Part = ({ agent, tab }: { agent: ListedAgent; tab: string }) => {
  const t = agentsTexts();
  if (tab === "settings") return <AgentSettings agent={agent} />;
  if (tab === "trials")
    return (
      <div class="stack">
        <TrialQuestions phoneId={agent.phoneId} />
        <TrialRuns phoneId={agent.phoneId} />
      </div>
    );
  if (tab === "conversations") return <Conversations phoneId={agent.phoneId} />;
  return (
    <>
      {!agent.enabled && <Notice>{t.offNotice}</Notice>}
      <div class="agent-learn">
        <Knowledge phoneId={agent.phoneId} />
        <Trial phoneId={agent.phoneId} />
      </div>
    </>
  );
};

const Switch = ({ agent: { phoneId, enabled } }: { agent: ListedAgent }) => {
  const t = agentsTexts();
  const act = useAct(async () => {
    await (enabled ? gateway.ai.disableAgent(phoneId) : gateway.ai.enableAgent(phoneId));
    refresh("agents/");
    notify(enabled ? t.nowOff : t.nowOn);
  });
  return (
    <>
      {act.error !== undefined && <Failure error={act.error} />}
      <Badge tone={enabled ? "good" : "neutral"}>{enabled ? t.on : t.off}</Badge>
      {may("ai.write") && (
        <Button
          tone={enabled ? "plain" : "primary"}
          icon={enabled ? PowerOff : Power}
          isBusy={act.isRunning}
          onClick={() => void act.run()}
        >
          {enabled ? t.switchOff : t.switchOn}
        </Button>
      )}
    </>
  );
};

const NoAgent = ({ phoneId }: { phoneId: string }) => {
  const t = agentsTexts();
  const act = useAct(async (form: FormData) => {
    await gateway.ai.putAgent(phoneId, { systemPrompt: textIn(form, "systemPrompt"), enabled: false });
    refresh("agents/");
  });
  return (
    <Card title={t.noAgent} hint={t.noAgentHint}>
      {may("ai.write") && (
        <Form act={act} submit={t.create}>
          <TextArea label={t.instructions} hint={t.instructionsHint} name="systemPrompt" rows={6} minLength={20} />
        </Form>
      )}
    </Card>
  );
};
