import type { CellBlock } from '../../../src/model/cell-block.ts'
import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import {
  DEFAULT_MUTATION_OPTIONS,
  MutationBatch,
  type MutationOptions,
  type RowMutation,
} from '../../../src/model/mutation.ts'
import { get, scan } from '../../../src/model/query.ts'
import type { ScanBatch } from '../../../src/model/results.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { ScanLimits, Scanner, Store } from '../../../src/store.ts'
import { bytes, drain, failureTexts, resultTexts } from '../suite/store-under-test.ts'
import type { CellChange, FamilyAttributes, RowChange, Step } from './step.ts'

type Answer = unknown

interface OpenScanner {
  readonly table: TableName
  readonly scanner: Scanner
}

function described(name: TableName, families: readonly FamilyAttributes[]): TableDescriptor {
  return tableDescriptor(
    name,
    families.map((family) => familyDescriptor(family.name, Object.entries(family.attributes))),
  )
}

function append(batch: MutationBatch, row: string, cells: readonly CellChange[]): void {
  for (const { family, qualifier, type, timestamp, value } of cells) {
    batch.cell(bytes(row), bytes(family), bytes(qualifier), type, timestamp, bytes(value))
  }
}

function optionsOf({ ttlMs, durability }: Pick<RowChange, 'ttlMs' | 'durability'>): MutationOptions {
  return { durability, ...(ttlMs === undefined ? {} : { ttlMs }) }
}

function blockOf(row: string, cells: readonly CellChange[]): CellBlock {
  const batch = new MutationBatch()
  append(batch, row, cells)
  return batch.cells.block()
}

function mutationOf(step: Step & { kind: 'mutateRow' }): RowMutation {
  const { row, operations, condition } = step
  return {
    row: bytes(row),
    operations: operations.map(({ kind, cells, timeRange }) => {
      const block = blockOf(row, cells)
      if (kind === 'mutate' || timeRange === undefined) return { kind, cells: block }
      return { kind, cells: block, timeRange }
    }),
    options: DEFAULT_MUTATION_OPTIONS,
    ...(condition === undefined
      ? {}
      : {
          condition: {
            family: bytes(condition.family),
            qualifier: bytes(condition.qualifier),
            operator: condition.operator,
            value: bytes(condition.value),
            ...(condition.timeRange === undefined ? {} : { timeRange: condition.timeRange }),
          },
        }),
  }
}

/** The bytes of the cells too, so that nothing is lost in how they are written down. */
function batchAnswer({ results, partial }: ScanBatch): Answer {
  const { buffer, start, end } = results.cells
  return { texts: resultTexts(results), partial, bytes: buffer.toString('hex', start, end) }
}

/** A store that takes the steps of a history and answers in what can be compared. */
export class Replica {
  store: Store
  readonly #scanners = new Map<number, OpenScanner>()

  constructor(store: Store) {
    this.store = store
  }

  /** What the step answered, or the code and message of its error. */
  async run(step: Step): Promise<Answer> {
    try {
      return await this.#answer(step)
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      if (code === undefined) throw error
      return `${code}: ${message}`
    }
  }

  async #answer(step: Step): Promise<Answer> {
    const { store } = this
    const { table } = step
    switch (step.kind) {
      case 'createTable':
        return store.createTable(described(table, step.families), step.splits.map(bytes))
      case 'modifyTable':
        return store.modifyTable(described(table, step.families))
      case 'enableTable':
      case 'disableTable':
      case 'deleteTable':
      case 'flushTable':
        return store[step.kind](table)
      case 'truncateTable':
        return store.truncateTable(table, step.preserveSplits)
      case 'describeTable':
        return [await store.listTables(), await store.tableState(table), await store.regions(table)]
      case 'mutate':
        return this.#mutate(table, step.changes)
      case 'mutateRow': {
        const { applied, results } = await store.mutateRow(table, mutationOf(step))
        return [applied, resultTexts(results)]
      }
      case 'get': {
        const results = await store.get(
          table,
          step.rows.map((row) => get(bytes(row), step.query)),
        )
        return [
          resultTexts(results),
          results.cells.buffer.toString('hex', results.cells.start, results.cells.end),
        ]
      }
      case 'scan': {
        const scanner = await store.openScanner(table, scan(step.scan))
        try {
          return await this.#rest(table, scanner, step.limits)
        } finally {
          await scanner.close()
        }
      }
      case 'openScanner':
        return this.#openScanner(step)
      case 'nextOfScanner':
        return this.#nextOfScanner(step.slot, step.limits)
      case 'closeScanner':
        return this.#closeScanner(step.slot)
      case 'reopen':
        throw new Error('whoever owns the store reopens it')
    }
  }

  async #mutate(table: TableName, changes: readonly RowChange[]): Promise<Answer> {
    const batch = new MutationBatch()
    for (const change of changes) {
      append(batch, change.row, change.cells)
      batch.endMutation(optionsOf(change))
    }
    return failureTexts(await this.store.mutate(table, batch))
  }

  /**
   * All that a scanner still has. Where a table has several regions a portion may end at the end of one, as in HBase; then
   * just the cells are compared.
   */
  async #rest(table: TableName, scanner: Scanner, limits: ScanLimits): Promise<Answer> {
    const answers: Answer[] = []
    const cells: string[] = []
    for (;;) {
      const batch = await scanner.next(limits)
      cells.push(...resultTexts(batch.results))
      if (batch.results.counts.length > 0) answers.push(batchAnswer(batch))
      if (!batch.more) break
    }
    return (await this.#hasOneRegion(table)) ? answers : cells.join(' ')
  }

  async #hasOneRegion(table: TableName): Promise<boolean> {
    return (await this.store.regions(table)).length === 1
  }

  async #openScanner(step: Step & { kind: 'openScanner' }): Promise<Answer> {
    await this.#closeScanner(step.slot)
    const scanner = await this.store.openScanner(step.table, scan(step.scan))
    this.#scanners.set(step.slot, { table: step.table, scanner })
    return 'open'
  }

  async #nextOfScanner(slot: number, limits: ScanLimits): Promise<Answer> {
    const open = this.#scanners.get(slot)
    if (open === undefined) return 'none'
    const { table, scanner } = open
    return (await this.#hasOneRegion(table))
      ? batchAnswer(await scanner.next(limits))
      : this.#rest(table, scanner, limits)
  }

  async #closeScanner(slot: number): Promise<void> {
    await this.#scanners.get(slot)?.scanner.close()
    this.#scanners.delete(slot)
  }

  async closeScanners(): Promise<void> {
    for (const slot of this.#scanners.keys()) await this.#closeScanner(slot)
  }

  /** All that clients can see of a table, or `none`. */
  async everything(table: TableName): Promise<string[]> {
    if (!(await this.store.tableExists(table))) return ['none']
    if ((await this.store.tableState(table)) === 'DISABLED') await this.store.enableTable(table)
    return drain(await this.store.openScanner(table, scan({ maxVersions: 9 })))
  }
}
