import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { EventType, SharedWebhook } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, onlyTouched, Select, type Touched } from "../../parts/forms/form.tsx";
import { hostOf } from "../../parts/messages/webhook-names.ts";
import { notify } from "../../parts/toasts.tsx";
import { webhooksTexts } from "./texts.ts";

/** The secrets of webhooks that were made in this tab, by their ids: the server shows no secret again. */
export const newSecrets = new Map<string, string>();
/** The webhooks that were just made. Their page tests them at once. */
export const untested = new Set<string>();

const SECRET_BYTES = 32;

/** A secret in the form of Standard Webhooks: `whsec_` and base64. */
const newSecret = (): string => {
  const random = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...random))}`;
};

const MESSAGE_EVENTS: readonly EventType[] = [
  "message:received",
  "message:status",
  "message:reaction",
  "message:edited",
];
const text = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
};

/** The events of a form's choice; undefined keeps the stored ones. */
const eventsOf = (form: FormData): EventType[] | undefined => {
  switch (text(form, "events")) {
    case "all":
      return [];
    case "messages":
      return [...MESSAGE_EVENTS];
    default:
      return undefined;
  }
};

/** The secret of the webhook that is being added: a dialog that is opened again has the same secret. */
let offered: string | undefined;
const offeredSecret = (): string => {
  offered ??= newSecret();
  return offered;
};

/** Adds a shared webhook, and leads to its page, where it is tested. */
export const AddWebhook = ({ onClose }: { onClose: () => void }) => {
  const [secret] = useState(offeredSecret);
  const { route } = useLocation();
  const t = webhooksTexts();
  const act = useAct(async (form: FormData) => {
    const url = text(form, "url");
    const given = text(form, "secret");
    const made = await gateway.webhooks.create({
      label: text(form, "label") || hostOf(url),
      url,
      secret: given,
      events: eventsOf(form) ?? [],
      allPhones: text(form, "phones") === "all",
    });
    offered = undefined;
    newSecrets.set(made.id, given);
    untested.add(made.id);
    refresh("webhooks/");
    route(href(`/webhooks/${made.id}`));
  });
  return (
    <Dialog title={t.add} onClose={onClose}>
      <Form act={act} submit={t.create} onCancel={onClose}>
        <Field name="url" type="url" label={t.url} hint={t.urlHint} placeholder="https://" autoFocus />
        <Field name="label" label={t.label} isOptional maxLength={120} />
        <Select
          name="phones"
          label={t.phones}
          options={[
            ["all", t.phonesAll],
            ["linked", t.phonesLinked],
          ]}
        />
        <Select
          name="events"
          label={t.events}
          options={[
            ["all", t.eventsAll],
            ["messages", t.eventsSome],
          ]}
        />
        <Field
          name="secret"
          label={t.secret}
          hint={t.secretHint}
          defaultValue={secret}
          minLength={16}
          maxLength={512}
          autocomplete="off"
        />
        <CopyButton text={secret} />
      </Form>
    </Dialog>
  );
};

/** Changes the data of a shared webhook. */
export const EditWebhook = ({ webhook, onClose }: { webhook: SharedWebhook; onClose: () => void }) => {
  const t = webhooksTexts();
  const { id, label, url, allPhones, ordering, events } = webhook;
  const act = useAct(async (form: FormData, touched: Touched) => {
    const secret = text(form, "secret");
    const chosen = eventsOf(form);
    await gateway.webhooks.update(id, {
      ...onlyTouched(touched, {
        label: text(form, "label"),
        url: text(form, "url"),
        allPhones: text(form, "allPhones") === "all",
        ordering: text(form, "ordering") === "chat" ? "chat" : "none",
      }),
      ...(touched.has("events") && chosen !== undefined ? { events: chosen } : {}),
      ...(secret === "" ? {} : { secret }),
    });
    refresh("webhooks/");
    notify(t.saved);
    onClose();
  });
  return (
    <Dialog title={t.editTitle} onClose={onClose}>
      <Form act={act} submit={t.save} onCancel={onClose}>
        <Field name="label" label={t.label} defaultValue={label} maxLength={120} autoFocus />
        <Field name="url" type="url" label={t.url} hint={t.urlHint} defaultValue={url} />
        <Select
          name="allPhones"
          label={t.phones}
          defaultValue={allPhones ? "all" : "linked"}
          options={[
            ["all", t.phonesAll],
            ["linked", t.phonesLinked],
          ]}
        />
        <Select
          name="events"
          label={t.events}
          defaultValue={events.length === 0 ? "all" : "kept"}
          options={[
            ...(events.length === 0 ? [] : [["kept", `${t.eventsKept} (${events.length})`] as const]),
            ["all", t.eventsAll],
            ["messages", t.eventsSome],
          ]}
        />
        <Select
          name="ordering"
          label={t.ordering}
          defaultValue={ordering}
          options={[
            ["none", t.orderings.none],
            ["chat", t.orderings.chat],
          ]}
        />
        <Field
          name="secret"
          label={t.secret}
          hint={t.newSecretHint}
          isOptional
          minLength={16}
          maxLength={512}
          autocomplete="off"
        />
      </Form>
    </Dialog>
  );
};
