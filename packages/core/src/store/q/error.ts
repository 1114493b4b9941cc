/** An error in a `q` parameter, with its position. It becomes a 400 response that names the position. */
export class QueryError extends Error {
  override readonly name = "QueryError";
  /** The 0-based index of the error; the length of `q` if something is missing at its end. */
  readonly position: number;

  constructor(position: number, message: string) {
    super(message);
    this.position = position;
  }
}
