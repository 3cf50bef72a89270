/**
 * The manifest is in doubt where an edit was written and the disk did not take it for sure: the next start may find the edit,
 * or may not. Until both files are written anew, without that edit, no other is taken, and the regions whose cells the edit
 * drops take no writes: those would be lost if the edit counts.
 */

import { reasonOf } from '../../../src/model/error-reason.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { atOnce } from '../../../src/model/steps.ts'
import type { Catalog } from './catalog.ts'
import type { ManifestEdit } from './manifest-edit.ts'
import { retiredRegions } from './retired-regions.ts'

/** The error of the edit itself; edits after it are refused by another. */
export function doubtAbout(path: string, cause: unknown): HBaseError {
  const message = `the manifest ${path} is in doubt (${reasonOf(cause)}): the store takes no changes of tables and regions until it can write the manifest anew, which it tries again and again`
  return new HBaseError('UNAVAILABLE', message, { cause, detail: { isInDoubt: true } })
}

/** The error for an edit that was not written at all. */
export function refusedBy(doubt: HBaseError): HBaseError {
  return new HBaseError('UNAVAILABLE', doubt.message, { cause: doubt })
}

/** Whether the edit that was refused with this error may be on disk. */
export function isInDoubt(error: unknown): error is HBaseError {
  return isHBaseError(error) && error.detail?.['isInDoubt'] === true
}

/** An edit that may be on disk. */
export class DoubtfulEdit {
  readonly error: HBaseError
  /** Numbers of the regions that lose cells if the edit counts. */
  readonly #regions: ReadonlySet<number>
  readonly #undos: (() => void)[] = []

  constructor(error: HBaseError, edit: ManifestEdit, catalog: Catalog) {
    this.error = error
    this.#regions = new Set(regionsThatLose(edit, catalog))
  }

  /** Why the region takes no writes, if it takes none. */
  refusalOf(region: number): HBaseError | undefined {
    if (!this.#regions.has(region)) return undefined
    const message = `region ${region} takes no writes while it is not known whether it has given way to others: ${this.error.message}`
    return new HBaseError('REGION_TOO_BUSY', message, { cause: this.error })
  }

  /** Adds a task for `undo`. */
  onceSettled(undo: () => void): void {
    this.#undos.push(undo)
  }

  /** Undoes what the edit was to record, once the manifest does not have it. */
  undo(): void {
    for (const undo of this.#undos.splice(0)) undo()
  }
}

function regionsThatLose(edit: ManifestEdit, catalog: Catalog): number[] {
  // At once: a write between two steps could be acknowledged, and lost.
  const retired = atOnce(retiredRegions(edit, catalog)).map(({ number }) => number)
  if (edit.kind !== 'table') return retired
  const present = catalog.tables.get(edit.table.name)
  const losesFamily = present?.families.some(({ name, sinceSequenceId }) => {
    const later = edit.table.families.find((family) => family.name.equals(name))
    return later?.sinceSequenceId !== sinceSequenceId
  })
  return losesFamily === true ? present!.regions.map(({ number }) => number) : retired
}
