import { filters, type FilterImplOptions } from "liquidjs";
import { TemplateLimitError, type WorkMeter } from "./liquid-work.ts";

type FilterHandler = Extract<FilterImplOptions, (...input: never[]) => unknown>;

/** Charges the work of a filter before it runs, in addition to the work of reading its input. */
type Charge = (meter: WorkMeter, input: unknown, ...parameters: readonly unknown[]) => void;

/** For filters that read their input once: nothing needs to be charged in addition. */
const linear: Charge = () => undefined;

const searching: Charge = (meter, input, pattern) => meter.chargeSearch(lengthOf(input), lengthOf(pattern));

/** For filters that read a property of each item. Limits the length of its name. */
const reading: Charge = (_, _list, property) => {
  if (lengthOf(property) > 100) throw new TemplateLimitError("the name of a property has more than 100 characters");
};

const sorting: Charge = (meter, list, property) => {
  reading(meter, list, property);
  // Each item is compared with about log2(n) other items.
  const comparisons = Array.isArray(list) ? Math.ceil(Math.log2(list.length + 1)) : 0;
  for (let i = 0; i < comparisons; i++) meter.chargeValue(list, "deep");
};

const formatting: Charge = (meter, _date, format, timeZone) => {
  const length = lengthOf(format);
  if (length > 100) throw new TemplateLimitError("a date format has more than 100 characters");
  // The JavaScript runtime creates a formatter for each name of a day or month in the format, and several for a time
  // zone.
  meter.charge(100 + 50 * length + (timeZone === undefined ? 0 : 500));
};

const serializing: Charge = (meter, input) => meter.chargeValue(input, "deep");

/**
 * The filters that templates can use, with the function that charges their work. Apart from that work, each filter
 * takes linear time. Before you add a filter, make sure that its work is bounded: the engine checks no limit while a
 * filter runs.
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

/** The filters whose output is not escaped again. */
const raw: ReadonlySet<string> = new Set(["escape"]);

/** Returns the filters for a template engine. `meter` counts their work. */
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
    // The parameter of `json` is the indentation, which would multiply the output by the depth of the value. It is
    // ignored.
    const given = name === "json" ? [] : parameters;
    meter.charge(1);
    for (const value of [input, ...given]) meter.chargeValue(value);
    charge(meter, input, ...given);
    return meter.bounded<unknown>(implementation.call(this, input, ...given));
  };
}

function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  // If a filter needs text, it joins the items of a list.
  return Array.isArray(value) ? value.reduce<number>((sum, item) => sum + lengthOf(item), 0) : 30;
}
