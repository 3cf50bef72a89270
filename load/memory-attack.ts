/**
 * Clients that take all the memory they can get: `npm run attack:memory`. First twelve clients put and get values of 8 MB on servers in
 * memory cgroups of 384 MiB, 512 MiB and 1 GiB, and with `--memory-max` of those sizes in none, and sixteen append to values of 4 MB there (large-values-attack.ts), which live, lose no write and serve others. With 512 MiB stated, 32 clients of each door make all of 384 puts of 5 MB. Then a server in a memory cgroup of 1 GiB gets 12 JSON bodies of
 * 144 MB at once, 2,500 scanners that stay open under 2.4 GB of writes, and 100 readers that do not read a scan of everything.
 * It must live, answer a small get all the while (200, or 503 for want of memory), and give the memory back afterwards.
 *
 * It takes Linux, root, and cgroups. `-- --values` leaves out the second part. TIDEGATE_ATTACK_VALUES_MS is the time in each cgroup. TIDEGATE_ATTACK_SERVE is the main.js of another build to attack, TIDEGATE_ATTACK_SCANNERS the
 * number of scanners (2500). TIDEGATE_THREADS=N attacks servers with
 * threads. They need more memory, as TIDEGATE_ATTACK_MIB=700,1024 states in the place of 384, 512 and 1024 MiB.
 */

import { messageOf } from '../src/model/message-of.ts'
import { ChildServer } from '../test/harness/child-server.ts'
import { askOnce, isWholeFrame } from '../test/harness/closed-loop.ts'
import { largeBody, openScanners, putAtOnce, slowReaders } from '../test/harness/memory-attack/attacks.ts'
import { MemoryCgroup } from '../test/harness/memory-attack/memory-cgroup.ts'
import { WatchedGets } from '../test/harness/memory-attack/watched-gets.ts'
import { mutateRows } from '../test/harness/thrift-frames.ts'
import { FREE_PORTS, inTemporaryFolder, MAIN } from '../test/harness/tidegate-process.ts'
import { type BenchTable, fillTable } from './bench-table.ts'
import { attackByValues, type LimitedBy, PUTTING_DOORS, type ValuesAttack } from './large-values-attack.ts'

const SERVE = process.env['TIDEGATE_ATTACK_SERVE'] ?? MAIN
const MIB = 1024 * 1024
const LIMIT_BYTES = 1024 * MIB
const BODIES = 12
const SCANNERS = Number(process.env['TIDEGATE_ATTACK_SCANNERS'] ?? 2500)
/** Scanners after which 240 MB are written: `WRITES` calls of `WRITTEN_ROWS` rows. */
const SCANNERS_PER_ROUND = 250
const WRITES = 240
const WRITTEN_ROWS = 500
const WRITTEN_BYTES = 2000
const READERS = 100
const READERS_MS = 5000
/** The memory that the process may keep once its clients have gone: code, memstores and block cache. */
const KEPT_BYTES_MAX = 512 * MIB
/** Of the cgroups in which clients put and get large values, and how long they do in each. */
const VALUES_MIB = (process.env['TIDEGATE_ATTACK_MIB'] ?? '384,512,1024').split(',').map(Number)
/** With which clients of each door put values. */
const PUTS_MIB = VALUES_MIB[1] ?? VALUES_MIB[0]!
const VALUES_KINDS: readonly ValuesAttack[] = ['values', 'appends']
const VALUES_MS = Number(process.env['TIDEGATE_ATTACK_VALUES_MS'] ?? 75_000)
/** Longer than the lease of a scanner. */
const QUIET_MS = 90_000

function mib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`
}

function counted(outcomes: ReadonlyMap<string | number, number>): string {
  return [...outcomes].map(([outcome, count]) => `${count} x ${outcome}`).join(', ')
}

class Attack {
  readonly #server: ChildServer
  readonly #group: MemoryCgroup
  readonly #table: BenchTable

  constructor(server: ChildServer, group: MemoryCgroup, table: BenchTable) {
    this.#server = server
    this.#group = group
    this.#table = table
  }

  tell(what: string): void {
    const { residentBytes, peakBytes } = this.#group
    const seconds = (performance.now() / 1000).toFixed(0).padStart(4)
    process.stdout.write(
      `${seconds} s  ${what.padEnd(52)} resident ${mib(residentBytes)}, most ${mib(peakBytes)}\n`,
    )
  }

  async bodies(): Promise<void> {
    const body = largeBody(BODIES, 9_000_000)
    const rest = this.#server.port('rest')
    this.tell(
      `${BODIES} bodies of ${body.length} bytes: ${counted(await putAtOnce(rest, this.#table.name, body, BODIES))}`,
    )
    this.tell(`one alone: ${counted(await putAtOnce(rest, this.#table.name, body, 1))}`)
  }

  async scanners(): Promise<void> {
    const thrift = this.#server.port('thrift')
    const { name, rows } = this.#table
    const value = 'v'.repeat(WRITTEN_BYTES)
    await openScanners(thrift, name, SCANNERS, async (open) => {
      if (open % SCANNERS_PER_ROUND !== 0) return
      for (let write = 0; write < WRITES; write++) {
        const first = (write * WRITTEN_ROWS) % rows.length
        const written = rows.slice(first, first + WRITTEN_ROWS)
        await askOnce(thrift, mutateRows(name, written, 'f:q', value), isWholeFrame)
      }
      this.tell(`${open} scanners are open`)
    })
  }

  async readers(): Promise<void> {
    const sockets = slowReaders(this.#server.port('rest'), this.#table.name, READERS)
    await wait(READERS_MS)
    this.tell(`${READERS} readers do not read`)
    for (const socket of sockets) socket.destroy()
  }

  /** Whether the memory comes back. */
  async quiet(): Promise<boolean> {
    const end = performance.now() + QUIET_MS
    while (this.#group.residentBytes > KEPT_BYTES_MAX && performance.now() < end) await wait(500)
    this.tell('afterwards')
    return this.#group.residentBytes <= KEPT_BYTES_MAX
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function attack(server: ChildServer, group: MemoryCgroup): Promise<readonly string[]> {
  const table = await fillTable(server.port('thrift'), 'attacked')
  const gets = new WatchedGets(`http://127.0.0.1:${server.port('rest')}/attacked/row0000001`)
  const attacked = new Attack(server, group, table)
  const failures: string[] = []
  attacked.tell('before')
  try {
    await attacked.bodies()
    await attacked.scanners()
    await attacked.readers()
    if (!(await attacked.quiet())) failures.push(`the server kept more than ${KEPT_BYTES_MAX / MIB} MiB`)
  } catch (error) {
    failures.push(`the attack broke off: ${String(error)}`)
  }
  await gets.stop()
  process.stdout.write(
    `  gets meanwhile: ${counted(gets.answers)}; the slowest took ${Math.round(gets.slowestMs)} ms\n`,
  )
  return [...failures, ...gets.failures.slice(0, 10)]
}

async function attackByKinds(
  limitMib: number,
  by: LimitedBy,
  kinds: readonly ValuesAttack[] = VALUES_KINDS,
): Promise<void> {
  for (const kind of kinds) {
    for (const failure of await attackByValues(SERVE, limitMib, VALUES_MS, by, kind)) {
      process.stderr.write(`${failure}\n`)
      process.exitCode = 1
    }
  }
}

async function main(): Promise<void> {
  for (const by of ['flag', 'group'] as const) {
    for (const limitMib of VALUES_MIB) await attackByKinds(limitMib, by)
  }
  await attackByKinds(PUTS_MIB, 'flag', PUTTING_DOORS)
  if (process.argv.includes('--values')) return
  const group = MemoryCgroup.create(`tidegate-attack-${process.pid}`, LIMIT_BYTES)
  try {
    await inTemporaryFolder(async (folder) => {
      const args = ['serve', '--store', `native:${folder}`, ...FREE_PORTS, '--log-level', 'warn']
      const server = await ChildServer.start(SERVE, args, 'inherit', { processesFile: group.processesFile })
      const failures = await attack(server, group)
      const code = await server.stop()
      const ends = code === 0 ? [] : [`the server ended with ${code === null ? 'a signal' : `code ${code}`}`]
      for (const failure of [...ends, ...failures]) process.stderr.write(`${failure}\n`)
      if (ends.length + failures.length > 0) process.exitCode = 1
    })
  } finally {
    group.remove()
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
})
