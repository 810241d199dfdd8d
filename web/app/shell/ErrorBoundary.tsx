import { Component, type ReactNode } from 'react';

import { Button } from '../../ui/Button.tsx';

interface Props {
  /** The router's key of the navigation. A new navigation clears the failure, even to the same address. */
  readonly navigation: string;
  readonly children: ReactNode;
}

interface State {
  readonly failed: boolean;
  readonly navigation: string;
}

/**
 * Replaces a screen that crashed, or whose code cannot be loaded because of a new version or a lost connection,
 * and offers a reload.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false, navigation: this.props.navigation };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  // A React key would also reset the state, but would remove the screen before the next one is loaded.
  static getDerivedStateFromProps({ navigation }: Props, state: State): State | null {
    return navigation === state.navigation ? null : { failed: false, navigation };
  }

  // Report explicitly: React has caught the error, and Sentry sees only uncaught errors.
  override componentDidCatch(error: unknown): void {
    window.reportError(error);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="stack gap-4 lost" role="alert">
        <title>Noe gikk galt – Faktur</title>
        <h1 lang="en">An error has occurred</h1>
        <p className="soft">Siden kunne ikke vises. Last den på nytt for å prøve igjen.</p>
        <Button variant="primary" onClick={() => window.location.reload()}>
          Last siden på nytt
        </Button>
      </div>
    );
  }
}
