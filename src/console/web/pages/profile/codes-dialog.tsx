import { Download } from "lucide-preact";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { profileTexts } from "./texts.ts";

const saveAs = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
};

/** Shows new recovery codes, the only time. */
export const CodesDialog = ({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) => {
  const t = profileTexts();
  const text = codes.join("\n");
  return (
    <Dialog title={t.yourCodes} onClose={onClose} isHeld>
      <p>{t.keepCodes}</p>
      <ol class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="dialog-actions">
        <CopyButton text={text} />
        <Button icon={Download} onClick={() => saveAs("recado-recovery-codes.txt", `${text}\n`)}>
          {t.download}
        </Button>
        <Button tone="primary" onClick={onClose}>
          {t.kept}
        </Button>
      </div>
    </Dialog>
  );
};
