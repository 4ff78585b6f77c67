/** On-change trigger types: who subscribes is told that something in a family of content has changed. */

/** The families of content, each with a doorbell of its own. */
export type ContentFamily = "skills" | "system-prompts" | "prompts" | "agents";

export const DOORBELL_TYPES: { readonly [Family in ContentFamily]: string } = {
  skills: "directory::skills::on-change",
  "system-prompts": "directory::system-prompts::on-change",
  prompts: "directory::prompts::on-change",
  agents: "directory::agents::on-change",
};

/** One ring. The payload is what subscribers get, as it is. */
export interface Doorbell {
  readonly family: ContentFamily;
  readonly payload: Readonly<Record<string, unknown>> & { readonly op: string };
}
