import { ContactRound, FileQuestion, MapPin } from "lucide-preact";
import { gateway } from "../../../frame/requests/client.ts";
import { useQuery } from "../../../frame/requests/query.ts";
import { BubbleCards } from "../../../parts/messages/bubble.tsx";
import { bubbleOf, filledTemplate } from "../../../parts/messages/template-parts.ts";
import { attachTexts } from "../composer/attach-texts.ts";
import { bodyOf } from "../composer/template-text.ts";
import type { LoggedMessage } from "../data.ts";
import { inboxTexts } from "../texts.ts";
import { CalendarEvent, Carousel, Choices, Poll } from "./asking.tsx";
import { asFields, asList, asText, bodyText, cardOf, type Fields } from "./fields.ts";
import { Labelled } from "./labelled.tsx";
import { Album, MediaFile } from "./media.tsx";
import { Words } from "./words.tsx";

/** A message in a few words, for a quotation. */
export const summaryOf = (
  { type, content, deletedAt, transcript }: LoggedMessage,
  t: ReturnType<typeof inboxTexts>,
): string => {
  if (deletedAt !== null) return t.deleted;
  const { text, caption, body, question, name } = content;
  const ofEvent = type === "event" ? name : undefined;
  const words = [text, caption, body, question, ofEvent, transcript].map(asText).find(Boolean);
  return words === undefined ? t.kindOf(type) : words.slice(0, 160);
};

/** The content of a message, by its type. */
export const Content = ({ message }: { message: LoggedMessage }) => {
  const { type, content } = message;
  switch (type) {
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker":
      return (
        <>
          {Array.isArray(content["images"]) ? <Album images={content["images"]} /> : <MediaFile message={message} />}
          {content["viewOnce"] === true && <p class="small soft">{attachTexts().fileWays.viewOnce}</p>}
          {asText(content["caption"]) !== "" && <Words text={asText(content["caption"])} />}
          {message.transcript !== null && <Words text={message.transcript} />}
        </>
      );
    case "location":
      return <Place content={content} />;
    case "contact":
      return <Cards content={content} />;
    case "template":
      return <TemplateText message={message} />;
    case "poll":
      return <Poll message={message} />;
    case "event":
      return <CalendarEvent message={message} />;
    case "carousel":
      return <Carousel content={content} />;
    case "button":
    case "list":
    case "cta_url":
      return <Choices content={content} />;
    case "copy_code":
      return (
        <Choices content={content}>
          <p class="mono">{asText(content["code"])}</p>
        </Choices>
      );
    case "unsupported":
      return <Unsupported type={asText(content["originalType"])} />;
    default:
      return <OtherContent type={type} content={content} />;
  }
};

/** Every other type shows its words, or its name if it has no words. */
const OtherContent = ({ type, content }: { type: string; content: Fields }) => {
  const t = inboxTexts();
  const words = bodyText(content);
  const hint = type === "text" || type.endsWith("_reply") ? "" : t.kindOf(type);
  return (
    <>
      {words !== "" && <Words text={words} />}
      {(words === "" || hint !== "") && <p class="small soft">{hint || t.kindOf(type)}</p>}
    </>
  );
};

const Place = ({ content }: { content: Fields }) => {
  const t = inboxTexts();
  const [latitude, longitude] = [Number(content["latitude"]), Number(content["longitude"])];
  return (
    <Labelled icon={MapPin}>
      <p dir="auto">{asText(content["name"]) || t.kindOf("location")}</p>
      {asText(content["address"]) !== "" && (
        <p class="small" dir="auto">
          {asText(content["address"])}
        </p>
      )}
      <a
        href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`}
        target="_blank"
        rel="noopener noreferrer"
      >
        {t.openMap}
      </a>
    </Labelled>
  );
};

const Cards = ({ content }: { content: Fields }) => {
  const t = inboxTexts();
  return (
    <>
      {asList(content["contacts"]).map((card, index) => {
        const { name, phones } = cardOf(asFields(card));
        return (
          <Labelled icon={ContactRound} key={index}>
            <p dir="auto">{name || t.kindOf("contact")}</p>
            {phones.map((phone) => (
              <p class="small" key={phone}>
                {phone}
              </p>
            ))}
          </Labelled>
        );
      })}
    </>
  );
};

const Unsupported = ({ type }: { type: string }) => (
  <Labelled icon={FileQuestion}>
    <p class="soft">{inboxTexts().unsupported(type)}</p>
  </Labelled>
);

/** The values of the body of a template, or of one of its cards, by the names of the variables. */
const valuesOf = (part: Fields): Record<string, string> => ({
  ...Object.fromEntries(asList(part["variables"]).map((value, index) => [String(index + 1), asText(value)])),
  ...(asFields(part["namedVariables"]) as Record<string, string>),
});

/** A template that was sent, with its text and its cards if the account still has it. */
const TemplateText = ({ message: { phoneId, content } }: { message: LoggedMessage }) => {
  const t = inboxTexts();
  const { data = [] } = useQuery(`templates/${phoneId}`, (signal) =>
    gateway.templates.list({ phoneId }, { signal }).page(),
  );
  const name = asText(content["name"]);
  const language = asText(content["language"]);
  const template = data.find((one) => one.name === name && (language === "" || one.language === language));
  const values = valuesOf(content);
  const ofCards = asList(content["cards"]).map((card) => valuesOf(asFields(card)));
  return (
    <>
      <Words text={template ? filledTemplate(bodyOf(template), values) : Object.values(values).join("\n")} />
      {template && <BubbleCards cards={bubbleOf(template.components, {}, ofCards).cards ?? []} />}
      <p class="small soft">{t.templateNamed(name)}</p>
    </>
  );
};
