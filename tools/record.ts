/**
 * Records what a real HBase answers: `npm run conformance:record [-- --only PATTERN] [--check]`. Boots one, runs the
 * scenarios, writes conformance/recordings. With --check it writes nothing, and fails where a recording no longer
 * is what HBase answers. Where a real HBase gives one of two answers, the REST server is started anew until it gives
 * the one that conformance/undecided.json asks for.
 */

import { Command } from 'commander'
import type { Scenario } from '../conformance/src/runner/case.ts'
import type { Target } from '../conformance/src/runner/exchange.ts'
import { recordingOf, writeRecording } from '../conformance/src/runner/recordings.ts'
import { NO_ANSWER, runScenario } from '../conformance/src/runner/run-scenario.ts'
import { firstDifference, runSuite } from '../conformance/src/runner/run-suite.ts'
import { isUnwanted, readUndecided } from '../conformance/src/runner/undecided.ts'
import { SCENARIOS } from '../conformance/src/scenarios.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'
import { type RealHBaseTarget, realHBaseTarget } from '../test/harness/real-hbase/target.ts'

const TIMEOUT_MS = 60_000

interface Options {
  readonly only?: string
  readonly check?: boolean
}

/** How many REST servers are started in search of one that answers otherwise than those before. */
const REST_SERVERS_MAX = 60
const undecided = readUndecided()

/** Returns the number of cases that are not recorded. */
async function record(real: RealHBaseTarget, only: RegExp | undefined): Promise<number> {
  const scenarios = SCENARIOS.filter(
    ({ cases }) => only === undefined || cases.some(({ id }) => only.test(id)),
  )
  let left = scenarios.map((scenario) => ({ scenario, found: new Map<string, string>() }))
  const asked = new Set<number>()
  for (;;) {
    asked.add(await mindOf(real.target))
    for (const { scenario, found } of left) await recordScenario(scenario, found, real.target)
    left = left.filter(({ scenario, found }) => found.size < scenario.cases.length)
    if (left.length === 0 || !(await restartOtherwise(real, asked))) break
  }
  const missing = left.flatMap(({ scenario, found }) => scenario.cases.filter(({ id }) => !found.has(id)))
  for (const { id } of missing) process.stdout.write(`${id}: no answer that is to be recorded\n`)
  return missing.length
}

/**
 * The status of a row of a table that is not there, for a client that takes any type: it tells which of two methods
 * the REST server prefers, here and in its other resources.
 */
async function mindOf({ rest }: Target): Promise<number> {
  const { status, body } = await fetch(`${rest}/conf_rest_none/row`)
  await body?.cancel()
  return status
}

/** False where no REST server was found that is of another mind than those in `asked`. */
async function restartOtherwise(real: RealHBaseTarget, asked: ReadonlySet<number>): Promise<boolean> {
  if (real.restartRest === undefined || undecided.length === 0) return false
  for (let servers = 0; servers < REST_SERVERS_MAX; servers++) {
    await real.restartRest()
    if (!asked.has(await mindOf(real.target))) return true
  }
  return false
}

/** Adds to `found` the exchanges that it lacks and that are to be recorded; writes the recording once all are there. */
async function recordScenario(scenario: Scenario, found: Map<string, string>, target: Target): Promise<void> {
  const exchanges = await runScenario(scenario, target, TIMEOUT_MS)
  for (const [id, exchange] of exchanges) {
    if (found.has(id) || isUnwanted(undecided, id, exchange)) continue
    if (!exchange.includes(NO_ANSWER)) found.set(id, exchange)
    else process.stdout.write(`${id}: ${exchange.slice(exchange.indexOf(NO_ANSWER))}\n`)
  }
  if (found.size === scenario.cases.length) {
    writeRecording(scenario, new Map(scenario.cases.map(({ id }) => [id, found.get(id)!])))
  }
  process.stdout.write(`${scenario.name}: ${found.size} of ${scenario.cases.length} cases\n`)
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
