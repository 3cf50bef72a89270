/** Work of operators and of a busy client on a server with a store of some size. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { OWN_CALL } from '../../../src/store/call.ts'
import { own } from '../../../test/harness/processes/owned-children.ts'
import { MAIN } from '../../../test/harness/tidegate-process.ts'
import { put } from './fill-in-process.ts'
import type { SizeServer } from './size-server.ts'
import { BATCH_ROWS, batchOf, NAME, randomRows, TABLE } from './sized-rows.ts'

const WRITERS = 4
const PUT_MS = 30_000
const LOOK_MS = 100

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return performance.now() - since
}

async function command(...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  own(child)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`tidegate ${args.join(' ')} ended with code ${code}`)
}

/** Overwrites rows all over the store. */
export async function sustainedPuts(server: SizeServer, rows: number): Promise<Record<string, number>> {
  const times: number[] = []
  const since = performance.now()
  let [bytes, round] = [0, 1000]
  const write = async (): Promise<void> => {
    while (performance.now() - since < PUT_MS) {
      const made = batchOf(randomRows(rows, BATCH_ROWS, round++))
      const sentAt = performance.now()
      await put(server.store, made.batch)
      times.push(performance.now() - sentAt)
      bytes += made.bytes
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
  const seconds = (performance.now() - since) / 1000
  times.sort((a, b) => a - b)
  return {
    'MB overwritten a second over RPC': bytes / 1e6 / seconds,
    'p99 of a batch of 1 MB over RPC, ms': times[Math.floor(times.length * 0.99)]!,
    'longest batch over RPC, ms': times.at(-1)!,
  }
}

/** Resolves once no compaction runs or waits, but after some seconds at the most. */
export async function quiet(server: SizeServer, secondsMax: number): Promise<void> {
  const since = performance.now()
  while (performance.now() - since < secondsMax * 1000) {
    const running = await server.metric('running_compactions')
    const waiting = await server.metric('waiting_compactions')
    if (running + waiting === 0) return
    await sleep(LOOK_MS)
  }
}

/** Splits the region with the most bytes, and takes a snapshot and a backup. */
export async function kept(server: SizeServer, backups: string): Promise<Record<string, number>> {
  const { upkeep } = server.store
  await upkeep.flushes!.flushTable(TABLE, OWN_CALL)
  const snapshotMs = await milliseconds(() =>
    upkeep.snapshots!.createSnapshot('sizes', TABLE, 'FLUSH', OWN_CALL),
  )
  await upkeep.snapshots!.deleteSnapshot('sizes', OWN_CALL)
  const address = `rpc:127.0.0.1:${server.child.port('rpc')}`
  const backupMs = await milliseconds(() => command('backup', 'create', backups, '--address', address))
  rmSync(backups, { recursive: true })
  return { 'snapshot, ms': snapshotMs, 'backup by links, s': backupMs / 1000 }
}

export async function split({ store }: SizeServer): Promise<Record<string, number>> {
  const status = await store.upkeep.cluster!.status(OWN_CALL)
  const loads = status.liveServers
    .flatMap(({ regions }) => regions)
    .filter(({ name }) => name.toString('latin1').startsWith(`${NAME},`))
  const largest = loads.reduce((a, b) => (b.storeFileSizeMB > a.storeFileSizeMB ? b : a))
  const ms = await milliseconds(() => store.upkeep.regions!.splitRegion(largest.name, undefined, OWN_CALL))
  return { 'split, ms': ms, 'MB of the region that was split': largest.storeFileSizeMB }
}

/** Of a folder without a server. */
export async function checked(folder: string): Promise<Record<string, number>> {
  return { 'check without a server, s': (await milliseconds(() => command('check', folder))) / 1000 }
}
