/** Somebody at a browser without scripts: goes from an app to the login page and back. */
export interface Visitor {
  /** Goes to the login page. @returns the visit that the form there belongs to. */
  open(): Promise<Visit>;
  /** Posts who they are. @returns the form that asks for the password. */
  identify(visit: Visit, identifier: string): Promise<Visit>;
  /** Posts the password. @returns the code for the app, undefined where the page is shown again. */
  signIn(visit: Visit, identifier: string, password: string): Promise<string | undefined>;
  /** Posts a password that is wrong. @returns the page that says so. */
  fail(visit: Visit, identifier: string, password: string): Promise<string>;
}

/** The hidden fields of the login page's form. */
export interface Visit {
  readonly state: string;
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
  return {
    async open() {
      jar.clear();
      const sent = await ask(`/authorize?${new URLSearchParams(authorize)}`);
      await sent.arrayBuffer();
      const to = new URL(sent.headers.get("location") ?? "", issuer);
      return visitIn(await ask(to.pathname + to.search));
    },
    identify: async (visit, identifier) => visitIn(await ask("/u/login", { ...visit, action: "continue", identifier })),
    async fail(visit, identifier, password) {
      return (await ask("/u/login", { ...visit, action: "sign-in", identifier, password })).text();
    },
    async signIn(visit, identifier, password) {
      const response = await ask("/u/login", { ...visit, action: "sign-in", identifier, password });
      await response.arrayBuffer();
      const location = response.headers.get("location");
      return location === null ? undefined : (new URL(location).searchParams.get("code") ?? undefined);
    },
  };
}

async function visitIn(page: Response): Promise<Visit> {
  const html = await page.text();
  const field = (name: string): string => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? "";
  const visit = { state: field("state"), csrf: field("csrf") };
  if (visit.csrf === "") throw new Error(`no form: ${page.status} ${html.slice(0, 500)}`);
  return visit;
}
