import { MessagesSquare } from "lucide-preact";
import type { AiConversation } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { type ListState, useListState } from "../../frame/address.ts";
import { given } from "../../frame/filters.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { number } from "../../frame/texts/format.ts";
import { Badge } from "../../parts/badge.tsx";
import { FilterSelect } from "../../parts/lists/filters.tsx";
import { List } from "../../parts/lists/list.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { When } from "../../parts/when.tsx";
import { contactName, Reason, STATE_TONES } from "./conversation.tsx";
import { agentsTexts } from "./texts.ts";
import { Transcript } from "./transcript.tsx";

/** The conversations of an agent; with `contact` in the address, one of them. */
export const Conversations = ({ phoneId }: { phoneId: string }) => {
  const list = useListState({ status: "", contact: "" });
  const { contact } = list.filters;
  return contact === "" ? (
    <ConversationList phoneId={phoneId} list={list} />
  ) : (
    <Transcript phoneId={phoneId} contactKey={contact} />
  );
};

const ConversationList = ({ phoneId, list }: { phoneId: string; list: ListState<{ status: string }> }) => {
  const t = agentsTexts();
  const { status, cursor } = list.filters;
  const conversations = useQuery(
    `ai-conversations/${phoneId}/${status}/${cursor}`,
    (signal) => gateway.ai.listConversations(phoneId, given({ status, cursor }), { signal }).page(),
    { on: ["agent:handoff", "message:"] },
  );
  return (
    <List
      label={t.tabs.conversations}
      state={list}
      filters={
        <FilterSelect
          label={t.state}
          {...list.field("status")}
          options={[["", t.allStates], ...Object.entries(t.conversationStates)]}
        />
      }
      query={conversations}
      columns={columns()}
      keyOf={({ id }) => id}
      linkOf={({ contactKey }) => `/agents/${phoneId}/conversations?contact=${encodeURIComponent(contactKey)}`}
      empty={{ icon: MessagesSquare, title: t.noConversations, hint: t.noConversationsHint }}
      notFound={{ icon: MessagesSquare, title: t.noneHere }}
    />
  );
};

const columns = (): Column<AiConversation>[] => {
  const t = agentsTexts();
  return [
    { title: t.contact, isMain: true, cell: ({ contactKey }) => contactName(contactKey) },
    {
      title: t.state,
      cell: ({ status }) => <Badge tone={STATE_TONES[status]}>{t.conversationStates[status]}</Badge>,
    },
    { title: t.messages, isNumber: true, cell: ({ turnCount }) => number(turnCount) },
    { title: t.reason, isMinor: true, cell: ({ handoffReason }) => <Reason reason={handoffReason} /> },
    { title: t.lastMessage, cell: ({ lastTurnAt }) => <When at={lastTurnAt} /> },
  ];
};
