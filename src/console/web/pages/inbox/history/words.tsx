import { textParts } from "./links.ts";

/** A text that a person wrote, with its line breaks. Its addresses become links. It is never HTML. */
export const Words = ({ text }: { text: string }) => (
  <p class="words" dir="auto">
    {textParts(text).map((part, index) =>
      part.is === "words" ? (
        part.text
      ) : (
        <a key={index} href={part.url} target="_blank" rel="noopener noreferrer">
          {part.text}
        </a>
      ),
    )}
  </p>
);
