/** What the caller is told to do with an answer: parts in a fixed order, each only when it applies. */
import {
  alreadyProvided,
  CANDIDATES,
  CANDIDATES_AGAIN,
  INSTALL_WORKFLOW,
  INSTALL_WORKFLOW_AGAIN,
  NOTHING_MATCHED,
  nothingFits,
  ONLY_INSTALLABLE,
  PREFER_INSTALLED,
  SKILLS_NOTE,
  TRIGGERS_NOTE,
  USER_LANGUAGE,
  unsearched,
} from "./guidance-texts.js";
import { CAPABILITY_LIMIT } from "./request.js";
import type { Delivery, Session } from "./sessions.js";

/** Finding the installer is the wish to install. */
const INSTALLER_ID = "compose::add";

export interface Outcome {
  readonly delivery: Delivery;
  readonly installable: boolean;
  readonly skills: boolean;
  readonly triggers: boolean;
  /** Capabilities for which this session has searched in vain too often. */
  readonly hopeless: readonly string[];
  readonly unsearched: readonly string[];
}

/** Marks the blocks that it sends in full as sent. */
export function composeGuidance(outcome: Outcome, session: Session): string {
  const { delivery, installable } = outcome;
  const matched = delivery.fresh.length > 0 || delivery.repeated.length > 0;
  const wantsInstaller = delivery.fresh.includes(INSTALLER_ID) || delivery.repeated.includes(INSTALLER_ID);
  const parts = [
    base(matched, installable, session),
    outcome.hopeless.length > 0 && nothingFits(outcome.hopeless),
    delivery.repeated.length > 0 && alreadyProvided(delivery.repeated),
    matched && installable && PREFER_INSTALLED,
    (installable || wantsInstaller) && (session.isFirst("install") ? INSTALL_WORKFLOW : INSTALL_WORKFLOW_AGAIN),
    USER_LANGUAGE,
    outcome.skills && SKILLS_NOTE,
    outcome.triggers && TRIGGERS_NOTE,
    outcome.unsearched.length > 0 && unsearched(CAPABILITY_LIMIT, outcome.unsearched),
  ];
  return parts.filter((part) => part !== false).join(" ");
}

/** That nothing matched is always said in full. */
function base(matched: boolean, installable: boolean, session: Session): string {
  if (!matched) return installable ? ONLY_INSTALLABLE : NOTHING_MATCHED;
  return session.isFirst("candidates") ? CANDIDATES : CANDIDATES_AGAIN;
}
