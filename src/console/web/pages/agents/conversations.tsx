import { MessagesSquare } from "lucide-preact";
import type { AiConversation } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useFilters } from "../../frame/address.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { number } from "../../frame/texts/format.ts";
import { Badge } from "../../parts/badge.tsx";
import { FilterSelect, Filters, Pager } from "../../parts/lists/filters.tsx";
import { Table } from "../../parts/lists/table.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { contactName, Reason, STATE_TONES } from "./conversation.tsx";
import { agentsTexts } from "./texts.ts";
import { Transcript } from "./transcript.tsx";

type State = AiConversation["status"];

/** The conversations of an agent; with `contact` in the address, one of them. */
export const Conversations = ({ phoneId }: { phoneId: string }) => {
  const [filters, setFilters] = useFilters({ status: "", contact: "", cursor: "" });
  return filters.contact === "" ? (
    <ConversationList phoneId={phoneId} {...filters} onChange={setFilters} />
  ) : (
    <Transcript phoneId={phoneId} contactKey={filters.contact} />
  );
};

type Shown = { status: string; cursor: string };

const ConversationList = ({
  phoneId,
  status,
  cursor,
  onChange,
}: Shown & { phoneId: string; onChange: (change: Partial<Shown>) => void }) => {
  const t = agentsTexts();
  const conversations = useQuery(
    `ai-conversations/${phoneId}/${status}/${cursor}`,
    (signal) =>
      gateway.ai
        .listConversations(
          phoneId,
          { ...(status === "" ? {} : { status: status as State }), ...(cursor === "" ? {} : { cursor }) },
          { signal },
        )
        .page(),
    { on: ["agent:handoff", "message:"] },
  );
  const states = Object.entries(t.conversationStates);
  return (
    <>
      <Filters>
        <FilterSelect
          label={t.state}
          value={status}
          options={[["", t.allStates], ...states]}
          onChange={(next) => onChange({ status: next })}
        />
      </Filters>
      <Loaded query={conversations}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            status === "" ? (
              <Empty icon={MessagesSquare} title={t.noConversations} hint={t.noConversationsHint} />
            ) : (
              <Empty icon={MessagesSquare} title={t.noneHere} />
            )
          ) : (
            <>
              <ConversationTable phoneId={phoneId} items={items} />
              <Pager cursor={cursor} nextCursor={nextCursor} onCursor={(next) => onChange({ cursor: next })} />
            </>
          )
        }
      </Loaded>
    </>
  );
};

const ConversationTable = ({ phoneId, items }: { phoneId: string; items: readonly AiConversation[] }) => {
  const t = agentsTexts();
  return (
    <Table
      label={t.tabs.conversations}
      rows={items}
      keyOf={({ id }) => id}
      linkOf={({ contactKey }) => `/agents/${phoneId}/conversations?contact=${encodeURIComponent(contactKey)}`}
      columns={[
        { title: t.contact, isMain: true, cell: ({ contactKey }) => contactName(contactKey) },
        {
          title: t.state,
          cell: ({ status }) => <Badge tone={STATE_TONES[status]}>{t.conversationStates[status]}</Badge>,
        },
        { title: t.messages, isNumber: true, cell: ({ turnCount }) => number(turnCount) },
        { title: t.reason, isMinor: true, cell: ({ handoffReason }) => <Reason reason={handoffReason} /> },
        { title: t.lastMessage, cell: ({ lastTurnAt }) => <When at={lastTurnAt} /> },
      ]}
    />
  );
};
