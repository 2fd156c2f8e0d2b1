import { BadgeCheck, Camera, QrCode } from "lucide-preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { CreatePhoneRequest } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, Select, textIn } from "../../parts/forms/form.tsx";
import { AskConsent } from "./instagram.tsx";
import type { Kind } from "./kinds.ts";
import { phonesTexts } from "./texts.ts";

/** TABLE: the kinds that can be added here, each with its form. */
const WAYS = {
  SESSION: { icon: QrCode, form: () => <ByCode /> },
  WABA: { icon: BadgeCheck, form: () => <Official /> },
  SOCIAL: { icon: Camera, form: () => <AskConsent /> },
} as const satisfies Record<Kind, object>;
const NAMES = Object.keys(WAYS) as Kind[];

/** Adds a phone of one of the kinds, and goes on to its page. */
export const AddPhone = ({ onClose }: { onClose: () => void }) => {
  const t = phonesTexts();
  const [kind, setKind] = useState<Kind | undefined>(NAMES[0]);
  return (
    <Dialog title={t.addTitle} onClose={onClose} isWide>
      <div class="phone-ways choice-cards" role="radiogroup" aria-label={t.ways}>
        {NAMES.map((name) => {
          const { icon: Icon } = WAYS[name];
          const [title, hint] = t.way[name];
          return (
            <label key={name}>
              <input type="radio" name="way" checked={kind === name} onChange={() => setKind(name)} />
              <Icon size={22} aria-hidden="true" />
              <span>
                <b>{title}</b>
                <span class="hint">{hint}</span>
              </span>
            </label>
          );
        })}
      </div>
      {kind && WAYS[kind].form()}
    </Dialog>
  );
};

/** Creates a phone, and opens its page. */
const useCreate = (type: Kind, bodyOf: (form: FormData) => Partial<CreatePhoneRequest>) => {
  const { route } = useLocation();
  return useAct(async (form: FormData) => {
    const label = textIn(form, "label");
    const { id } = await gateway.phones.create({ type: type as CreatePhoneRequest["type"], label, ...bodyOf(form) });
    refresh("phones/");
    route(href(`/phones/${id}`));
  });
};

const LabelField = ({ name }: { name: string }) => {
  const t = phonesTexts();
  return <Field label={t.label} hint={t.labelHint} name="label" maxLength={120} defaultValue={name} autoFocus />;
};

const ByCode = () => {
  const t = phonesTexts();
  const [kind] = NAMES as [Kind];
  const act = useCreate(kind, (form) => {
    const [proxy, history] = [textIn(form, "proxy"), textIn(form, "history")];
    return {
      ...(proxy === "" ? {} : { proxy }),
      ...(history === "none" ? {} : { history: history as NonNullable<CreatePhoneRequest["history"]> }),
    };
  });
  return (
    <Form act={act} submit={t.link}>
      <LabelField name={t.labelDefault} />
      <details>
        <summary>{t.further}</summary>
        <div class="form">
          <Select
            label={t.history}
            name="history"
            options={(["none", "recent", "full"] as const).map((mode) => [mode, t.histories[mode]] as const)}
          />
          <Field label={t.proxy} hint={t.proxyHint} name="proxy" isOptional />
        </div>
      </details>
    </Form>
  );
};

const Official = () => {
  const t = phonesTexts();
  const [, kind] = NAMES as [Kind, Kind];
  const act = useCreate(kind, (form) => ({
    credentials: {
      phoneNumberId: textIn(form, "phoneNumberId"),
      businessAccountId: textIn(form, "businessAccountId"),
      accessToken: textIn(form, "accessToken"),
    },
  }));
  return (
    <Form act={act} submit={t.connect}>
      <LabelField name={t.kinds.WABA} />
      <Field label={t.phoneNumberId} hint={t.idsHint} name="phoneNumberId" inputMode="numeric" maxLength={64} />
      <Field label={t.businessAccountId} name="businessAccountId" inputMode="numeric" maxLength={64} />
      <Field label={t.accessToken} hint={t.tokenHint} name="accessToken" type="password" autocomplete="off" />
      <p class="hint">{t.signup}</p>
    </Form>
  );
};
