import { startRegistration } from "@simplewebauthn/browser";
import { KeyRound } from "lucide-preact";
import { useState } from "preact/hooks";
import { askConsole } from "../../frame/requests/own.ts";
import { useAct } from "../../frame/requests/query.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm, Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, textIn } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { Table } from "../../parts/lists/table.tsx";
import { Notice } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { type Profile, refreshProfile } from "./profile.ts";
import { profileTexts } from "./texts.ts";

type Options = Parameters<typeof startRegistration>[0]["optionsJSON"];
type Passkey = Profile["passkeys"][number];

const Adding = ({ onDone, onClose }: { onDone: (codes: string[]) => void; onClose: () => void }) => {
  const t = profileTexts();
  const act = useAct(async (form: FormData) => {
    const { passkey } = await askConsole<{ passkey: Options }>("POST", "/profile/passkeys/options", {});
    const made = await startRegistration({ optionsJSON: passkey });
    const { recoveryCodes } = await askConsole<{ recoveryCodes: string[] }>("POST", "/profile/passkeys", {
      name: textIn(form, "name"),
      passkey: made,
    });
    onDone(recoveryCodes);
  });
  return (
    <Dialog title={t.addPasskey} onClose={onClose}>
      <Form act={act} submit={t.addPasskey} onCancel={onClose}>
        <Field label={t.passkeyName} hint={t.passkeyNameHint} name="name" maxLength={100} autoFocus />
      </Form>
    </Dialog>
  );
};

const Removing = ({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) => {
  const t = profileTexts();
  const act = useAct(async () => {
    await askConsole("DELETE", `/profile/passkeys/${encodeURIComponent(passkey.id)}`);
    onClose();
    refreshProfile();
  });
  return (
    <Confirm title={t.removePasskey(passkey.name)} yes={t.remove} act={act} onNo={onClose}>
      <p>{t.removeLoses}</p>
    </Confirm>
  );
};

/** The passkeys of a person. `onCodes`: shows recovery codes that came with the first one. */
export const Passkeys = ({
  passkeys,
  mayHavePasskeys,
  onCodes,
}: Pick<Profile, "passkeys" | "mayHavePasskeys"> & { onCodes: (codes: string[]) => void }) => {
  const t = profileTexts();
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Passkey | undefined>(undefined);
  const done = (codes: string[]): void => {
    setAdding(false);
    refreshProfile();
    notify(t.passkeyAdded);
    if (codes.length > 0) onCodes(codes);
  };
  return (
    <Card
      title={t.passkeys}
      hint={t.passkeysHint}
      actions={
        mayHavePasskeys && (
          <Button icon={KeyRound} onClick={() => setAdding(true)}>
            {t.addPasskey}
          </Button>
        )
      }
    >
      {!mayHavePasskeys && <Notice>{t.passkeysNot}</Notice>}
      {passkeys.length > 0 && (
        <Table
          label={`${t.passkeys} (${passkeys.length})`}
          rows={passkeys}
          keyOf={({ id }) => id}
          columns={[
            { title: t.name, isMain: true, cell: ({ name }) => name },
            { title: t.added, cell: ({ createdAt }) => <When at={createdAt} isFull /> },
            {
              title: t.lastUsed,
              cell: ({ lastUsedAt }) => (lastUsedAt === null ? t.never : <When at={lastUsedAt} />),
            },
            { title: t.action, cell: (one) => <Button onClick={() => setRemoved(one)}>{t.remove}</Button> },
          ]}
        />
      )}
      {isAdding && <Adding onDone={done} onClose={() => setAdding(false)} />}
      {removed && <Removing passkey={removed} onClose={() => setRemoved(undefined)} />}
    </Card>
  );
};
