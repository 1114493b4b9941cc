import { filters, type FilterImplOptions } from "liquidjs";
import { TemplateLimitError, type WorkMeter } from "./liquid-work.ts";

type FilterHandler = Extract<FilterImplOptions, (...input: never[]) => unknown>;

/** Charges work beyond the reading of the input, before a filter runs. */
type Charge = (meter: WorkMeter, input: unknown, ...parameters: readonly unknown[]) => void;

/** The input is read once. */
const linear: Charge = () => undefined;

const searching: Charge = (meter, input, pattern) => meter.chargeSearch(lengthOf(input), lengthOf(pattern));

/** A property name that is read of each item. */
const reading: Charge = (_, _list, property) => {
  if (lengthOf(property) > 100) throw new TemplateLimitError("the name of a property has more than 100 characters");
};

const sorting: Charge = (meter, list, property) => {
  reading(meter, list, property);
  // Each item is compared with some log2(n) others.
  const comparisons = Array.isArray(list) ? Math.ceil(Math.log2(list.length + 1)) : 0;
  for (let i = 0; i < comparisons; i++) meter.chargeValue(list, "deep");
};

const formatting: Charge = (meter, _date, format, timeZone) => {
  const length = lengthOf(format);
  if (length > 100) throw new TemplateLimitError("a date format has more than 100 characters");
  // The runtime creates a formatter for each name of a day or a month, and several for a time zone.
  meter.charge(100 + 50 * length + (timeZone === undefined ? 0 : 500));
};

const serializing: Charge = (meter, input) => meter.chargeValue(input, "deep");

/**
 * The filters that templates can use. Each is linear in its input, apart from the work that is charged here. To add a
 * filter, bound its work first: the engine checks no limit while a filter runs.
 */
const charges: { readonly [filter: string]: Charge } = {
  // Text
  append: linear,
  capitalize: linear,
  default: linear,
  downcase: linear,
  escape: linear,
  escape_once: linear,
  json: serializing,
  lstrip: linear,
  newline_to_br: linear,
  prepend: linear,
  remove: searching,
  remove_first: searching,
  replace: searching,
  replace_first: searching,
  rstrip: linear,
  slice: linear,
  split: searching,
  strip: linear,
  strip_html: linear,
  strip_newlines: linear,
  truncate: linear,
  truncatewords: linear,
  upcase: linear,
  url_decode: linear,
  url_encode: linear,
  // Numbers
  abs: linear,
  at_least: linear,
  at_most: linear,
  ceil: linear,
  divided_by: linear,
  floor: linear,
  minus: linear,
  modulo: linear,
  plus: linear,
  round: linear,
  times: linear,
  // Lists
  compact: linear,
  concat: linear,
  first: linear,
  join: linear,
  last: linear,
  map: reading,
  reverse: linear,
  size: linear,
  sort: sorting,
  uniq: linear,
  // Dates
  date: formatting,
};

/** Filters whose output is not escaped again. */
const raw: ReadonlySet<string> = new Set(["escape"]);

/** Returns the filters of an engine whose work is counted by `meter`. */
export function meteredFilters(meter: WorkMeter): { readonly [filter: string]: FilterImplOptions } {
  const metered = Object.entries(charges).map(([name, charge]) => [
    name,
    { raw: raw.has(name), handler: meteredFilter(name, charge, meter) },
  ]);
  return { ...Object.fromEntries(metered), raw: { raw: true, handler: (input: unknown) => input } };
}

function meteredFilter(name: string, charge: Charge, meter: WorkMeter): FilterHandler {
  const implementation = filters[name];
  if (typeof implementation !== "function") throw new TypeError(`the engine has no filter ${name}`);
  return function filter(input: unknown, ...parameters: unknown[]): unknown {
    // `json` indents by a parameter, which multiplies its output by the depth of the value.
    const given = name === "json" ? [] : parameters;
    meter.charge(1);
    for (const value of [input, ...given]) meter.chargeValue(value);
    charge(meter, input, ...given);
    return meter.bounded<unknown>(implementation.call(this, input, ...given));
  };
}

function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  // Lists are joined where text is needed.
  return Array.isArray(value) ? value.reduce<number>((sum, item) => sum + lengthOf(item), 0) : 30;
}
