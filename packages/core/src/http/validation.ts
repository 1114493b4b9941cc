import * as z from "zod";
import { PosternError } from "../errors.ts";

/** The part of a request that contains the input. */
type InputPlace = "body" | "query" | "path";

const errorCodeOf = { body: "invalid_body", query: "invalid_query_string", path: "invalid_uri" } as const;

/** Creates the error for invalid input. Its message names the part of the request and the problem. */
export function invalidInput(place: InputPlace, problem: string): PosternError {
  return new PosternError("invalid_request", `${place}: ${problem}`, { errorCode: errorCodeOf[place] });
}

/** Parses asynchronously only if the schema requires it, as that of a phone number does, because it is much slower. */
function safeParse<S extends z.ZodType>(
  schema: S,
  input: unknown,
): z.ZodSafeParseResult<z.output<S>> | Promise<z.ZodSafeParseResult<z.output<S>>> {
  try {
    return schema.safeParse(input, { reportInput: true });
  } catch (error) {
    if (error instanceof z.core.$ZodAsyncError) return schema.safeParseAsync(input, { reportInput: true });
    throw error;
  }
}

/** Parses input with a schema. @throws {PosternError} `invalid_request`. Its message names the invalid field. */
export async function parseInput<S extends z.ZodType>(schema: S, input: unknown, place: InputPlace): Promise<z.output<S>> {
  const result = await safeParse(schema, input);
  if (result.success) return result.data;
  throw invalidInput(place, describeIssue(result.error.issues[0], place));
}

type Issue = z.core.$ZodIssue;

function describeIssue(issue: Issue | undefined, place: InputPlace): string {
  if (issue === undefined) return "is not valid";
  if (issue.code === "invalid_union") {
    // The branch whose issue has the longest path is most likely the one that the caller meant.
    const branch = issue.errors.filter((issues) => issues.length > 0).sort((a, b) => depth(b) - depth(a))[0];
    const inner = branch?.[0];
    if (inner !== undefined && (inner.path.length > 0 || inner.code === "unrecognized_keys"))
      return describeIssue({ ...inner, path: [...issue.path, ...inner.path] }, place);
  }
  const { path } = issue;
  if (issue.code === "invalid_union" && "options" in issue) return `'${format(path)}' must be one of ${issue.options?.join(", ")}`;
  if (issue.code === "unrecognized_keys") return `unknown field '${format([...path, issue.keys[0] ?? ""])}'`;
  if (path.length === 0) return issue.code === "invalid_type" ? `must be an ${issue.expected}` : lowerFirst(issue.message);
  if (place === "query" && (issue.code === "invalid_type" || issue.code === "invalid_value") && Array.isArray(issue.input))
    return `'${format(path)}' ${issue.input.length > 1 ? "is given more than once" : "must not be a list"}`;
  return `'${format(path)}' ${lowerFirst(issue.message.replace(/^Invalid input: /, ""))}`;
}

function depth(issues: readonly Issue[]): number {
  return Math.max(...issues.map((issue) => issue.path.length));
}

function format(path: readonly PropertyKey[]): string {
  return path.map((part, index) => (typeof part === "number" ? `[${part}]` : index === 0 ? String(part) : `.${String(part)}`)).join("");
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
