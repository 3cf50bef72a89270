/** Describes tables, regions and runs for threads that read them. */

import { assert } from '../../../src/model/assert.ts'
import type { TableDescriptor } from '../../../src/model/descriptor.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { CellRun } from '../cells/cell-run.ts'
import { RefusingRun } from '../cells/refusing-run.ts'
import { BoundedHFile } from '../hfile/bounded-file.ts'
import { HFile } from '../hfile/hfile.ts'
import { Memstore } from '../memstore/memstore.ts'
import type { Region } from '../region/region.ts'
import type { SharedRun } from '../region/shared-run.ts'
import type { TableRegions } from '../tables/table-regions.ts'
import type { ErrorView, RegionView, RunView, TableView } from './reader-messages.ts'

/** Gives each run, and each table, a number. */
export class RunNumbers {
  readonly #numbers = new WeakMap<CellRun | TableRegions, number>()
  #last = 0

  of(run: CellRun | TableRegions): number {
    const known = this.#numbers.get(run)
    if (known !== undefined) return known
    const number = ++this.#last
    this.#numbers.set(run, number)
    return number
  }
}

export function viewOfRun({ run }: SharedRun<CellRun>, numbers: RunNumbers): RunView {
  const number = numbers.of(run)
  if (run instanceof Memstore) return { kind: 'memstore', run: number, given: run.published?.given }
  if (run instanceof RefusingRun) return { kind: 'damaged', run: number, error: viewOfError(run.error) }
  assert(run instanceof HFile, 'a run is neither a memstore nor a store file')
  const rows = run instanceof BoundedHFile ? run.rows : undefined
  return {
    kind: 'file',
    run: number,
    path: run.path,
    number: run.fileId,
    maxSequenceId: run.maxSequenceId,
    rows: rows && { from: bytesOf(rows.from), to: bytesOf(rows.to) },
  }
}

export function viewOfRegion(region: Region, numbers: RunNumbers): RegionView {
  const { table, number, regionId, startKey, endKey, closed, stores } = region
  return {
    table: table.name,
    number,
    regionId,
    startKey: bytesOf(startKey),
    endKey: bytesOf(endKey),
    isClosed: closed.isClosed,
    closedCopies: closed.copies,
    families: stores.map((store) => ({
      name: bytesOf(store.rules.name),
      isLabelled: store.rules.isLabelled === true,
      runs: store.sharedRuns().map((shared) => viewOfRun(shared, numbers)),
    })),
  }
}

export function viewOfTable(table: TableRegions, numbers: RunNumbers): TableView {
  const { descriptor, isEnabled, regions } = table
  return {
    id: numbers.of(table),
    descriptor: { ...descriptor, families: descriptor.families.map(withBytes) },
    isEnabled,
    regions: regions.map(({ number }) => number),
  }
}

export function viewOfError({ code, message, detail, javaClass }: HBaseError): ErrorView {
  return { code, message, detail, javaClass }
}

export function errorOfView({ code, message, detail, javaClass }: ErrorView): HBaseError {
  return new HBaseError(code, message, { ...(detail && { detail }), ...(javaClass && { javaClass }) })
}

function withBytes(family: TableDescriptor['families'][number]): TableDescriptor['families'][number] {
  // It arrives as a Uint8Array in any case: a Buffer of Node's pool would be copied with all of its neighbours.
  return { ...family, name: bytesOf(family.name) as Buffer }
}

function bytesOf(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer)
}
