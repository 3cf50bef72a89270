/** An example is made of parts, each of which answers a question, alone or with the others. */

import type { Report } from './report.ts'

/** `Place`: what a part finds and works with. */
export interface Part<Place> {
  readonly question: string
  /** Whether it needs more than the others, and is left out unless it is named. */
  readonly onlyByName?: true
  readonly run: (place: Place) => Promise<void>
}

/** Parts by their names on the command line. */
export type Parts<Place> = Readonly<Record<string, Part<Place>>>

/** Runs the parts of these names, or all where there are none. */
export async function runParts<Place extends { readonly report: Report }>(
  parts: Parts<Place>,
  names: readonly string[],
  place: Place,
): Promise<void> {
  const usual = Object.keys(parts).filter((name) => parts[name]!.onlyByName !== true)
  for (const name of names.length > 0 ? names : usual) {
    const { question, run } = parts[name]!
    place.report.heading(`${name}: ${question}`)
    await run(place)
  }
}
