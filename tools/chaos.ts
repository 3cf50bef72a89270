/**
 * Tests Tidegate in front of a real HBase under disturbances: `npm run chaos`.
 *
 * Starts an HBase of two region servers of its own, with a table of 20 regions, and Tidegate in front of it. Writers and
 * scanners use it over REST and Thrift, and keep a ledger, while regions are split, merged, moved, closed and opened;
 * HBase is frozen for 20 seconds, loses one of its servers, and is stopped and started again. No row may be lost, come
 * twice or be torn, counts must add up, no request may outlast its deadline, and Tidegate's memory and log must not grow
 * with an outage.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { missingTools } from '../test/harness/real-hbase/jars.ts'
import { RealHBase } from '../test/harness/real-hbase/real-hbase.ts'
import { Calls } from './chaos/calls.ts'
import { FinalCheck } from './chaos/final-check.ts'
import { Findings } from './chaos/findings.ts'
import { Flood } from './chaos/flood.ts'
import { Ledger } from './chaos/ledger.ts'
import { loadTable } from './chaos/load-table.ts'
import { Regions } from './chaos/regions.ts'
import { RestScanners, RestScans, RestWrites } from './chaos/rest-door.ts'
import { ScanLoop, type ScanTally } from './chaos/scanners.ts'
import { FLOOD, FROZEN_MS, GROWTH_BYTES_MAX, LOG_LINES_MAX, SECONDS, WITHOUT } from './chaos/settings.ts'
import { StopSignal } from './chaos/stop-signal.ts'
import { Thrift1Scans, Thrift1Writes, Thrift2Scans, Thrift2Writes } from './chaos/thrift-doors.ts'
import { Tidegate } from './chaos/tidegate.ts'
import { Writer } from './chaos/writers.ts'

const WRITERS = 6
const SCANNERS = 6
/** HBase closes its regions one after the other, which takes a while. */
const STOP_MS_MAX = 60_000
/** Time after an outage until every operation must succeed again. */
const RECOVERY_MS_MAX = 60_000
const HEAP = '512m'
const LOG_LINE_SHOWN = 300
/**
 * HBase's default is 10 seconds in one process and 90 in several. Here it is longer than the freeze, and short enough that
 * the restarted HBase need not wait long for the old sessions to expire.
 */
const SESSION_MS = 40_000
const PATIENT = {
  'zookeeper.session.timeout.localHBaseCluster': SESSION_MS,
  'zookeeper.session.timeout': SESSION_MS,
  'hbase.zookeeper.property.maxSessionTimeout': SESSION_MS,
}

const startedAt = Date.now()

function say(text: string): void {
  process.stdout.write(`${((Date.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${text}\n`)
}

class Run {
  readonly findings: Findings = new Findings()
  readonly #hbase: RealHBase
  readonly #tidegate: Tidegate
  readonly #regions: Regions
  readonly #stop = new StopSignal()
  readonly #calls = new Calls(this.findings)
  readonly #ledger = new Ledger()
  readonly #scans: ScanTally = { scans: 0, rows: 0, cutShort: 0, resumed: 0, mixed: 0 }
  readonly #rest: string
  readonly #thrift: number

  constructor(hbase: RealHBase, tidegate: Tidegate, regions: Regions) {
    this.#hbase = hbase
    this.#tidegate = tidegate
    this.#regions = regions
    this.#rest = `http://127.0.0.1:${tidegate.port('rest')}`
    this.#thrift = tidegate.port('thrift')
  }

  async run(): Promise<void> {
    await this.#regions.createTable()
    await loadTable(this.#ledger, this.#thrift)
    say(`${this.#ledger.rowCount} rows; ${WRITERS} writers and ${SCANNERS} scanners begin`)
    const loops = [...this.#writers(), ...this.#scanners()]
    if (!WITHOUT.has('moves')) loops.push(this.#regions.disturb(this.#stop))
    try {
      await this.#disturbances()
    } finally {
      this.#stop.stop()
      await Promise.all(loops)
    }
    await this.#end()
  }

  /** Only regions move; HBase freezes; a server stops; HBase restarts; only regions move. */
  async #disturbances(): Promise<void> {
    const quarter = (SECONDS * 1000) / 4
    await sleep(quarter)
    const frozen = WITHOUT.has('freeze') ? 0 : await this.#timed(() => this.#freeze())
    await sleep(Math.max(0, quarter - frozen))
    if (!WITHOUT.has('stop')) await this.#stopServer()
    await sleep(quarter / 2)
    if (!WITHOUT.has('restart')) await this.#timed(() => this.#restart())
    await sleep(quarter)
  }

  async #stopServer(): Promise<void> {
    try {
      await this.#regions.stopServer()
      say('one of the two region servers is stopped')
    } catch (error) {
      this.findings.fail('a region server can be stopped', String(error))
    }
  }

  #freeze(): Promise<void> {
    const pid = this.#hbase.pidOf('master')
    return this.#outage('frozen', async () => {
      process.kill(pid, 'SIGSTOP')
      const flood = new Flood(this.#calls, this.#thrift)
      try {
        await Promise.all([flood.run(FLOOD), sleep(FROZEN_MS)])
      } finally {
        process.kill(pid, 'SIGCONT')
      }
    })
  }

  #restart(): Promise<void> {
    return this.#outage('restarted', () => this.#hbase.restart(STOP_MS_MAX))
  }

  async #outage(what: string, outage: () => Promise<void>): Promise<void> {
    const before = this.#tidegate.takeLargestBytes()
    const lines = this.#tidegate.log.length
    say(`HBase is ${what}`)
    this.#calls.healthy = false
    await outage()
    say('HBase is back')
    let missing: readonly string[] = []
    const recoveredMs = await this.#timed(async () => {
      missing = await this.#calls.notRecovered(RECOVERY_MS_MAX)
    })
    this.findings.check(
      'all goes on after an outage',
      missing.length === 0,
      () => `${what}: ${missing.join()}`,
    )
    this.#calls.healthy = true
    const after = this.#tidegate.takeLargestBytes()
    const growth = after - before
    this.findings.check('memory is flat in an outage', growth <= GROWTH_BYTES_MAX, () => `${what}: ${growth}`)
    const logged = this.#tidegate.log.length - lines
    say(
      `every kind of request succeeds again after ${recoveredMs} ms; ${mebibytes(before)} before, ` +
        `${mebibytes(after)} at most since; ${logged} lines logged`,
    )
  }

  async #timed(work: () => Promise<void>): Promise<number> {
    const start = Date.now()
    await work()
    return Date.now() - start
  }

  #writers(): Promise<void>[] {
    const { findings } = this
    const context = { calls: this.#calls, findings, ledger: this.#ledger, stop: this.#stop }
    return Array.from({ length: WRITERS }, (_, id) => {
      const door =
        id % 3 === 0
          ? new RestWrites(this.#rest)
          : id % 3 === 1
            ? new Thrift1Writes(this.#thrift)
            : new Thrift2Writes(this.#thrift)
      return new Writer(context, door, id, WRITERS, id % 3 !== 1).run()
    })
  }

  #scanners(): Promise<void>[] {
    const { findings } = this
    const context = {
      calls: this.#calls,
      findings,
      ledger: this.#ledger,
      stop: this.#stop,
      tally: this.#scans,
    }
    return Array.from({ length: SCANNERS }, () => {
      const doors = [
        new RestScans(this.#rest),
        new RestScanners(this.#rest),
        new Thrift1Scans(this.#thrift),
        new Thrift2Scans(this.#thrift),
      ]
      return new ScanLoop(context, doors).run()
    })
  }

  async #end(): Promise<void> {
    say('writers and scanners have ended')
    const regions = await this.#regions.settle()
    const door = new Thrift2Scans(this.#thrift)
    const counts = await new FinalCheck(this.findings, this.#ledger).run(door)
    door.close()
    this.findings.check('Tidegate runs to the end', this.#tidegate.isRunning, () => 'it has ended')
    const { log } = this.#tidegate
    const shown = (): string => `${log.length} lines:\n${log.slice(0, 10).join('\n')}`
    this.findings.check('nothing is logged for each request', log.length <= LOG_LINES_MAX, shown)
    this.#calls.print()
    this.#regions.print()
    const { scans, rows, cutShort, resumed, mixed } = this.#scans
    process.stdout.write(
      `scans: ${scans} of ${rows} rows, ${cutShort} cut short, ${resumed} requests repeated, ${mixed} rows of ` +
        `batches in two versions\nat the end: ${counts.rows} rows in ${regions} regions; of increments by ` +
        `${counts.unknownAmount} whose outcome was unknown ${counts.unknownApplied} were made; ${counts.steps} ` +
        `steps of chains, ${counts.unknownSteps} of them not acknowledged\n` +
        `Tidegate: ${mebibytes(this.#tidegate.residentBytes())} resident, ${log.length} lines logged\n` +
        log.map((line) => `    ${line.slice(0, LOG_LINE_SHOWN)}\n`).join(''),
    )
  }
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1048576)} MiB`
}

async function main(): Promise<void> {
  const missing = missingTools()
  if (missing.length > 0) {
    process.stdout.write(`not run: this needs ${missing.join(' and ')} on the path\n`)
    process.exitCode = 2
    return
  }
  const hbase = await RealHBase.start({ servers: 2, gateways: false, heap: HEAP, settings: PATIENT })
  say('HBase has started')
  const tidegate = await Tidegate.start(hbase.ports.zookeeper)
  const regions = new Regions(hbase.ports.zookeeper)
  const stop = async (): Promise<void> => {
    await regions.close()
    await tidegate.stop()
    await hbase.stop()
  }
  try {
    const run = new Run(hbase, tidegate, regions)
    await run.run()
    run.findings.print()
    process.exitCode = run.findings.failures === 0 ? 0 : 1
  } finally {
    await stop()
  }
}

await main()
// The doors' clients may have left connections open.
process.exit()
