/**
 * Returns the languages of `X-Request-Language`, which has the syntax of `Accept-Language`, in the syntax of
 * `ui_locales`: preferred first, separated by spaces.
 */
export function requestedLanguages(request: Request): string | undefined {
  const header = request.headers.get("x-request-language");
  return header
    ?.replaceAll(/;[^,]*/g, "")
    .replaceAll(",", " ")
    .slice(0, 255);
}
