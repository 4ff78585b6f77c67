/** The small console of the embedded engine: what a worker injects, and pages of our own to look at a directory at work. */
import * as React from "react";
import * as JsxRuntime from "react/jsx-runtime";
import * as ReactDOM from "react-dom";
import * as ReactDOMClient from "react-dom/client";
import { Shell } from "./shell.js";

(window as unknown as Record<string, unknown>)["__III_CONSOLE__"] = { React, ReactDOM, ReactDOMClient, JsxRuntime };

const root = document.getElementById("root");
if (root !== null) ReactDOMClient.createRoot(root).render(<Shell />);
