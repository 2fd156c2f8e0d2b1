import { type Fields, fieldsOf, isFields, jsonOf, textOf } from "../shape.ts";

/** A fault of a flow JSON, in the form of `validation_errors`. */
export type FlowFault = {
  error: string;
  error_type: "FLOW_JSON_ERROR";
  message: string;
  line_start: number;
  line_end: number;
  column_start: number;
  column_end: number;
};

/** The properties of a flow JSON, and its faults. `dataApiVersion`: only of a flow with an endpoint. */
export type FlowReading = { faults: FlowFault[]; version?: string; dataApiVersion?: string };

/** Notes a fault; `at`: the word of the text at fault. */
type Report = (error: string, message: string, at?: string) => void;

/**
 * Reads a flow JSON, and checks the rules of the documents' "static validation errors" about its frame. These are
 * version, screens and their ids, layouts and component types, the terminal screen, and the routing model. It does not
 * check the contents of components.
 */
export const readFlowJson = (text: string): FlowReading => {
  const faults: FlowFault[] = [];
  const report: Report = (error, message, at) =>
    void faults.push({ error, error_type: "FLOW_JSON_ERROR", message, ...placeOf(text, at) });
  const flow = jsonOf(text);
  if (!isFields(flow)) {
    report("INVALID_FLOW_JSON", "Flow JSON is not valid.");
    return { faults };
  }
  for (const key of Object.keys(flow))
    if (!KEYS.includes(key)) report("INVALID_PROPERTY_KEY", `Property '${key}' cannot be specified at '$root'.`, key);
  checkVersion(flow["version"], report);
  checkScreens(flow["screens"], report);
  if (flow["data_api_version"] !== undefined) checkRoutes(screenIds(flow), flow["routing_model"], report);
  const { version, data_api_version: dataApiVersion } = flow;
  return {
    faults,
    ...(version === undefined ? {} : { version: textOf(version) }),
    ...(dataApiVersion === undefined ? {} : { dataApiVersion: textOf(dataApiVersion) }),
  };
};

const KEYS = ["version", "data_api_version", "data_channel_uri", "routing_model", "screens"];
const COMPONENTS = new Set(
  `TextHeading TextSubheading TextBody TextCaption RichText TextInput TextArea CheckboxGroup RadioButtonsGroup Footer OptIn Dropdown EmbeddedLink DatePicker
   CalendarPicker Image ImageCarousel If Switch Form PhotoPicker DocumentPicker NavigationList ChipsSelector`.split(
    /\s+/,
  ),
);

/** Lines and columns count from 1. Gives the beginning if the text lacks the word. */
const placeOf = (text: string, at: string | undefined) => {
  const start = at === undefined ? -1 : text.indexOf(JSON.stringify(at));
  const before = text.slice(0, Math.max(0, start)).split("\n");
  const [line, column] = [before.length, (before.at(-1)?.length ?? 0) + 1];
  return {
    line_start: line,
    line_end: line,
    column_start: column,
    column_end: column + (start === -1 ? 0 : JSON.stringify(at).length),
  };
};

const checkVersion = (version: unknown, report: Report): void => {
  if (version === undefined) return report("MISSING_FLOW_JSON_VERSION", "Flow JSON version is not specified.");
  if (typeof version !== "string" || !/^\d+\.\d+$/.test(version))
    return report("INVALID_FLOW_JSON_VERSION", "Invalid Flow JSON version.", "version");
  const major = Number(version.split(".")[0]);
  if (major < 2 || major > 9) report("UNSUPPORTED_FLOW_JSON_VERSION", "Unsupported Flow JSON version.", "version");
};

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
const screenIds = (flow: Fields): string[] => listOf(flow["screens"]).map((screen) => textOf(screen["id"]));

const checkScreens = (value: unknown, report: Report): void => {
  const screens = listOf(value);
  if (screens.length === 0)
    return report("MIN_ITEMS_REQUIRED", "Property 'screens' should have at least 1 item.", "screens");
  const ids = new Set<unknown>();
  for (const screen of screens) {
    checkScreenId(screen["id"], ids, report);
    checkLayout(screen["layout"], report);
    ids.add(screen["id"]);
  }
  if (!screens.some((screen) => screen["terminal"] === true))
    report("MISSING_TERMINAL_SCREEN", "Terminal screen is required but not provided.", "screens");
};

const checkScreenId = (id: unknown, others: ReadonlySet<unknown>, report: Report): void => {
  if (typeof id !== "string")
    return report("MISSING_REQUIRED_TYPE_PROPERTY", "Required property 'id' is missing.", "screens");
  if (!/^[A-Za-z_]+$/.test(id))
    report("PATTERN_MISMATCH", "Property 'id' should only consist of alphabets and underscores.", id);
  if (id === "SUCCESS") report("SCREEN_ID_IS_RESERVED_KEYWORD", "Screen id 'SUCCESS' is a reserved keyword.", id);
  if (others.has(id)) report("DUPLICATE_SCREEN_IDS", `Duplicate screen id '${id}'.`, id);
};

const checkLayout = (value: unknown, report: Report): void => {
  const { type, children } = fieldsOf(value);
  if (value === undefined)
    return report("MISSING_REQUIRED_TYPE_PROPERTY", "Required property 'layout' is missing.", "screens");
  if (type !== "SingleColumnLayout")
    report("INVALID_PROPERTY_VALUE", "Invalid value found for property 'type' at 'layout'.", "layout");
  if (!Array.isArray(children))
    return report("INVALID_PROPERTY_TYPE", "Expected property 'children' to be of type 'array'.", "children");
  for (const { type: component } of listOf(children)) {
    if (component === undefined)
      report("MISSING_REQUIRED_TYPE_PROPERTY", "Required property 'type' is missing.", "children");
    else if (!COMPONENTS.has(textOf(component)))
      report(
        "INVALID_PROPERTY_VALUE",
        `Invalid value found for property 'type': '${textOf(component)}'.`,
        textOf(component),
      );
  }
};

/** A flow with an endpoint must say where each screen can lead, and must not lead round in a circle. */
const checkRoutes = (ids: readonly string[], model: unknown, report: Report): void => {
  const routes = new Map(
    Object.entries(fieldsOf(model)).map(([from, to]) => [from, Array.isArray(to) ? to.map(textOf) : []]),
  );
  const fault = (message: string) => report("INVALID_ROUTING_MODEL", message, "routing_model");
  const missing = ids.filter((id) => !routes.has(id));
  const unknown = [...routes.keys(), ...[...routes.values()].flat()].filter((id) => !ids.includes(id));
  if (missing.length > 0) fault(`Following screens are missing in the routing model: [${missing.join(", ")}].`);
  if (unknown.length > 0) fault(`Invalid screens found in the routing model: [${unknown.join(", ")}].`);
  const looped = inCircles(routes);
  if (looped.length > 0) fault(`Loop detected in the routing model for screens: [${looped.join(", ")}].`);
};

/** The screens that remain after those that lead nowhere are removed repeatedly. */
const inCircles = (routes: ReadonlyMap<string, string[]>): string[] => {
  const left = new Set(routes.keys());
  const isEnd = (id: string) => !(routes.get(id) ?? []).some((to) => left.has(to));
  for (let ended = [...left].filter(isEnd); ended.length > 0; ended = [...left].filter(isEnd))
    for (const id of ended) left.delete(id);
  return [...left];
};
