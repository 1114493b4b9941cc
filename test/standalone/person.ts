import { formAction, formFields } from "../support/browser.ts";
import type { Ready } from "./start.ts";

/** A page that somebody looks at. */
export interface Seen {
  /** Below the issuer, with its query. */
  readonly path: string;
  readonly status: number;
  readonly html: string;
}

/** Somebody in front of a browser without scripts, who reaches the server by its issuer, whatever stands in between. */
export interface Person {
  readonly cookies: Map<string, string>;
  open(path: string): Promise<Seen>;
  /** Presses a button of the first page. */
  press(name: string): Promise<Seen>;
  /** Fills in the form of a login page, hidden fields included. */
  fill(page: Seen, fields: { readonly [name: string]: string }): Promise<Seen>;
  /** Enters address and password, and comes back. */
  signIn(page: Seen): Promise<Seen>;
  /** Asks once, without following. */
  send(
    method: string,
    path: string,
    form?: { readonly [name: string]: string },
    headers?: { readonly [name: string]: string },
  ): Promise<Response>;
}

/** Keeps cookies as a browser would, follows redirects, and fails where one leads elsewhere than to the issuer. */
export function createPerson({ issuer, url, user }: Pick<Ready, "issuer" | "url" | "user">, cookies = new Map<string, string>()): Person {
  const send: Person["send"] = async (method, path, form, headers = {}) => {
    const response = await fetch(new URL(path, url), {
      method,
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "), ...headers },
      ...(form !== undefined && { body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const [name = "", value = ""] = pair.split("=", 2);
      if (attributes.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };

  /** The path of an address below the issuer. */
  const below = (address: string, from: string): string => {
    const to = new URL(address, new URL(from, issuer));
    to.hash = "";
    if (!to.href.startsWith(issuer)) throw new Error(`${to.href} is not below ${issuer}`);
    return to.href.slice(issuer.length);
  };

  const follow = async (path: string, response: Response): Promise<Seen> => {
    const location = response.headers.get("location");
    if (location === null) return { path, status: response.status, html: await response.text() };
    const to = below(location, path);
    return follow(to, await send("GET", to));
  };

  const post = async (path: string, form?: { readonly [name: string]: string }): Promise<Seen> =>
    follow(path, await send("POST", path, form, { origin: new URL(issuer).origin }));

  const person: Person = {
    cookies,
    send,
    open: async (path) => follow(path, await send("GET", path)),
    press: (name) => post(`dev/demo/${name}`),
    fill: (page, fields) => post(below(formAction(page.html) ?? "", page.path), { ...formFields(page.html), ...fields }),
    async signIn(page) {
      const asked = await person.fill(page, { action: "continue", identifier: user.email });
      return person.fill(asked, { action: "sign-in", password: user.password });
    },
  };
  return person;
}
