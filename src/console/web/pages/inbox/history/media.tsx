import { Download, FileText, ImageOff } from "lucide-preact";
import { useEffect, useState } from "preact/hooks";
import { isOwnHandle } from "../../../../../kernel/texts/file-names.ts";
import { gateway } from "../../../frame/requests/client.ts";
import { useAct } from "../../../frame/requests/query.ts";
import { bytes } from "../../../frame/texts/format.ts";
import { Button } from "../../../parts/button.tsx";
import type { LoggedMessage } from "../data.ts";
import { inboxTexts } from "../texts.ts";
import { asFields, asText } from "./fields.ts";

type Source = { ask: (signal: AbortSignal) => Promise<Response>; type: string; name: string; size: number | undefined };

/** TABLE: how a browser may show a file, by the type that the server saw in its bytes. Other files are saved. */
const SHOWN: readonly (readonly [RegExp, "image" | "video" | "audio" | "pdf"])[] = [
  [/^image\/(jpeg|png|gif|webp)\b/, "image"],
  [/^video\//, "video"],
  [/^audio\//, "audio"],
  [/^application\/pdf\b/, "pdf"],
];
export const shownAs = (type: string) => SHOWN.find(([pattern]) => pattern.test(type))?.[1];

/** The size up to which pictures load by themselves. Other files load when somebody asks for them. */
const LOADED_BY_ITSELF = 8 * 1024 * 1024;

const sourceOf = ({ media, content }: LoggedMessage): Source | undefined => {
  const name = typeof content["filename"] === "string" ? content["filename"] : "";
  if (media)
    return {
      ask: (signal) => gateway.media.getContent(media.mediaId, { signal }),
      type: media.contentType,
      name: media.filename ?? name,
      size: media.sizeBytes,
    };
  const handle = content["mediaHandle"];
  if (typeof handle !== "string" || !isOwnHandle(handle)) return undefined;
  const type = typeof content["mimeType"] === "string" ? content["mimeType"] : "";
  return { ask: (signal) => gateway.media.getKeptFileContent(handle, { signal }), type, name, size: undefined };
};

/** A file's bytes under an address of this page. The server says its type. */
const useFile = (source: Source) => {
  const [file, setFile] = useState<{ url: string; type: string } | "gone" | undefined>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    let url: string | undefined;
    source
      .ask(controller.signal)
      .then((answer) => answer.blob())
      .then(
        (blob) => {
          if (controller.signal.aborted) return;
          url = URL.createObjectURL(blob);
          setFile({ url, type: blob.type });
        },
        () => {
          if (!controller.signal.aborted) setFile("gone");
        },
      );
    return () => {
      controller.abort();
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, []);
  return file;
};

/** The file of a message: a picture, video or sound is shown, any other file is opened or saved. */
export const MediaFile = ({ message }: { message: LoggedMessage }) => {
  const t = inboxTexts();
  const source = sourceOf(message);
  if (source)
    return isShownAtOnce(source, message.type) ? (
      <Shown source={source} type={message.type} />
    ) : (
      <Saved source={source} type={message.type} />
    );
  const url = message.content["mediaUrl"];
  return <Tile name={typeof url === "string" ? url : t.kindOf(message.type)} note={t.fileElsewhere} />;
};

/** The pictures of an album, which were sent by their addresses. */
export const Album = ({ images }: { images: readonly unknown[] }) => {
  const t = inboxTexts();
  return (
    <ul class="album" aria-label={t.pictures(images.length)}>
      {images.map((image, at) => {
        const url = asText(asFields(image)["mediaUrl"]);
        return (
          <li key={at}>
            <Tile name={url} note={t.fileElsewhere} />
          </li>
        );
      })}
    </ul>
  );
};

/** A document opens when somebody wants it, and so does a large picture or video. */
const isShownAtOnce = ({ type, size = 0 }: Source, messageType: string): boolean => {
  const kind = shownAs(type);
  if (messageType === "document" || kind === undefined || kind === "pdf") return false;
  return kind === "audio" || size <= LOADED_BY_ITSELF;
};

const Shown = ({ source, type }: { source: Source; type: string }) => {
  const t = inboxTexts();
  const file = useFile(source);
  const label = source.name || t.kindOf(type);
  if (file === undefined)
    return <div class={`media-wait ${shownAs(source.type) ?? ""}`} role="status" aria-label={t.loadingFile} />;
  if (file === "gone") return <Tile name={label} note={t.fileGone} />;
  // the type of the answer decides, because the server has seen the bytes
  switch (shownAs(file.type)) {
    case "image":
      return <Picture url={file.url} label={label} isSticker={type === "sticker"} />;
    case "video":
      return <video class="media" src={file.url} controls preload="metadata" aria-label={label} />;
    case "audio":
      return <audio class="media" src={file.url} controls aria-label={label} />;
    default:
      return <Saved source={source} type={type} />;
  }
};

const Picture = ({ url, label, isSticker }: { url: string; label: string; isSticker: boolean }) => {
  const t = inboxTexts();
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <Tile name={label} note={t.fileBroken} />;
  return (
    <a
      class={`media-link ${isSticker ? "sticker" : ""}`}
      href={url}
      target="_blank"
      rel="noopener"
      aria-label={t.open(label)}
    >
      <img class="media" src={url} alt={label} onError={() => setBroken(true)} />
    </a>
  );
};

const Tile = ({ name, note }: { name: string; note: string }) => (
  <div class="file-tile">
    <ImageOff size={22} aria-hidden="true" />
    <div>
      <p class="file-name">{name}</p>
      <p class="small">{note}</p>
    </div>
  </div>
);

/** A file that loads when somebody wants it. A PDF opens in a new tab. */
const Saved = ({ source, type }: { source: Source; type: string }) => {
  const t = inboxTexts();
  const act = useAct(async () => {
    const answer = await source.ask(new AbortController().signal);
    const blob = await answer.blob();
    const url = URL.createObjectURL(blob);
    const link = document.createElement("a");
    link.href = url;
    if (shownAs(blob.type) === undefined) link.download = source.name || t.kindOf(type);
    else link.target = "_blank";
    link.rel = "noopener";
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  });
  const name = source.name || t.kindOf(type);
  return (
    <div class="file-tile">
      <FileText size={22} aria-hidden="true" />
      <div>
        <p class="file-name" dir="auto">
          {name}
        </p>
        <p class="small">
          {[source.type.split(";")[0]?.split("/")[1]?.toUpperCase(), source.size && bytes(source.size)]
            .filter(Boolean)
            .join(" · ")}
        </p>
        {act.error !== undefined && <p class="fault small">{t.fileGone}</p>}
      </div>
      <Button icon={Download} isBusy={act.isRunning} onClick={() => void act.run()} aria-label={t.open(name)} />
    </div>
  );
};
