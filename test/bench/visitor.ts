/** A browser without JavaScript that goes from an app to the login page and back. */
interface Visitor {
  /** Opens the login page. @returns the login session in its form. */
  open(): Promise<LoginSession>;
  /** Posts the identifier. @returns the hidden fields of the password step. */
  identify(loginSession: LoginSession, identifier: string): Promise<LoginSession>;
  /** Posts the password. @returns the code for the app, or `undefined` if the login continues. */
  signIn(loginSession: LoginSession, identifier: string, password: string): Promise<string | undefined>;
  /** Posts a wrong password. @returns the page with the error. */
  fail(loginSession: LoginSession, identifier: string, password: string): Promise<string>;
  /** Sends the authorization request again with the cookies of a login. @returns the code for the app. */
  continueSession(): Promise<string | undefined>;
}

/** The hidden fields of the login page's form. */
interface LoginSession {
  readonly state: string;
  readonly step: string;
  readonly csrf: string;
}

/** A browser that stores cookies and follows no redirect by itself. */
interface Browser {
  /** Sends a GET request, or a POST request with a form. */
  send(path: string, form?: { readonly [name: string]: string }): Promise<Response>;
  /** Sends a POST request with a JSON body. */
  sendJson(path: string, body: object): Promise<Response>;
  /** Follows the redirect of a response. */
  follow(sent: Response): Promise<Response>;
  deleteCookies(): void;
}

/**
 * Creates a {@link Browser}.
 * @param server the URL that the server listens on
 * @param issuer the issuer of the server
 * @param further headers of each request.
 */
export function createBrowser(server: string, issuer: string, further: { readonly [header: string]: string } = {}): Browser {
  const { host, origin } = new URL(issuer);
  const jar = new Map<string, string>();
  const sendBody = async (path: string, body?: URLSearchParams | string): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(new URL(path, server), {
      redirect: "manual",
      headers: { host, origin, cookie, ...further, ...(typeof body === "string" && { "content-type": "application/json" }) },
      ...(body !== undefined && { method: "POST", body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";", 1);
      const at = pair.indexOf("=");
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  };
  const send: Browser["send"] = (path, form) => sendBody(path, form && new URLSearchParams(form));
  return {
    send,
    sendJson: (path, body) => sendBody(path, JSON.stringify(body)),
    async follow(sent) {
      await sent.arrayBuffer();
      const to = new URL(sent.headers.get("location") ?? "", issuer);
      return send(to.pathname + to.search);
    },
    deleteCookies: () => jar.clear(),
  };
}

/** Creates a visitor of Postern. The parameters are those of {@link createBrowser}, and of the authorization request. */
export function visitor(
  server: string,
  issuer: string,
  authorize: { readonly [parameter: string]: string },
  further?: { readonly [header: string]: string },
): Visitor {
  const { send, follow, deleteCookies } = createBrowser(server, issuer, further);
  /** Reads the response to a request that leads to the app. */
  const codeIn = async (response: Response): Promise<string | undefined> => {
    const text = await response.text();
    if (response.status >= 400) throw new Error(`the login failed: ${response.status} ${text}`);
    const location = response.headers.get("location");
    return location === null ? undefined : (new URL(location, issuer).searchParams.get("code") ?? undefined);
  };
  return {
    async open() {
      deleteCookies();
      return loginSessionIn(await follow(await send(`/authorize?${new URLSearchParams(authorize)}`)));
    },
    identify: async (loginSession, identifier) =>
      loginSessionIn(await follow(await send("/u/login", { ...loginSession, action: "continue", identifier }))),
    async fail(loginSession, identifier, password) {
      return (await follow(await send("/u/login", { ...loginSession, action: "sign-in", identifier, password }))).text();
    },
    signIn: async (loginSession, identifier, password) =>
      codeIn(await send("/u/login", { ...loginSession, action: "sign-in", identifier, password })),
    continueSession: async () => codeIn(await send(`/authorize?${new URLSearchParams(authorize)}`)),
  };
}

async function loginSessionIn(page: Response): Promise<LoginSession> {
  const html = await page.text();
  const field = (name: string): string => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? "";
  const loginSession = { state: field("state"), step: field("step"), csrf: field("csrf") };
  if (loginSession.csrf === "") throw new Error(`no form: ${page.status} ${html.slice(0, 500)}`);
  return loginSession;
}
