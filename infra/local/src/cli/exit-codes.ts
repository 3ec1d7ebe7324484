/** How the launcher's commands end; 78 (wrong settings) comes from the configuration itself. */
export const EXIT = { OK: 0, FAILED: 1, WRONG_USAGE: 2 } as const;
