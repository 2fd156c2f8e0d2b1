import { FileText, X } from "lucide-preact";
import { useEffect, useState } from "preact/hooks";
import type { PhoneCapabilities } from "../../../../../../clients/typescript/src/generated/gateway.ts";
import { bytes } from "../../../frame/texts/format.ts";
import { IconButton } from "../../../parts/button.tsx";
import { Select } from "../../../parts/forms/form.tsx";
import { shownAs } from "../history/media.tsx";
import { inboxTexts } from "../texts.ts";
import { attachTexts } from "./attach-texts.ts";
import { type FileWay, fileWays } from "./file-ways.ts";
import { messageTypeOf } from "./outgoing.ts";

type AttachmentProps = {
  file: File;
  fault: string | undefined;
  capabilities: PhoneCapabilities | undefined;
  way: FileWay;
  onWay: (way: FileWay) => void;
  onRemove: () => void;
};

/** The file that will be sent, or the reason why it will not. A picture is shown small. */
export const Attachment = ({ file, fault, capabilities, way, onWay, onRemove }: AttachmentProps) => {
  const ways = fileWays(capabilities, messageTypeOf(file.type));
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
        {ways.length > 0 && (
          <Select
            label={attachTexts().fileAs}
            value={way}
            options={(["", ...ways] as const).map(
              (one) => [one, attachTexts().fileWays[one === "" ? "asIs" : one]] as const,
            )}
            onChange={({ currentTarget }) => onWay(currentTarget.value as FileWay)}
          />
        )}
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
