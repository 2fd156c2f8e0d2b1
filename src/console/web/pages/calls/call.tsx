import { Volume2 } from "lucide-preact";
import { useEffect, useState } from "preact/hooks";
import type { Call } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useAct, useQuery } from "../../frame/requests/query.ts";
import { bytes } from "../../frame/texts/format.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Card, Details } from "../../parts/layout.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { PhoneName } from "../../parts/phones/phones.tsx";
import { Failure, Loaded } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { CallActs } from "./acts.tsx";
import { peerName, STATE_TONES } from "./call-names.ts";
import { callsTexts } from "./texts.ts";

export const CallView = ({ id }: { id: string }) => {
  const call = useQuery(`calls/one/${id}`, (signal) => gateway.calls.get(id, { signal }), { on: ["call:"] });
  return (
    <>
      <PageHeader
        title={call.data ? peerName(call.data.peer) : pageNames().calls}
        back={{ path: "/calls", name: pageNames().calls }}
      >
        {call.data && <CallActs call={call.data} />}
      </PageHeader>
      <Loaded query={call}>
        {(found) => (
          <div class="grid top-aligned">
            <About call={found} />
            <Recorded call={found} />
          </div>
        )}
      </Loaded>
    </>
  );
};

const About = ({ call }: { call: Call }) => {
  const t = callsTexts();
  const { status, direction, durationSeconds, upstreamCallId } = call;
  return (
    <Card title={t.about}>
      <Details
        items={[
          [
            t.state,
            <Badge key="state" tone={STATE_TONES[status]}>
              {t.states[status]}
            </Badge>,
          ],
          [t.direction, t.directions[direction]],
          [t.phone, <PhoneName key="phone" id={call.phoneId} />],
          [t.started, <When key="started" at={call.startedAt} isFull />],
          [t.accepted, <When key="accepted" at={call.acceptedAt} isFull />],
          [t.ended, <When key="ended" at={call.endedAt} isFull />],
          [t.duration, durationSeconds === null ? "–" : t.seconds(durationSeconds)],
          [t.endReason, call.endReason ?? "–"],
          [t.callId, <code key="id">{upstreamCallId ?? "–"}</code>],
        ]}
      />
    </Card>
  );
};

/** The page fetches the sound when somebody plays it. */
const Recorded = ({ call: { id, recording } }: { call: Call }) => {
  const t = callsTexts();
  const [url, setUrl] = useState<string | undefined>();
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);
  const act = useAct(async () => {
    const answer = await gateway.calls.getRecording(id);
    setUrl(URL.createObjectURL(await answer.blob()));
  });
  if (!recording)
    return (
      <Card title={t.recording}>
        <p class="soft">{t.noRecording}</p>
      </Card>
    );
  return (
    <Card title={t.recording} hint={`${recording.contentType} · ${bytes(recording.sizeBytes)}`}>
      {act.error !== undefined && <Failure error={act.error} />}
      {url === undefined ? (
        <Button icon={Volume2} isBusy={act.isRunning} onClick={() => void act.run()}>
          {t.listen}
        </Button>
      ) : (
        <audio class="recording" controls autoPlay src={url} aria-label={t.recording} />
      )}
    </Card>
  );
};
