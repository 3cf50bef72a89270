/** A store that lives through changes of its regions, snapshots and crashes; its cells are checked after each restart. */

import fc from 'fast-check'
import { expect } from 'vitest'
import type { NativeOptions } from '../../../adapters/native/options/native-options.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import type { Durability } from '../../../src/model/mutation.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { compactTable } from '../../store/suite/store-under-test.ts'
import { SIMULATED_TABLE, Simulation } from './crash-simulation.ts'
import { checked } from './inspect/damaged-store.ts'
import { anyChange, type Change, type Life } from './simulated-life.ts'

type Step =
  | { readonly kind: 'changes'; readonly changes: Change[] }
  | { readonly kind: 'flush' | 'compact' | 'snapshot' | 'restore' }
  | { readonly kind: 'split'; readonly at: string }
  | { readonly kind: 'merge'; readonly index: number }

export interface RegionLife extends Pick<Life, 'ending' | 'random' | 'turns' | 'failAfter'> {
  /** One after the other. */
  readonly steps: readonly Step[]
  /** Side by side, when the end comes. */
  readonly last: readonly Step[]
}

/** A batch of several rows is a change for each region, which the check could not foresee: these have one row each. */
function anyStep(durabilities: readonly Durability[]): fc.Arbitrary<Step> {
  const changes = fc
    .array(anyChange(durabilities), { minLength: 1, maxLength: 4 })
    .map((drawn) => drawn.map((change) => oneRow(change)))
  const kind = fc.constantFrom('flush', 'compact', 'snapshot', 'restore' as const)
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('changes' as const), changes }) },
    { weight: 2, arbitrary: fc.record({ kind: kind as fc.Arbitrary<'flush'> }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('split' as const),
        at: fc.constantFrom('a', 'aa', 'b', 'l', 'm', 'z'),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('merge' as const), index: fc.nat({ max: 3 }) }) },
  )
}

function oneRow(change: Change): Change {
  return change.kind === 'batch' ? { ...change, rows: change.rows.slice(0, 1) } : change
}

export function anyRegionLife(
  endings: readonly Life['ending'][],
  durabilities: readonly Durability[],
): fc.Arbitrary<RegionLife> {
  const step = anyStep(durabilities)
  return fc.record({
    steps: fc.array(step, { maxLength: 8 }),
    last: fc.array(step, { maxLength: 4 }),
    turns: fc.nat({ max: 40 }),
    ending: fc.constantFrom(...endings),
    failAfter: fc.nat({ max: 6 }),
    random: fc.double({ min: 0, max: 0.999, noNaN: true }),
  })
}

/** Snapshots that a crash cuts may be there or not, and the simulation would not know of which cells. */
function isForTheEnd({ kind }: Step): boolean {
  return kind !== 'snapshot' && kind !== 'restore'
}

const TABLE = SIMULATED_TABLE
const CLONE = parseTableName('clone')

class RegionSimulation extends Simulation {
  /** The cells of each snapshot that was acknowledged, by its name. */
  readonly #snapshots = new Map<string, readonly string[]>()
  #taken = 0

  override async live(life: RegionLife & Life): Promise<void> {
    for (const step of life.steps) await this.#awaited(step)
    if (life.ending === 'full disk') {
      this.fileSystem.failAppends({ after: life.failAfter, writtenBytes: Math.floor(life.random * 60) })
    }
    const last = Promise.allSettled(life.last.filter(isForTheEnd).map((step) => this.#run(step)))
    if (life.ending === 'close') {
      await last
      await this.store.close()
      this.durable = this.issued.length
      return
    }
    for (let i = 0; i < life.turns; i++) await new Promise((resolve) => setImmediate(resolve))
    this.crash(life)
    const { acknowledged, durable } = this
    await last
    this.acknowledged = acknowledged
    this.durable = durable
  }

  async #awaited(step: Step): Promise<void> {
    try {
      await this.#run(step)
    } catch (error) {
      // A split where a region begins, say.
      if (!isHBaseError(error) || !['DO_NOT_RETRY', 'REFUSED', 'IO'].includes(error.code)) throw error
      expect(error.message).toMatch(/split|SNAPSHOT|merge/i)
    }
  }

  async #run(step: Step): Promise<unknown> {
    const { catalog, upkeep } = this.store
    switch (step.kind) {
      case 'changes':
        return Promise.all(this.issue(step.changes))
      case 'flush':
        await upkeep.flushes!.flushTable(TABLE, OWN_CALL)
        return undefined
      case 'compact':
        return compactTable(this.store, TABLE, { major: true })
      case 'split':
        return upkeep.regions!.splitTable(TABLE, Buffer.from(step.at), OWN_CALL)
      case 'merge': {
        const regions = await catalog.regions(TABLE, OWN_CALL)
        const [first, second] = regions.slice(step.index % regions.length)
        if (second === undefined) return undefined
        return upkeep.regions!.mergeRegions([first!.name, second.name], false, OWN_CALL)
      }
      case 'snapshot':
        return this.#take()
      case 'restore':
        return this.#restore()
    }
  }

  async #take(): Promise<void> {
    const name = `s${this.#taken++}`
    const cells = await this.cells()
    await this.store.upkeep.snapshots!.createSnapshot(name, TABLE, 'FLUSH', OWN_CALL)
    // All of the table is in files now.
    this.durable = this.issued.length
    this.#snapshots.set(name, cells)
  }

  /** Makes a snapshot of the present and goes back to it, which changes no cells. */
  async #restore(): Promise<void> {
    const { catalog, upkeep } = this.store
    await this.#take()
    await catalog.disableTable(TABLE, OWN_CALL)
    await upkeep.snapshots!.restoreSnapshot(`s${this.#taken - 1}`, OWN_CALL)
    await catalog.enableTable(TABLE, OWN_CALL)
  }

  /** Each snapshot that was acknowledged is there, with what it had. */
  async checkSnapshots(): Promise<void> {
    const { catalog, upkeep } = this.store
    const listed = await upkeep.snapshots!.listSnapshots(OWN_CALL)
    const names = listed.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining([...this.#snapshots.keys()]))
    for (const name of names) {
      await upkeep.snapshots!.cloneSnapshot(name, CLONE, OWN_CALL)
      const cells = await this.cells(CLONE)
      if (this.#snapshots.has(name)) expect(cells).toEqual(this.#snapshots.get(name))
      await catalog.disableTable(CLONE, OWN_CALL)
      await catalog.deleteTable(CLONE, OWN_CALL)
    }
    // A few are enough to go through the next lives.
    for (const name of names.slice(0, -2)) {
      this.#snapshots.delete(name)
      await upkeep.snapshots!.deleteSnapshot(name, OWN_CALL)
    }
    expect((await catalog.listTables(OWN_CALL)).map((table) => table.name)).toEqual([TABLE])
  }

  /** A check of the folder finds nothing, whatever the store has lived through. */
  async checkFolder(): Promise<void> {
    await this.store.close()
    this.durable = this.issued.length
    const { findings } = checked(this.fileSystem)
    const worse = findings.filter(({ severity }) => severity !== 'note')
    expect(worse.map(({ path, message, advice }) => `${path}: ${message}: ${advice}`)).toEqual([])
    await this.open()
  }

  /** No link of the table is left behind, which would keep the disk full. A folder of a table that is gone is set aside whole. */
  checkFiles(): void {
    const aside = this.fileSystem.paths().filter((path) => path.includes(`lost+found/data/default/${TABLE}/`))
    for (const path of aside) expect(this.fileSystem.linkCount(path)).toBe(1)
  }
}

export async function simulateRegions(
  lives: readonly RegionLife[],
  options: Partial<NativeOptions>,
  hasLinks: boolean,
): Promise<void> {
  const simulation = new RegionSimulation(options)
  simulation.fileSystem.hasLinks = hasLinks
  await simulation.open()
  await simulation.createTable()
  for (const life of lives) {
    await simulation.live(life as RegionLife & Life)
    simulation.fileSystem.hasLinks = hasLinks
    await simulation.open()
    expect(simulation.errors.filter((message) => !message.startsWith('write-ahead log')).join('\n')).toBe('')
    if ((await simulation.store.catalog.tableState(TABLE, OWN_CALL)) === 'DISABLED') {
      await simulation.store.catalog.enableTable(TABLE, OWN_CALL)
    }
    await simulation.settle()
    await simulation.checkSnapshots()
    simulation.checkFiles()
    await simulation.checkFolder()
  }
  await simulation.store.close()
}
