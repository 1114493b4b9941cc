import { pageOfStep, steps, type DrawScreen } from "../src/login/steps.ts";

const pages = new Map(steps.map(({ name }) => [name, pageOfStep(name)] as const));

/** Renders a screen with the page for its step. This module loads all pages. */
export const drawScreen: DrawScreen = (drawing, screen) => {
  const draw = pages.get(screen.name);
  if (draw === undefined) throw new Error(`there is no page '${screen.name}'`);
  return draw(drawing, screen);
};
