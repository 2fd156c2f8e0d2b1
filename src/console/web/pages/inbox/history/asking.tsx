import { CalendarDays } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { dateMinute } from "../../../frame/texts/format.ts";
import { BubbleCards } from "../../../parts/messages/bubble.tsx";
import type { BubbleButton, BubbleCard } from "../../../parts/messages/bubble-content.ts";
import type { LoggedMessage } from "../data.ts";
import { inboxTexts } from "../texts.ts";
import { asFields, asList, asText, bodyText, type Fields, optionsOf } from "./fields.ts";
import { Labelled } from "./labelled.tsx";
import { pollResult } from "./poll.ts";
import { Words } from "./words.tsx";

// Messages that ask people for something: a vote, an answer, a tap.

/** The question of a poll, and how often each answer was chosen. */
export const Poll = ({ message }: { message: LoggedMessage }) => {
  const t = inboxTexts();
  const { options, voters } = pollResult(message);
  return (
    <>
      <Words text={asText(message.content["question"])} />
      <ul class="choices">
        {options.map(({ option, votes }, at) => (
          <li key={at} class="poll-option">
            <span dir="auto">{option}</span>
            {votes > 0 && (
              <span class="poll-votes">
                <span class="visually-hidden">{t.votes(votes)}</span>
                <span aria-hidden="true">{votes}</span>
              </span>
            )}
          </li>
        ))}
      </ul>
      {voters > 0 && <p class="small soft">{t.chosenBy(voters)}</p>}
    </>
  );
};

const ANSWERS = ["going", "maybe", "not_going"] as const;

/** A date in a calendar: when and where, and who comes. */
export const CalendarEvent = ({ message: { content, responses } }: { message: LoggedMessage }) => {
  const t = inboxTexts();
  const place = asFields(content["location"]);
  const [startsAt, endsAt] = [asText(content["startsAt"]), asText(content["endsAt"])];
  const callLink = asText(content["callLink"]);
  const counted = ANSWERS.map((answer) => [answer, responses.filter(({ response }) => response === answer)] as const);
  return (
    <>
      <Labelled icon={CalendarDays}>
        <p dir="auto">{asText(content["name"]) || t.kindOf("event")}</p>
        {startsAt !== "" && (
          <p class="small">
            {minute(startsAt)}
            {endsAt !== "" && ` – ${minute(endsAt)}`}
          </p>
        )}
        {[place["name"], place["address"]].map(asText).map(
          (line) =>
            line !== "" && (
              <p class="small" dir="auto" key={line}>
                {line}
              </p>
            ),
        )}
        {content["isCanceled"] === true && <p class="small">{t.canceled}</p>}
      </Labelled>
      {asText(content["description"]) !== "" && <Words text={asText(content["description"])} />}
      {/^https?:\/\//i.test(callLink) && (
        <a href={callLink} target="_blank" rel="noopener noreferrer">
          {t.joinCall}
        </a>
      )}
      {responses.length > 0 && (
        <ul class="event-answers small soft">
          {counted.map(
            ([answer, people]) =>
              people.length > 0 && (
                <li key={answer}>
                  {t.answers[answer]}: {people.reduce((sum, { extraGuests }) => sum + 1 + extraGuests, 0)}
                </li>
              ),
          )}
        </ul>
      )}
    </>
  );
};

/** A moment to the minute. What is no moment stays unchanged. */
const minute = (at: string): string => (Number.isNaN(Date.parse(at)) ? at : dateMinute(at));

/** A text with what a person can tap below it. */
export const Choices = ({ content, children }: { content: Fields; children?: ComponentChildren }) => (
  <>
    <Words text={bodyText(content)} />
    {children}
    <ul class="choices">
      {optionsOf(content).map((option, at) => (
        <li key={at} dir="auto">
          {option}
        </li>
      ))}
    </ul>
  </>
);

const BUTTON_KINDS: Readonly<Record<string, BubbleButton["kind"]>> = { url: "url", reply: "reply" };

/** The cards of a message, each with its file, its text and the labels of its buttons. */
export const Carousel = ({ content }: { content: Fields }) => (
  <>
    <Words text={bodyText(content)} />
    <BubbleCards cards={asList(content["cards"]).map((card) => cardPart(asFields(card)))} />
  </>
);

const cardPart = ({ header, text, footer, buttons }: Fields): BubbleCard => ({
  header: { kind: asFields(header)["type"] === "video" ? "video" : "image" },
  body: [text, footer].map(asText).filter(Boolean).join("\n"),
  buttons: asList(buttons)
    .map(asFields)
    .map((button) => ({ kind: BUTTON_KINDS[asText(button["type"])] ?? "other", text: asText(button["text"]) })),
});
