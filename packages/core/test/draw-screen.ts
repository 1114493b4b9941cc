import { pageOf, steps, type DrawScreen } from "../src/login/steps.ts";

const pages = new Map(await Promise.all(steps.map(async ({ name }) => [name, await pageOf(name)] as const)));

/** Draws a screen by the page of its step, every page being loaded. */
export const drawScreen: DrawScreen = (drawing, screen) => {
  const draw = pages.get(screen.name);
  if (draw === undefined) throw new Error(`there is no page '${screen.name}'`);
  return draw(drawing, screen);
};
