import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { HOURS_SOURCES, type HoursInForce } from "../../core/messaging/business-hours.ts";
import {
  type BusinessHours,
  HOLIDAYS,
  type OpeningTimes,
  WEEKDAYS,
  type Weekday,
} from "../../kernel/business-hours.ts";
import { isoOrNull } from "../../kernel/clock.ts";
import { described, Nullable, OneOf, Text } from "../../kernel/schema.ts";

const MOST_TIMES = 4;
const MOST_DATES = 100;
const TIME = "([01]\\d|2[0-3]):[0-5]\\d";

const Times = Type.Array(
  Type.Object(
    {
      from: described(
        Type.String({
          pattern: `^${TIME}$`,
          description: "must be a time of day such as 09:00",
          examples: ["09:00"],
        }),
        "When it opens, such as 09:00",
      ),
      to: described(
        Type.String({
          pattern: `^(${TIME}|24:00)$`,
          description: "must be a time of day such as 18:00, or 24:00",
          examples: ["18:00"],
        }),
        "When it closes; a time that is not later than `from` belongs to the next day",
      ),
    },
    { title: "OpeningTimes" },
  ),
  { maxItems: MOST_TIMES },
);

/** An object with a field for each weekday. */
const days = <Schema extends TSchema>(schema: Schema) =>
  Object.fromEntries(
    WEEKDAYS.map((day) => [day, described(schema, `The opening times on ${day}s; closed without times`)]),
  ) as Record<Weekday, Schema>;

export const HoursBody = Type.Object(
  {
    timeZone: described(Text(1, 64), "A time zone of the IANA database", "America/Sao_Paulo"),
    weekly: described(
      Type.Object(days(Type.Optional(Times)), { title: "WeeklyHours" }),
      "The times of each weekday, four at most; a day without times is closed",
      { monday: [{ from: "09:00", to: "18:00" }], saturday: [{ from: "09:00", to: "12:00" }] },
    ),
    holidays: Type.Optional(
      OneOf(HOLIDAYS, {
        title: "BusinessHolidays",
        description:
          "The holidays of Brazil on which it is closed. NATIONAL: those by law and Good Friday. AND_OPTIONAL: Carnival's Tuesday and Corpus Christi too",
        examples: ["NATIONAL"],
      }),
    ),
    dates: Type.Optional(
      Type.Array(
        Type.Object(
          {
            date: described(
              Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "must be a day such as 2026-12-24" }),
              "A day of the calendar, such as 2026-12-24",
            ),
            times: Type.Optional(described(Times, "The times of this day, four at most; absent or empty means closed")),
          },
          { title: "OwnDate" },
        ),
        {
          maxItems: MOST_DATES,
          description:
            "Days with special times, which override the week and the holidays; a day without times is closed",
        },
      ),
    ),
  },
  { title: "BusinessHoursRequest" },
);

const Hours = Type.Object(
  {
    timeZone: Type.String({ description: "A time zone of the IANA database", examples: ["America/Sao_Paulo"] }),
    weekly: described(
      Type.Object(days(Times), { title: "Week" }),
      "The times of each weekday; a day without times is closed",
    ),
    holidays: OneOf(HOLIDAYS, {
      title: "BusinessHolidays",
      description:
        "The holidays of Brazil on which it is closed. NATIONAL: those by law and Good Friday. AND_OPTIONAL: Carnival's Tuesday and Corpus Christi too",
      examples: ["NATIONAL"],
    }),
    dates: Type.Array(
      Type.Object(
        {
          date: Type.String({
            format: "date",
            description: "A day of the calendar, such as 2026-12-24",
            examples: ["2026-12-24"],
          }),
          times: described(Times, "The times of this day; empty means closed"),
        },
        { title: "BusinessDate" },
      ),
      {
        description: "Days with special times, which override the week and the holidays; a day without times is closed",
      },
    ),
  },
  { title: "WorkingTimes" },
);

export const HoursView = Type.Object(
  {
    isOpen: Type.Boolean({ description: "Whether it is open now; true without hours", examples: [false] }),
    opensAt: Nullable(
      Type.String({
        format: "date-time",
        description: "When it opens next; null while it is open",
        examples: ["2026-11-23T12:00:00.000Z"],
      }),
    ),
    source: OneOf(HOURS_SOURCES, {
      title: "BusinessHoursSource",
      description: "Whose hours hold. CHANNEL: the phone's own; ACCOUNT: the account's; NONE: no hours are set",
      examples: ["ACCOUNT"],
    }),
    hours: described(Nullable(Hours), "The hours that hold; null without hours"),
    updatedAt: Nullable(
      Type.String({
        format: "date-time",
        description: "When the hours last changed; null without hours",
        examples: ["2026-11-22T12:00:00.000Z"],
      }),
    ),
  },
  { title: "BusinessHours" },
);

const timesIn = (times: readonly OpeningTimes[] = []): OpeningTimes[] => times.map(({ from, to }) => ({ from, to }));

/** The hours of a body, without unknown fields. */
export const hoursOf = ({
  timeZone,
  weekly,
  holidays = "NONE",
  dates = [],
}: Static<typeof HoursBody>): BusinessHours => ({
  timeZone,
  weekly: Object.fromEntries(WEEKDAYS.map((day) => [day, timesIn(weekly[day])])),
  holidays,
  dates: dates.map(({ date, times }) => ({ date, times: timesIn(times) })),
});

export const hoursView = ({ isOpen, opensAt, source, hours, updatedAt }: HoursInForce): Static<typeof HoursView> => ({
  isOpen,
  opensAt: isoOrNull(opensAt),
  source,
  hours: hours && {
    ...hours,
    weekly: Object.fromEntries(WEEKDAYS.map((day) => [day, hours.weekly[day] ?? []])) as Record<
      Weekday,
      OpeningTimes[]
    >,
  },
  updatedAt: isoOrNull(updatedAt),
});
