import type { RangeBound, SearchFieldName, Operand } from "./ast.ts";
import { isBlank, skipBlanks } from "./characters.ts";
import { QueryError } from "./error.ts";

/** A value read from the source, and the index after it. */
interface Read<T> {
  readonly value: T;
  readonly end: number;
}

/** An unquoted run of characters with its backslashes resolved. `stars` and `dots` contain only unescaped ones. */
interface Run {
  readonly text: string;
  readonly stars: readonly { readonly offset: number; readonly at: number }[];
  readonly dots: readonly number[];
}

/** Reads up to the first unescaped blank or character of `stops`. */
export function readRun(source: string, from: number, stops: string): Read<Run> {
  let text = "";
  const stars: { offset: number; at: number }[] = [];
  const dots: number[] = [];
  let i = from;
  for (; i < source.length; i++) {
    const character = source.charAt(i);
    if (isBlank(character) || stops.includes(character)) break;
    if (character === "\\") {
      if (++i >= source.length) throw new QueryError(i, "a backslash needs a character after it");
      text += source.charAt(i);
    } else if (character === "*") {
      stars.push({ offset: text.length, at: i });
    } else {
      if (character === ".") dots.push(text.length);
      text += character;
    }
  }
  return { value: { text, stars, dots }, end: i };
}

/** Reads a value after `field:`, or a whole clause without a field. */
export function readOperand(source: string, from: number): Read<Operand> {
  const first = source.charAt(from);
  const read = first === "[" || first === "{" ? readRange : first === "<" || first === ">" ? readComparison : readText;
  const result = read(source, from);
  const next = source.charAt(result.end);
  if (next !== "" && next !== ")" && !isBlank(next))
    throw new QueryError(result.end, `'${next}' needs quotes or a backslash before it here`);
  return result;
}

function readText(source: string, at: number): Read<Operand> {
  if (source.charAt(at) === '"') {
    const { value: text, end } = readPhrase(source, at);
    return { value: { kind: "text", text, quoted: true, match: "whole", at }, end };
  }
  const { value: run, end } = readRun(source, at, '()"');
  if (end === at) throw new QueryError(at, "a value is missing");
  const raw = source.slice(at, end);
  if (/^(AND|OR|NOT|&&|\|\|)$/.test(raw)) throw new QueryError(at, `a value is missing: '${raw}' as a value needs quotes`);
  if (/(?<!\\)[~^][\d.]*$/.test(raw)) throw new QueryError(at, "fuzzy search and boosts are not supported; put quotes around the value");
  if (run.text === "" && run.stars.length === 1) return { value: { kind: "exists", at }, end };
  return { value: { kind: "text", text: run.text, quoted: false, match: wildcard(run), at }, end };
}

function wildcard({ text, stars }: Run): "whole" | "prefix" | "suffix" | "contains" {
  const [first, second, ...more] = stars;
  const wrong =
    stars.find(({ offset }) => offset > 0 && offset < text.length) ?? more[0] ?? (second?.offset === first?.offset ? second : undefined);
  if (wrong !== undefined) throw new QueryError(wrong.at, "'*' may stand once at each end of a value; elsewhere it needs a backslash");
  if (first === undefined) return "whole";
  return second !== undefined ? "contains" : first.offset === 0 ? "suffix" : "prefix";
}

function readPhrase(source: string, at: number): Read<string> {
  let text = "";
  for (let i = at + 1; i < source.length; i++) {
    const character = source.charAt(i);
    if (character === '"') return { value: text, end: i + 1 };
    if (character === "\\") i++;
    text += source.charAt(i);
  }
  throw new QueryError(at, "this quote is not closed");
}

/** Reads a bound inside brackets or after a comparison operator; undefined for `*`. */
function readBound(source: string, at: number, stops: string): Read<{ text: string; quoted: boolean } | undefined> {
  if (source.charAt(at) === '"') {
    const { value: text, end } = readPhrase(source, at);
    return { value: { text, quoted: true }, end };
  }
  const { value: run, end } = readRun(source, at, stops);
  const star = run.stars[0];
  if (run.text === "" && run.stars.length === 1) return { value: undefined, end };
  if (star !== undefined) throw new QueryError(star.at, "a bound must not contain '*'");
  if (end === at) throw new QueryError(at, "a bound is missing");
  return { value: { text: run.text, quoted: false }, end };
}

function readRange(source: string, at: number): Read<Operand> {
  const lowerAt = skipBlanks(source, at + 1);
  const lower = readBound(source, lowerAt, '[]{}()"');
  const to = skipBlanks(source, lower.end);
  if (to === lower.end || source.slice(to, to + 2) !== "TO" || !isBlank(source.charAt(to + 2)))
    throw new QueryError(to, "a range is written [low TO high]");
  const upperAt = skipBlanks(source, to + 2);
  const upper = readBound(source, upperAt, '[]{}()"');
  const close = skipBlanks(source, upper.end);
  const bracket = source.charAt(close);
  if (bracket !== "]" && bracket !== "}") throw new QueryError(close, "a range ends in ']' or '}'");
  const range = {
    ...(lower.value && { lower: { ...lower.value, inclusive: source.charAt(at) === "[", at: lowerAt } satisfies RangeBound }),
    ...(upper.value && { upper: { ...upper.value, inclusive: bracket === "]", at: upperAt } satisfies RangeBound }),
  };
  const open = lower.value === undefined && upper.value === undefined;
  return { value: open ? { kind: "exists", at } : { kind: "range", ...range, at }, end: close + 1 };
}

function readComparison(source: string, at: number): Read<Operand> {
  const inclusive = source.charAt(at + 1) === "=";
  const boundAt = at + (inclusive ? 2 : 1);
  const { value, end } = readBound(source, boundAt, '()"');
  if (value === undefined) throw new QueryError(boundAt, "a comparison needs a value");
  const bound = { ...value, inclusive, at: boundAt };
  return { value: { kind: "range", ...(source.charAt(at) === ">" ? { lower: bound } : { upper: bound }), at }, end };
}

/** Splits the name of a field at its dots. */
export function fieldName({ text, stars, dots }: Run, at: number): SearchFieldName {
  const star = stars[0];
  if (star !== undefined) throw new QueryError(star.at, "the name of a field must not contain '*'");
  const edges = [-1, ...dots, text.length];
  const segments = edges.slice(1).map((edge, i) => text.slice((edges[i] ?? -1) + 1, edge));
  if (segments.includes("")) throw new QueryError(at, "a part of this field's name is empty");
  return { segments, at };
}
