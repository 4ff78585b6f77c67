/** What a console loads: the default export registers everything with it and returns the way to take it back. */
import { DirectoryPage } from "./directory/page.js";
import type { Host, Off } from "./host.js";
import { paletteSource } from "./palette.js";
import { DIRECTORY_RENDERER } from "./renderers/directory.js";
import { SEARCH_RENDERER } from "./search/card.js";
import { sessionChip } from "./session-chip.js";
import { SettingsForm } from "./settings/form.js";

const CONFIG_FORM = "iii-directory";

export default function setup(host: Host): Off {
  const bus = host.iii;
  const openPage = (context?: unknown): void => host.panels?.open?.({ pageId: "directory", context });
  const registered = [
    host.pages.register({ id: "directory", title: "Directory", render: (props) => <DirectoryPage {...props} bus={bus} /> }),
    host.palette?.registerSource?.(paletteSource(bus, openPage)),
    host.commands?.register?.("directory", [{ id: "open", title: "Open the directory", run: () => openPage() }]),
    host.functionTriggers.register(SEARCH_RENDERER),
    host.functionTriggers.register(DIRECTORY_RENDERER),
    host.configForms.register(CONFIG_FORM, (props) => <SettingsForm {...props} bus={bus} />),
    // On purpose it shows nothing: a line with each generation that a hint was given or not would be noise.
    host.chat?.registerTranscriptRenderer?.({ id: "directory", render: () => null }),
    host.chat?.registerSessionChip?.(sessionChip(bus)),
  ];
  return () => {
    for (const off of registered.reverse()) off?.();
  };
}
