/** Signals that end a process, and leave it the time to do so well: Ctrl-C, the end of the terminal, Ctrl-\ and the like. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const;

/** Those that a terminal sends to all processes of its foreground, children among them. */
export const typedSignals: readonly string[] = ['SIGINT', 'SIGQUIT'];
