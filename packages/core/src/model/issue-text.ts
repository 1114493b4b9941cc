import * as z from "zod";

type Issue = z.core.$ZodIssue;
type UnionIssue = Extract<Issue, { code: "invalid_union" }>;

const typeNames: { readonly [expected: string]: string } = {
  array: "an array",
  boolean: "a boolean",
  int: "a whole number",
  null: "null",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a string",
};

const formatNames: { readonly [format: string]: string } = {
  cidrv4: "an IPv4 range in CIDR notation",
  cidrv6: "an IPv6 range in CIDR notation",
  datetime: "a date and time in ISO 8601",
  email: "an email address",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  url: "a URL",
  uuid: "a UUID",
};

/**
 * Returns the text of an issue whose schema declares no text. It continues the name of a field: `must be a string`.
 * Every text that a schema declares continues the name in the same way. Pass this function to a parse call as `error`.
 */
export function issueText(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is required";
      return issue.expected === "never" ? "is not allowed" : `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.input === undefined ? "is required" : `must be ${oneOf(issue.values)}`;
    case "invalid_format":
      return issue.format === "regex" ? `must match ${issue.pattern}` : `must be ${formatNames[issue.format] ?? `a valid ${issue.format}`}`;
    case "too_small":
      if (issue.minimum === 1 && issue.exact !== true && unitOf(issue.origin) !== undefined) return "must not be empty";
      return sizeText(issue, issue.minimum, issue.inclusive === false ? "more than" : "at least");
    case "too_big":
      return sizeText(issue, issue.maximum, issue.inclusive === false ? "less than" : "at most");
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `has ${issue.keys.length === 1 ? "the unknown field" : "the unknown fields"} ${issue.keys.map((key) => `'${key}'`).join(", ")}`;
    case "invalid_union":
      return issue.inclusive === false ? "is not valid" : unionText(issue.options ?? [], issue.errors);
    default:
      return "is not valid";
  }
}

function oneOf(values: readonly z.core.util.Primitive[]): string {
  const texts = values.map((value) => (value === "" ? '""' : String(value)));
  return texts.length === 1 ? texts.join("") : `one of ${texts.join(", ")}`;
}

/** Returns the unit in which the size of a value is counted; undefined for a number, which is compared itself. */
function unitOf(origin: string): string | undefined {
  return { string: "character", array: "item" }[origin];
}

function sizeText(
  { origin, exact }: { readonly origin: string; readonly exact?: boolean | undefined },
  limit: number | bigint,
  comparison: string,
): string {
  const unit = unitOf(origin);
  if (unit === undefined) return `must be ${comparison} ${limit}`;
  return `must have ${exact === true ? "exactly" : comparison} ${limit} ${unit}${Number(limit) === 1 ? "" : "s"}`;
}

/** Lists the alternatives of a union if each of them can be named: `must be true, false or an object`. */
function unionText(options: readonly z.core.util.Primitive[], branches: readonly (readonly Issue[])[]): string {
  if (options.length > 0) return `must be ${oneOf(options)}`;
  const texts = new Set(branches.map(([issue]) => (issue?.path.length === 0 ? issue.message : "")));
  const names = [...texts].flatMap((text) => (text.startsWith("must be ") ? [text.slice("must be ".length)] : []));
  if (names.length === 0 || names.length < texts.size) return "is not valid";
  return `must be ${[names.slice(0, -1).join(", "), ...names.slice(-1)].filter((name) => name !== "").join(" or ")}`;
}

/** Describes an issue in a sentence that names the field. The parse call must have {@link issueText} as `error`. */
export function describeIssue(issue: Issue): string {
  const { path } = issue;
  switch (issue.code) {
    case "invalid_union": {
      const inner = issueOfBranch(issue);
      return inner === undefined ? sentence(path, issue.message) : describeIssue({ ...inner, path: [...path, ...inner.path] });
    }
    case "unrecognized_keys":
      return `unknown field '${formatPath([...path, issue.keys[0] ?? ""])}'`;
    case "invalid_key":
      return `the name of ${sentence(path, issue.issues[0]?.message ?? "is not valid")}`;
    default:
      return sentence(path, issue.message);
  }
}

function sentence(path: readonly PropertyKey[], text: string): string {
  return path.length === 0 ? text : `'${formatPath(path)}' ${text}`;
}

/** Formats the path of a field or an option as in code: `actions[0].name`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.map((part, index) => (typeof part === "number" ? `[${part}]` : index === 0 ? String(part) : `.${String(part)}`)).join("");
}

/**
 * Returns the issue of a union that helps the caller most; undefined if no branch explains the problem better than the
 * text of the union.
 */
function issueOfBranch(issue: UnionIssue): Issue | undefined {
  const branches = issue.errors.filter((issues) => issues.length > 0 && !issues.some(isOfWholeValue));
  const unknown = keyUnknownTo(branches);
  if (unknown !== undefined) return { code: "unrecognized_keys", keys: [unknown], path: [], message: "" };
  // The caller meant a branch whose members are all present.
  const [meant] = branches.find((issues) => !issues.some(isOfMissingMember) && unknownKeys(issues).length === 0) ?? [];
  if (meant !== undefined) return meant;
  const hasOwnText = issue.message !== issueText({ ...issue, input: issue.input });
  if (hasOwnText && branches.length > 1) return undefined;
  return branches.toSorted((a, b) => depth(b) - depth(a))[0]?.[0];
}

/** Whether the value as a whole does not fit, such as a string if an object is required. */
function isOfWholeValue({ path, code }: Issue): boolean {
  return path.length === 0 && code !== "unrecognized_keys";
}

function isOfMissingMember({ code, path, input }: Issue): boolean {
  return code !== "unrecognized_keys" && path.length === 1 && input === undefined;
}

/** Returns a member that no branch of a union knows, if all required members of a branch are present. */
function keyUnknownTo(branches: readonly (readonly Issue[])[]): string | undefined {
  const isComplete = (issues: readonly Issue[]): boolean => !issues.some(isOfMissingMember);
  return branches
    .filter(isComplete)
    .flatMap(unknownKeys)
    .find((key) => branches.every((issues) => unknownKeys(issues).includes(key)));
}

function unknownKeys(issues: readonly Issue[]): readonly string[] {
  return issues.flatMap((issue) => (issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : []));
}

function depth(issues: readonly Issue[]): number {
  return Math.max(...issues.map((issue) => issue.path.length));
}
