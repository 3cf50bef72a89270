import { detached } from '../../src/model/detached.ts'
import type {
  FilterCondition,
  MutationBatch,
  RowMutation,
  RowPart,
  RowsMutation,
} from '../../src/model/mutation.ts'
import type { Get, Scan } from '../../src/model/query.ts'
import { NO_RESULTS, type Results } from '../../src/model/results.ts'
import type { Call } from '../../src/store/call.ts'
import type { OpenScanner } from '../../src/store/handouts.ts'
import type { GetLimits, MutationFailure, RowMutationOutcome, Rows } from '../../src/store/rows.ts'
import { type Target, targetTable } from '../../src/store/target.ts'
import { AsOfReads } from './as-of/as-of-reads.ts'
import { getFromCopies } from './batch/copy-gets.ts'
import { getMany } from './batch/get-many.ts'
import { SharedCalls } from './batch/shared-calls.ts'
import { regionGet, SHARED_GETS } from './batch/shared-gets.ts'
import { joinedResults } from './cells/result-cells.ts'
import type { Cluster } from './cluster/cluster.ts'
import { encodeLargeFilters } from './encode-large-filters.ts'
import type { HBaseHandouts } from './scan/hbase-handouts.ts'
import { ScannerOpener } from './scan/scanner-opener.ts'
import { type DescribeTable, TableWrites } from './write/table-writes.ts'

export class HBaseRows implements Rows {
  readonly #cluster: Cluster
  readonly #handouts: HBaseHandouts
  readonly #writes: TableWrites
  readonly #scanners: ScannerOpener
  readonly #asOf: AsOfReads
  readonly #gets = new SharedCalls(SHARED_GETS)

  constructor(cluster: Cluster, handouts: HBaseHandouts, describe: DescribeTable) {
    this.#cluster = cluster
    this.#handouts = handouts
    this.#writes = new TableWrites(cluster, describe)
    this.#scanners = new ScannerOpener(cluster)
    this.#asOf = new AsOfReads(cluster, this.#scanners, describe)
  }

  async get(target: Target, gets: readonly Get[], limits: GetLimits, call: Call): Promise<Results> {
    const [first] = gets
    if (first === undefined) {
      await this.#cluster.checkEnabled(target, call)
      return NO_RESULTS
    }
    const encoding = encodeLargeFilters(gets)
    if (encoding !== undefined) await encoding
    const isOne = gets.length === 1 && first.asOf === undefined && first.replica === undefined
    if (isOne) return this.#getOne(target, first, call)
    if (gets.some(({ asOf }) => asOf !== undefined)) {
      return joinedResults(await this.#asOf.get(target, gets, limits.bytes, call))
    }
    if (typeof target === 'string' && gets.some(({ replica }) => replica !== undefined)) {
      return getFromCopies(this.#cluster, target, gets, limits.bytes, call)
    }
    return joinedResults(await getMany(this.#cluster, target, gets, limits.bytes, call))
  }

  async openScanner(target: Target, scan: Scan, call: Call): Promise<OpenScanner> {
    const own = detached(scan)
    await encodeLargeFilters([own])
    const { lend } = this.#handouts
    const scanner =
      scan.asOf === undefined
        ? await this.#scanners.open(target, own, call, lend)
        : await this.#asOf.openScanner(target, own, call, lend)
    return this.#handouts.add(scanner)
  }

  mutate(target: Target, batch: MutationBatch, call: Call): Promise<readonly MutationFailure[]> {
    return this.#writes.mutate(target, batch, call)
  }

  async mutateRow(target: Target, mutation: RowMutation, call: Call): Promise<RowMutationOutcome> {
    const { condition } = mutation
    if (condition?.kind === 'filter') await encodeLargeFilters([condition])
    return this.#writes.mutateRow(target, mutation, call)
  }

  async mutateRows(target: Target, mutation: RowsMutation, call: Call): Promise<boolean> {
    const encoding = encodeLargeFilters(filtersOf(mutation.parts))
    if (encoding !== undefined) await encoding
    return this.#writes.mutateRows(target, mutation, call)
  }

  async #getOne(target: Target, get: Get, call: Call): Promise<Results> {
    const operation = `get of ${targetTable(target)}`
    const result = await this.#cluster.onRegion(
      { operation, rowOperation: 'Get', target, row: get.row, call },
      (connection, region, attempt) => {
        const one = regionGet(region, get)
        // Within a batch HBase asks its access control as for other gets.
        if (get.existenceOnly === true) return SHARED_GETS.alone(connection, one, attempt)
        return this.#gets.call(connection, one, attempt)
      },
    )
    return joinedResults([result])
  }
}

/** The conditions that are filters. */
function filtersOf(parts: readonly RowPart[]): FilterCondition[] {
  const found: FilterCondition[] = []
  for (const { condition } of parts) if (condition?.kind === 'filter') found.push(condition)
  return found
}
