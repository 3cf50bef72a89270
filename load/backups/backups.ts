/**
 * Megabytes a second of backup, verify, restore and check, and how long gets take meanwhile: `npm run bench:backups`. The peer is a copy of the same bytes
 * by `cp`, in the same run. `TIDEGATE_BENCH_MB` (default 400) is the size of the store.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openNativeStore } from '../../adapters/native/open-native-store.ts'
import { NODE_CLOCK } from '../../adapters/native/platform/node-clock.ts'
import { NODE_FILE_SYSTEM } from '../../adapters/native/platform/node-file-system.ts'
import { createBackup } from '../../src/backup/create-backup.ts'
import { Destination } from '../../src/backup/destination.ts'
import { openServer } from '../../src/cli/remote/open-server.ts'
import { parseServerAddress } from '../../src/cli/remote/server-address.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import type { Backups } from '../../src/store/backups.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { ChildServer } from '../../test/harness/child-server.ts'
import { inTemporaryFolder, MAIN, startTidegate } from '../../test/harness/tidegate-process.ts'

const MEGABYTES = Number(process.env['TIDEGATE_BENCH_MB'] ?? 400)
const TABLE = parseTableName('t')
const VALUE_BYTES = 1000
const BATCH_ROWS = 1000

async function fill(directory: string): Promise<number> {
  const store = await openNativeStore({
    directory,
    fileSystem: NODE_FILE_SYSTEM,
    clock: NODE_CLOCK,
    random: Math.random,
  })
  const rows = MEGABYTES * 1000
  const splits = Array.from({ length: 7 }, (_, i) => keyOf(Math.floor((rows * (i + 1)) / 8)))
  await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), splits, OWN_CALL)
  for (let row = 0; row < rows; ) {
    const batch = new MutationBatch()
    for (let count = 0; count < BATCH_ROWS && row < rows; count++, row++) {
      const value = Buffer.alloc(VALUE_BYTES, `${Math.random()} ${row} `)
      batch.put(keyOf(row), Buffer.from('f'), Buffer.from('q'), value).endMutation()
    }
    await store.rows.mutate(TABLE, batch, OWN_CALL)
  }
  await store.close()
  return rows
}

function keyOf(row: number): Buffer {
  return Buffer.from(String(row).padStart(9, '0'))
}

/** Gets one after the other, until stopped. Resolves to the 99th percentile in milliseconds. */
function gets(server: ChildServer, rows: number): () => Promise<number> {
  const times: number[] = []
  const stop = new AbortController()
  const asked = (async () => {
    while (!stop.signal.aborted) {
      const row = keyOf(Math.floor(Math.random() * rows)).toString()
      const since = performance.now()
      const answer = await fetch(`http://127.0.0.1:${server.port('rest')}/t/${row}`)
      await answer.arrayBuffer()
      times.push(performance.now() - since)
    }
  })()
  return async () => {
    stop.abort()
    await asked
    times.sort((a, b) => a - b)
    return times[Math.floor(times.length * 0.99)]!
  }
}

/** As for a client of another machine. */
function overTheWire(backups: Backups): Backups {
  return {
    beginBackup: async (call) => ({ ...(await backups.beginBackup(call)), folder: '/none' }),
    readBackup: (...args) => backups.readBackup(...args),
    endBackup: (...args) => backups.endBackup(...args),
  }
}

async function timed(name: string, bytes: number, work: () => Promise<unknown>): Promise<void> {
  const since = performance.now()
  await work()
  const seconds = (performance.now() - since) / 1000
  console.log(`${name}: ${seconds.toFixed(2)} s, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s`)
}

async function run(command: string, ...args: string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'ignore'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${code}`)
}

const command = (...args: string[]): Promise<void> => run(process.execPath, MAIN, ...args)

const SELF = fileURLToPath(import.meta.url)

/** In a process of its own: it must not hold up the gets that are timed. */
async function backUpOverTheWire(address: string, folder: string): Promise<void> {
  const demands = { retriesMax: undefined, isImpatient: false, warn: console.error }
  const login = { user: undefined, login: { isPassed: true } }
  const client = await openServer(parseServerAddress(address), login, demands, () => undefined)
  await createBackup({
    backups: overTheWire(client.store.upkeep.backups!),
    server: 'bench',
    destination: await Destination.openOrMake(folder),
    call: OWN_CALL,
    take: async () => undefined,
    report: () => undefined,
    now: () => performance.now(),
    atEnd: (work) => work,
  })
  await client.store.close()
}

async function measure(folder: string): Promise<void> {
  const store = join(folder, 'store')
  const rows = await fill(store)
  const bytes = MEGABYTES * 1e6
  await timed('cp', bytes, () => run('cp', '-r', store, join(folder, 'copy')))
  await timed('check, no server', bytes, () => command('check', store))
  const server = await startTidegate(`native:${store}`)
  try {
    const calm = gets(server, rows)
    await new Promise((resolve) => setTimeout(resolve, 3000))
    console.log(`get alone: p99 ${(await calm()).toFixed(2)} ms`)
    const beside = gets(server, rows)
    const rpc = `rpc:127.0.0.1:${server.port('rpc')}`
    await timed('backup over the wire', bytes, () => run(process.execPath, SELF, rpc, join(folder, 'wire')))
    console.log(`get beside it: p99 ${(await beside()).toFixed(2)} ms`)
    const links = join(folder, 'links')
    await timed('backup by links', bytes, () => command('backup', 'create', links, '--address', rpc))
    await timed('check beside the server', bytes, () => command('check', store, '--limit', '10g'))
    await timed('verify', bytes, () => command('backup', 'verify', join(folder, 'wire')))
    await timed('restore', bytes, () =>
      command('backup', 'restore', join(folder, 'wire'), '--to', join(folder, 'back')),
    )
  } finally {
    await server.stop()
  }
}

const [address, destination] = process.argv.slice(2)
if (address === undefined || destination === undefined) await inTemporaryFolder(measure)
else await backUpOverTheWire(address, destination)
