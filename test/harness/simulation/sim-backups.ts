/** Backups of the simulated store: a store that is made of one has all that was acknowledged before it, and nothing without what came before that. */

import { strict as assert } from 'node:assert'
import { restoredManifest } from '../../../adapters/native/backup/restored-manifest.ts'
import { checkFolder } from '../../../adapters/native/inspect/folder-check.ts'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import { BACKUP_READ_BYTES_MAX, type Backups, type KeptMoment } from '../../../src/store/backups.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { type Moment, parseMoment } from '../../../src/store/kept-moment.ts'
import type { Store } from '../../../src/store/store.ts'
import { CrashableFileSystem } from './crashable-file-system.ts'
import { dumpTable, SIM_DIRECTORY, SIM_TABLE, type SimWorld } from './sim-world.ts'

const TURNS_MAX = 40

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A backup while changes are made, with a crash or a full disk in the midst of it, or with later changes before its files are copied. */
export async function backUp(world: SimWorld): Promise<void> {
  const { random, acknowledged, fileSystem, store } = world
  const kind = random.of(['whole', 'whole', 'crash', 'full disk'] as const)
  const backups = backupsOf(store)
  const { outcome } = world.burst(random.below(5))
  if (kind === 'full disk') fileSystem.failAppends({ after: random.below(6), writtenBytes: random.below(60) })
  const begun = backups.beginBackup(OWN_CALL).catch((error: unknown) => {
    assert.ok(kind !== 'whole' && (kind === 'crash' || isHBaseError(error)), String(error))
  })
  if (kind === 'crash') {
    for (let turns = random.below(TURNS_MAX); turns > 0; turns--) await nextTurn()
    world.kill()
    await outcome
    await world.open()
    assert.deepEqual(momentsIn(world), [], 'moments of the life before')
    await world.settle()
    return
  }
  const [kept] = await Promise.all([begun, outcome])
  fileSystem.repair()
  await store.outage()
  if (kept !== undefined) await checkMoment(world, kept, kind === 'whole' ? acknowledged : 0)
  assert.deepEqual(momentsIn(world), [], 'moments that no client needs')
  await world.settle()
}

async function checkMoment(world: SimWorld, kept: KeptMoment, least: number): Promise<void> {
  const { random, store } = world
  const { flushes, compactions } = store.upkeep
  await world.burst(random.below(4)).outcome
  if (random.chance(0.5)) await flushes!.flushTable(SIM_TABLE, OWN_CALL)
  if (random.chance(0.5)) await compactions!.compactTable(SIM_TABLE, { major: true }, OWN_CALL)
  for (let turns = random.below(TURNS_MAX); turns > 0; turns--) await nextTurn()
  const backups = backupsOf(store)
  const { fileSystem, moment } = await restoredFiles(backups, kept, random.next)
  assert.deepEqual(moment.missing, [])
  await backups.endBackup(kept.id, false, OWN_CALL)
  expectSound(fileSystem)
  const restored = await openNativeStore({
    directory: SIM_DIRECTORY,
    fileSystem,
    clock: { now: () => world.now },
    random: random.next,
  })
  try {
    const found = await dumpTable(restored)
    assert.ok((await world.prefixOf(found, least)) !== undefined, `a backup has: ${found.join('\n')}`)
  } finally {
    await restored.close()
  }
}

/** The files of a moment in a folder of their own, on another disk. */
export async function restoredFiles(
  backups: Backups,
  { id, list }: KeptMoment,
  random: () => number,
  onManifest: (bytes: Buffer) => void = () => undefined,
): Promise<{ readonly fileSystem: CrashableFileSystem; readonly moment: Moment }> {
  const read = (name: string): Promise<Buffer> =>
    backups.readBackup(id, name, 0, BACKUP_READ_BYTES_MAX, OWN_CALL)
  const moment = parseMoment((await read(list)).toString())
  const fileSystem = new CrashableFileSystem()
  for (const { name, path, bytes } of moment.files) {
    const content = (await read(name)).subarray(0, bytes)
    assert.equal(content.length, bytes, path)
    if (path !== 'manifest') {
      fileSystem.replace(`${SIM_DIRECTORY}/${path}`, content)
      continue
    }
    onManifest(content)
    const manifest = await restoredManifest(content, { tables: undefined, keepsIdentity: false, random })
    fileSystem.replace(`${SIM_DIRECTORY}/manifest`, manifest)
    fileSystem.replace(`${SIM_DIRECTORY}/manifest.copy`, manifest)
  }
  return { fileSystem, moment }
}

export function expectSound(fileSystem: CrashableFileSystem): void {
  const found: string[] = []
  checkFolder({
    fileSystem,
    directory: SIM_DIRECTORY,
    report: ({ severity, path, message }) => void (severity !== 'note' && found.push(`${path}: ${message}`)),
  })
  assert.deepEqual(found, [], 'what a check finds in a restored store')
}

function backupsOf({ upkeep }: Store): Backups {
  assert.ok(upkeep.backups !== undefined)
  return upkeep.backups
}

function momentsIn({ fileSystem }: SimWorld): string[] {
  return fileSystem.paths().filter((path) => path.startsWith(`${SIM_DIRECTORY}/backups/`))
}
