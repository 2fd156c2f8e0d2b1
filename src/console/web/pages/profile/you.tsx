import { askConsole } from "../../frame/requests/own.ts";
import { useAct } from "../../frame/requests/query.ts";
import { type Session, takeSession } from "../../frame/session.ts";
import { LANGUAGES } from "../../frame/texts/languages.ts";
import { THEMES } from "../../frame/theme.ts";
import {
  Field,
  Form,
  NewPasswordField,
  onlyTouched,
  Select,
  type Touched,
  textIn,
  typedIn,
} from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { notify } from "../../parts/toasts.tsx";
import { type Profile, refreshProfile } from "./profile.ts";
import { profileTexts } from "./texts.ts";

/** Name, e-mail, language and theme. */
export const You = ({ person }: Pick<Profile, "person">) => {
  const t = profileTexts();
  const act = useAct(async (form: FormData, touched: Touched) => {
    const text = (name: string) => textIn(form, name);
    const email = text("email").trim();
    const session = await askConsole<Session>("PATCH", "/profile", {
      ...onlyTouched(touched, {
        name: text("name"),
        language: text("language") === "" ? null : text("language"),
        theme: text("theme") === "system" ? null : text("theme"),
      }),
      ...(email === person.email ? {} : { email }), // a new one takes a proof
    });
    takeSession(session);
    refreshProfile();
    notify(t.saved);
  });
  return (
    <Card title={t.you}>
      <Form act={act} submit={t.save}>
        <div class="profile-columns">
          <Field label={t.name} name="name" autocomplete="name" defaultValue={person.name} maxLength={200} />
          <Field label={t.email} name="email" type="email" autocomplete="email" defaultValue={person.email} />
          <Select
            label={t.language}
            name="language"
            defaultValue={person.language ?? ""}
            options={[["", t.languageOfBrowser], ...Object.entries(LANGUAGES)]}
          />
          <Select
            label={t.theme}
            name="theme"
            defaultValue={person.theme ?? "system"}
            options={THEMES.map((theme) => [theme, t.themes[theme]])}
          />
        </div>
      </Form>
    </Card>
  );
};

/** A new password. The server asks for the present password, or a passkey, if the last proof is too old. */
export const Password = () => {
  const t = profileTexts();
  const act = useAct(async (form: FormData) => {
    const password = typedIn(form, "password");
    takeSession(await askConsole<Session>("POST", "/profile/password", { password }));
    refreshProfile();
    notify(t.passwordChanged);
  });
  return (
    <Card title={t.password} hint={t.passwordHint}>
      <Form act={act} submit={t.changePassword}>
        <NewPasswordField label={t.newPassword} hint={t.newPasswordHint} />
      </Form>
    </Card>
  );
};
