import { PosternError } from "../errors.ts";
import type { Finding } from "./finding.ts";

/** Thrown by `createPostern` for invalid options. Its code is `configuration_error`. */
export class ConfigurationError extends PosternError {
  /** One finding for each option that cannot be used. */
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[], cause?: unknown) {
    const lines = findings.map(toLine);
    super("configuration_error", `createPostern:${lines.length === 1 ? ` ${lines.join()}` : lines.map((line) => `\n- ${line}`).join("")}`, {
      cause,
    });
    this.findings = findings;
  }
}

function toLine({ message, cure, page }: Finding): string {
  return `${message}${cure === undefined ? "" : `: ${cure}`}${page === undefined ? "" : `. See ${page}`}`;
}
