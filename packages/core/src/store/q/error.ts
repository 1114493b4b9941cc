/** What is wrong with a `q`, and where. The caller's mistake: it becomes a 400 that names the position. */
export class QueryError extends Error {
  override readonly name = "QueryError";
  /** The 0-based character at which the fault is; the length of `q` where something is missing at its end. */
  readonly position: number;

  constructor(position: number, message: string) {
    super(message);
    this.position = position;
  }
}
