/**
 * How often random cases are drawn, and which. `npm test` draws the same ones each time, so that it fails by what was changed;
 * TIDEGATE_TEST_RUNS=50 draws others, and fifty times as many, for a hunt.
 */

const runs = process.env['TIDEGATE_TEST_RUNS']
const factor = Number(runs ?? 1)

/** Of the cases that fast-check draws; undefined: of its own choice. */
export const SEED: number | undefined = runs === undefined ? 20261123 : undefined

export function testRuns(usual: number): number {
  return Math.ceil(usual * factor)
}
