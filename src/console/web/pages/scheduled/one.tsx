import { Ban, CalendarClock } from "lucide-preact";
import { useState } from "preact/hooks";
import type { ScheduledMessageDetails } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Confirm, Dialog } from "../../parts/forms/dialog.tsx";
import { Form, type Touched } from "../../parts/forms/form.tsx";
import { Card, Details } from "../../parts/layout.tsx";
import { Bubble } from "../../parts/messages/bubble.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { PhoneName } from "../../parts/phones/phones.tsx";
import { Loaded, Notice } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { TimeField, whenIn } from "./make.tsx";
import { ScheduledBadge } from "./state.tsx";
import { scheduledTexts } from "./texts.ts";

/** One scheduled message: its content, its recipient and its time. While it waits it can be moved and cancelled. */
export const OneScheduled = ({ id }: { id: string }) => {
  const message = useQuery(`scheduled/one/${id}`, (signal) => gateway.messages.getScheduled(id, { signal }), {
    on: ["message:"],
    waitMs: 1000,
    everyMs: 15_000,
  });
  return <Loaded query={message}>{(data) => <Shown message={data} />}</Loaded>;
};

type Payload = { to?: unknown; type?: unknown; content?: Record<string, unknown> };

const wordsOf = ({ type, content = {} }: Payload): string => {
  const words = [content["text"], content["caption"], content["name"]].find((one) => typeof one === "string");
  return typeof words === "string" ? words : scheduledTexts().of(String(type));
};

const Shown = ({ message }: { message: ScheduledMessageDetails }) => {
  const t = scheduledTexts();
  const payload = message.payload as Payload;
  const to = String(payload.to);
  return (
    <>
      <PageHeader title={t.title(to)} back={{ path: "/scheduled", name: pageNames().scheduled }}>
        {message.status === "PENDING" && may("messages.write") && <Acts message={message} to={to} />}
        {message.messageId !== null && <ButtonLink path={`/messages/${message.messageId}`}>{t.follow}</ButtonLink>}
      </PageHeader>
      {message.failedReason !== null && (
        <Notice tone="bad">
          <p>
            <b>{t.reason}</b>
          </p>
          <p>{message.failedReason}</p>
        </Notice>
      )}
      <div class="grid">
        <Card>
          <Details
            items={[
              [t.state, <ScheduledBadge key="state" status={message.status} />],
              [
                t.when,
                <span key="when">
                  <When at={message.scheduledAt} isFull /> (<When at={message.scheduledAt} />)
                </span>,
              ],
              [
                t.to,
                <span key="to" class="mono">
                  {to}
                </span>,
              ],
              [t.phone, <PhoneName key="phone" id={message.phoneId} />],
              [t.made, <When key="made" at={message.createdAt} isFull />],
              [t.changed, <When key="changed" at={message.updatedAt} isFull />],
            ]}
          />
        </Card>
        <Card title={t.message}>
          <Bubble label={t.message} body={wordsOf(payload)} />
        </Card>
      </div>
    </>
  );
};

const Acts = ({ message: { id, scheduledAt }, to }: { message: ScheduledMessageDetails; to: string }) => {
  const t = scheduledTexts();
  const [asked, setAsked] = useState<"move" | "cancel" | undefined>();
  const close = (): void => setAsked(undefined);
  const move = useAct(async (form: FormData, touched: Touched) => {
    // the field has no seconds, but the stored time has
    const at = touched.has("scheduledAt") ? {} : { scheduledAt };
    await gateway.messages.reschedule(id, { ...whenIn(form), ...at });
    close();
    notify(t.moved);
    refresh("scheduled/");
  });
  const cancel = useAct(async () => {
    await gateway.messages.cancelScheduled(id);
    close();
    notify(t.cancelled);
    refresh("scheduled/");
  });
  return (
    <>
      <Button icon={CalendarClock} onClick={() => setAsked("move")}>
        {t.move}
      </Button>
      <Button icon={Ban} onClick={() => setAsked("cancel")}>
        {t.cancel}
      </Button>
      {asked === "move" && (
        <Dialog title={t.moveTitle} onClose={close}>
          <Form act={move} submit={t.move} onCancel={close}>
            <TimeField at={scheduledAt} />
          </Form>
        </Dialog>
      )}
      {asked === "cancel" && (
        <Confirm title={t.cancelTitle} yes={t.cancel} act={cancel} onNo={close}>
          <p>{t.cancelText(to)}</p>
        </Confirm>
      )}
    </>
  );
};
