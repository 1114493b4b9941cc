import type { JSX } from "preact";
import { Initials, StateBadge } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import type { ConsoleLinks } from "../console-links.ts";
import type { DisplayedUser } from "../resources.ts";

const texts = consoleTexts.users;

/** The fields of a user that a list shows. Members of organizations have only some of them. */
type NamedUser = Pick<DisplayedUser, "user_id"> & Partial<Pick<DisplayedUser, "name" | "email" | "username" | "phone_number">>;

/** Returns the name by which a list shows a user. */
export function userName({ name, email, username, phone_number: phone, user_id: id }: NamedUser): string {
  return [name, email, username, phone, id].find((value) => value !== undefined && value !== null && value !== "") ?? id;
}

/** Renders a user in a list: the name, which links to the record, and the address. */
export function UserLink({ user, links }: { readonly user: NamedUser; readonly links: ConsoleLinks }): JSX.Element {
  const name = userName(user);
  const address = [user.email, user.phone_number, user.username].find(
    (value) => typeof value === "string" && value !== "" && value !== name,
  );
  return (
    <span class="who">
      <Initials name={name} />
      <span>
        <a href={links.to(["users", user.user_id])}>
          <bdi>{name}</bdi>
        </a>
        {address !== undefined && (
          <small>
            <bdi>{address}</bdi>
          </small>
        )}
      </span>
    </span>
  );
}

/** Renders whether a user can sign in. */
export function UserState({ user }: { readonly user: DisplayedUser }): JSX.Element {
  if (user.blocked === true) return <StateBadge level="bad">{texts.blocked}</StateBadge>;
  if (user.email !== undefined && user.email !== null && user.email_verified !== true)
    return <StateBadge level="warn">{texts.unverified}</StateBadge>;
  return <StateBadge level="good">{texts.active}</StateBadge>;
}
