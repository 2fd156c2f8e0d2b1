import { Check, Copy as CopyIcon } from "lucide-preact";
import { useState } from "preact/hooks";
import { frameTexts } from "../frame/texts/texts.ts";
import { Button } from "./button.tsx";

/** A button that copies a text, and confirms it. */
export const CopyButton = ({ text, label }: { text: string; label?: string }) => {
  const [isCopied, setCopied] = useState(false);
  const t = frameTexts();
  return (
    <Button
      icon={isCopied ? Check : CopyIcon}
      aria-live="polite"
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setCopied(true);
          setTimeout(() => setCopied(false), 2000);
        });
      }}
    >
      {isCopied ? t.copied : (label ?? t.copy)}
    </Button>
  );
};

/** A text to be copied, such as a key or an address, on one line. */
export const CopyLine = ({ text }: { text: string }) => (
  <div class="copy-line">
    <code>{text}</code>
    <CopyButton text={text} />
  </div>
);

/** Program text of several lines, to be copied. `label`: its name. */
export const CodeBlock = ({ text, label }: { text: string; label: string }) => (
  <figure class="code-block">
    <figcaption>
      <span>{label}</span>
      <CopyButton text={text} />
    </figcaption>
    <pre tabIndex={0} aria-label={label}>
      <code>{text}</code>
    </pre>
  </figure>
);
