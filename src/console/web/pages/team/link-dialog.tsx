import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { HandOverLink } from "../../parts/hand-over-link.tsx";
import { teamTexts } from "./texts.ts";

/** A link that is handed over by hand, and shown only once. */
export const LinkDialog = ({ link, hint, onClose }: { link: string; hint: string; onClose: () => void }) => {
  const t = teamTexts();
  return (
    <Dialog title={t.linkTitle} onClose={onClose} isHeld>
      <p>{hint}</p>
      <HandOverLink link={link} />
      <div class="dialog-actions">
        <Button tone="primary" onClick={onClose}>
          {t.done}
        </Button>
      </div>
    </Dialog>
  );
};
