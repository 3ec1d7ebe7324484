import { Component, type ReactNode } from 'react';
import { Problem } from './problem.js';

/** Shows an error in place of a part of the page that threw it, or whose script could not be loaded. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Problem error={error} retry={() => location.reload()} />;
  }
}
