import { MessageCircle, RotateCcw } from "lucide-preact";
import { useState } from "preact/hooks";
import type {
  LoggedMessage,
  MessageTimeline,
  SendMessage,
} from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { money, number } from "../../frame/texts/format.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { Identifier } from "../../parts/identifier.tsx";
import { Card, Details } from "../../parts/layout.tsx";
import { authorTexts } from "../../parts/messages/author-texts.ts";
import { authorName, keyOfAuthor } from "../../parts/messages/authors.ts";
import { PageHeader } from "../../parts/page-header.tsx";
import { personName } from "../../parts/people/people.ts";
import { PhoneName } from "../../parts/phones/phones.tsx";
import { Loaded, Notice } from "../../parts/states.tsx";
import { inboxTexts } from "../inbox/texts.ts";
import { Content } from "./content.tsx";
import { MessageEvents } from "./events.tsx";
import { adviceOf, STATUS_TONES, typeName } from "./said.ts";
import { messagesTexts } from "./texts.ts";
import { Timeline } from "./timeline.tsx";
import { failureIn } from "./words.ts";

const isResendable = ({ direction, type, to, deletedAt }: LoggedMessage): boolean =>
  direction === "outbound" && type !== "native" && to !== null && deletedAt === null && may("messages.write");

/** Sends a copy of a message. Asks first, because the person may get both. */
const SendAgain = ({ message }: { message: LoggedMessage }) => {
  const [isAsking, setAsking] = useState(false);
  const [newId, setNewId] = useState("");
  const t = messagesTexts();
  const act = useAct(async () => {
    const { phoneId, to, type, content } = message;
    const body = { phoneId, to: to?.canonicalKey ?? "", type, content } as SendMessage; // as it was accepted before
    setNewId((await gateway.messages.send(body)).messageId);
    setAsking(false);
  });
  return (
    <>
      <Button icon={RotateCcw} onClick={() => setAsking(true)}>
        {t.again}
      </Button>
      {newId !== "" && (
        <a class="button primary" href={href(`/messages/${newId}`)}>
          {t.openNew}
        </a>
      )}
      {isAsking && (
        <Confirm title={t.againTitle} yes={t.again} act={act} onNo={() => setAsking(false)}>
          <p>{t.againHint}</p>
        </Confirm>
      )}
    </>
  );
};

const Failed = ({ failedReason }: Pick<LoggedMessage, "failedReason">) => {
  const { code, reason } = failureIn(failedReason);
  const advice = adviceOf(code);
  return (
    <Notice tone="bad">
      <p>
        <strong>{reason}</strong>
      </p>
      {advice !== undefined && <p>{advice}</p>}
    </Notice>
  );
};

/** Prices are in millionths of their currency. */
const MICROS = 1_000_000;

const About = ({ timeline: { message, networkId } }: { timeline: MessageTimeline }) => {
  const t = messagesTexts();
  return (
    <div class="stack">
      <Details
        items={[
          [
            t.columns.phone,
            <a href={href(`/phones/${message.phoneId}`)}>
              <PhoneName id={message.phoneId} />
            </a>,
          ],
          [t.type, typeName(message.type)],
          ...(message.sentBy === null
            ? []
            : [
                [
                  authorTexts().author,
                  <a href={`${href("/messages")}?${new URLSearchParams({ sentBy: keyOfAuthor(message.sentBy) })}`}>
                    {authorName(message.sentBy)}
                  </a>,
                ] as const,
              ]),
          ...(message.quotedMessageId === null
            ? []
            : [[t.answers, <a href={href(`/messages/${message.quotedMessageId}`)}>{t.openAnswered}</a>] as const]),
          ...(message.parts === undefined ? [] : [[t.parts, number(message.parts)] as const]),
          ...(message.price === undefined
            ? []
            : [[t.price, money(message.price.amountMicros / MICROS, message.price.currency)] as const]),
        ]}
      />
      <Identifier name={t.id} value={message.id} />
      {networkId !== null && <Identifier name={t.networkId} value={networkId} />}
    </div>
  );
};

const Life = ({ timeline }: { timeline: MessageTimeline }) => {
  const { message, events } = timeline;
  const t = messagesTexts();
  const who = personName(message.direction === "inbound" ? message.from : message.to);
  return (
    <>
      <PageHeader
        title={message.direction === "inbound" ? t.received(who) : t.sent(who)}
        back={{ path: "/messages", name: pageNames().messages }}
      >
        {message.chatId !== null && (
          <ButtonLink path={`/inbox/${message.chatId}`} icon={MessageCircle}>
            {t.openChat}
          </ButtonLink>
        )}
        {isResendable(message) && <SendAgain message={message} />}
      </PageHeader>
      <p class="under-title">
        <Badge tone={STATUS_TONES[message.status]}>{t.statuses[message.status]}</Badge>
      </p>
      {message.status === "FAILED" && <Failed failedReason={message.failedReason} />}
      <div class="life">
        <div class="stack">
          <Card title={t.timeline}>
            <Timeline timeline={timeline} />
          </Card>
          <Card title={t.events} hint={t.eventsHint}>
            <MessageEvents events={events} />
          </Card>
        </div>
        <div class="stack">
          <Card title={t.content}>
            {message.deletedAt === null ? (
              <Content message={message} />
            ) : (
              <p class="soft deleted">{inboxTexts().deleted}</p>
            )}
          </Card>
          <Card title={t.details}>
            <About timeline={timeline} />
          </Card>
        </div>
      </div>
    </>
  );
};

/** One message: each step of its life, its content, and the webhooks that the account's systems got of it. */
export const MessagePage = ({ id }: { id: string }) => {
  const query = useQuery(`messages/one/${id}`, (signal) => gateway.messages.getTimeline(id, { signal }), {
    on: ["message:", "channel:", "webhook:"],
    everyMs: 10_000,
  });
  return (
    <Loaded query={query} lines={10}>
      {(timeline) => <Life timeline={timeline} />}
    </Loaded>
  );
};
