import { CircleCheck, KeyRound, Smartphone, Webhook } from "lucide-preact";
import { href } from "../../frame/base.ts";
import { Card } from "../../parts/layout.tsx";
import { stepsOf } from "./range.ts";
import { overviewTexts } from "./texts.ts";

/** TABLE: the first steps of a new account, and their pages. */
const STEPS = [
  { name: "phone", hint: "phoneHint", path: "/phones", icon: Smartphone },
  { name: "key", hint: "keyHint", path: "/keys", icon: KeyRound },
  { name: "webhook", hint: "webhookHint", path: "/webhooks", icon: Webhook },
] as const;

/** The three steps of a new account, each ticked when it is done. They disappear when all are done. */
export const NextSteps = (known: Parameters<typeof stepsOf>[0]) => {
  const t = overviewTexts().steps;
  const done = stepsOf(known);
  if (STEPS.every(({ name }) => done[name])) return null;
  return (
    <Card title={t.title}>
      <ol class="overview-steps">
        {STEPS.map(({ name, hint, path, icon: Icon }) => (
          <li key={name}>
            {done[name] ? (
              <div class="done">
                <CircleCheck size={22} aria-hidden="true" />
                <p>
                  <b>{t[name]}</b>
                  <span class="small">{t.done}</span>
                </p>
              </div>
            ) : (
              <a href={href(path)}>
                <Icon size={22} aria-hidden="true" />
                <p>
                  <b>{t[name]}</b>
                  <span class="small soft">{t[hint]}</span>
                </p>
              </a>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
};
