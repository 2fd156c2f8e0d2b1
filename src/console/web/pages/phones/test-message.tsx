import { Check, CheckCheck, CircleX, Clock3 } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Message, Phone, SendMessage } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { keep, kept } from "../../frame/kept.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useAct, useQuery } from "../../frame/requests/query.ts";
import { timeOfDay } from "../../frame/texts/format.ts";
import { Field, Form, Select, textIn } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { ContentFields, contentFaults } from "../../parts/messages/content/content-fields.tsx";
import { contentIn } from "../../parts/messages/content/content-in.ts";
import { type FormKind, formKindsOf } from "../../parts/messages/content/kinds.ts";
import { formKindNames } from "../../parts/messages/content/names.ts";
import { LimitedText } from "../../parts/messages/limited-text.tsx";
import { SendOptions, sendOptionsIn } from "../../parts/messages/send-options.tsx";
import { useCapabilities } from "../../parts/phones/phones.tsx";
import { Notice } from "../../parts/states.tsx";
import { phoneTexts } from "./phone-texts.ts";

/** The number of the last test, so that the next one is a click. */
const LAST_TO = "test-to";

/** Sends a text, or another message that the phone's network takes, and shows its steps: accepted, sent, delivered and read. */
export const TestMessage = ({ phone: { id } }: { phone: Phone }) => {
  const t = phoneTexts();
  const [sent, setSent] = useState<{ messageId: string; at: number }>();
  const [kind, setKind] = useState<FormKind | "text">("text");
  const kinds = formKindsOf(useCapabilities(id));
  const names = formKindNames();
  const act = useAct(async (form: FormData) => {
    const to = textIn(form, "to");
    const content = kind === "text" ? { text: textIn(form, "text") } : contentIn(kind, form);
    const message = { phoneId: id, to, type: kind, content, ...sendOptionsIn(form) };
    const { messageId } = await gateway.messages.send(message as SendMessage); // the server checks each type's content
    keep(LAST_TO, to);
    setSent({ messageId, at: Date.now() });
  });
  return (
    <Card title={t.test} hint={t.testHint}>
      <Form act={act} submit={t.send} faultTexts={kind === "text" ? {} : contentFaults(kind)}>
        <Field label={t.to} hint={t.toHint} name="to" type="tel" defaultValue={kept(LAST_TO) ?? ""} />
        {kinds.length > 0 && (
          <Select
            label={t.testKind}
            value={kind}
            options={[["text", t.text] as const, ...kinds.map((one) => [one, names[one]] as const)]}
            onChange={({ currentTarget }) => setKind(currentTarget.value as FormKind | "text")}
          />
        )}
        {kind === "text" ? (
          <LimitedText phoneId={id} label={t.text} name="text" rows={2} initial={t.testText} />
        ) : (
          <ContentFields kind={kind} phoneId={id} />
        )}
        <SendOptions phoneId={id} />
      </Form>
      {sent && <Progress key={sent.messageId} {...sent} />}
    </Card>
  );
};

const ASKED_EVERY_MS = 1000;

const Progress = ({ messageId, at }: { messageId: string; at: number }) => {
  const t = phoneTexts();
  const message = useQuery(`messages/test/${messageId}`, (signal) => gateway.messages.get(messageId, { signal }), {
    on: ["message:"],
    everyMs: ASKED_EVERY_MS,
  });
  return (
    <div class="phone-test" role="status">
      <Steps at={at} message={message.data} />
      {message.data?.status === "FAILED" && (
        <Notice tone="bad">
          <bdi dir="auto">{message.data.failedReason ?? t.failed}</bdi>
        </Notice>
      )}
      <a href={href(`/messages/${messageId}`)}>{t.openMessage}</a>
    </div>
  );
};

const Steps = ({ at, message }: { at: number; message: Message | undefined }) => {
  const t = phoneTexts().steps;
  const hasFailed = message?.status === "FAILED";
  const steps = [
    [t.accepted, at, Check],
    [t.sent, message?.sentAt ?? null, Check],
    [t.delivered, message?.deliveredAt ?? null, CheckCheck],
    [t.read, message?.readAt ?? null, CheckCheck],
  ] as const;
  return (
    <ol class="phone-steps">
      {steps.map(([name, time, Icon]) => {
        const Shown = time !== null ? Icon : hasFailed ? CircleX : Clock3;
        return (
          <li key={name} class={time === null ? "" : "done"}>
            <Shown size={18} aria-hidden="true" />
            <span>{name}</span>
            <span class="small soft">{time === null ? "–" : timeOfDay(time)}</span>
          </li>
        );
      })}
    </ol>
  );
};
