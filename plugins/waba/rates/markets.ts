/** A market of the price lists: its countries (ISO 3166), and the prefixes of their numbers. */
export type Market = { countries: readonly string[]; prefixes: readonly string[] };

/**
 * TABLE: the markets whose prices come with Recado. `prefixes[i]` belongs to `countries[i]`. The operator's file adds
 * others. Source: the rate cards of Meta's "Pricing on the WhatsApp Business Platform",
 * https://developers.facebook.com/docs/whatsapp/pricing
 */
export const MARKETS: Readonly<Record<string, Market>> = {
  Argentina: { countries: ["AR"], prefixes: ["54"] },
  Brazil: { countries: ["BR"], prefixes: ["55"] },
  Chile: { countries: ["CL"], prefixes: ["56"] },
  Colombia: { countries: ["CO"], prefixes: ["57"] },
  Mexico: { countries: ["MX"], prefixes: ["52"] },
  Peru: { countries: ["PE"], prefixes: ["51"] },
  "Rest of Latin America": {
    countries: ["BO", "EC", "PY", "UY", "VE", "GT", "SV", "HN", "NI", "CR", "PA", "HT"],
    prefixes: ["591", "593", "595", "598", "58", "502", "503", "504", "505", "506", "507", "509"],
  },
};
