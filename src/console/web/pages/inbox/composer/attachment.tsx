import { FileText, X } from "lucide-preact";
import { useEffect, useState } from "preact/hooks";
import { bytes } from "../../../frame/texts/format.ts";
import { IconButton } from "../../../parts/button.tsx";
import { shownAs } from "../history/media.tsx";
import { inboxTexts } from "../texts.ts";

/** The file that will be sent, or the reason why it will not. A picture is shown small. */
export const Attachment = ({
  file,
  fault,
  onRemove,
}: {
  file: File;
  fault: string | undefined;
  onRemove: () => void;
}) => {
  const t = inboxTexts();
  const [url, setUrl] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (shownAs(file.type) !== "image") return setUrl(undefined);
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return (
    <div class="attachment">
      {url === undefined ? <FileText size={24} aria-hidden="true" /> : <img src={url} alt="" />}
      <div>
        <p class="file-name" dir="auto">
          {file.name}
        </p>
        <p class="small soft">{bytes(file.size)}</p>
        {fault !== undefined && (
          <p class="composer-fault" role="alert">
            {fault}
          </p>
        )}
      </div>
      <IconButton label={t.removeFile} icon={X} onClick={onRemove} />
    </div>
  );
};
