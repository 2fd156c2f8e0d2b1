import type { DoctorCheck } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { admin } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { Badge } from "../../parts/badge.tsx";
import { ButtonLink } from "../../parts/button.tsx";
import { Card } from "../../parts/layout.tsx";
import { InSteps } from "../../parts/lists/in-steps.tsx";
import { overviewTexts } from "./texts.ts";

const AT_FIRST = 5;

/** The doctor's warnings, for the operators; nothing if all is well. The system page shows the same answer. */
export const Warnings = () => {
  const t = overviewTexts();
  const found = useQuery("system doctor", (signal) => admin.doctor.examine({ signal }), { everyMs: 120_000 });
  const findings = (found.data?.checks ?? []).filter(({ outcome }) => outcome === "fault" || outcome === "warning");
  if (findings.length === 0) return null;
  const worstFirst = findings.toSorted((a, b) => Number(b.outcome === "fault") - Number(a.outcome === "fault"));
  return (
    <Card title={t.doctor} actions={<ButtonLink path="/system">{t.doctorMore}</ButtonLink>}>
      <InSteps rows={worstFirst} step={AT_FIRST}>
        {(rows) => <Findings checks={rows} />}
      </InSteps>
    </Card>
  );
};

const Findings = ({ checks }: { checks: readonly DoctorCheck[] }) => {
  const t = overviewTexts();
  return (
    <ul class="overview-findings">
      {checks.map(({ name, outcome, found: what, remedy }) => (
        <li key={name}>
          <Badge tone={outcome === "fault" ? "bad" : "warning"}>{t.outcomes[outcome as "fault" | "warning"]}</Badge>
          <div>
            <p lang="en">{what}</p>
            {remedy && (
              <p class="small soft" lang="en">
                {remedy}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
};
