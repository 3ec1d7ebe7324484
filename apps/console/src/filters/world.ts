/** A country of the map, drawn as an area or, where that would be too small, as a point. */
export interface Place {
  /** Two letters of ISO 3166; absent for a disputed area without one. */
  readonly code: string | undefined;
  /** The `d` of an SVG path. */
  readonly path?: string;
  /** The `x` and `y` of the middle. */
  readonly point?: readonly [number, number];
}

/** The map of the world, as the build draws it. */
export interface World {
  readonly width: number;
  readonly height: number;
  readonly places: readonly Place[];
  /** The codes of the places by the names of the countries, in lower case. */
  readonly codes: Readonly<Record<string, string>>;
}

/** Returns the code of a country by its name in the library; undefined for one that the map does not have. */
export function codeOf({ codes }: World, name: string): string | undefined {
  const key = name.trim().toLowerCase();
  return Object.hasOwn(codes, key) ? codes[key] : undefined;
}
