/** Why the server did not start, in words for the person who started it. */
export class StartError extends Error {
  override readonly name = "StartError";
  /** What the process ends with: 2 for a variable to be corrected, 1 for anything else. */
  readonly exitCode: 1 | 2;

  constructor(message: string, options: { readonly exitCode?: 1 | 2; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? 1;
  }
}
