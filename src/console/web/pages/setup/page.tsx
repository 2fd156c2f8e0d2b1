import { useEffect, useMemo, useState } from "preact/hooks";
import { errorOf } from "../../../../../clients/typescript/src/errors.ts";
import { href } from "../../frame/base.ts";
import { askConsole } from "../../frame/requests/own.ts";
import { useAct } from "../../frame/requests/query.ts";
import { type Session, takeSession } from "../../frame/session.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Field, Form, NewPasswordField } from "../../parts/forms/form.tsx";
import { OutsideCard } from "../../parts/outside.tsx";
import { Failure, Notice, Skeleton } from "../../parts/states.tsx";
import { setupTexts } from "./texts.ts";

/** Whether the link is open. @throws RecadoError when it was used, has expired or is unknown. */
const look = async (token: string): Promise<true> => {
  const answer = await fetch(`${href("/setup")}?token=${encodeURIComponent(token)}`, {
    headers: { accept: "application/json" },
  });
  if (!answer.ok) throw errorOf(answer, await answer.text());
  return true;
};

const Closed = ({ error }: { error?: unknown }) => {
  const t = setupTexts();
  return (
    <OutsideCard title={t.closedTitle}>
      {error === undefined ? <Notice tone="warning">{t.noToken}</Notice> : <Failure error={error} />}
      <div class="outside-links">
        <ButtonLink path="/sign-in">{t.signIn}</ButtonLink>
      </div>
    </OutsideCard>
  );
};

/** The first visit of a new server: its operator and its first account, then the overview. */
export const SetupPage = () => {
  const t = setupTexts();
  const token = useMemo(() => new URLSearchParams(location.search).get("token") ?? "", []);
  const [link, setLink] = useState<{ data?: true; error?: unknown }>({});
  useEffect(() => {
    if (token !== "")
      look(token).then(
        (data) => setLink({ data }),
        (error: unknown) => setLink({ error }),
      );
  }, [token]);
  const act = useAct(async (form: FormData) => {
    const { account, name, email, password } = Object.fromEntries(form) as Record<string, string>;
    const session = await askConsole<Session>("POST", "/setup", { token, account, name, email, password });
    takeSession(session);
  });
  if (token === "") return <Closed />;
  if (link.error !== undefined) return <Closed error={link.error} />;
  if (link.data === undefined) return <Skeleton />;
  return (
    <OutsideCard title={t.title} lead={t.lead}>
      <Form act={act} submit={t.go} faultTexts={t.faults}>
        <Field
          label={t.account}
          hint={t.accountHint}
          name="account"
          autocomplete="organization"
          maxLength={120}
          autoFocus
        />
        <Field label={t.name} name="name" autocomplete="name" maxLength={200} />
        <Field label={t.email} name="email" type="email" autocomplete="username" />
        <NewPasswordField label={t.password} hint={t.passwordHint} />
      </Form>
    </OutsideCard>
  );
};
