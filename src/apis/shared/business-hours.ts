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
import { Nullable, OneOf, Text } from "../../kernel/schema.ts";

const MOST_TIMES = 4;
const MOST_DATES = 100;
const TIME = "([01]\\d|2[0-3]):[0-5]\\d";

const Times = Type.Array(
  Type.Object(
    {
      from: Type.String({ pattern: `^${TIME}$`, description: "must be a time of day such as 09:00" }),
      to: Type.String({ pattern: `^(${TIME}|24:00)$`, description: "must be a time of day such as 18:00, or 24:00" }),
    },
    { title: "OpeningTimes" },
  ),
  { maxItems: MOST_TIMES },
);

/** An object with a field for each weekday. */
const days = <Schema extends TSchema>(schema: Schema) =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, schema])) as Record<Weekday, Schema>;

export const HoursBody = Type.Object(
  {
    timeZone: Text(1, 64),
    weekly: Type.Object(days(Type.Optional(Times)), { title: "WeeklyHours" }),
    holidays: Type.Optional(OneOf(HOLIDAYS, { title: "BusinessHolidays" })),
    dates: Type.Optional(
      Type.Array(
        Type.Object(
          {
            date: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "must be a day such as 2026-12-24" }),
            times: Type.Optional(Times),
          },
          { title: "OwnDate" },
        ),
        { maxItems: MOST_DATES },
      ),
    ),
  },
  { title: "BusinessHoursRequest" },
);

const Hours = Type.Object(
  {
    timeZone: Type.String(),
    weekly: Type.Object(days(Times), { title: "Week" }),
    holidays: OneOf(HOLIDAYS, { title: "BusinessHolidays" }),
    dates: Type.Array(Type.Object({ date: Type.String({ format: "date" }), times: Times }, { title: "BusinessDate" })),
  },
  { title: "WorkingTimes" },
);

export const HoursView = Type.Object(
  {
    isOpen: Type.Boolean({ description: "Whether it is open now; true without hours" }),
    opensAt: Nullable(Type.String({ format: "date-time", description: "When it opens next; null while it is open" })),
    source: OneOf(HOURS_SOURCES, { title: "BusinessHoursSource" }),
    hours: Nullable(Hours),
    updatedAt: Nullable(Type.String({ format: "date-time" })),
  },
  { title: "BusinessHours" },
);

const timesIn = (times: readonly OpeningTimes[] = []): OpeningTimes[] => times.map(({ from, to }) => ({ from, to }));

/** The hours of a body, without fields that are not known. */
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
