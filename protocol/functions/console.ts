/** The content function of the injected console UI, and what the console is told of it. */
import { type Static, Type } from "typebox";
import type { FunctionDefinition } from "./definition.js";

const UiContentInput = Type.Object(
  { path: Type.String({ description: "Path of the asset as in the trigger, for example `iii-directory/page.js`." }) },
  { title: "UiContentInput" },
);

const UiContentResult = Type.Object(
  {
    content: Type.String({ description: "The asset as it is." }),
    content_type: Type.String({ description: "Media type to serve it with." }),
  },
  { title: "UiContentResult" },
);
export type UiContent = Static<typeof UiContentResult>;

export const UI_CONTENT_FUNCTION: FunctionDefinition = {
  id: "iii-directory::ui-content",
  description:
    "Hands out the script and the styles that the console loads for this worker (bound to console:script and console:style).",
  metadata: { internal: true },
  request: UiContentInput,
  response: UiContentResult,
  route: "supervisor",
};

export const CONSOLE_FUNCTIONS: readonly FunctionDefinition[] = [UI_CONTENT_FUNCTION];
