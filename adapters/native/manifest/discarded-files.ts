import { atOnce, eachInSteps, isStepEnd, type Steps } from '../../../src/model/steps.ts'
import { REMOVED_NAMED_MAX } from '../options/default-limits.ts'
import type { Catalog } from './catalog.ts'
import type { ManifestEdit, RegionRecord } from './manifest-edit.ts'

/** Numbers of an edit: one is checked, and read, at a stretch. */
const EDIT_NUMBERS_MAX = 10_000

/**
 * Numbers of the files that the manifest has taken away: compacted, or of a dropped table, family or region. A scan, a failed removal or a
 * crash may have kept the store from removing them; the next start does. One that may still be there is named for as long as that.
 */
export class DiscardedFiles {
  /** May still be there. */
  readonly #left = new Set<number>()
  /** Removed, the youngest last. */
  readonly #removed = new Set<number>()
  readonly #removedNamedMax: number

  constructor(removedNamedMax: number = REMOVED_NAMED_MAX) {
    this.#removedNamedMax = removedNamedMax
  }

  /** The numbers of files that may still be there. */
  get numbers(): ReadonlySet<number> {
    return this.#left
  }

  /** Takes an edit of the manifest before the catalog applies it. */
  note(edit: ManifestEdit, catalog: Catalog): void {
    atOnce(this.noteInSteps(edit, catalog))
  }

  /** As note. No edit may be applied between two steps. */
  *noteInSteps(edit: ManifestEdit, catalog: Catalog): Steps<void> {
    if (edit.kind === 'compaction') {
      for (const number of edit.replaced) this.#left.add(number)
    } else if (edit.kind === 'table-gone') {
      yield* this.#addAll(catalog.tables.get(edit.name)?.regions ?? [], [])
    } else if (edit.kind === 'table') {
      yield* this.#addAll(catalog.tables.get(edit.table.name)?.regions ?? [], edit.table.regions)
    } else if (edit.kind === 'regions') {
      const regions = catalog.tables.get(edit.table)?.regions ?? []
      const replaced = new Set(edit.replaced)
      yield* this.#addAll(
        regions.filter(({ number }) => replaced.has(number)),
        edit.regions,
      )
    } else if (edit.kind === 'discarded') {
      for (const number of edit.files) this.#left.add(number)
    }
  }

  /** Adds the files of regions that are not among those of the later ones. */
  *#addAll(regions: readonly RegionRecord[], later: readonly RegionRecord[]): Steps<void> {
    if (regions.length === 0) return
    const kept = new Set<number>()
    yield* eachFile(later, (number) => kept.add(number))
    yield* eachFile(regions, (number) => {
      if (!kept.has(number)) this.#left.add(number)
    })
  }

  /** A file is removed. Its number may be of one that no edit has taken away. */
  removed(number: number): void {
    if (this.#left.delete(number)) this.#removed.add(number)
  }

  /** A start has removed all that were there. */
  removedAll(): void {
    for (const number of this.#left) this.#removed.add(number)
    this.#left.clear()
  }

  /** Forgets those that a rewritten manifest need not name. */
  forgetOld(): void {
    let surplus = this.#removed.size - this.#removedNamedMax
    for (const number of this.#removed) {
      if (surplus-- <= 0) return
      this.#removed.delete(number)
    }
  }

  /** The edits that name them in a rewritten manifest; none where there are no such files. */
  edits(): ManifestEdit[] {
    const surplus = Math.max(0, this.#removed.size - this.#removedNamedMax)
    const numbers = [...[...this.#removed].slice(surplus), ...this.#left]
    const edits: ManifestEdit[] = []
    for (let at = 0; at < numbers.length; at += EDIT_NUMBERS_MAX)
      edits.push({ kind: 'discarded', files: numbers.slice(at, at + EDIT_NUMBERS_MAX) })
    return edits
  }
}

/** A region may have very many files, and a table very many regions. */
function* eachFile(regions: readonly RegionRecord[], each: (number: number) => void): Steps<void> {
  for (const [index, { files }] of regions.entries()) {
    yield* eachInSteps(files, ({ number }) => each(number))
    if (isStepEnd(index)) yield
  }
}
