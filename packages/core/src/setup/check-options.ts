import type * as z from "zod";
import { ConfigurationError } from "./configuration-error.ts";
import { describeValue } from "./describe-value.ts";
import type { Finding } from "./finding.ts";
import { formatPath } from "../model/issue-text.ts";
import { optionAt, valueAt, type DocumentedOption, type OptionPath } from "./option-path.ts";
import { groupOf, type OptionDocs } from "./option-schemas.ts";
import { optionsDocs, optionsSchema } from "./options-schema.ts";
import type { PosternOptions } from "./options.ts";
import { unknownOption } from "./unknown-option.ts";

const root: DocumentedOption = { path: [], schema: optionsSchema, docs: optionsDocs };

/**
 * Validates the options of `createPostern`.
 * @throws {ConfigurationError} with a finding for each option that cannot be used.
 */
export function checkOptions(given: PosternOptions): void {
  const issues = issuesOf(optionsSchema, given satisfies z.input<typeof optionsSchema>, []);
  if (issues.length === 0) return;
  // Unknown options come first: a required option is often missing because its name is misspelled.
  const unknown = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.map((name) => unknownOption(root, optionAt(root, issue.path), name)) : [],
  );
  const invalid = new Map<string, Finding>();
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys") continue;
    const option = optionAt(root, issue.path);
    const name = formatPath(option.path);
    // Only the first issue of each option is reported.
    if (!invalid.has(name)) invalid.set(name, invalidOption(name, option.docs, reasonOf(issue), valueAt(given, option.path)));
  }
  throw new ConfigurationError(
    [...unknown, ...invalid.values()],
    issues.map(causeOf).find((cause) => cause !== undefined),
  );
}

/** Validates a value, and returns its issues with their full paths. */
function issuesOf(schema: z.ZodType, given: unknown, path: OptionPath): readonly z.core.$ZodIssue[] {
  // Options are validated once, so compiling the schema would cost more time than it saves.
  const { error } = schema.safeParse(given, { jitless: true });
  return (error?.issues ?? []).flatMap((issue) => {
    const whole = { ...issue, path: [...path, ...issue.path] };
    const value = valueAt(given, issue.path);
    const group = groupOf(optionAt(root, whole.path).schema);
    // Names the required members of a missing group, and the members of a group in a union.
    const members =
      group !== undefined && (value === undefined || issue.code === "invalid_union") ? issuesOf(group, value ?? {}, whole.path) : [];
    return members.length > 0 ? members : [whole];
  });
}

function invalidOption(
  option: string,
  { expected, page, isSecret = false }: OptionDocs,
  reason: string | undefined,
  value: unknown,
): Finding {
  const given = describeValue(value, isSecret);
  const about = { check: "option", level: "error", given, page, ...(option !== "" && { option }) } as const;
  const subject = option === "" ? "the argument" : `'${option}'`;
  return reason === undefined
    ? { ...about, message: `${subject} is ${given}`, cure: `pass ${expected}` }
    : { ...about, message: `${subject} cannot be used: ${reason}` };
}

/** Returns the reason that an option-specific check gave for an issue; undefined if the value has the wrong type. */
function reasonOf(issue: z.core.$ZodIssue): string | undefined {
  const reason: unknown = issue.code === "custom" ? issue.params?.["reason"] : undefined;
  return typeof reason === "string" ? reason : undefined;
}

/** Returns the error that an option-specific check caught. */
function causeOf(issue: z.core.$ZodIssue): unknown {
  return issue.code === "custom" ? issue.params?.["cause"] : undefined;
}
