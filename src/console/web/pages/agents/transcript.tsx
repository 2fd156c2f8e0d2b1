import { Bot, CircleX, UserRound } from "lucide-preact";
import { useState } from "preact/hooks";
import type {
  AiConversation,
  AiTurn,
  TriedToolCall,
  UsedPassage,
} from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { Card } from "../../parts/layout.tsx";
import { NewestOnly } from "../../parts/lists/in-steps.tsx";
import { Failure, Loaded, Notice } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { contactName, Reason, STATE_TONES } from "./conversation.tsx";
import { agentsTexts } from "./texts.ts";
import { agentToolTexts } from "./tool-texts.ts";

const LIVE = { on: ["message:", "agent:handoff", "conversation:"] };
const MOST_TURNS = 100;

/** The words of a contact, the agent and people, and who continues. */
export const Transcript = ({ phoneId, contactKey }: { phoneId: string; contactKey: string }) => {
  const t = agentsTexts();
  const key = `ai-conversation/${phoneId}/${contactKey}`;
  const conversation = useQuery(key, (signal) => gateway.ai.getConversation(phoneId, contactKey, { signal }), LIVE);
  const turns = useQuery(
    `${key}/turns`,
    (signal) => gateway.ai.listTurns(phoneId, contactKey, { limit: MOST_TURNS }, { signal }).page(),
    LIVE,
  );
  return (
    <div class="stack">
      <p>
        <a class="back" href={href(`/agents/${phoneId}/conversations`)}>
          ← {t.back}
        </a>
      </p>
      <Loaded query={conversation} lines={2}>
        {(found) => (
          <Card
            title={contactName(contactKey)}
            actions={may("ai.write") && <Acts phoneId={phoneId} conversation={found} />}
          >
            <p>
              <Badge tone={STATE_TONES[found.status]}>{t.conversationStates[found.status]}</Badge>{" "}
              {found.status === "HUMAN_HANDOFF" && <Reason reason={found.handoffReason} />}
            </p>
            {found.heldBy && <Notice>{t.heldBy}</Notice>}
            <Loaded query={turns}>
              {(all) => (
                <>
                  <NewestOnly rows={all} most={MOST_TURNS} />
                  <Turns turns={all} />
                </>
              )}
            </Loaded>
          </Card>
        )}
      </Loaded>
    </div>
  );
};

const Turns = ({ turns }: { turns: readonly AiTurn[] }) => {
  const t = agentsTexts();
  return (
    <ol class="agent-turns" aria-label={t.messages}>
      {turns.map(({ id, role, content, createdAt, unansweredReason, toolCalls = [], passages = [] }) => (
        <li key={id} class={`agent-turn ${role.toLowerCase()}`}>
          <p class="small soft">
            {t.roles[role]} · <When at={createdAt} />
          </p>
          <p class="agent-turn-text">{content}</p>
          {unansweredReason !== undefined && <p class="small soft">{t.unanswered(unansweredReason)}</p>}
          {toolCalls.map((call) => (
            <CalledTool key={call.id} call={call} />
          ))}
          {passages.length > 0 && <Passages passages={passages} />}
        </li>
      ))}
    </ol>
  );
};

/** The passages of documents that an answer came from. */
const Passages = ({ passages }: { passages: readonly UsedPassage[] }) => {
  const t = agentsTexts();
  return (
    <details class="passage">
      <summary>{t.withPassages(passages.length)}</summary>
      {passages.map(({ id, deleted, title, text }) =>
        deleted ? (
          <p key={id} class="soft">
            {t.passageGone}
          </p>
        ) : (
          <p key={id}>
            <strong>{title ?? t.untitled}</strong> {text}
          </p>
        ),
      )}
    </details>
  );
};

type Call = Pick<TriedToolCall, "tool" | "outcome" | "arguments" | "answer">;

/** A call of a tool, for a contact or in a test: its name and outcome, and on demand its arguments and answer. */
export const CalledTool = ({ call: { tool, outcome, arguments: given, answer } }: { call: Call }) => {
  const t = agentToolTexts();
  return (
    <details class="small soft">
      <summary>
        {t.called(tool)} · {t.outcome[outcome]}
      </summary>
      <p class="agent-turn-text">{given}</p>
      <p class="agent-turn-text">{answer}</p>
    </details>
  );
};

const Acts = ({ phoneId, conversation: { contactKey, status } }: { phoneId: string; conversation: AiConversation }) => {
  const t = agentsTexts();
  const [isClosing, setClosing] = useState(false);
  const act = useAct(async (verb: "handOffConversation" | "releaseConversation" | "closeConversation") => {
    await gateway.ai[verb](phoneId, contactKey);
    setClosing(false);
    refresh("ai-conversation");
  });
  if (status === "CLOSED") return null;
  return (
    <>
      {act.error !== undefined && !isClosing && <Failure error={act.error} />}
      {status === "AI" ? (
        <Button
          tone="primary"
          icon={UserRound}
          isBusy={act.isRunning}
          onClick={() => void act.run("handOffConversation")}
        >
          {t.takeOver}
        </Button>
      ) : (
        <Button tone="primary" icon={Bot} isBusy={act.isRunning} onClick={() => void act.run("releaseConversation")}>
          {t.giveBack}
        </Button>
      )}
      <Button icon={CircleX} onClick={() => setClosing(true)}>
        {t.close}
      </Button>
      {isClosing && (
        <Confirm
          title={t.closeTitle}
          yes={t.close}
          act={{ ...act, run: () => act.run("closeConversation") }}
          onNo={() => setClosing(false)}
        >
          <p>{t.closeHint}</p>
        </Confirm>
      )}
    </>
  );
};
