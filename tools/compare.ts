/**
 * Asks a real HBase all cases of the conformance suite and compares with the recordings: `npm run compare`. Where Java or
 * Maven is missing it says so and compares nothing.
 */

import { missingTools } from '../test/conformance/real-hbase/jars.ts'
import { realHBaseTarget } from '../test/conformance/real-hbase/target.ts'
import { SCENARIOS } from '../test/conformance/scenarios.ts'
import type { Target } from '../test/conformance/suite/exchange.ts'
import { recordingOf } from '../test/conformance/suite/recordings.ts'
import { firstDifference, runSuite } from '../test/conformance/suite/run-suite.ts'

const TIMEOUT_MS = 60_000

interface Outcome {
  passed: number
  readonly failures: string[]
}

/** Whether the recordings in the repository still are what HBase answers. */
async function checkRecordings(real: Target): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, failures: [] }
  for await (const found of runSuite(SCENARIOS, recordingOf, real, { timeoutMs: TIMEOUT_MS })) {
    if (found.passed) outcome.passed++
    else outcome.failures.push(`recording: ${firstDifference(found)}`)
  }
  return outcome
}

async function main(): Promise<void> {
  const missing = missingTools()
  if (missing.length > 0) {
    process.stdout.write(`no comparison with a real HBase: this machine has no ${missing.join(' and no ')}\n`)
    return
  }
  const real = await realHBaseTarget()
  try {
    const { passed, failures } = await checkRecordings(real.target)
    for (const failure of failures) process.stdout.write(`${failure}\n`)
    process.stdout.write(`${passed} passed, ${failures.length} failed\n`)
    process.exitCode = failures.length === 0 ? 0 : 1
  } finally {
    await real.stop()
  }
}

await main()
