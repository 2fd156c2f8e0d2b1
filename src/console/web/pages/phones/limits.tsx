import type { Phone } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { Bar, Card, Details } from "../../parts/layout.tsx";
import { Failure } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { isOfficial, isOpen, isPaired } from "./kinds.ts";
import { phoneTexts } from "./phone-texts.ts";

/** The limits of the network and of this server, as bars with their ends. */
export const Limits = ({ phone }: { phone: Phone }) => {
  const t = phoneTexts();
  if (isOfficial(phone)) {
    const { wabaQualityRating, wabaMessagingLimit, wabaThroughputLevel, wabaSendProblem } = phone;
    return (
      <Card title={t.limits}>
        {!wabaSendProblem && !phone.restriction && <p class="soft">{t.noRestriction}</p>}
        <Details
          items={[
            [t.quality, wabaQualityRating ?? "–"],
            [t.tier, wabaMessagingLimit ?? "–"],
            [t.throughput, wabaThroughputLevel ?? "–"],
          ]}
        />
      </Card>
    );
  }
  return isPaired(phone) && isOpen(phone) ? <NewChats phone={phone} /> : null;
};

const NewChats = ({ phone: { id, restriction } }: { phone: Phone }) => {
  const t = phoneTexts();
  const quota = useQuery(`phones/quota/${id}`, (signal) => gateway.phones.getQuota(id, { signal }), {
    everyMs: 60_000,
  });
  const { network, own } = quota.data ?? {};
  return (
    <Card title={t.limits}>
      {!restriction && <p class="soft">{t.noRestriction}</p>}
      {quota.error !== undefined && <Failure error={quota.error} onAgain={quota.reload} />}
      {quota.data && !network && !own && <p class="soft">{t.noLimits}</p>}
      {network && network.used !== null && (
        <div>
          <Bar name={t.newChats} used={network.used} limit={network.total} />
          <Until at={network.cycleEndsAt} />
        </div>
      )}
      {own && (
        <div>
          <Bar name={t.ownChats} used={own.used} limit={own.limit} />
          <Until at={own.resetsAt} />
        </div>
      )}
    </Card>
  );
};

const Until = ({ at }: { at: string | null }) =>
  at ? (
    <p class="small soft">
      {phoneTexts().until} <When at={at} isFull />
    </p>
  ) : null;
