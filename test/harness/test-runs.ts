/**
 * How often random cases are drawn. Whoever hunts asks for more: with TIDEGATE_TEST_RUNS=50 it is fifty times as often as
 * `npm test` does.
 */

const factor = Number(process.env['TIDEGATE_TEST_RUNS'] ?? 1)

export function testRuns(usual: number): number {
  return Math.ceil(usual * factor)
}
