/** The subject of a finding. */
export type SetupCheck =
  | "option"
  | "data"
  | "secret"
  | "tenant"
  | "factors"
  | "client"
  | "mail"
  | "scheme"
  | "connection"
  | "redirect"
  | "mount"
  | "issuer"
  | "installation"
  | "host"
  | "proxy"
  | "address"
  | "cookie"
  | "body"
  | "headers"
  | "cache"
  | "cors"
  | "clock";

/**
 * A result of checking a setup: an option that `createPostern` rejects, an option that contradicts requests, or a
 * result of `postern.doctor()`. It contains no secrets.
 */
export interface Finding {
  readonly check: SetupCheck;
  /** `error`: users cannot sign in, or are not safe. `warning`: a part does not work as intended. */
  readonly level: "ok" | "warning" | "error";
  /** The result of the check. */
  readonly message: string;
  /** The fix, or the expected value. Omitted if nothing needs to be fixed, or if `message` contains the fix. */
  readonly cure?: string;
  /** The path of the option, such as `crypto.secret`. Omitted by the doctor. */
  readonly option?: string;
  /** The value of the option, or a description of it. Omitted by the doctor. */
  readonly given?: string;
  /** The documentation page in the repository that explains the option. Omitted by the doctor. */
  readonly page?: string;
}

/** Creates a finding of level `error`. */
export function fault(check: SetupCheck, message: string, cure: string): Finding {
  return { check, level: "error", message, cure };
}

/** Creates a finding of level `warning`. */
export function warning(check: SetupCheck, message: string, cure: string): Finding {
  return { check, level: "warning", message, cure };
}

/** Creates a finding of level `ok`. */
export function ok(check: SetupCheck, message: string): Finding {
  return { check, level: "ok", message };
}
