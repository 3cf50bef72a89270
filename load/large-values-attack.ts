/**
 * Part of `npm run attack:memory`: twelve clients put and get values of 8 MB, or sixteen append to values of 4 MB, on a server at its
 * defaults in a small cgroup, and on one with a small `--memory-max`; and 32 clients of each door put 5 MB each until 384 puts are made.
 */

import { ChildServer } from '../test/harness/child-server.ts'
import { askOnce, isWholeFrame } from '../test/harness/closed-loop.ts'
import { CountedMemory } from '../test/harness/memory-attack/counted-memory.ts'
import { largeAppends } from '../test/harness/memory-attack/large-appends.ts'
import { largePuts, PUTTING_DOORS, type PuttingDoor } from '../test/harness/memory-attack/large-puts.ts'
import { largeValues } from '../test/harness/memory-attack/large-values.ts'
import { MemoryCgroup } from '../test/harness/memory-attack/memory-cgroup.ts'
import { WatchedGets } from '../test/harness/memory-attack/watched-gets.ts'
import { checkAnswer, createTable, mutateRow } from '../test/harness/thrift-frames.ts'
import { FREE_PORTS, inTemporaryFolder } from '../test/harness/tidegate-process.ts'

const MIB = 1024 * 1024
const CLIENTS = { putters: 6, getters: 6, valueBytes: 8_000_000 }

const APPENDERS = { clients: 16, valueBytes: 4_000_000 }

/** All of them must be in: a client that waits its turn is not refused. */
const PUTTERS = { clients: 32, puts: 384, valueBytes: 5_000_000 }

export type ValuesAttack = 'values' | 'appends' | PuttingDoor
export { PUTTING_DOORS }

/** `group`: the limit is that of a memory cgroup, and the server has its defaults; `flag`: it is that of `--memory-max`. */
export type LimitedBy = 'group' | 'flag'

/** Returns what went wrong: the server has ended or takes more than the flag states, a write is lost, another client was not served. */
export async function attackByValues(
  script: string,
  limitMib: number,
  durationMs: number,
  by: LimitedBy,
  kind: ValuesAttack,
): Promise<readonly string[]> {
  let failed: readonly string[] = []
  await inTemporaryFolder(async (folder) => {
    const name = `tidegate-values-${process.pid}-${limitMib}`
    const group = by === 'group' ? MemoryCgroup.create(name, limitMib * MIB) : undefined
    try {
      const flags = by === 'flag' ? ['--memory-max', `${limitMib}m`] : []
      const args = ['serve', '--store', `native:${folder}`, ...FREE_PORTS, '--log-level', 'error', ...flags]
      const limits = group === undefined ? {} : { processesFile: group.processesFile }
      const server = await ChildServer.start(script, args, 'inherit', limits)
      const failures = await attack(server, limitMib, durationMs, by, kind)
      const code = await server.stop()
      const end = code === null ? 'a signal' : `code ${code}`
      failed =
        code === 0 ? failures : [`in ${limitMib} MiB the server ended with ${end}`, ...failures.slice(0, 10)]
    } finally {
      group?.remove()
    }
  })
  return failed
}

async function attack(
  server: ChildServer,
  limitMib: number,
  durationMs: number,
  by: LimitedBy,
  kind: ValuesAttack,
): Promise<string[]> {
  const thrift = server.port('thrift')
  checkAnswer(await askOnce(thrift, createTable('t', 'f'), isWholeFrame))
  checkAnswer(await askOnce(thrift, mutateRow('t', 'row', 'f:q', 'v'), isWholeFrame))
  const idleBytes = server.residentBytes()
  const watched = new WatchedGets(`http://127.0.0.1:${server.port('rest')}/t/row`)
  let mostBytes = 0
  const sampler = setInterval(() => {
    mostBytes = Math.max(mostBytes, server.residentBytes())
  }, 50)
  const counted = new CountedMemory(server)
  const { summary, failures } = await runClients(server, durationMs, kind)
  clearInterval(sampler)
  await counted.stop()
  await watched.stop()
  process.stdout.write(
    `${by === 'flag' ? '--memory-max' : 'cgroup of'} ${limitMib} MiB: ${summary}; resident ${Math.round(idleBytes / MIB)} MiB idle, ` +
      `${Math.round(mostBytes / MIB)} MiB at most (${counted.toString()}); ${watched.answers.get(200) ?? 0} small gets, the slowest ${Math.round(watched.slowestMs)} ms\n`,
  )
  const tooMuch = `--memory-max ${limitMib}m: ${Math.round(mostBytes / MIB)} MiB were resident`
  const beyond = by === 'flag' && mostBytes >= limitMib * MIB ? [tooMuch] : []
  return [...beyond, ...failures, ...watched.failures]
}

async function runClients(
  server: ChildServer,
  durationMs: number,
  kind: ValuesAttack,
): Promise<{ readonly summary: string; readonly failures: readonly string[] }> {
  const thrift = server.port('thrift')
  if (kind !== 'appends' && kind !== 'values') {
    const port = kind === 'rpc' || kind === 'rest' ? server.port(kind) : thrift
    const { puts, refused, failures } = await largePuts('t', { ...PUTTERS, door: kind, port })
    const lost = puts === PUTTERS.puts ? [] : [`${kind}: ${puts} of ${PUTTERS.puts} puts are in`]
    return {
      summary: `${puts} puts of 5 MB by ${kind}, ${refused} refused`,
      failures: [...lost, ...failures],
    }
  }
  if (kind === 'appends') {
    const { appends, refused, failures } = await largeAppends(thrift, 't', { ...APPENDERS, durationMs })
    return { summary: `${appends} appends to 4 MB, ${refused} refused`, failures }
  }
  const { puts, gets, refused, failures } = await largeValues(thrift, 't', { ...CLIENTS, durationMs })
  return { summary: `${puts} puts and ${gets} gets of 8 MB, ${refused} refused`, failures }
}
