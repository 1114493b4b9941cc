import type { Drawing, PageParts } from "../../../login/components/drawing.ts";
import { Form, FormAction, Name } from "../../../login/components/form.tsx";
import { ReturnLinkAnchor } from "../../../login/components/return-link.tsx";
import { Sign } from "../../../login/components/sign.tsx";
import type { ReturnLink } from "../../../login/return-link.ts";
import { BackToSection } from "../pages/back.tsx";

/** The data for {@link drawDeletion}. Dates are formatted. */
interface ShownDeletion {
  /** When the account would be deleted. */
  readonly date: string;
  /** The URL of the page that asks for a confirmation. Undefined if the user can change nothing. */
  readonly confirm: string | undefined;
}

/** Draws the page on which users learn about the deletion of their account. */
export function drawDeletion({ t }: Drawing, { date, confirm }: ShownDeletion): PageParts {
  return {
    title: t.text("deletionTitle"),
    content: (
      <>
        <p class="lead">{t.text("deletionLead", { date })}</p>
        {confirm !== undefined && (
          <a class="button second" href={confirm}>
            {t.text("deletionSubmit")}
          </a>
        )}
      </>
    ),
  };
}

/** The data for {@link drawConfirmDeletion}. */
interface ConfirmedDeletion {
  readonly date: string;
  readonly account: string;
  readonly back: string;
}

/** Draws the page that asks whether to delete the account. */
export function drawConfirmDeletion({ frame, t }: Drawing, { date, account, back }: ConfirmedDeletion): PageParts {
  return {
    title: t.text("deletionConfirmTitle"),
    mark: <Sign frame={frame} kind="quiet" icon="alert" />,
    content: (
      <>
        <p class="lead">
          <Name>{account}</Name>
        </p>
        <p class="lead">{t.text("deletionLead", { date })}</p>
        <Form frame={frame}>
          <FormAction value="delete-account">{t.text("deletionSubmit")}</FormAction>
        </Form>
        <div class="others">
          <BackToSection t={t} href={back} />
        </div>
      </>
    ),
  };
}

/** The data for {@link drawScheduled}. */
interface ScheduledDeletion {
  readonly date: string;
  readonly returnLink: ReturnLink | undefined;
}

/** Draws the page that says when the account will be deleted. */
export function drawScheduled({ frame, t }: Drawing, { date, returnLink }: ScheduledDeletion): PageParts {
  return {
    title: t.text("deletionScheduledTitle"),
    mark: <Sign frame={frame} kind="quiet" icon="clock" />,
    content: (
      <>
        <p class="lead">{t.text("deletionScheduledLead", { date })}</p>
        <ReturnLinkAnchor frame={frame} t={t} returnLink={returnLink} />
      </>
    ),
  };
}
