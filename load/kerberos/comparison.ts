/** Rounds of a work on all servers in turn, and the table of their figures. */

import { loadavg } from 'node:os'
import { threadTime } from '../thread-time.ts'
import type { BenchedServer, Door } from './benched-server.ts'
import { HEADING, linesOf, type Round } from './figures.ts'
import type { Clients, Work } from './works.ts'

/** Short: a Tidegate that is quiet for eight seconds gives memory back, and compiled code with it. */
const ROUND_MS = Number(process.env['TIDEGATE_BENCH_ROUND_MS'] ?? 500)
const ROUNDS = Number(process.env['TIDEGATE_BENCH_ROUNDS'] ?? 9)
const WARM_ROUNDS = 6
/** JVMs compile what is hot only after half a minute of work. */
const WARM_ROUNDS_OF_JVM = 16

interface Side {
  readonly server: BenchedServer
  readonly clients: Clients
  readonly rounds: Round[]
}

function processorMicros(pid: number): number {
  const { main, others } = threadTime(pid)
  return main + others
}

async function round({ server, clients }: Side, { door }: Work): Promise<Round> {
  const pid = server.pids[door]
  const [begun, own, before] = [performance.now(), process.cpuUsage(), processorMicros(pid)]
  const count = await clients.run(ROUND_MS)
  const { user, system } = process.cpuUsage(own)
  return {
    doorMicros: (processorMicros(pid) - before) / count,
    clientMicros: (user + system) / count,
    perSecond: (count * 1000) / (performance.now() - begun),
  }
}

/** `warmed`: the doors of HBase that have had work before. */
async function measure(
  work: Work,
  servers: readonly BenchedServer[],
  warmed: Set<Door>,
): Promise<readonly Side[]> {
  const sides: Side[] = []
  try {
    for (const server of servers) sides.push({ server, clients: await work.open(server), rounds: [] })
    const ofJvm = warmed.has(work.door) ? WARM_ROUNDS : WARM_ROUNDS_OF_JVM
    for (let number = 0; number < ofJvm; number++)
      for (const { server, clients } of sides)
        if (server.owner === 'HBase' || number < WARM_ROUNDS) await clients.run(ROUND_MS)
    warmed.add(work.door)
    for (let number = 0; number < ROUNDS; number++)
      for (const side of sides) side.rounds.push(await round(side, work))
    return sides
  } finally {
    for (const { clients } of sides) await clients.close()
  }
}

function lines({ name, door }: Work, sides: readonly Side[]): string {
  const servers = sides.map(({ server: { owner, kind }, rounds }) => ({ owner, kind: kind.name, rounds }))
  return linesOf(name, servers, door === 'rpc')
}

/**
 * `isAsked`: whether the server takes part in the work. A work that fails leaves the others, and its error to the caller: resolves to the errors.
 */
export async function compare(
  works: readonly Work[],
  servers: readonly BenchedServer[],
  isAsked: (work: Work, server: BenchedServer) => boolean = () => true,
): Promise<readonly Error[]> {
  const errors: Error[] = []
  const warmed = new Set<Door>()
  process.stdout.write(HEADING)
  for (const work of works) {
    const asked = servers.filter((server) => isAsked(work, server))
    try {
      process.stdout.write(lines(work, await measure(work, asked, warmed)))
    } catch (error) {
      errors.push(new Error(`${work.name}: ${String(error)}`, { cause: error }))
    }
  }
  const [, , load] = loadavg()
  process.stdout.write(`\nLoad of the machine in the last fifteen minutes: ${load!.toFixed(1)}\n`)
  return errors
}
