import type { Postern } from "@postern/core";
import type { StorageState } from "./sign-in.ts";

/** The cookies that a user's browser stores for the service. */
export class CookieJar {
  readonly #postern: Postern;
  readonly #lines = new Map<string, string>();

  constructor(postern: Postern) {
    this.#postern = postern;
  }

  /** The `Cookie` header. */
  get header(): string {
    return [...this.#lines.values()].map((line) => line.split(";", 1)[0]).join("; ");
  }

  /** Sends a request in process with the cookies, and stores the cookies of the response. */
  async send(request: Request): Promise<Response> {
    const headers = new Headers(request.headers);
    if (this.#lines.size > 0) headers.set("cookie", this.header);
    const pendingWork: Promise<unknown>[] = [];
    const response = await this.#postern.fetch(new Request(request, { headers }), { waitUntil: (work) => void pendingWork.push(work) });
    await Promise.all(pendingWork);
    for (const line of response.headers.getSetCookie()) {
      const name = line.split("=", 1)[0] ?? "";
      if (/; *Max-Age=0(;|$)/i.test(line)) this.#lines.delete(name);
      else this.#lines.set(name, line);
    }
    return response;
  }

  /** Returns the cookies as Playwright's storage state. @param now seconds since 1970. */
  storageState(now: number): StorageState {
    const { hostname } = new URL(this.#postern.issuer);
    const cookies = [...this.#lines].map(([name, line]): StorageState["cookies"][number] => {
      const [pair = "", ...attributes] = line.split(/; */);
      const valueOf = (attribute: string): string | undefined =>
        attributes.find((one) => one.toLowerCase().startsWith(`${attribute.toLowerCase()}=`))?.slice(attribute.length + 1);
      const maxAge = valueOf("Max-Age");
      const sameSite = valueOf("SameSite");
      return {
        name,
        value: pair.slice(name.length + 1),
        domain: hostname,
        path: valueOf("Path") ?? "/",
        expires: maxAge === undefined ? -1 : now + Number(maxAge),
        httpOnly: attributes.includes("HttpOnly"),
        secure: attributes.includes("Secure"),
        sameSite: sameSite === "None" || sameSite === "Strict" ? sameSite : "Lax",
      };
    });
    return { cookies, origins: [] };
  }
}
