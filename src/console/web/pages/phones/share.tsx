import { Link } from "lucide-preact";
import { useState } from "preact/hooks";
import type { NewPairingLink, PairingLink, Phone } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { dateTime } from "../../frame/texts/format.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, textIn } from "../../parts/forms/form.tsx";
import { HandOverLink } from "../../parts/hand-over-link.tsx";
import { Failure, Skeleton } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { phoneTexts } from "./phone-texts.ts";

/** A browser may refuse: then the person copies the link by its button. */
const copy = (text: string): void =>
  void navigator.clipboard.writeText(text).then(
    () => notify(phoneTexts().copiedLink),
    () => undefined,
  );

/** Makes a pairing link at once, copies it, and shows it with the earlier ones. */
export const ShareLink = ({ phone: { id } }: { phone: Phone }) => {
  const t = phoneTexts();
  const [made, setMade] = useState<NewPairingLink>();
  const [isShown, setShown] = useState(false);
  const act = useAct(async (body: { label?: string; minutes?: number }) => {
    const link = await gateway.phones.createPairingLink(id, body);
    setMade(link);
    copy(link.url);
    refresh(`phones/links/${id}`);
  });
  const begin = () => {
    setMade(undefined);
    setShown(true);
    void act.run({});
  };
  return (
    <>
      <Button icon={Link} onClick={begin}>
        {t.share}
      </Button>
      {isShown && (
        <Dialog title={t.shareTitle} onClose={() => setShown(false)} isHeld>
          <p class="soft">{t.shareHint}</p>
          {act.error !== undefined && <Failure error={act.error} />}
          {made ? <Made link={made} /> : act.isRunning && <Skeleton lines={2} />}
          <Another onMake={(body) => act.run(body)} />
          <Earlier id={id} but={made?.id} />
        </Dialog>
      )}
    </>
  );
};

const Made = ({ link: { url, expiresAt } }: { link: NewPairingLink }) => (
  <div>
    <HandOverLink link={url} />
    <p class="hint phone-until">{phoneTexts().goodUntil(dateTime(expiresAt))}</p>
  </div>
);

const Another = ({ onMake }: { onMake: (body: { label?: string; minutes?: number }) => Promise<boolean> }) => {
  const t = phoneTexts();
  const act = useAct(async (form: FormData) => {
    const label = textIn(form, "label");
    await onMake({ ...(label === "" ? {} : { label }), minutes: Number(textIn(form, "minutes")) });
  });
  return (
    <details>
      <summary>{t.another}</summary>
      <Form act={act} submit={t.make}>
        <Field label={t.title} hint={t.titleHint} name="label" maxLength={120} isOptional />
        <Field label={t.minutes} name="minutes" type="number" min={1} max={1440} defaultValue="30" />
      </Form>
    </details>
  );
};

const TONES = { open: "busy", paired: "good", revoked: "neutral", expired: "neutral" } as const;

const Earlier = ({ id, but }: { id: string; but: string | undefined }) => {
  const t = phoneTexts();
  const links = useQuery(`phones/links/${id}`, (signal) => gateway.phones.listPairingLinks(id, {}, { signal }).page(), {
    everyMs: 5000,
  });
  const shown = links.data?.items.filter((link) => link.id !== but) ?? [];
  if (shown.length === 0) return null;
  return (
    <section>
      <h3>{t.earlier}</h3>
      <ul class="phone-links">
        {shown.map((link) => (
          <EarlierLink key={link.id} id={id} link={link} />
        ))}
      </ul>
    </section>
  );
};

const EarlierLink = ({ id, link }: { id: string; link: PairingLink }) => {
  const t = phoneTexts();
  const act = useAct(async () => {
    await gateway.phones.revokePairingLink(id, link.id);
    refresh(`phones/links/${id}`);
  });
  return (
    <li>
      <Badge tone={TONES[link.state]}>{t.linkStates[link.state]}</Badge>
      <span class="grow">
        {link.label && <bdi class="phone-cut">{link.label}</bdi>}
        <span class="soft small">
          <When at={link.createdAt} /> ·{" "}
          {link.openedAt ? (
            <>
              {t.opened} <When at={link.openedAt} />
            </>
          ) : (
            t.notOpened
          )}
        </span>
      </span>
      {link.state === "open" && (
        <Button isBusy={act.isRunning} onClick={() => void act.run()}>
          {t.takeBack}
        </Button>
      )}
    </li>
  );
};
