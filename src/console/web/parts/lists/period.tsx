import { catalogue } from "../../frame/texts/languages.ts";
import { FilterSelect } from "./filters.tsx";

const texts = catalogue({
  en: {
    period: "Period",
    all: "Any time",
    hour: "Last hour",
    day: "Last 24 hours",
    week: "Last 7 days",
    month: "Last 30 days",
  },
  pt: {
    period: "Período",
    all: "Qualquer data",
    hour: "Última hora",
    day: "Últimas 24 horas",
    week: "Últimos 7 dias",
    month: "Últimos 30 dias",
  },
  es: {
    period: "Período",
    all: "Cualquier fecha",
    hour: "Última hora",
    day: "Últimas 24 horas",
    week: "Últimos 7 días",
    month: "Últimos 30 días",
  },
});

/** The choice of a period among the filters. */
export const FilterPeriod = ({ value, onChange }: { value: string; onChange: (period: string) => void }) => {
  const t = texts();
  return (
    <FilterSelect
      label={t.period}
      value={value}
      options={[
        ["", t.all],
        ["1h", t.hour],
        ["24h", t.day],
        ["7d", t.week],
        ["30d", t.month],
      ]}
      onChange={onChange}
    />
  );
};
