import { BadgeCheck, Camera, KeyRound, QrCode } from "lucide-preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { CreatePhoneRequest, PhoneKind } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { href } from "../../frame/base.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, textIn } from "../../parts/forms/form.tsx";
import { filledIn, inLanguage, KindFields, useKinds } from "../../parts/phones/kind-fields.tsx";
import { Loaded } from "../../parts/states.tsx";
import { AskConsent } from "./instagram.tsx";
import { phonesTexts } from "./texts.ts";

type Way = PhoneKind["ways"][number];

/** TABLE: the picture of each way to make a phone. */
const ICONS = { pairing: QrCode, credentials: KeyRound, signup: BadgeCheck, oauth: Camera } as const satisfies Record<
  Way,
  object
>;
const iconOf = ({ ways }: PhoneKind) => ICONS[ways.includes("signup") ? "signup" : (ways[0] ?? "credentials")];

/** Adds a phone of a kind that the server has, and goes on to its page. */
export const AddPhone = ({ onClose }: { onClose: () => void }) => {
  const kinds = useKinds();
  return (
    <Dialog title={phonesTexts().addTitle} onClose={onClose} isWide>
      <Loaded query={kinds} lines={6}>
        {(found) => <Choice kinds={found} />}
      </Loaded>
    </Dialog>
  );
};

const Choice = ({ kinds }: { kinds: readonly PhoneKind[] }) => {
  const [type, setType] = useState(kinds[0]?.type);
  const chosen = kinds.find((kind) => kind.type === type);
  return (
    <>
      <div class="phone-ways choice-cards" role="radiogroup" aria-label={phonesTexts().ways}>
        {kinds.map((kind) => {
          const Icon = iconOf(kind);
          return (
            <label key={kind.type}>
              <input type="radio" name="way" checked={kind === chosen} onChange={() => setType(kind.type)} />
              <Icon size={22} aria-hidden="true" />
              <span>
                <b>{inLanguage(kind.label)}</b>
                {kind.about && <span class="hint">{inLanguage(kind.about)}</span>}
              </span>
            </label>
          );
        })}
      </div>
      {chosen && (chosen.ways.includes("oauth") ? <AskConsent /> : <KindForm key={chosen.type} kind={chosen} />)}
    </>
  );
};

/** Credentials have names of their own: one may be called `label`. */
const CREDENTIAL = "credentials.";

/** The form of a kind, made of what its adapter says. */
const KindForm = ({ kind }: { kind: PhoneKind }) => {
  const t = phonesTexts();
  const { route } = useLocation();
  const isPaired = kind.ways.includes("pairing");
  const act = useAct(async (form: FormData) => {
    const body: CreatePhoneRequest = {
      type: kind.type,
      label: textIn(form, "label"),
      ...filledIn(form, kind.creationSettings),
      ...(kind.credentials.length === 0 ? {} : { credentials: filledIn(form, kind.credentials, CREDENTIAL) }),
    };
    const { id } = await gateway.phones.create(body);
    refresh("phones/");
    route(href(`/phones/${id}`));
  });
  return (
    <Form act={act} submit={isPaired ? t.link : t.connect}>
      <Field
        label={t.label}
        hint={t.labelHint}
        name="label"
        maxLength={120}
        defaultValue={inLanguage(kind.label)}
        autoFocus
      />
      <KindFields fields={kind.credentials} prefix={CREDENTIAL} />
      {kind.creationSettings.length > 0 && (
        <details>
          <summary>{t.further}</summary>
          <div class="form">
            <KindFields fields={kind.creationSettings} />
          </div>
        </details>
      )}
      {kind.ways.includes("signup") && <p class="hint">{t.signup}</p>}
    </Form>
  );
};
