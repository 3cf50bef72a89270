/**
 * What can happen in a simulation. To add an operation, add a line to SIM_OPERATIONS: it leaves the store open, and
 * `world.startKeys` as the regions begin.
 */

import { strict as assert } from 'node:assert'
import { checkFolder } from '../../../adapters/native/inspect/folder-check.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { archive } from './sim-archive.ts'
import { backUp } from './sim-backups.ts'
import { readFeed } from './sim-feed.ts'
import { replicate } from './sim-replica.ts'
import { TABLE_OPERATIONS } from './sim-tables.ts'
import { dumpTable, SIM_DIRECTORY, SIM_TABLE, type SimWorld } from './sim-world.ts'

export interface SimOperation {
  readonly name: string
  /** How often it is drawn, beside the others. */
  readonly weight: number
  run(world: SimWorld): Promise<void>
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function burst(world: SimWorld): Promise<void> {
  world.now += world.random.below(3)
  await world.burst(1 + world.random.below(4)).outcome
}

async function flush(world: SimWorld): Promise<void> {
  await world.store.upkeep.flushes!.flushTable(SIM_TABLE, OWN_CALL)
  world.everythingIsDurable()
}

async function compact(world: SimWorld): Promise<void> {
  const compactions = world.store.upkeep.compactions!
  await compactions.compactTable(SIM_TABLE, { major: world.random.chance(0.5) }, OWN_CALL)
  if (world.random.chance(0.5)) return
  while ((await compactions.compactionState(SIM_TABLE, OWN_CALL)) !== 'NONE') await turn()
}

/** Lets the store die at any moment of its work. */
async function crash(world: SimWorld, die: () => void): Promise<void> {
  const { outcome } = world.burst(world.random.below(5))
  // It need not have all of the burst, if it ends at all.
  const flushing = world.store.upkeep.flushes!
  if (world.random.chance(0.3)) void flushing.flushTable(SIM_TABLE, OWN_CALL).catch(() => undefined)
  const turns = world.random.below(8)
  for (let i = 0; i < turns; i++) await turn()
  die()
  await outcome
  await world.open()
  await world.settle()
}

async function closeAndOpen(world: SimWorld): Promise<void> {
  await world.store.close()
  world.everythingIsDurable()
  expectSoundFolder(world)
  await world.open()
  await world.settleAll()
}

/** A clean stop leaves nothing that a check has anything against. */
function expectSoundFolder({ fileSystem }: SimWorld): void {
  const found: string[] = []
  checkFolder({
    fileSystem,
    directory: SIM_DIRECTORY,
    report: ({ severity, path, message }) => void (severity !== 'note' && found.push(`${path}: ${message}`)),
  })
  assert.deepEqual(found, [], 'what a check finds')
}

/** The disk is full for a while: what was refused is not there, everything else is. */
async function fillDisk(world: SimWorld): Promise<void> {
  const { random, fileSystem } = world
  fileSystem.failAppends({ after: random.below(4), writtenBytes: random.below(60) })
  await world.burst(1 + random.below(4)).outcome
  const flushes = world.store.upkeep.flushes!
  if (random.chance(0.4)) await flushes.flushTable(SIM_TABLE, OWN_CALL).catch(checkIsAnswer)
  if (random.chance(0.3)) {
    await crash(world, () => world.kill())
    return
  }
  fileSystem.repair()
  await world.store.outage()
  await world.settle()
}

/** The disk does not give a file for a while: reads fail, and are never wrong. */
async function failReads(world: SimWorld): Promise<void> {
  const files = world.fileSystem.paths().filter((path) => path.startsWith(`${SIM_DIRECTORY}/data/`))
  if (files.length === 0) return
  const bad = world.random.of(files)
  world.fileSystem.failReading = (path) => path === bad
  try {
    await world.settleAll()
  } catch (error) {
    checkIsAnswer(error)
  }
  // One change only: a refused one among others would leave a gap.
  await world.burst(1).outcome
  world.fileSystem.failReading = () => false
  await world.settle()
}

function checkIsAnswer(error: unknown): void {
  if (!isHBaseError(error)) throw error
}

async function look(world: SimWorld): Promise<void> {
  await world.settle()
}

/** The two halves of a dump are read one after the other, and need not be of one moment. */
const isOfFirstScan = (line: string): boolean => !line.startsWith('raw ')

/** A read while the store writes sees all that was acknowledged before, and of each region no change without those before it. */
async function readDuringWrites(world: SimWorld): Promise<void> {
  const { acknowledged } = world
  const { outcome } = world.burst(3)
  const found = (await dumpTable(world.store)).filter(isOfFirstScan)
  await outcome
  assert.ok(await world.hasPrefixes(found, acknowledged, isOfFirstScan), `a read saw: ${found.join('\n')}`)
  await world.settle()
}

export const SIM_OPERATIONS: readonly SimOperation[] = [
  ...TABLE_OPERATIONS,
  { name: 'burst', weight: 12, run: burst },
  { name: 'flush', weight: 3, run: flush },
  { name: 'compact', weight: 2, run: compact },
  { name: 'look', weight: 1, run: look },
  { name: 'read during writes', weight: 1, run: readDuringWrites },
  { name: 'kill', weight: 2, run: (world) => crash(world, () => world.kill()) },
  { name: 'lose power', weight: 2, run: (world) => crash(world, () => world.losePower()) },
  { name: 'close', weight: 1, run: closeAndOpen },
  { name: 'fill disk', weight: 1, run: fillDisk },
  { name: 'fail reads', weight: 1, run: failReads },
  { name: 'back up', weight: 2, run: backUp },
  { name: 'read changes', weight: 2, run: readFeed },
  { name: 'replicate', weight: 2, run: replicate },
  { name: 'archive', weight: 1, run: (world) => archive(world, SIM_OPERATIONS) },
]
