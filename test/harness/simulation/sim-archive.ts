/** An archived log of the simulated store: a backup and the entries behind it are the store as it was at any of the moments in between. */

import { strict as assert } from 'node:assert'
import { laterStore } from '../../../adapters/native/backup/later-store.ts'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { StreamEntry } from '../../../src/store/log-streams.ts'
import { expectSound, restoredFiles } from './sim-backups.ts'
import { dumpTable, SIM_DIRECTORY, type SimWorld } from './sim-world.ts'

const KEEP_BYTES = 1 << 24
/** Operations that may take the store's life end the archive, and what was read before is good. */
const BETWEEN: ReadonlySet<string> = new Set([
  'burst',
  'flush',
  'compact',
  'split',
  'merge',
  'alter',
  'fail reads',
  'read during writes',
])

interface Operation {
  readonly name: string
  run(world: SimWorld): Promise<void>
}

/** The world at a time up to which the log has been read. */
interface Checkpoint {
  readonly at: number
  /** The least of the history that the store had, and the most. */
  readonly acknowledged: number
  readonly issued: number
}

/** `operations`: all of the simulation. */
export async function archive(world: SimWorld, operations: readonly Operation[]): Promise<void> {
  const { random, store } = world
  const streams = store.upkeep.logStreams!
  const backups = store.upkeep.backups!
  const usable = operations.filter(({ name }) => BETWEEN.has(name))
  const id = await streams.followLog(KEEP_BYTES, OWN_CALL)
  const { outcome } = world.burst(random.below(4))
  const kept = await backups.beginBackup(OWN_CALL)
  await outcome
  let manifest: Buffer = Buffer.alloc(0)
  const files = await restoredFiles(backups, kept, random.next, (bytes) => {
    manifest = bytes
  })
  await backups.endBackup(kept.id, false, OWN_CALL)
  const entries: StreamEntry[] = []
  const checkpoints: Checkpoint[] = []
  for (let count = 1 + random.below(8); count > 0 && world.store === store; count--) {
    await random.of(usable).run(world)
    if (world.store !== store || random.chance(0.4)) continue
    for (let left = 1; left > 0; ) {
      const part = await streams.readLog(id, OWN_CALL)
      entries.push(...part.entries)
      left = part.left
    }
    const { now: at, acknowledged, history } = world
    checkpoints.push({ at, acknowledged, issued: history.length })
    world.now += 1 + random.below(3)
  }
  if (world.store === store) await streams.leaveLog(id, OWN_CALL)
  if (checkpoints.length === 0) return
  const moment = entries.findIndex((entry) => entry.kind === 'moment' && entry.id === kept.id)
  assert.ok(moment >= 0, 'the stream has the moment')
  await checkRestored(world, random.of(checkpoints), {
    ...files,
    manifest,
    entries: entries.slice(moment + 1),
  })
  await world.settle()
}

interface Archived extends Pick<Awaited<ReturnType<typeof restoredFiles>>, 'fileSystem'> {
  readonly manifest: Buffer
  readonly entries: readonly StreamEntry[]
}

async function checkRestored(
  world: SimWorld,
  { at, acknowledged, issued }: Checkpoint,
  { fileSystem, manifest, entries }: Archived,
): Promise<void> {
  const { random } = world
  const upTo = entries.filter((entry) => entry.at <= at)
  const later = await laterStore(manifest, {
    fileSystem,
    entries: async function* () {
      yield* upTo
    },
    logBytesMax: random.of([500, 2000, 1 << 20]),
    tables: undefined,
    keepsIdentity: false,
    random: random.next,
  })
  for (const path of fileSystem.paths()) {
    const name = path.slice(SIM_DIRECTORY.length + 1)
    if (name.startsWith('data/') && !later.has(name)) fileSystem.remove(path)
  }
  const restored = await later.finish(SIM_DIRECTORY)
  for (const name of ['manifest', 'manifest.copy']) fileSystem.replace(`${SIM_DIRECTORY}/${name}`, restored)
  expectSound(fileSystem)
  const store = await openNativeStore({
    directory: SIM_DIRECTORY,
    fileSystem,
    clock: { now: () => world.now },
    random: random.next,
  })
  try {
    const found = await dumpTable(store)
    const count = await world.prefixOf(found, acknowledged)
    assert.ok(
      count !== undefined && count <= issued,
      `of ${issued} changes up to then, ${acknowledged} of them acknowledged, a restore has ${count ?? 'no prefix'}: ${found.join('\n')}`,
    )
  } finally {
    await store.close()
  }
}
