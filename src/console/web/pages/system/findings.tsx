import type { DoctorCheck, Examination } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { admin } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { number } from "../../frame/texts/format.ts";
import { counted } from "../../frame/texts/languages.ts";
import { Badge, type BadgeTone } from "../../parts/badge.tsx";
import { Card } from "../../parts/layout.tsx";
import { Failure, Notice, Skeleton } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { checkName } from "./checks.ts";
import { systemTexts } from "./texts.ts";

const TONES: Record<DoctorCheck["outcome"], BadgeTone> = {
  fault: "bad",
  warning: "warning",
  ok: "good",
  skipped: "neutral",
};
const WORST_FIRST: readonly DoctorCheck["outcome"][] = ["fault", "warning", "ok", "skipped"];

/** One check: its name, its state, its finding and its advice. The doctor writes English. */
const Finding = ({ name, outcome, found, remedy }: DoctorCheck) => {
  const t = systemTexts();
  return (
    <li class={`finding ${TONES[outcome]}`}>
      <div class="finding-head">
        <h3>{checkName(name)}</h3>
        <Badge tone={TONES[outcome]}>{t.outcomes[outcome]}</Badge>
      </div>
      <p lang="en">{found}</p>
      {remedy !== null && (
        <p class="remedy">
          <strong>{t.mend}:</strong> <span lang="en">{remedy}</span>
        </p>
      )}
    </li>
  );
};

const Findings = ({ checks, checkedAt }: Examination) => {
  const t = systemTexts();
  const of = (...outcomes: DoctorCheck["outcome"][]) =>
    WORST_FIRST.filter((outcome) => outcomes.includes(outcome)).flatMap((outcome) =>
      checks.filter((check) => check.outcome === outcome),
    );
  const wrong = of("fault", "warning");
  const passed = of("ok", "skipped");
  return (
    <>
      <p class="counts">
        {of("fault").length > 0 && <Badge tone="bad">{counted(of("fault").length, t.faults)}</Badge>}
        {of("warning").length > 0 && <Badge tone="warning">{counted(of("warning").length, t.warnings)}</Badge>}
        <Badge tone="good">{counted(of("ok").length, t.passed)}</Badge>
        <span class="soft small">
          {t.checkedAt} <When at={checkedAt} />
        </span>
      </p>
      {wrong.length === 0 && <Notice tone="good">{t.allWell}</Notice>}
      <ul class="findings">
        {wrong.map((check) => (
          <Finding key={check.name} {...check} />
        ))}
      </ul>
      <details>
        <summary>
          {t.showPassed} ({number(passed.length)})
        </summary>
        <ul class="findings">
          {passed.map((check) => (
            <Finding key={check.name} {...check} />
          ))}
        </ul>
      </details>
    </>
  );
};

/** The doctor's findings, the worst first. The page asks again every two minutes while it is seen. */
export const FindingsCard = () => {
  const t = systemTexts();
  const query = useQuery("system doctor", (signal) => admin.doctor.examine({ signal }), { everyMs: 120_000 });
  return (
    <Card title={t.findings}>
      {query.error !== undefined && <Failure error={query.error} onAgain={query.reload} />}
      {query.data ? (
        <Findings {...query.data} />
      ) : (
        query.error === undefined && (
          <>
            <p class="soft">{t.checking}</p>
            <Skeleton lines={4} />
          </>
        )
      )}
    </Card>
  );
};
