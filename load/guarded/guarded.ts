/**
 * The cost of guarding: `npm run bench:guarded`. Servers with TLS, with permissions and passwords, with both, and with labels of cells,
 * beside one without any of it, in rounds that alternate: A B C D E, A B C D E. The user may read and write the whole table.
 *
 * The ratio is that of what a call costs the server, which the generator's own TLS is no part of: in instructions, where `perf` counts
 * them, else in processor time. Calls a second stand beside it; there the generator needs the other core of two.
 *
 * A round goes on until it has had enough calls: those of a loaded machine would tell of timers and collections of garbage. And it
 * is short, so that no server is quiet for the eight seconds after which V8 gives back memory, and compiled code with it.
 *
 * TIDEGATE_BENCH_ROUND_MS shortens the rounds, TIDEGATE_BENCH_CALLS is the least number of calls in one, TIDEGATE_BENCH_KIND is a part of the names of the workloads to measure.
 */

import { PemFolder } from '../../test/harness/certificates.ts'
import { cpuSeconds } from '../../test/harness/process-usage.ts'
import { countInstructions, type InstructionCount } from '../instructions.ts'
import { type GuardedServer, startGuardedServers } from './guarded-servers.ts'
import { GUARDED_WORKLOADS, type GuardedWorkload, runWorkload } from './guarded-workloads.ts'

const ROUNDS = 8
const ROUND_MS = Number(process.env['TIDEGATE_BENCH_ROUND_MS'] ?? 1000)
/** Scans count for more. */
const CALLS = Number(process.env['TIDEGATE_BENCH_CALLS'] ?? 2500)
/** Costs may stand still for some rounds before V8 compiles what is left. */
const WARM_ROUNDS_MIN = 12
const WARM_ROUNDS_MAX = 24
/** A round that costs less than this part of the one before says that the next may cost less again. */
const STEADY_PART = 0.98
const ROWS_PER_SCAN = 1000
const KIND = process.env['TIDEGATE_BENCH_KIND'] ?? ''
/** The share of the calls of an unguarded server that remains. */
const GOAL = 0.7
/** A reader of the whole table pays one decision for a scan. */
const SCAN_GOAL = 0.9

interface Round {
  readonly callsPerSecond: number
  readonly cpuMicros: number
  /** Of one call; NaN where nothing counts them. */
  readonly instructions: number
}

/** Enough calls, however long they take. What it costs to log in is no part of a call. */
async function measure(server: GuardedServer, workload: GuardedWorkload): Promise<Round> {
  const { pid } = server.process
  const wanted = workload.name.includes('Scan') ? Math.ceil((CALLS * 10) / ROWS_PER_SCAN) : CALLS
  let [calls, seconds, cpu, instructions] = [0, 0, 0, 0]
  do {
    let counter: InstructionCount | undefined
    let before = 0
    const loop = await runWorkload(server, workload, ROUND_MS, async () => {
      counter = await countInstructions(pid)
      before = cpuSeconds(pid)
    })
    cpu += cpuSeconds(pid) - before
    instructions += await counter!.stop()
    calls += loop.calls
    seconds += loop.calls / loop.callsPerSecond
  } while (calls < wanted)
  return {
    callsPerSecond: calls / seconds,
    cpuMicros: (cpu * 1e6) / calls,
    instructions: instructions / calls,
  }
}

/** Until a round costs as much as the one before: V8 compiles for thousands of calls, and longest what has the most parts. */
async function warmUp(server: GuardedServer, workload: GuardedWorkload): Promise<void> {
  let before = Number.POSITIVE_INFINITY
  for (let round = 0; round < WARM_ROUNDS_MAX; round++) {
    const cost = costOf(await measure(server, workload))
    if (round >= WARM_ROUNDS_MIN && cost > before * STEADY_PART) return
    before = cost
  }
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!
}

function medians(rounds: readonly Round[]): Round {
  const of = (field: keyof Round): number => median(rounds.map((round) => round[field]))
  return {
    callsPerSecond: of('callsPerSecond'),
    cpuMicros: of('cpuMicros'),
    instructions: of('instructions'),
  }
}

function costOf({ instructions, cpuMicros }: Round): number {
  return Number.isNaN(instructions) ? cpuMicros : instructions
}

/** The goal of permissions in scans is stricter: TLS has to encrypt each byte, and labels are looked at with each cell. */
function goalOf(server: GuardedServer, workload: GuardedWorkload): number {
  return server.name === 'permissions' && workload.name.includes('Scan') ? SCAN_GOAL : GOAL
}

/** True where every server is within its goal. */
async function compare(servers: readonly GuardedServer[], workload: GuardedWorkload): Promise<boolean> {
  const asked = servers.filter(({ name }) => workload.isRead || name !== 'labels')
  for (const server of asked) await warmUp(server, workload)
  const rounds = new Map<GuardedServer, Round[]>(asked.map((server) => [server, []]))
  for (let round = 0; round < ROUNDS; round++)
    for (const server of asked) rounds.get(server)!.push(await measure(server, workload))
  const plain = medians(rounds.get(asked[0]!)!)
  process.stdout.write(`${workload.name}\n`)
  let isGood = true
  for (const server of asked) {
    const own = medians(rounds.get(server)!)
    const left = costOf(plain) / costOf(own)
    const isMet = left >= goalOf(server, workload)
    if (!isMet) isGood = false
    const verdict = isMet ? '' : `, below the goal of ${goalOf(server, workload)}`
    const counted = Number.isNaN(own.instructions)
      ? ''
      : `${(own.instructions / 1000).toFixed(0)} k instructions, `
    process.stdout.write(
      `  ${server.name.padEnd(12)} ${left.toFixed(2)} of its calls: ${counted}${own.cpuMicros.toFixed(1)} us CPU a call, ` +
        `${Math.round(own.callsPerSecond)}/s (${(own.callsPerSecond / plain.callsPerSecond).toFixed(2)})${verdict}\n`,
    )
  }
  return isGood
}

async function main(): Promise<void> {
  const folder = new PemFolder()
  const servers: GuardedServer[] = []
  try {
    servers.push(...(await startGuardedServers(folder)))
    let met = 0
    const wanted = GUARDED_WORKLOADS.filter(({ name }) => name.includes(KIND))
    // Reads first: the servers write at different speeds, and would then read different numbers of versions and files.
    const workloads = [...wanted.filter(({ isRead }) => isRead), ...wanted.filter(({ isRead }) => !isRead)]
    for (const workload of workloads) if (await compare(servers, workload)) met++
    process.stdout.write(`${met} of ${workloads.length} workloads within their goals\n`)
    process.exitCode = met === workloads.length ? 0 : 1
  } finally {
    for (const server of servers) await server.process.stop()
    folder.remove()
  }
}

await main()
