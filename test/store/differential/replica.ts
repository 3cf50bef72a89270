import type { Scanner } from '../../../src/gateway/reads/scanner.ts'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { CellBlock } from '../../../src/model/cell-block.ts'
import { ALL_VERSIONS, get, scan } from '../../../src/model/query.ts'
import { gathered, type ScannedResults } from '../../../src/model/results.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Target } from '../../../src/store/target.ts'
import {
  bytes,
  compactTable,
  drain,
  failureTexts,
  flushTable,
  resultTexts,
} from '../suite/store-under-test.ts'
import { batchOf, described, mutationOf, rowsMutationOf } from './drawn-changes.ts'
import type { DrawnRegion, Step } from './step.ts'

type Answer = unknown

/** Shows the bytes of the cells too, so that no difference is lost in print. */
function resultsAnswer(results: ScannedResults): Answer {
  const { buffer, start, end } = gathered(results).cells
  return [resultTexts(results), buffer.toString('hex', start, end)]
}

/** The results up to the limits, and whether the scan is over: a store may end a batch with a region, one without results too. */
async function nextResults(
  scanner: Scanner,
  limits: ScanLimits,
): Promise<{ readonly answer: Answer; readonly isEmpty: boolean; readonly isOver: boolean }> {
  const blocks: Buffer[] = []
  const counts: number[] = []
  const partial: boolean[] = []
  let { rows, bytes } = limits
  for (;;) {
    const batch = await scanner.next({ ...limits, rows, bytes }, OWN_CALL)
    const { cells, counts: more } = gathered(batch.results)
    blocks.push(Buffer.from(cells.buffer.subarray(cells.start, cells.end)))
    more.forEach((_, index) => void partial.push(batch.partial?.[index] === true))
    counts.push(...more)
    rows -= more.length
    bytes -= cells.byteLength
    const isFull = rows <= 0 || (bytes <= 0 && counts.length > 0)
    const isOver = batch.ended === 'scan'
    if (!isOver && !isFull && (batch.ended === 'region' || counts.length === 0)) continue
    const results = { cells: new CellBlock(Buffer.concat(blocks)), counts }
    const answer = [resultsAnswer(results), partial.includes(true) ? partial : undefined]
    return { answer, isEmpty: counts.length === 0, isOver }
  }
}

/** A store that takes the steps of a history and gives answers that can be compared. */
export class Replica {
  store: Store
  /** Stores forget nonces with their memory, so no nonce is drawn again after a store was opened anew. */
  generation = 0n
  readonly #scanners = new Map<number, Scanner>()

  constructor(store: Store) {
    this.store = store
  }

  /** The answer to the step, or the code, message and class of its error. */
  async run(step: Step): Promise<Answer> {
    try {
      return await this.#answer(step)
    } catch (error) {
      const { code, message, javaClass } = error as { code?: string; message: string; javaClass?: string }
      if (code === undefined) throw error
      return `${code}: ${message} (${javaClass})`
    }
  }

  async #answer(step: Step): Promise<Answer> {
    const { store } = this
    const { catalog, rows } = store
    const { table } = step
    switch (step.kind) {
      case 'createTable':
        return catalog.createTable(described(table, step.families), step.splits.map(bytes), OWN_CALL)
      case 'modifyTable':
        return catalog.modifyTable(described(table, step.families), OWN_CALL)
      case 'enableTable':
      case 'disableTable':
      case 'deleteTable':
        return catalog[step.kind](table, OWN_CALL)
      case 'flushTable':
        return flushTable(store, table)
      case 'compactTable':
        return compactTable(store, table, { major: true })
      case 'splitTable':
        return store.upkeep.regions!.splitTable(table, bytes(step.at), OWN_CALL)
      case 'mergeRegions': {
        const names = await Promise.all(step.indexes.map((index) => this.#regionName(table, index)))
        return store.upkeep.regions!.mergeRegions(names, false, OWN_CALL)
      }
      case 'unassignRegion':
      case 'assignRegion':
        return store.upkeep.regions![step.kind](await this.#regionName(table, step.index), OWN_CALL)
      case 'truncateTable':
        return catalog.truncateTable(table, step.preserveSplits, OWN_CALL)
      case 'describeTable':
        return [
          await catalog.listTables(OWN_CALL),
          await catalog.tableState(table, OWN_CALL),
          await catalog.regions(table, OWN_CALL),
        ]
      case 'mutate': {
        const target = await this.#target(table, step.region)
        return failureTexts(await rows.mutate(target, batchOf(step.changes), OWN_CALL))
      }
      case 'mutateRow': {
        const target = await this.#target(table, step.region)
        const { applied, results } = await rows.mutateRow(target, mutationOf(step, this.generation), OWN_CALL)
        return [applied, resultsAnswer(results)]
      }
      case 'mutateRows': {
        const target = await this.#target(table, step.region)
        return [await rows.mutateRows(target, rowsMutationOf(step, this.generation), OWN_CALL)]
      }
      case 'get': {
        const target = await this.#target(table, step.region)
        const gets = step.rows.map((row) => get(bytes(row), step.query))
        return resultsAnswer(await rows.get(target, gets, { bytes: step.bytes }, OWN_CALL))
      }
      case 'scan': {
        const target = await this.#target(table, step.region)
        const scanner = await openScanner(store, target, scan(step.scan), OWN_CALL)
        try {
          return await this.#rest(scanner, step.limits)
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

  async #target(table: TableName, region: DrawnRegion): Promise<Target> {
    if (region === 'all') return table
    if (region === 'none') return { table, encodedName: '0123456789abcdef0123456789abcdef' }
    const regions = await this.store.catalog.regions(table, OWN_CALL)
    return { table, encodedName: regions[region % regions.length]!.encodedName }
  }

  async #regionName(table: TableName, index: number): Promise<Buffer> {
    const regions = await this.store.catalog.regions(table, OWN_CALL)
    return regions[index % regions.length]!.name
  }

  /** All results that a scanner still has. */
  async #rest(scanner: Scanner, limits: ScanLimits): Promise<Answer> {
    const answers: Answer[] = []
    for (;;) {
      const { answer, isEmpty, isOver } = await nextResults(scanner, limits)
      if (!isEmpty) answers.push(answer)
      if (isOver) return answers
    }
  }

  async #openScanner(step: Step & { kind: 'openScanner' }): Promise<Answer> {
    await this.#closeScanner(step.slot)
    const target = await this.#target(step.table, step.region)
    const scanner = await openScanner(this.store, target, scan(step.scan), OWN_CALL)
    this.#scanners.set(step.slot, scanner)
    return 'open'
  }

  async #nextOfScanner(slot: number, limits: ScanLimits): Promise<Answer> {
    const open = this.#scanners.get(slot)
    if (open === undefined) return 'none'
    return (await nextResults(open, limits)).answer
  }

  async #closeScanner(slot: number): Promise<void> {
    await this.#scanners.get(slot)?.close()
    this.#scanners.delete(slot)
  }

  async closeScanners(): Promise<void> {
    for (const slot of this.#scanners.keys()) await this.#closeScanner(slot)
  }

  /** Flushes every table, as a store does that is closed. */
  async flushAll(): Promise<void> {
    const { catalog } = this.store
    for (const { name } of await catalog.listTables(OWN_CALL)) {
      const isDisabled = (await catalog.tableState(name, OWN_CALL)) === 'DISABLED'
      if (isDisabled) await catalog.enableTable(name, OWN_CALL)
      await flushTable(this.store, name)
      if (isDisabled) await catalog.disableTable(name, OWN_CALL)
    }
  }

  /** All that clients can see of a table, and all that it holds; or `none`. */
  async everything(table: TableName): Promise<string[]> {
    const { catalog } = this.store
    if (!(await catalog.tableExists(table, OWN_CALL))) return ['none']
    // Closed regions are opened with their table.
    if ((await catalog.tableState(table, OWN_CALL)) === 'ENABLED') await catalog.disableTable(table, OWN_CALL)
    await catalog.enableTable(table, OWN_CALL)
    const seen = await openScanner(this.store, table, scan({ maxVersions: 9 }), OWN_CALL)
    const held = await openScanner(
      this.store,
      table,
      scan({ maxVersions: ALL_VERSIONS, raw: true }),
      OWN_CALL,
    )
    return [...(await drain(seen)), 'raw:', ...(await drain(held))]
  }
}
