import { gauge, type Metric } from '../../../src/model/metric.ts'
import type { StoreDamage } from '../../../src/store/store.ts'

/** Store files that are known to be damaged, missing or unreadable. The store serves everything else. */
export class KnownDamage {
  /** The damages by the open file, or by the object in its place: each ends its own entry. */
  readonly #files = new Map<object, { readonly damage: StoreDamage; readonly isOver: () => boolean }>()

  /** `isOver` is asked at each look: a disk may be readable again. */
  add(file: object, damage: StoreDamage, isOver: () => boolean = () => false): void {
    this.#files.set(file, { damage, isOver })
  }

  delete(file: object): void {
    this.#files.delete(file)
  }

  list(): StoreDamage[] {
    for (const [file, { isOver }] of this.#files) if (isOver()) this.#files.delete(file)
    return [...this.#files.values()].map(({ damage }) => damage)
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
