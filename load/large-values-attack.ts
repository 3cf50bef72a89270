/**
 * Part of `npm run attack:memory`: twelve clients put and get values of 8 MB, or sixteen append to values of 4 MB, on a server at its
 * defaults in a small cgroup, and on one with a small `--memory-max`.
 */

import { ChildServer } from '../test/harness/child-server.ts'
import { askOnce, isWholeFrame } from '../test/harness/closed-loop.ts'
import { largeAppends } from '../test/harness/memory-attack/large-appends.ts'
import { largeValues } from '../test/harness/memory-attack/large-values.ts'
import { MemoryCgroup } from '../test/harness/memory-attack/memory-cgroup.ts'
import { WatchedGets } from '../test/harness/memory-attack/watched-gets.ts'
import { checkAnswer, createTable, mutateRow } from '../test/harness/thrift-frames.ts'
import { FREE_PORTS, inTemporaryFolder } from '../test/harness/tidegate-process.ts'

const MIB = 1024 * 1024
const CLIENTS = { putters: 6, getters: 6, valueBytes: 8_000_000 }

const APPENDERS = { clients: 16, valueBytes: 4_000_000 }

export type ValuesAttack = 'values' | 'appends'

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
  const { told, failures } = await runClients(thrift, durationMs, kind)
  clearInterval(sampler)
  await watched.stop()
  process.stdout.write(
    `${by === 'flag' ? '--memory-max' : 'cgroup of'} ${limitMib} MiB: ${told}; resident ${Math.round(idleBytes / MIB)} MiB idle, ` +
      `${Math.round(mostBytes / MIB)} MiB at most; ${watched.answers.get(200) ?? 0} small gets, the slowest ${Math.round(watched.slowestMs)} ms\n`,
  )
  const tooMuch = `--memory-max ${limitMib}m: ${Math.round(mostBytes / MIB)} MiB were resident`
  const beyond = by === 'flag' && mostBytes >= limitMib * MIB ? [tooMuch] : []
  return [...beyond, ...failures, ...watched.failures]
}

async function runClients(
  thrift: number,
  durationMs: number,
  kind: ValuesAttack,
): Promise<{ readonly told: string; readonly failures: readonly string[] }> {
  if (kind === 'appends') {
    const { appends, refused, failures } = await largeAppends(thrift, 't', { ...APPENDERS, durationMs })
    return { told: `${appends} appends to 4 MB, ${refused} refused`, failures }
  }
  const { puts, gets, refused, failures } = await largeValues(thrift, 't', { ...CLIENTS, durationMs })
  return { told: `${puts} puts and ${gets} gets of 8 MB, ${refused} refused`, failures }
}
