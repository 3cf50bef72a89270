/**
 * Checks that the recordings still are what a real HBase answers, and that Tidegate, as a process of its own on each
 * store, answers the same: `npm run compare`.
 *
 * Starts HBase and Tidegate on free ports with fresh data, Tidegate also in front of that HBase. If Java or Maven is
 * missing the tool says so, and compares only Tidegate on its own stores with the recordings.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scenario } from '../conformance/src/runner/case.ts'
import type { Target } from '../conformance/src/runner/exchange.ts'
import { gapOf, readLedger } from '../conformance/src/runner/ledger.ts'
import { recordingOf } from '../conformance/src/runner/recordings.ts'
import { type CaseOutcome, firstDifference, runSuite } from '../conformance/src/runner/run-suite.ts'
import { ScenarioQueue } from '../conformance/src/runner/scenario-queue.ts'
import { isUndecided, readUndecided } from '../conformance/src/runner/undecided.ts'
import { SCENARIOS } from '../conformance/src/scenarios.ts'
import { ChildServer } from '../test/harness/child-server.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'
import { realHBaseTarget } from '../test/harness/real-hbase/target.ts'

const SERVE = new URL('../src/cli/main.js', import.meta.url).pathname
const TIMEOUT_MS = 120_000
const ledger = readLedger()
const groups = readUndecided()
const undecided = SCENARIOS.flatMap(({ cases }) => cases.map(({ id }) => id)).filter((id) =>
  isUndecided(groups, id),
)

/**
 * Totals of all targets. Those of two runs of one commit differ: a JVM decides the undecided cases when it starts, and each
 * day asks another third of the slow ones. The line of each target shows how many it asked, and how many were undecided.
 */
let passed = 0
let failed = 0

/**
 * Cases that make or change tables, for which a real HBase takes half a second each. Each day asks a third of them where
 * there is a real HBase, and all of them with TIDEGATE_COMPARE_ALL=1. None of them needs another one before it.
 */
const SLOW_ON_HBASE =
  /^rest-body-(?:json|xml|protobuf)-(?:schema|attribute|ns)-|^thrift2-schema-argument-(?:create-table|modify-table|modify-column|add-column|delete-column)-/
const DAYS_FOR_ALL = 3
const MS_PER_DAY = 86_400_000

/** A real HBase lets a scenario wait for most of the time, in which it answers others. */
const LANES_ON_HBASE = 3
/** Scenarios that list or change what belongs to the whole cluster, its balancer and its regions' places among others. */
const ALONE = /^(?:system-tables|rpc-(?:master|admin|quotas|replicas|replica-moves))$/

/** A real HBase answers some cases differently from time to time: its threads race. */
const ATTEMPTS_ON_HBASE = 3
/** So many more cases may differ on a real HBase, and are printed: not all of its races are known. */
const UNDECIDED_ON_HBASE_MAX = 5

interface Comparison {
  /** The store whose gaps in the ledger are no failures; a real HBase has none. */
  readonly store?: string
  readonly scenarios: readonly Scenario[]
  /** So many scenarios run side by side. */
  readonly lanes: number
  /** How often the tool repeats cases that differ. */
  readonly attempts: number
  /** So many cases may differ in the end. */
  readonly undecidedMax: number
}

/** The scenarios with the slow cases of today. */
function scenariosOfToday(): readonly Scenario[] {
  if (process.env['TIDEGATE_COMPARE_ALL'] === '1') return SCENARIOS
  const today = Math.floor(Date.now() / MS_PER_DAY)
  return SCENARIOS.map((scenario) => ({
    ...scenario,
    cases: scenario.cases.filter(
      ({ id }, index) => !SLOW_ON_HBASE.test(id) || (index + today) % DAYS_FOR_ALL === 0,
    ),
  }))
}

const REAL: Comparison = {
  scenarios: scenariosOfToday(),
  lanes: LANES_ON_HBASE,
  attempts: ATTEMPTS_ON_HBASE,
  undecidedMax: UNDECIDED_ON_HBASE_MAX,
}

async function compare(name: string, target: Target, how: Comparison): Promise<void> {
  const { store } = how
  const gaps = SCENARIOS.flatMap(({ cases }) => cases).filter(
    ({ id }) => store !== undefined && gapOf(ledger, id, store) !== undefined,
  )
  const ofTwoMinds = new Set(store === undefined ? undecided : [])
  const isKnown = new Set([...gaps.map(({ id }) => id), ...ofTwoMinds])
  const { asked, failures } = await outcomes(target, how, undefined)
  passed += asked - failures.length
  const moods = failures.filter(({ id }) => ofTwoMinds.has(id)).length
  let differing = failures.filter(({ id }) => !isKnown.has(id))
  for (let attempt = 1; attempt < how.attempts && differing.length > 0; attempt++) {
    const again = differing.map(({ id }) => id)
    const only = new RegExp(`^(?:${again.join('|')})$`)
    differing = (await outcomes(target, { ...how, lanes: 1 }, only)).failures
    passed += again.length - differing.length
    process.stdout.write(`${name}: asked again: ${again.join(', ')}\n`)
  }
  for (const failure of differing) process.stdout.write(`${name}: ${firstDifference(failure)}\n`)
  if (differing.length > how.undecidedMax) failed += differing.length
  const known = `${gaps.length} in the ledger and ${moods} of ${ofTwoMinds.size} undecided`
  process.stdout.write(`${name}: ${differing.length} of ${asked} cases differ, beside ${known}\n`)
}

async function outcomes(
  target: Target,
  { scenarios, lanes }: Comparison,
  only: RegExp | undefined,
): Promise<{ asked: number; failures: CaseOutcome[] }> {
  const failures: CaseOutcome[] = []
  let asked = 0
  const options = { timeoutMs: TIMEOUT_MS, ...(only === undefined ? {} : { only }) }
  const queue = new ScenarioQueue(scenarios, ({ name }) => ALONE.test(name))
  const lane = async (): Promise<void> => {
    for await (const outcome of runSuite(queue.take(), recordingOf, target, options)) {
      asked++
      if (!outcome.passed) failures.push(outcome)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return { asked, failures }
}

async function compareReal(): Promise<void> {
  const missing = missingTools()
  if (missing.length > 0) {
    process.stdout.write(`no real HBase: this machine has no ${missing.join(' and no ')}\n`)
    return
  }
  const real = await realHBaseTarget()
  try {
    await compare('HBase', real.target, REAL)
    await compareTidegate(`hbase:${real.quorum}`, { ...REAL, store: 'hbase' })
  } finally {
    await real.stop()
  }
}

/** Tidegate as a process of its own on the store. */
async function compareTidegate(store: string, how: Comparison): Promise<void> {
  const doors = ['--rest', '0', '--thrift', '0', '--rpc', '0', '--zookeeper', 'off', '--web', 'off']
  const args = ['serve', '--store', store, ...doors, '--log-level', 'error']
  const tidegate = await ChildServer.start(SERVE, args)
  const thrift = { host: '127.0.0.1', port: tidegate.port('thrift') }
  try {
    const rest = `http://127.0.0.1:${tidegate.port('rest')}`
    const own = { host: '127.0.0.1', port: tidegate.port('rpc') }
    const rpc = { regionServer: own, master: own }
    await compare(`Tidegate on ${how.store}`, { rest, thrift1: thrift, thrift2: thrift, rpc }, how)
  } finally {
    await tidegate.stop()
  }
}

const OWN = { scenarios: SCENARIOS, lanes: 1, attempts: 1, undecidedMax: 0 }

async function compareNative(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'tidegate-compare-'))
  try {
    await compareTidegate(`native:${directory}`, { ...OWN, store: 'native' })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function compareOwn(): Promise<void> {
  await compareNative()
  await compareTidegate('memory', { ...OWN, store: 'memory' })
}

// A real HBase lets its clients wait for most of the time, which Tidegate's own stores can use.
await Promise.all([compareReal(), compareOwn()])
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
