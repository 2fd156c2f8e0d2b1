import { useState } from "preact/hooks";
import { useQuery } from "../../frame/requests/query.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { PageHeader } from "../../parts/page-header.tsx";
import { Loaded } from "../../parts/states.tsx";
import { AppCodes } from "./app-codes.tsx";
import { CodesDialog } from "./codes-dialog.tsx";
import { Passkeys } from "./passkeys.tsx";
import { loadProfile } from "./profile.ts";
import { Recovery } from "./recovery.tsx";
import { Sessions } from "./sessions.tsx";
import { profileTexts } from "./texts.ts";
import { Password, You } from "./you.tsx";

/** The person's own page: their data, the protection of their sign-in, and their sessions. */
export const ProfilePage = () => {
  const t = profileTexts();
  const profile = useQuery("profile", loadProfile);
  const [codes, setCodes] = useState<string[]>([]);
  return (
    <>
      <PageHeader title={pageNames().profile} lead={t.lead} />
      <Loaded query={profile} lines={8}>
        {(found) => (
          <div class="stack profile-cards">
            <You person={found.person} />
            <AppCodes totp={found.totp} onCodes={setCodes} />
            <Passkeys passkeys={found.passkeys} mayHavePasskeys={found.mayHavePasskeys} onCodes={setCodes} />
            <Recovery {...found} onCodes={setCodes} />
            <Password />
            <Sessions sessions={found.sessions} />
          </div>
        )}
      </Loaded>
      {codes.length > 0 && <CodesDialog codes={codes} onClose={() => setCodes([])} />}
    </>
  );
};
