import { Download } from "lucide-preact";
import { useEffect, useState } from "preact/hooks";
import type { LoggedMessage, MessageFile } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useAct } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { bytes } from "../../frame/texts/format.ts";
import { Button } from "../../parts/button.tsx";
import { CodeBlock } from "../../parts/copy.tsx";
import { Failure } from "../../parts/states.tsx";
import { typeName } from "./said.ts";
import { messagesTexts } from "./texts.ts";
import { wordsOf } from "./words.ts";

const LARGEST_PREVIEW = 8_000_000;
const isShown = ({ contentType, sizeBytes }: MessageFile): boolean =>
  /^image\/(png|jpeg|webp|gif)$/.test(contentType) && sizeBytes <= LARGEST_PREVIEW;

/** Text that may be longer than its place scrolls, and must be reached by keyboard. */
const LONG = 500;

const blobOf = (file: MessageFile): Promise<Blob> =>
  gateway.media.getContent(file.mediaId).then((answer) => answer.blob());

/** A picture that came with a message. Anything else is a button that saves it. */
const File = ({ file }: { file: MessageFile }) => {
  const [source, setSource] = useState("");
  const t = messagesTexts();
  const name = file.filename ?? file.contentType;
  useEffect(() => {
    if (!isShown(file)) return undefined;
    let address = "";
    let isLeft = false;
    blobOf(file).then(
      (blob) => {
        if (isLeft) return;
        address = URL.createObjectURL(blob);
        setSource(address);
      },
      () => undefined, // the button below says why
    );
    return () => {
      isLeft = true;
      URL.revokeObjectURL(address);
    };
  }, [file.mediaId]);
  const save = useAct(async () => {
    const address = URL.createObjectURL(await blobOf(file));
    Object.assign(document.createElement("a"), { href: address, download: name }).click();
    URL.revokeObjectURL(address);
  });
  return (
    <div class="message-file">
      {source !== "" && <img src={source} alt={name} />}
      <Button icon={Download} isBusy={save.isRunning} onClick={() => void save.run()}>
        {t.openFile}
      </Button>
      <span class="small soft">
        <bdi>{name}</bdi> · {bytes(file.sizeBytes)}
      </span>
      {save.error !== undefined && <Failure error={save.error} />}
    </div>
  );
};

/** The content of a message as text. Other fields of its type are shown as data. */
export const Content = ({ message: { type, content, media, direction } }: { message: LoggedMessage }) => {
  const t = messagesTexts();
  const words = wordsOf(content);
  const isPlain = type === "text" && Object.keys(content).length === 1;
  return (
    <div class="message-content">
      {type !== "text" && <p class="small soft">{typeName(type)}</p>}
      {words === "" ? (
        <p class="soft">{t.noText}</p>
      ) : (
        <p class={`bubble ${direction}`} dir="auto" {...(words.length > LONG ? { tabIndex: 0 } : {})}>
          {words}
        </p>
      )}
      {media !== null && may("media.read") && <File file={media} />}
      {!isPlain && (
        <details>
          <summary>{t.raw}</summary>
          <CodeBlock label={type} text={JSON.stringify(content, null, 2)} />
        </details>
      )}
    </div>
  );
};
