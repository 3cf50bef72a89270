import { gauge, type Metric } from '../../../src/model/metric.ts'
import type { StoreDamage } from '../../../src/store/store.ts'

/** A damage, and where in the file it is. */
export interface FileDamage extends StoreDamage {
  /** Where reads of the file failed; empty: it cannot be read at all, or its name is at fault. */
  readonly offsets: readonly number[]
}

interface Entry {
  readonly damage: StoreDamage
  readonly isOver: () => boolean
  readonly offsets: () => readonly number[]
}

/** Store files that are known to be damaged, missing or unreadable. The store serves everything else. */
export class KnownDamage {
  /** The damages by the open file, or by the object in its place: each ends its own entry. */
  readonly #files = new Map<object, Entry>()

  /** `isOver` is asked at each look: a disk may be readable again. */
  add(
    file: object,
    damage: StoreDamage,
    isOver: () => boolean = () => false,
    offsets: () => readonly number[] = () => [],
  ): void {
    this.#files.set(file, { damage, isOver, offsets })
  }

  delete(file: object): void {
    this.#files.delete(file)
  }

  list(): FileDamage[] {
    for (const [file, { isOver }] of this.#files) if (isOver()) this.#files.delete(file)
    return [...this.#files.values()].map(({ damage, offsets }) => ({ ...damage, offsets: offsets() }))
  }

  metrics(): Metric[] {
    return [
      gauge(
        'tidegate_native_damaged_files',
        'Store files that are known to be damaged, missing or unreadable',
        () => this.list().length,
      ),
    ]
  }
}
