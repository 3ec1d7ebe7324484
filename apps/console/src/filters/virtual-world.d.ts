declare module 'virtual:world' {
  /** The `World` that the build draws; an ambient module cannot name the type of another file. */
  export const world: unknown;
}
