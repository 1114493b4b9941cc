import type { SignInError } from "./sign-in-error.ts";

/**
 * Returns the page for a sign-in that failed or is not sufficient: the reason in plain words, the code for the operator
 * of the app, and a link to try again. It has no scripts, and follows the color scheme of the browser. It omits the
 * message of the error, which is in the log.
 */
export function errorPage({ code }: SignInError, retry: URL): Response {
  const { status, title, advice } = texts[code] ?? otherText;
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${styles}</style>
<main>
<h1>${title}</h1>
<p>${advice}</p>
<a href="${escapeHtml(retry.href)}">Sign in again</a>
<p class="code">Error code: ${escapeHtml(code)}</p>
</main>
</html>
`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  };
  return new Response(html, { status, headers });
}

/** Colors have a contrast of at least 4.5 to 1 in both color schemes. */
const styles = `
:root { color-scheme: light dark; --page: #f4f5f7; --card: #fff; --text: #1a1d21; --muted: #5b626b; --accent: #2457c5; }
@media (prefers-color-scheme: dark) { :root { --page: #14161a; --card: #1f2228; --text: #eceef1; --muted: #a4abb5; --accent: #3a6fe0; } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { box-sizing: border-box; width: min(26rem, 100% - 2rem); padding: 2rem; background: var(--card); border-radius: .75rem; box-shadow: 0 1px 3px #0003; }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.3; }
a { display: block; padding: .625rem 1rem; border-radius: .5rem; background: var(--accent); color: #fff; font-weight: 600; text-align: center; text-decoration: none; }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.code { margin: 1rem 0 0; color: var(--muted); font-size: .875rem; overflow-wrap: anywhere; }
`;

interface ErrorText {
  readonly status: number;
  readonly title: string;
  readonly advice: string;
}

const otherText: ErrorText = {
  status: 400,
  title: "The sign-in could not be completed",
  advice: "Try again. If it fails once more, contact the operator of this app.",
};

const texts: { readonly [code: string]: ErrorText } = {
  access_denied: { status: 403, title: "The sign-in was denied or cancelled", advice: "You can try again, or choose another account." },
  expired: {
    status: 400,
    title: "This sign-in has expired",
    advice: "It took longer than an hour, or it was started in another browser. Start it again here.",
  },
  unmet_authentication_requirements: {
    status: 403,
    title: "You could not sign in in the way that this page requires",
    advice: "The page requires another way to sign in, such as a second factor.",
  },
  insufficient_user_authentication: {
    status: 403,
    title: "Too much time passed since you signed in",
    advice: "Sign in again to open this page.",
  },
  secret_mismatch: {
    status: 500,
    title: "This app is not set up correctly",
    advice: "Its servers do not share the key that protects your session. The operator of this app finds the reason in its log.",
  },
  session_too_large: {
    status: 500,
    title: "Your session is too large for this app",
    advice: "Your account has more permissions than a browser can store. The operator of this app finds the reason in its log.",
  },
};

/** Escapes text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
