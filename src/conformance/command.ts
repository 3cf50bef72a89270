/** `tidegate conformance`: the suite against any server that speaks HBase's REST and Thrift. */

import type { Target } from './runner/exchange.ts'
import { recordingOf } from './runner/recordings.ts'
import { firstDifference, runSuite, type SuiteOptions } from './runner/run-suite.ts'
import { SCENARIOS } from './scenarios.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

export interface ConformanceFlags {
  /** The URL of the REST door. */
  readonly rest: string
  readonly thrift: Address
  /** Where Thrift 2 has a port of its own. */
  readonly thrift2?: Address
  readonly only?: RegExp
  readonly timeoutMs: number
}

/** Prints every case that differs and, last, `N passed, N failed`. True where none failed. */
export async function runConformance(
  flags: ConformanceFlags,
  print: (line: string) => void,
): Promise<boolean> {
  const target: Target = { rest: flags.rest, thrift1: flags.thrift, thrift2: flags.thrift2 ?? flags.thrift }
  const options: SuiteOptions = {
    timeoutMs: flags.timeoutMs,
    ...(flags.only === undefined ? {} : { only: flags.only }),
  }
  let passed = 0
  let failed = 0
  for await (const outcome of runSuite(SCENARIOS, recordingOf, target, options)) {
    if (outcome.passed) passed++
    else {
      failed++
      print(firstDifference(outcome))
    }
  }
  print(`${passed} passed, ${failed} failed`)
  return failed === 0
}
