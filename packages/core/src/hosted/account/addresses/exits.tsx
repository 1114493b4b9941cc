import type { JSX } from "preact";
import type { StepDrawing } from "../../../login/components/drawing.ts";
import { BackToSection } from "../pages/back.tsx";

/** Renders the links below a form of the section. */
export function AddressExits({ t, back, children }: StepDrawing & { readonly back: string; readonly children?: JSX.Element }): JSX.Element {
  return (
    <div class="others">
      {children}
      <BackToSection t={t} href={back} />
    </div>
  );
}
