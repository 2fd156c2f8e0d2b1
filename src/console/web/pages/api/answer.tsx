import { bytes, span } from "../../frame/texts/format.ts";
import { Badge } from "../../parts/badge.tsx";
import { CodeBlock } from "../../parts/copy.tsx";
import { Notice } from "../../parts/states.tsx";
import { apiTexts } from "./texts.ts";

/** An answer in the form that the page shows. `text`: undefined for a file. */
export type Answer = { status: number; tookMs: number; sizeBytes: number; text: string | undefined; isCut: boolean };

/** The maximum length. A longer answer slows the page down. */
const MOST_SHOWN = 100_000;

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
};

export const readAnswer = async (response: Response, tookMs: number): Promise<Answer> => {
  const body = await response.arrayBuffer();
  const type = response.headers.get("content-type") ?? "";
  const isText = /json|^text\//.test(type);
  const text = isText ? pretty(new TextDecoder().decode(body)) : undefined;
  return {
    status: response.status,
    tookMs,
    sizeBytes: body.byteLength,
    text: text?.slice(0, MOST_SHOWN),
    isCut: (text?.length ?? 0) > MOST_SHOWN,
  };
};

/** The status, the duration, and the body. */
export const AnswerView = ({ answer: { status, tookMs, sizeBytes, text, isCut } }: { answer: Answer }) => {
  const t = apiTexts();
  return (
    <div class="stack" role="status">
      <p>
        <Badge tone={status < 400 ? "good" : "bad"}>{status}</Badge>{" "}
        <span class="soft small">
          {t.took(span(tookMs))} · {bytes(sizeBytes)}
        </span>
      </p>
      {sizeBytes === 0 && <p class="soft">{t.noBody}</p>}
      {sizeBytes > 0 && text === undefined && <p class="soft">{t.binary(bytes(sizeBytes))}</p>}
      {text !== undefined && text !== "" && <CodeBlock label={t.answer} text={text} />}
      {isCut && <Notice>{t.cut}</Notice>}
    </div>
  );
};
