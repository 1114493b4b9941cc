import { formAction, formFields, refreshUrl } from "../support/browser.ts";
import { sendOverHttp } from "../support/send-over-http.ts";
import type { ReadyLine } from "./start.ts";

/** A page that the browser has loaded. */
export interface PageView {
  /** The path below the issuer, with its query. */
  readonly path: string;
  readonly status: number;
  readonly html: string;
}

/** A browser without JavaScript that reaches the server by its issuer. */
interface FormBrowser {
  readonly cookies: Map<string, string>;
  open(path: string): Promise<PageView>;
  /** Presses a button on the demo's home page. */
  press(name: string): Promise<PageView>;
  /** Submits the form of a login page, including its hidden fields. */
  fill(page: PageView, fields: { readonly [name: string]: string }): Promise<PageView>;
  /** Enters the email address and the password, and returns to the app. */
  signIn(page: PageView): Promise<PageView>;
  /** Sends one request without following redirects. */
  send(
    method: string,
    path: string,
    form?: { readonly [name: string]: string },
    headers?: { readonly [name: string]: string },
  ): Promise<Response>;
}

/** Creates a browser that stores cookies, follows redirects, and fails if a redirect leaves the issuer. */
export function createFormBrowser(
  { issuer, url, user }: Pick<ReadyLine, "issuer" | "url" | "user">,
  cookies = new Map<string, string>(),
): FormBrowser {
  const send: FormBrowser["send"] = async (method, path, form, headers = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const navigation = { accept: "text/html", "sec-fetch-mode": "navigate", cookie };
    const body = form === undefined ? null : new URLSearchParams(form);
    const response = await sendOverHttp(new Request(new URL(path, url), { method, headers: { ...navigation, ...headers }, body }));
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const [name = "", value = ""] = pair.split("=", 2);
      if (attributes.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };

  /** Returns the path of a URL below the issuer. */
  const below = (address: string, from: string): string => {
    const to = new URL(address, new URL(from, issuer));
    to.hash = "";
    if (!to.href.startsWith(issuer)) throw new Error(`${to.href} is not below ${issuer}`);
    return to.href.slice(issuer.length);
  };

  const follow = async (path: string, response: Response): Promise<PageView> => {
    const html = await response.text();
    const location = response.headers.get("location") ?? refreshUrl(html);
    if (location === undefined) return { path, status: response.status, html };
    const to = below(location, path);
    return follow(to, await send("GET", to));
  };

  const post = async (path: string, form?: { readonly [name: string]: string }): Promise<PageView> =>
    follow(path, await send("POST", path, form, { origin: new URL(issuer).origin }));

  const browser: FormBrowser = {
    cookies,
    send,
    open: async (path) => follow(path, await send("GET", path)),
    press: (name) => post(`dev/demo/${name}`),
    fill: (page, fields) => post(below(formAction(page.html) ?? "", page.path), { ...formFields(page.html), ...fields }),
    async signIn(page) {
      const passwordPage = await browser.fill(page, { action: "continue", identifier: user.email });
      return browser.fill(passwordPage, { action: "sign-in", password: user.password });
    },
  };
  return browser;
}
