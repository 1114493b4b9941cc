/** What the doctor looked at. */
export type Check =
  | "data"
  | "secret"
  | "tenant"
  | "mail"
  | "scheme"
  | "connection"
  | "redirect"
  | "mount"
  | "issuer"
  | "installation"
  | "host"
  | "proxy"
  | "cookie"
  | "body"
  | "headers"
  | "cache"
  | "cors"
  | "clock";

/** What the doctor found. It holds no secrets. */
export interface Finding {
  readonly check: Check;
  /** `error`: people cannot sign in, or are not safe. `warning`: something will be missed. */
  readonly level: "ok" | "warning" | "error";
  /** What is so. */
  readonly message: string;
  /** What to do; left out where all is well. */
  readonly cure?: string;
}

/** What is wrong, with what to do about it. */
export function fault(check: Check, message: string, cure: string): Finding {
  return { check, level: "error", message, cure };
}

/** What is not as it should be, and keeps nobody from signing in. */
export function warning(check: Check, message: string, cure: string): Finding {
  return { check, level: "warning", message, cure };
}

export function ok(check: Check, message: string): Finding {
  return { check, level: "ok", message };
}
