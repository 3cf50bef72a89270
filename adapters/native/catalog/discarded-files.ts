import type { Catalog } from './catalog.ts'
import type { ManifestEdit, RegionRecord } from './manifest-edit.ts'

/** A rewritten manifest names the youngest ones: older ones were removed long ago, unless a scanner has held them ever since. */
const NAMED_MAX = 10_000

/**
 * Numbers of the files that the manifest has taken away: compacted, or of a dropped table, family or region. A crash may have kept the store
 * from removing them; the next start does.
 */
export class DiscardedFiles {
  readonly #numbers = new Set<number>()

  get numbers(): ReadonlySet<number> {
    return this.#numbers
  }

  /** Takes an edit of the manifest before the catalog applies it. */
  note(edit: ManifestEdit, catalog: Catalog): void {
    if (edit.kind === 'compaction') {
      for (const number of edit.replaced) this.#numbers.add(number)
    } else if (edit.kind === 'table-gone') {
      this.#addAll(catalog.tables.get(edit.name)?.regions ?? [], [])
    } else if (edit.kind === 'table') {
      this.#addAll(catalog.tables.get(edit.table.name)?.regions ?? [], edit.table.regions)
    } else if (edit.kind === 'regions') {
      const regions = catalog.tables.get(edit.table)?.regions ?? []
      const replaced = new Set(edit.replaced)
      this.#addAll(
        regions.filter(({ number }) => replaced.has(number)),
        [],
      )
    } else if (edit.kind === 'discarded') {
      for (const number of edit.files) this.#numbers.add(number)
    }
  }

  /** Adds the files of regions that are not among those of the later ones. */
  #addAll(regions: readonly RegionRecord[], later: readonly RegionRecord[]): void {
    const kept = new Set(later.flatMap(({ files }) => files.map(({ number }) => number)))
    for (const { files } of regions)
      for (const { number } of files) if (!kept.has(number)) this.#numbers.add(number)
  }

  /** Forgets those that a rewritten manifest need not name. */
  forgetOld(): void {
    let surplus = this.#numbers.size - NAMED_MAX
    for (const number of this.#numbers) {
      if (surplus-- <= 0) return
      this.#numbers.delete(number)
    }
  }

  /** What a rewritten manifest says of them; nothing where there are none. */
  edits(): ManifestEdit[] {
    const files = [...this.#numbers].slice(-NAMED_MAX)
    return files.length === 0 ? [] : [{ kind: 'discarded', files }]
  }
}
