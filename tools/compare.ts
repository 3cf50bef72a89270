/**
 * Asks a real HBase and Tidegate the same things and compares the answers: `npm run compare`.
 *
 * Starts both, on free ports, with fresh data: HBase once, Tidegate on each of its stores. Where Java or Maven is missing
 * it says so and compares nothing.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChildServer } from '../load/child-server.ts'
import { compareThrift } from '../test/conformance/live/thrift.compare.ts'
import { missingTools } from '../test/conformance/real-hbase/jars.ts'
import { realHBaseTarget } from '../test/conformance/real-hbase/target.ts'
import { SCENARIOS } from '../test/conformance/scenarios.ts'
import type { Target } from '../test/conformance/suite/exchange.ts'
import { recordingOf } from '../test/conformance/suite/recordings.ts'
import { firstDifference, runSuite } from '../test/conformance/suite/run-suite.ts'

const SERVE = new URL('../src/cli/main.js', import.meta.url).pathname
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

async function compareStore(store: string, real: Target): Promise<Outcome> {
  const args = ['serve', '--store', store, '--rest', '0', '--thrift', '0', '--log-level', 'error']
  const tidegate = await ChildServer.start(SERVE, args)
  const address = { host: '127.0.0.1', port: tidegate.port('thrift') }
  try {
    const thrift = await compareThrift(real, address)
    return {
      passed: thrift.passed,
      failures: thrift.failures.map((failure) => `${store.split(':')[0]}: ${failure}`),
    }
  } finally {
    await tidegate.stop()
  }
}

async function main(): Promise<void> {
  const missing = missingTools()
  if (missing.length > 0) {
    process.stdout.write(`no comparison with a real HBase: this machine has no ${missing.join(' and no ')}\n`)
    return
  }
  const real = await realHBaseTarget()
  const directory = mkdtempSync(join(tmpdir(), 'tidegate-compare-'))
  try {
    const outcomes = [
      await checkRecordings(real.target),
      await compareStore(`native:${directory}`, real.target),
      await compareStore('memory', real.target),
    ]
    const failures = outcomes.flatMap((outcome) => outcome.failures)
    for (const failure of failures) process.stdout.write(`${failure}\n`)
    const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0)
    process.stdout.write(`${passed} passed, ${failures.length} failed\n`)
    process.exitCode = failures.length === 0 ? 0 : 1
  } finally {
    await real.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

await main()
