import * as z from "zod";
import { $ZodAsyncError } from "zod/v4/core";
import { PosternError } from "../errors.ts";
import { describeIssue, formatPath, issueText } from "../model/issue-text.ts";

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
  const options = { reportInput: true, error: issueText };
  try {
    return schema.safeParse(input, options);
  } catch (error) {
    if (error instanceof $ZodAsyncError) return schema.safeParseAsync(input, options);
    throw error;
  }
}

/** Parses input with a schema. @throws {PosternError} `invalid_request`. Its message names the invalid field. */
export async function parseInput<S extends z.ZodType>(schema: S, input: unknown, place: InputPlace): Promise<z.output<S>> {
  const result = await safeParse(schema, input);
  if (result.success) return result.data;
  throw invalidInput(place, describeProblem(result.error.issues[0], place));
}

/** Describes the first problem of the input. */
function describeProblem(issue: z.core.$ZodIssue | undefined, place: InputPlace): string {
  if (issue === undefined) return "is not valid";
  const isWrongType = issue.code === "invalid_type" || issue.code === "invalid_value";
  if (place === "query" && issue.path.length > 0 && isWrongType && Array.isArray(issue.input))
    return `'${formatPath(issue.path)}' ${issue.input.length > 1 ? "is given more than once" : "must not be a list"}`;
  return describeIssue(issue);
}
