import { UserCheck, UserX } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Group, JoinRequest } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/layout.tsx";
import { Failure, Notice } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { personName } from "./numbers.ts";
import { groupsTexts } from "./texts.ts";

/** The network reports no requests, so the page asks for them while it is open. */
const EVERY_MS = 30_000;
/** The number of rows of one answer. The page asks for all answers. */
const AT_ONCE = 100;

/** The people who wait to be let into a group. Nothing without such people, or if the network has no such requests. */
export const Requests = ({ group: { id, joinApprovalMode } }: { group: Group }) => {
  const t = groupsTexts();
  const [failed, setFailed] = useState(0);
  const requests = useQuery(
    `groups/requests/${id}`,
    async (signal) =>
      joinApprovalMode === "APPROVAL_REQUIRED"
        ? await gateway.groups.listJoinRequests(id, { limit: AT_ONCE }, { signal }).toArray()
        : [],
    { on: ["group:"], everyMs: EVERY_MS },
  );
  const act = useAct(async (verb: "approveJoinRequests" | "rejectJoinRequests", joinRequestIds: string[]) => {
    const said = await gateway.groups[verb](id, { joinRequestIds });
    setFailed(said.failed.length);
    await gateway.groups.get(id, { query: { refresh: true } }); // not every network reports who was let in
    refresh("groups/");
  });
  const due = requests.data ?? [];
  if (due.length === 0 && failed === 0) return null;
  const decide = may("groups.write") ? act.run : undefined;
  return (
    <Card
      title={t.requests}
      hint={t.requestsHint}
      actions={
        decide &&
        due.length > 1 && (
          <Button
            icon={UserCheck}
            isBusy={act.isRunning}
            onClick={() =>
              void decide(
                "approveJoinRequests",
                due.map(({ joinRequestId }) => joinRequestId),
              )
            }
          >
            {t.approveAll}
          </Button>
        )
      }
    >
      {act.error !== undefined && <Failure error={act.error} />}
      {failed > 0 && <Notice tone="warning">{t.failedRequests(failed)}</Notice>}
      <ul class="people" aria-label={t.requests}>
        {due.map((request) => (
          <Request key={request.joinRequestId} request={request} decide={decide} />
        ))}
      </ul>
    </Card>
  );
};

type Decide = (verb: "approveJoinRequests" | "rejectJoinRequests", ids: string[]) => Promise<boolean>;

const Request = ({
  request: { joinRequestId, waId, requestedAt },
  decide,
}: {
  request: JoinRequest;
  decide: Decide | undefined;
}) => {
  const t = groupsTexts();
  return (
    <li>
      <span class="person-id">{personName(waId)}</span>
      <span class="small soft">
        <When at={requestedAt} />
      </span>
      {decide && (
        <span class="person-acts">
          <Button icon={UserCheck} onClick={() => void decide("approveJoinRequests", [joinRequestId])}>
            {t.approve}
          </Button>
          <Button icon={UserX} onClick={() => void decide("rejectJoinRequests", [joinRequestId])}>
            {t.reject}
          </Button>
        </span>
      )}
    </li>
  );
};
