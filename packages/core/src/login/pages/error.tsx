import type { ErrorScreen } from "../screen.ts";
import type { Drawing, Drawn } from "../kit/form.tsx";
import { Icon } from "../kit/icons.tsx";

/** Says that it cannot go on: what to do in the person's words, and what support needs under names that stay (`error-code`, `error-description`, `request-id`). */
export function drawError({ say }: Drawing, { code, description, requestId }: ErrorScreen): Drawn {
  const expired = code === "login_expired";
  return {
    title: say.text(expired ? "expiredTitle" : "errorTitle"),
    mark: (
      <div class={`sign ${expired ? "quiet" : "bad"}`}>
        <Icon name={expired ? "clock" : "alert"} />
      </div>
    ),
    content: (
      <>
        <p class="lead">{say.text(expired ? "expiredLead" : "errorLead")}</p>
        <section class="details">
          <h2>{say.text("errorDetails")}</h2>
          <dl>
            <dt>{say.text("errorDescription")}</dt>
            <dd id="error-description" lang="en" dir="auto">
              {description}
            </dd>
            <dt>{say.text("errorCode")}</dt>
            <dd>
              <code id="error-code" dir="ltr">
                {code}
              </code>
            </dd>
            <dt>{say.text("errorRequest")}</dt>
            <dd>
              <code id="request-id" dir="ltr">
                {requestId}
              </code>
            </dd>
          </dl>
        </section>
      </>
    ),
  };
}
