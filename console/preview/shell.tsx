/** Frame of the console: navigation, theme, command palette, and the page that the address names. */
import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { PageCommand } from "../host.js";
import { Connection } from "./connection.js";
import { ConsoleAssets, type Contributions, NO_CONTRIBUTIONS } from "./console.js";
import { Palette } from "./palette.js";
import { Scope } from "./scope.js";
import { SearchPage } from "./search-page.js";
import { SettingsPage } from "./settings-page.js";
import { StatusPage } from "./status-page.js";

const OWN_PAGES = [
  ["search", "Search"],
  ["status", "Status"],
  ["settings", "Settings"],
] as const;

const HOME = "search";

function routeOf(): string {
  return location.hash.replace(/^#\//, "") || HOME;
}

interface PanelContext {
  readonly pageId: string;
  readonly context: unknown;
}

export function Shell(): ReactNode {
  const bus = useMemo(() => new Connection(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/`), []);
  const [route, setRoute] = useState(routeOf);
  const [panel, setPanel] = useState<PanelContext>();
  const [contributions, setContributions] = useState<Contributions>(NO_CONTRIBUTIONS);
  const [isConnected, setConnected] = useState(true);
  const [pageCommands, setPageCommands] = useState<readonly PageCommand[]>([]);
  useEffect(() => {
    const assets: ConsoleAssets = new ConsoleAssets(
      bus,
      ({ pageId, context }) => {
        setPanel({ pageId, context });
        location.hash = `#/ext/${pageId}`;
      },
      () => setContributions(assets.contributions),
    );
    assets.start();
    const off = bus.addConnectionStateListener((state) => setConnected(state === "connected"));
    const follow = (): void => setRoute(routeOf());
    window.addEventListener("hashchange", follow);
    return () => {
      off();
      window.removeEventListener("hashchange", follow);
    };
  }, [bus]);
  const commands = useMemo(
    () => ({
      register: (list: readonly PageCommand[]) => {
        setPageCommands(list);
        return () => setPageCommands((now) => (now === list ? [] : now));
      },
    }),
    [],
  );
  usePageCommands(pageCommands);
  const page = contributions.pages.find(({ id }) => route === `ext/${id}`);
  return (
    <div className="shell">
      <Navigation route={route} contributions={contributions} isConnected={isConnected} />
      <main className="shell-main">
        {!isConnected && (
          <p className="shell-notice" role="status">
            The engine can’t be reached; trying again.
          </p>
        )}
        {contributions.faults.map((fault) => (
          <p key={fault} className="shell-notice" role="alert">
            {fault}
          </p>
        ))}
        {page !== undefined && (
          <Scope name={page.scope}>
            {page.render({ commands, ...(panel?.pageId === page.id ? { panelContext: panel.context } : {}) })}
          </Scope>
        )}
        {route === "search" && <SearchPage bus={bus} contributions={contributions} />}
        {route === "status" && <StatusPage bus={bus} />}
        {route === "settings" && <SettingsPage bus={bus} contributions={contributions} />}
        {page === undefined && route.startsWith("ext/") && (
          <p className="shell-empty">This page comes with a worker that is not there yet.</p>
        )}
      </main>
      <Palette contributions={contributions} pageCommands={pageCommands} />
    </div>
  );
}

/** Shortcuts of the page that is shown. */
function usePageCommands(list: readonly PageCommand[]): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (document.querySelector("dialog[open]") !== null) return;
      const command = list.find(({ shortcut = "" }) => isPressed(shortcut, event));
      if (command === undefined || (isTyping(event.target) && command.whileTyping !== true)) return;
      event.preventDefault();
      if (command.enabled !== false) command.run();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [list]);
}

function isPressed(shortcut: string, event: KeyboardEvent): boolean {
  const key = shortcut.split("+").at(-1) ?? "";
  const hasMod = event.ctrlKey || event.metaKey;
  return key !== "" && event.key.toLowerCase() === key.toLowerCase() && hasMod === shortcut.startsWith("Mod+") && !event.altKey;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

type Theme = "light" | "dark";

function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(() => {
    try {
      const stored = localStorage.getItem("iii-console:theme");
      if (stored === "dark" || stored === "light") return stored;
    } catch {
      // Without storage the system decides.
    }
    return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  });
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  const toggle = (): void => {
    const next = theme === "dark" ? "light" : "dark";
    setTheme(next);
    try {
      localStorage.setItem("iii-console:theme", next);
    } catch {
      // Kept until the reload.
    }
  };
  return [theme, toggle];
}

interface NavigationProps {
  readonly route: string;
  readonly contributions: Contributions;
  readonly isConnected: boolean;
}

function Navigation({ route, contributions, isConnected }: NavigationProps): ReactNode {
  const [theme, toggle] = useTheme();
  const entries = [
    ...OWN_PAGES.slice(0, 1),
    ...contributions.pages.map(({ id, title }) => [`ext/${id}`, title] as const),
    ...OWN_PAGES.slice(1),
  ];
  return (
    <nav className="shell-nav" aria-label="Pages">
      <span className="shell-brand">iii-directory</span>
      {entries.map(([id, title]) => (
        <a key={id} href={`#/${id}`} aria-current={route === id ? "page" : undefined}>
          {title}
        </a>
      ))}
      <span className="shell-grow" />
      <span
        className={`shell-dot ${isConnected ? "on" : "off"}`}
        role="img"
        aria-label={isConnected ? "connected" : "not connected"}
      />
      <button
        type="button"
        onClick={() => document.dispatchEvent(new CustomEvent("open-palette"))}
        aria-keyshortcuts="Control+K Meta+K"
      >
        Find <kbd>⌃K</kbd>
      </button>
      <button type="button" onClick={toggle}>
        {theme === "dark" ? "Light" : "Dark"}
      </button>
    </nav>
  );
}
