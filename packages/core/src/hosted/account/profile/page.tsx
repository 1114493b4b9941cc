import { Fragment, type JSX } from "preact";
import type { Drawing, PageParts, StepDrawing } from "../../../login/components/drawing.ts";
import { Form, FormAction, Name, ProblemNote } from "../../../login/components/form.tsx";
import { BackToSection } from "../pages/back.tsx";
import { EditLink } from "../pages/edit-link.tsx";
import { AccountNotice } from "../pages/notice.tsx";
import { TextField } from "../pages/text-field.tsx";
import { MetadataFormField, type MetadataInput } from "./metadata-form.tsx";

/** The texts of a profile. A missing text is an empty string. */
export interface ProfileFields {
  readonly name: string;
  readonly given: string;
  readonly family: string;
  readonly nickname: string;
}

type ProfileLabel =
  | "profileName"
  | "profileGiven"
  | "profileFamily"
  | "profileNickname"
  | "profileEmail"
  | "profileUsername"
  | "addPhoneLabel";

/** The data for {@link drawProfile}. */
export interface ShownProfile extends ProfileFields {
  readonly account: string;
  readonly email: string;
  readonly username: string;
  readonly phone: string;
  /** The labels and values of the user's metadata. */
  readonly metadata: readonly (readonly [label: string, value: string])[];
  /** The name of the provider that sets the profile at each login. */
  readonly provider: string | undefined;
  /** The URL of the form. Undefined if the user can change nothing. */
  readonly edit: string | undefined;
  readonly isSaved: boolean;
}

/** Draws the profile of the signed-in user. */
export function drawProfile({ t }: Drawing, profile: ShownProfile): PageParts {
  const { provider, edit, isSaved } = profile;
  const facts: readonly (readonly [ProfileLabel, string])[] = [
    ["profileName", profile.name],
    ["profileGiven", profile.given],
    ["profileFamily", profile.family],
    ["profileNickname", profile.nickname],
    ["profileEmail", profile.email],
    ["profileUsername", profile.username],
    ["addPhoneLabel", profile.phone],
  ];
  return {
    title: t.text("profileTitle"),
    content: (
      <>
        {isSaved && <AccountNotice icon="check" text={t.text("accountSaved")} />}
        <dl class="facts">
          {facts.flatMap(([label, value]) =>
            value === ""
              ? []
              : [
                  <dt key={label}>{t.text(label)}</dt>,
                  <dd key={`${label} value`}>
                    <bdi>{value}</bdi>
                  </dd>,
                ],
          )}
        </dl>
        {provider !== undefined && <p class="note">{t.pieces("profileFromProvider", { provider: <Name>{provider}</Name> })}</p>}
        {profile.metadata.length > 0 && (
          <dl class="facts">
            {profile.metadata.map(([label, value]) => (
              <Fragment key={label}>
                <dt>
                  <bdi>{label}</bdi>
                </dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </Fragment>
            ))}
          </dl>
        )}
        <EditLink t={t} href={edit} />
      </>
    ),
  };
}

/** The data for {@link drawEditProfile}. */
export interface ProfileForm {
  /** Undefined if an identity provider sets them, so that the form has only the metadata. */
  readonly names: ProfileFields | undefined;
  readonly metadata: readonly MetadataInput[];
  readonly back: string;
}

/** Draws the form in which the user changes their profile. */
export function drawEditProfile(drawing: StepDrawing, { names, metadata, back }: ProfileForm): PageParts {
  const { frame, t, problem } = drawing;
  return {
    title: t.text("profileTitle"),
    problem: problem !== undefined,
    content: (
      <>
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Form frame={frame} class="fields">
          {metadata.length > 0 && <input type="hidden" name="metadata_fields" value={metadata.map(({ id }) => id).join(" ")} />}
          {names !== undefined && <NameFields {...drawing} {...names} />}
          {metadata.map((field) => (
            <MetadataFormField key={field.id} {...drawing} field={field} />
          ))}
          <FormAction value="save-profile">{t.text("securitySave")}</FormAction>
        </Form>
        <div class="others">
          <BackToSection t={t} href={back} />
        </div>
      </>
    ),
  };
}

function NameFields({ name, given, family, nickname, ...drawing }: StepDrawing & ProfileFields): JSX.Element {
  const { t } = drawing;
  return (
    <>
      <TextField
        {...drawing}
        id="name"
        label={t.text("profileName")}
        value={name}
        maximum={300}
        autocomplete="name"
        missing={t.text("profileNameMissing")}
      />
      <TextField {...drawing} id="given_name" label={t.text("profileGiven")} value={given} maximum={150} autocomplete="given-name" />
      <TextField {...drawing} id="family_name" label={t.text("profileFamily")} value={family} maximum={150} autocomplete="family-name" />
      <TextField {...drawing} id="nickname" label={t.text("profileNickname")} value={nickname} maximum={300} autocomplete="nickname" />
    </>
  );
}
