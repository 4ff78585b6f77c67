/** Name of the element around the hint: traces and the settings page look for it. */
export const HINT_TAG = "discovery_assist";
