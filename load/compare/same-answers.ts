import { answeredText, isSame } from '../../test/harness/answer-tally.ts'
import type { LoopResult } from '../../test/harness/closed-loop.ts'

/**
 * Servers are compared by a workload only where their answers have the same rows and cells. Throws where two differ. `results`: of each
 * server, by its name.
 */
export function checkSameAnswers(
  workload: string,
  results: readonly (readonly [string, Pick<LoopResult, 'answers'>])[],
): void {
  const [first] = results
  for (const [server, { answers }] of results) {
    const expected = first![1].answers.each
    if (answers.each === undefined || expected === undefined)
      throw new Error(`${workload}: no answer of ${server} was read`)
    if (isSame(answers.each, expected)) continue
    const texts = [`${first![0]}: ${answeredText(expected)}`, `${server}: ${answeredText(answers.each)}`]
    throw new Error(`${workload}: the servers' answers differ: ${texts.join('; ')}`)
  }
}
