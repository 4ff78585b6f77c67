/** Where injected things are rendered: their styles reach no further, and neither do their faults. */
import { Component, type ReactNode } from "react";

interface ScopeProps {
  readonly name: string;
  readonly children: ReactNode;
}

export class Scope extends Component<ScopeProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (this.state.failed) return <p className="shell-fault">The script of {this.props.name} failed here.</p>;
    return (
      <div data-iii-ui={this.props.name} style={{ display: "contents" }}>
        {this.props.children}
      </div>
    );
  }
}
