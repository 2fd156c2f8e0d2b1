import { Bot, Plus } from "lucide-preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { ListedAgent } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useListState } from "../../frame/address.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { wholeList } from "../../frame/requests/endless-page.ts";
import { inForm, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { number } from "../../frame/texts/format.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Form, TextArea, textIn } from "../../parts/forms/form.tsx";
import { Bar } from "../../parts/layout.tsx";
import { InSteps } from "../../parts/lists/in-steps.tsx";
import { ListPage } from "../../parts/lists/list.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { noPhones } from "../../parts/phones/no-phones.tsx";
import { PhoneSelect } from "../../parts/phones/phone-choice.tsx";
import { PhoneName, useHowMany } from "../../parts/phones/phones.tsx";
import { When } from "../../parts/when.tsx";
import { ProviderButton, ProviderNotice } from "./provider.tsx";
import { agentsTexts } from "./texts.ts";

/** The number of rows of one answer. The page asks for all answers. */
const AT_ONCE = 200;

export const AgentList = () => {
  const t = agentsTexts();
  const phones = useHowMany();
  const agents = useQuery(
    "agents/all", // also for the phones without an agent: giving one to another phone would replace its agent
    (signal) => gateway.ai.listAgents({ limit: AT_ONCE }, { signal }).toArray(),
    { on: ["agent:"] },
  );
  const [isGiving, setGiving] = useState(false);
  const taken = agents.data?.map(({ phoneId }) => phoneId) ?? [];
  const isFree = phones === "several" || (phones === "one" && taken.length === 0);
  const give = may("ai.write") && agents.data && isFree && (
    <Button tone="primary" icon={Plus} onClick={() => setGiving(true)}>
      {t.give}
    </Button>
  );
  const hasAgents = (agents.data?.length ?? 0) > 0;
  return (
    <ListPage
      name="agents"
      lead={t.lead}
      actions={
        <>
          <ProviderButton />
          {hasAgents && give}
        </>
      }
      above={<ProviderNotice />}
      state={useListState({})}
      query={inForm(agents, wholeList)}
      draw={(all) => (
        <InSteps rows={all}>
          {(rows) => (
            <Table
              label={pageNames().agents}
              rows={rows}
              keyOf={({ id }) => id}
              linkOf={({ phoneId }) => `/agents/${phoneId}`}
              columns={columns()}
            />
          )}
        </InSteps>
      )}
      empty={
        phones === "none"
          ? noPhones(t.noPhones, t.noPhonesHint)
          : { icon: Bot, title: t.empty, hint: t.emptyHint, children: give }
      }
    >
      {isGiving && <GiveAgent taken={taken} onClose={() => setGiving(false)} />}
    </ListPage>
  );
};

const columns = (): Column<ListedAgent>[] => {
  const t = agentsTexts();
  return [
    { title: t.phone, isMain: true, cell: ({ phoneId }) => <PhoneName id={phoneId} /> },
    {
      title: t.state,
      cell: ({ enabled }) => <Badge tone={enabled ? "good" : "neutral"}>{enabled ? t.on : t.off}</Badge>,
    },
    { title: t.model, isMinor: true, cell: ({ model }) => model },
    { title: t.documents, isNumber: true, cell: ({ documentCount }) => number(documentCount) },
    { title: t.tokensToday, cell: (agent) => <TokensToday {...agent} /> },
    { title: t.changed, isMinor: true, cell: ({ updatedAt }) => <When at={updatedAt} /> },
  ];
};

const TokensToday = ({ usedTokens, budget }: ListedAgent) => {
  const t = agentsTexts();
  const text = t.of(number(usedTokens), number(budget.dailyTokens));
  return <Bar name={t.tokensToday} used={usedTokens} limit={budget.dailyTokens} text={text} />;
};

const GiveAgent = ({ taken, onClose }: { taken: readonly string[]; onClose: () => void }) => {
  const t = agentsTexts();
  const { route } = useLocation();
  const act = useAct(async (form: FormData) => {
    const phoneId = textIn(form, "phoneId");
    await gateway.ai.putAgent(phoneId, { systemPrompt: textIn(form, "systemPrompt"), enabled: false });
    route(href(`/agents/${phoneId}`));
  });
  return (
    <Dialog title={t.give} onClose={onClose}>
      <Form act={act} submit={t.create} onCancel={onClose}>
        <PhoneSelect label={t.phone} name="phoneId" except={taken} />
        <TextArea
          label={t.instructions}
          hint={t.instructionsHint}
          name="systemPrompt"
          rows={6}
          minLength={20}
          maxLength={20_000}
        />
      </Form>
    </Dialog>
  );
};
