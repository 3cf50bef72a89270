/** How often random cases are drawn: TIDEGATE_TEST_RUNS=50 draws fifty times as many as `npm test`, for a hunt. */

const factor = Number(process.env['TIDEGATE_TEST_RUNS'] ?? 1)

export function testRuns(usual: number): number {
  return Math.ceil(usual * factor)
}
