/** The reason why the server did not start, for the operator. */
export class StartError extends Error {
  override readonly name = "StartError";
  /** The exit code: 2 for an invalid variable, 1 for any other reason. */
  readonly exitCode: 1 | 2;

  constructor(message: string, options: { readonly exitCode?: 1 | 2; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? 1;
  }
}
