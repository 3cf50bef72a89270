/**
 * Records what a real HBase answers: `npm run conformance:record [-- --only PATTERN] [--check]`. Boots one, runs the
 * scenarios, writes src/conformance/recordings. With --check it writes nothing, and fails where a recording no longer
 * is what HBase answers.
 */

import { Command } from 'commander'
import { recordingOf, writeRecording } from '../src/conformance/runner/recordings.ts'
import { NO_ANSWER, runScenario } from '../src/conformance/runner/run-scenario.ts'
import { firstDifference, runSuite } from '../src/conformance/runner/run-suite.ts'
import { SCENARIOS } from '../src/conformance/scenarios.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'
import { type RealHBaseTarget, realHBaseTarget } from '../test/harness/real-hbase/target.ts'

const TIMEOUT_MS = 60_000

interface Options {
  readonly only?: string
  readonly check?: boolean
}

async function record({ target }: RealHBaseTarget, only: RegExp | undefined): Promise<number> {
  let unanswered = 0
  for (const scenario of SCENARIOS) {
    if (only !== undefined && !scenario.cases.some(({ id }) => only.test(id))) continue
    const recording = await runScenario(scenario, target, TIMEOUT_MS)
    for (const [id, exchange] of recording) {
      if (!exchange.includes(NO_ANSWER)) continue
      unanswered++
      process.stdout.write(`${id}: ${exchange.slice(exchange.indexOf(NO_ANSWER))}\n`)
    }
    if (unanswered === 0) writeRecording(scenario, recording)
    process.stdout.write(`recorded ${scenario.name}: ${recording.size} cases\n`)
  }
  return unanswered
}

async function check({ target }: RealHBaseTarget, only: RegExp | undefined): Promise<number> {
  let passed = 0
  let failed = 0
  const options = { timeoutMs: TIMEOUT_MS, ...(only === undefined ? {} : { only }) }
  for await (const outcome of runSuite(SCENARIOS, recordingOf, target, options)) {
    if (outcome.passed) passed++
    else {
      failed++
      process.stdout.write(`${firstDifference(outcome)}\n`)
    }
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  return failed
}

async function main(): Promise<void> {
  const command = new Command('conformance:record').option('--only <pattern>').option('--check').parse()
  const options = command.opts<Options>()
  const missing = missingTools()
  if (missing.length > 0) {
    process.stdout.write(`no real HBase: this machine has no ${missing.join(' and no ')}\n`)
    process.exitCode = options.check === true ? 0 : 1
    return
  }
  const real = await realHBaseTarget()
  try {
    const only = options.only === undefined ? undefined : new RegExp(options.only)
    const bad = options.check === true ? await check(real, only) : await record(real, only)
    process.exitCode = bad === 0 ? 0 : 1
  } finally {
    await real.stop()
  }
}

await main()
