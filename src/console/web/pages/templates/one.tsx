import { FlaskConical, Pencil, Send, Trash } from "lucide-preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Template } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { number } from "../../frame/texts/format.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { Card, Details } from "../../parts/layout.tsx";
import { Bubble } from "../../parts/messages/bubble.tsx";
import { bubbleOf, cardsOf, examplesOf } from "../../parts/messages/template-parts.ts";
import { PageHeader } from "../../parts/page-header.tsx";
import { PhoneName } from "../../parts/phones/phones.tsx";
import { Loaded, Notice } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { adviceFor, TemplateBadge } from "./state.tsx";
import { TestSend } from "./test-send.tsx";
import { templatesTexts } from "./texts.ts";

/** One template: its review, the advice about a refusal, and its preview. */
export const OneTemplate = ({ id }: { id: string }) => {
  const template = useQuery(`templates/one/${id}`, (signal) => gateway.templates.get(id, { signal }), {
    on: ["template:"],
    everyMs: 30_000,
  });
  return <Loaded query={template}>{(data) => <Shown template={data} />}</Loaded>;
};

const Shown = ({ template }: { template: Template }) => {
  const t = templatesTexts();
  const { components, name, language, category, status, maxPricePer1000 } = template;
  return (
    <>
      <PageHeader title={name} back={{ path: "/templates", name: pageNames().templates }}>
        <Acts template={template} />
      </PageHeader>
      <Review template={template} />
      <div class="grid">
        <Card title={t.one.preview}>
          <Bubble
            label={t.one.preview}
            {...bubbleOf(components, examplesOf(components), cardsOf(components).map(examplesOf))}
          />
        </Card>
        <Card title={t.one.details}>
          <Details
            items={[
              [t.state, <TemplateBadge key="state" status={status} />],
              [t.category, t.categories[category]],
              [t.language, language],
              ...(maxPricePer1000 === null ? [] : [[t.maxPrice, moneyOf(maxPricePer1000)] as const]),
              [t.phone, <PhoneName key="phone" id={template.phoneId} />],
              [
                t.one.id,
                <span key="id" class="mono">
                  {template.upstreamTemplateId ?? t.one.none}
                </span>,
              ],
              [t.one.made, <When key="made" at={template.createdAt} isFull />],
              [t.changed, <When key="changed" at={template.updatedAt} />],
            ]}
          />
        </Card>
      </div>
    </>
  );
};

/** Hundredths as money of the business account, whose currency is not known here. */
const moneyOf = (hundredths: number): string => number(hundredths / 100);

const Review = ({ template: { status, rejectionReason } }: { template: Template }) => {
  const t = templatesTexts().one;
  if (status === "APPROVED") return <Notice tone="good">{t.approved}</Notice>;
  if (status === "PAUSED") return <Notice tone="warning">{t.paused}</Notice>;
  if (status !== "REJECTED") return <Notice>{t.inReview}</Notice>;
  const reason = rejectionReason ?? "NONE";
  return (
    <Notice tone="bad">
      <p>
        <b>{t.refused}</b> {reason === "NONE" ? "" : t.reason(reason)}
      </p>
      <p>{adviceFor(reason)}</p>
    </Notice>
  );
};

const Acts = ({ template: { id, name, phoneId, status, components, language } }: { template: Template }) => {
  const t = templatesTexts();
  const { route } = useLocation();
  const [asked, setAsked] = useState<"remove" | "test" | undefined>();
  const close = (): void => setAsked(undefined);
  const remove = useAct(async () => {
    await gateway.templates.delete(id);
    notify(t.one.removed);
    route(href("/templates"));
    refresh("templates/list");
  });
  return (
    <>
      {status === "APPROVED" && may("messages.write") && (
        <>
          <Button icon={FlaskConical} onClick={() => setAsked("test")}>
            {t.one.test}
          </Button>
          <ButtonLink icon={Send} path={`/batches/new?phone=${phoneId}&template=${id}`}>
            {t.one.batch}
          </ButtonLink>
        </>
      )}
      {may("templates.write") && (
        <>
          <ButtonLink icon={Pencil} path={`/templates/${id}/change`}>
            {t.one.change}
          </ButtonLink>
          <Button icon={Trash} onClick={() => setAsked("remove")}>
            {t.one.remove}
          </Button>
        </>
      )}
      {asked === "remove" && (
        <Confirm title={t.one.removeTitle} yes={t.one.remove} act={remove} onNo={close}>
          <p>{t.one.removeText(`${name} (${language})`)}</p>
        </Confirm>
      )}
      {asked === "test" && <TestSend template={{ name, language, components }} phoneId={phoneId} onClose={close} />}
    </>
  );
};
