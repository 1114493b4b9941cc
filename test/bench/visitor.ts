/** Somebody at a browser without scripts: goes from an app to the login page and back. */
export interface Visitor {
  /** Goes to the login page. @returns the login session that the form there belongs to. */
  open(): Promise<LoginSession>;
  /** Posts who they are. @returns the form that asks for the password. */
  identify(loginSession: LoginSession, identifier: string): Promise<LoginSession>;
  /** Posts the password. @returns the code for the app, undefined where it leads back to the page. */
  signIn(loginSession: LoginSession, identifier: string, password: string): Promise<string | undefined>;
  /** Posts a password that is wrong. @returns the page that says so. */
  fail(loginSession: LoginSession, identifier: string, password: string): Promise<string>;
}

/** The hidden fields of the login page's form. */
export interface LoginSession {
  readonly state: string;
  readonly step: string;
  readonly csrf: string;
}

/** Opens a browser. @param server where the server listens; @param issuer the address that it knows itself by. */
export function visitor(server: string, issuer: string, authorize: { readonly [parameter: string]: string }): Visitor {
  const { host, origin } = new URL(issuer);
  const jar = new Map<string, string>();
  const ask = async (path: string, form?: { readonly [name: string]: string }): Promise<Response> => {
    const response = await fetch(new URL(path, server), {
      redirect: "manual",
      headers: { host, origin, cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form !== undefined && { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";", 1);
      const at = pair.indexOf("=");
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  };
  /** The page that an answer leads to. */
  const follow = async (sent: Response): Promise<Response> => {
    await sent.arrayBuffer();
    const to = new URL(sent.headers.get("location") ?? "", issuer);
    return ask(to.pathname + to.search);
  };
  return {
    async open() {
      jar.clear();
      return loginSessionIn(await follow(await ask(`/authorize?${new URLSearchParams(authorize)}`)));
    },
    identify: async (loginSession, identifier) =>
      loginSessionIn(await follow(await ask("/u/login", { ...loginSession, action: "continue", identifier }))),
    async fail(loginSession, identifier, password) {
      return (await follow(await ask("/u/login", { ...loginSession, action: "sign-in", identifier, password }))).text();
    },
    async signIn(loginSession, identifier, password) {
      const response = await ask("/u/login", { ...loginSession, action: "sign-in", identifier, password });
      await response.arrayBuffer();
      const location = response.headers.get("location");
      return location === null ? undefined : (new URL(location).searchParams.get("code") ?? undefined);
    },
  };
}

async function loginSessionIn(page: Response): Promise<LoginSession> {
  const html = await page.text();
  const field = (name: string): string => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? "";
  const loginSession = { state: field("state"), step: field("step"), csrf: field("csrf") };
  if (loginSession.csrf === "") throw new Error(`no form: ${page.status} ${html.slice(0, 500)}`);
  return loginSession;
}
