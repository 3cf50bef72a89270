/** Compares what a server answered with the recording, and with what Tidegate answers otherwise on purpose. */

import type { Recording } from '../runner/recording.ts'
import { NO_ANSWER } from '../runner/run-scenario.ts'
import { firstDifference } from '../runner/run-suite.ts'
import type { Difference } from './timeline-suite.ts'

export interface TimelineOutcome {
  readonly passed: number
  /** Cases that differ as `differences` says. */
  readonly onPurpose: number
  /** The other differences, as lines to print. */
  readonly problems: readonly string[]
}

export function compareTimeline(
  found: ReadonlyMap<string, string>,
  recording: Recording,
  differences: readonly Difference[],
): TimelineOutcome {
  const problems: string[] = []
  let onPurpose = 0
  for (const [id, exchange] of found) {
    const expected = recording.get(id)
    const stated = differences.find(({ cases }) => id in cases)?.cases[id]
    // Hadoop's own server answers as recorded everywhere.
    if (exchange === expected) continue
    if (stated !== undefined && answerIn(exchange) === stated) onPurpose++
    else if (stated !== undefined)
      problems.push(
        `${id} should be ${stated}, as timeline-differences.json says, and is ${answerIn(exchange)}`,
      )
    else {
      const answered = !exchange.includes(NO_ANSWER)
      problems.push(firstDifference({ id, passed: false, answered, expected, found: exchange }))
    }
  }
  return { passed: found.size - problems.length - onPurpose, onPurpose, problems }
}

/** The status of the last answer, and the exception where it has one: `400 BadRequestException`. */
function answerIn(exchange: string): string {
  const answer = exchange.slice(exchange.lastIndexOf('\n< ') + 3)
  const [, json, xml] = /"exception":"(\w+)"|<exception>(\w+)</.exec(answer) ?? []
  return [answer.slice(0, 3), json ?? xml].filter(Boolean).join(' ')
}
