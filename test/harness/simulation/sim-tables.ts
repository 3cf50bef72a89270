/**
 * Changes of the simulated table itself: its regions, its families, its snapshots. Each is made at a quiet moment, with all
 * cells on disk, so that a crash in its midst leaves the table as before it or as after it, and nothing else.
 */

import { strict as assert } from 'node:assert'
import { type FamilyDescriptor, familyDescriptor } from '../../../src/model/descriptor.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { makeChange, type SimAct } from './sim-changes.ts'
import { dumpTable, SIM_TABLE, type SimOperation, type SimWorld } from './sim-world.ts'

const CLONE: TableName = parseTableName('c')
const SPLIT_KEYS = ['a', 'aa', 'b', 'c', 'l', 'm', 'n', 'z'] as const
const TURNS_MAX = 60

/** What a snapshot has, and what a table has once it is restored. */
export interface SimSnapshot {
  readonly families: readonly FamilyDescriptor[]
  readonly history: readonly SimAct[]
}

interface TableChange {
  run(store: Store): Promise<void>
  /** The table once the change is made; missing where it has the same cells and families. */
  readonly after?: SimSnapshot
  /** Name of the snapshot that is taken. */
  readonly taken?: string
}

/** Undefined where the world has nothing to make the change with. */
type AnyTableChange = (world: SimWorld) => Promise<TableChange | undefined>

async function anySplit({ random }: SimWorld): Promise<TableChange> {
  const at = Buffer.from(random.of(SPLIT_KEYS))
  return { run: ({ upkeep }) => upkeep.regions!.splitTable(SIM_TABLE, at, OWN_CALL) }
}

async function anyMerge({ random, store }: SimWorld): Promise<TableChange | undefined> {
  const regions = await store.catalog.regions(SIM_TABLE, OWN_CALL)
  if (regions.length < 2) return undefined
  const first = random.below(regions.length - 1)
  const names = regions.slice(first, first + 2).map(({ name }) => name)
  return { run: ({ upkeep }) => upkeep.regions!.mergeRegions(names, false, OWN_CALL) }
}

/** A family of its own comes and goes; the others change what they keep and how their files are written. */
async function anyAlter(world: SimWorld): Promise<TableChange> {
  const { random, now } = world
  const others = world.families.filter(({ name }) => name.toString() !== 'h')
  const families = others.map(({ name, attributes }) =>
    familyDescriptor(name.toString(), [...attributes, ...anyFileAttributes(random)]),
  )
  const hasThird = world.families.length > others.length
  if (random.chance(0.3) ? hasThird : !hasThird) {
    families.push(
      familyDescriptor('h', [
        ['VERSIONS', '1000'],
        ['KEEP_DELETED_CELLS', 'TRUE'],
      ]),
    )
  }
  const alter: SimAct = { kind: 'alter', families, now }
  return {
    run: (store) => makeChange(store, SIM_TABLE, alter),
    after: { families, history: [...world.history, alter] },
  }
}

function anyFileAttributes(random: SimWorld['random']): [string, string][] {
  return [
    // As many as the simulation can write, or more: the cells are the same.
    ['VERSIONS', random.of(['1000', '2000'])],
    ['BLOOMFILTER', random.of(['NONE', 'ROW', 'ROWCOL'])],
    ['COMPRESSION', random.of(['NONE', 'GZ'])],
    ['BLOCKSIZE', random.of(['1024', '65536'])],
  ]
}

async function anySnapshot(world: SimWorld): Promise<TableChange> {
  const taken = `s${world.takeNumber()}`
  return { taken, run: ({ upkeep }) => upkeep.snapshots!.createSnapshot(taken, SIM_TABLE, 'FLUSH', OWN_CALL) }
}

async function anyRestore(world: SimWorld): Promise<TableChange | undefined> {
  if (world.snapshots.size === 0) return undefined
  const [name, after] = world.random.of([...world.snapshots])
  const run = async ({ catalog, upkeep }: Store): Promise<void> => {
    await catalog.disableTable(SIM_TABLE, OWN_CALL)
    await upkeep.snapshots!.restoreSnapshot(name, OWN_CALL)
    await catalog.enableTable(SIM_TABLE, OWN_CALL)
  }
  return { run, after }
}

/** The change alone, or with a full disk or a crash at any moment of it. */
function tableChange(any: AnyTableChange): (world: SimWorld) => Promise<void> {
  return async (world) => {
    await world.store.upkeep.flushes!.flushTable(SIM_TABLE, OWN_CALL)
    world.everythingIsDurable()
    const change = await any(world)
    if (change === undefined) return
    const kind = world.random.of(['whole', 'whole', 'crash', 'full disk'] as const)
    let isMade = false
    if (kind === 'full disk') {
      world.fileSystem.failAppends({ after: world.random.below(6), writtenBytes: world.random.below(60) })
    }
    const outcome = change.run(world.store).then(
      () => (isMade = true),
      (error: unknown) => assert.ok(kind === 'crash' || isHBaseError(error), String(error)),
    )
    if (kind === 'crash') {
      for (let turns = world.random.below(TURNS_MAX); turns > 0; turns--) await nextTurn()
    } else await outcome
    world.fileSystem.repair()
    // A manifest in doubt needs a new start.
    if (kind === 'crash' || (await world.store.outage()) !== undefined) {
      if (world.random.chance(0.5)) world.kill()
      else world.losePower()
      await world.open()
    }
    await settleTable(world, change, isMade)
  }
}

async function settleTable(world: SimWorld, { after, taken }: TableChange, isMade: boolean): Promise<void> {
  const { catalog, upkeep } = world.store
  if ((await catalog.tableState(SIM_TABLE, OWN_CALL)) === 'DISABLED') {
    await catalog.enableTable(SIM_TABLE, OWN_CALL)
  }
  const regions = await catalog.regions(SIM_TABLE, OWN_CALL)
  world.startKeys = regions.map(({ startKey }) => startKey.toString())
  if (after !== undefined && (isMade || (await isAt(world, after)))) {
    world.families = after.families
    world.goTo(after.history)
  }
  await world.settleAll()
  const { families } = await catalog.table(SIM_TABLE, OWN_CALL)
  assert.equal(familyText(families), familyText(world.families), 'the families')
  const listed = (await upkeep.snapshots!.listSnapshots(OWN_CALL)).map(({ name }) => name)
  if (taken !== undefined && (isMade || listed.includes(taken))) {
    world.snapshots.set(taken, { families: world.families, history: world.history })
  }
  assert.deepEqual(listed, [...world.snapshots.keys()].sort(), 'the snapshots')
}

async function isAt(world: SimWorld, { families, history }: SimSnapshot): Promise<boolean> {
  const present = await world.store.catalog.table(SIM_TABLE, OWN_CALL)
  if (familyText(present.families) !== familyText(families)) return false
  return (await dumpTable(world.store)).join('\n') === (await world.cellsAfter(history)).join('\n')
}

function familyText(families: readonly FamilyDescriptor[]): string {
  const texts = families.map(({ name, attributes }) =>
    JSON.stringify([name.toString(), [...attributes].sort(([a], [b]) => (a < b ? -1 : 1))]),
  )
  return texts.sort().join('\n')
}

/** A table that is made of a snapshot has what the table had then, and goes again; so does the snapshot, sometimes. */
async function cloneSnapshot(world: SimWorld): Promise<void> {
  if (world.snapshots.size === 0) return
  const { catalog, upkeep } = world.store
  const [name, { history }] = world.random.of([...world.snapshots])
  await upkeep.snapshots!.cloneSnapshot(name, CLONE, OWN_CALL)
  if (world.random.chance(0.3)) await upkeep.compactions!.compactTable(CLONE, { major: true }, OWN_CALL)
  assert.deepEqual(await dumpTable(world.store, CLONE), await world.cellsAfter(history), `a clone of ${name}`)
  await catalog.disableTable(CLONE, OWN_CALL)
  await catalog.deleteTable(CLONE, OWN_CALL)
  if (world.random.chance(0.4)) {
    await upkeep.snapshots!.deleteSnapshot(name, OWN_CALL)
    world.snapshots.delete(name)
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

export const TABLE_OPERATIONS: readonly SimOperation[] = [
  { name: 'split', weight: 2, run: tableChange(anySplit) },
  { name: 'merge', weight: 1, run: tableChange(anyMerge) },
  { name: 'alter', weight: 1, run: tableChange(anyAlter) },
  { name: 'snapshot', weight: 1, run: tableChange(anySnapshot) },
  { name: 'restore', weight: 1, run: tableChange(anyRestore) },
  { name: 'clone', weight: 1, run: cloneSnapshot },
]
