import { RefreshCw } from "lucide-preact";
import { useRef } from "preact/hooks";
import type { Phone } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Failure, Loaded, Notice } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { Credentials } from "./credentials.tsx";
import { EndPhone } from "./end.tsx";
import { History } from "./history.tsx";
import { HoursCard } from "./hours.tsx";
import { isOpen, isPaired, isUnsettled, STATE_TONES, useKindName } from "./kinds.ts";
import { Limits } from "./limits.tsx";
import { Linking } from "./linking.tsx";
import { phoneTexts } from "./phone-texts.ts";
import { ChatwootCard } from "./programs/chatwoot.tsx";
import { CloudCard } from "./programs/cloud.tsx";
import { PhoneSettings } from "./settings.tsx";
import { ShareLink } from "./share.tsx";
import { TestMessage } from "./test-message.tsx";
import { phonesTexts } from "./texts.ts";
import { VoiceNotes } from "./voice-notes.tsx";
import { PhoneWebhook } from "./webhook.tsx";

/** Changes without an event need questions: often while something is under way, else now and then. */
const UNSETTLED_MS = 2000;
const SETTLED_MS = 30_000;

/** One phone: its state, its link, a test, its limits, history, webhook and settings. */
export const PhoneView = ({ id }: { id: string }) => {
  const everyMs = useRef(UNSETTLED_MS);
  const phone = useQuery(`phones/one/${id}`, (signal) => gateway.phones.get(id, { signal }), {
    on: ["channel:"],
    everyMs: everyMs.current,
  });
  everyMs.current = phone.data && !isUnsettled(phone.data) ? SETTLED_MS : UNSETTLED_MS;
  return (
    <Loaded query={phone} lines={8}>
      {(found) => <Shown phone={found} />}
    </Loaded>
  );
};

const Shown = ({ phone }: { phone: Phone }) => {
  const mayWrite = may("phones.write");
  return (
    <>
      <PageHeader title={phone.label} back={{ path: "/phones", name: phonesTexts().back }}>
        {mayWrite && isPaired(phone) && !isOpen(phone) && <ShareLink phone={phone} />}
        {mayWrite && !isOpen(phone) && !isUnsettled(phone) && <Reconnect phone={phone} />}
        {mayWrite && <EndPhone phone={phone} />}
      </PageHeader>
      <State phone={phone} />
      {mayWrite && isPaired(phone) && !isOpen(phone) && <Linking phone={phone} />}
      <div class="phone-cards">
        <div>
          {may("messages.write") && isOpen(phone) && <TestMessage phone={phone} />}
          <Limits phone={phone} />
          <History phone={phone} />
        </div>
        <div>
          {mayWrite && <PhoneWebhook phone={phone} />}
          <PhoneSettings phone={phone} />
          <Credentials phone={phone} />
          <VoiceNotes phone={phone} />
          <HoursCard phoneId={phone.id} />
          <CloudCard phoneId={phone.id} />
          <ChatwootCard phoneId={phone.id} />
        </div>
      </div>
    </>
  );
};

/** The state with its reason, and the words that a person needs first. */
const State = ({ phone: { type, status, stateReason, stateSince, phoneNumber, restriction } }: { phone: Phone }) => {
  const t = phoneTexts();
  const nameOf = useKindName();
  return (
    <>
      <p class="phone-state" role="status">
        <Badge tone={STATE_TONES[status]}>{phonesTexts().states[status]}</Badge>
        {stateSince && <When at={stateSince} />}
        <span class="soft">{nameOf(type)}</span>
        {phoneNumber && <b>+{phoneNumber}</b>}
        {stateReason && <span class="soft">{t.reason(stateReason)}</span>}
      </p>
      {restriction && (
        <Notice tone="warning">
          {t.restricted(restriction.reason)} {t.allows[restriction.allows]}{" "}
          {restriction.until && (
            <>
              {t.until} <When at={restriction.until} isFull />
            </>
          )}
          {restriction.text && <bdi dir="auto"> {restriction.text}</bdi>}
        </Notice>
      )}
    </>
  );
};

const Reconnect = ({ phone: { id } }: { phone: Phone }) => {
  const act = useAct(async () => {
    await gateway.phones.reconnect(id);
    refresh("phones/");
  });
  return (
    <>
      {act.error !== undefined && <Failure error={act.error} />}
      <Button tone="primary" icon={RefreshCw} isBusy={act.isRunning} onClick={() => void act.run()}>
        {phoneTexts().reconnect}
      </Button>
    </>
  );
};
