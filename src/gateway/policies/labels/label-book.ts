import type { CellParts } from '../../../model/cell.ts'
import { LABEL_QUALIFIER, ordinalOfRow, SYSTEM_LABEL } from '../../../model/label-rows.ts'
import { GROUP_PREFIX } from '../../../model/permission.ts'
import type { Subject } from '../access/permissions/subject.ts'

/** The labels, and who may see which, as they stand in hbase:labels. HBase: VisibilityLabelsCache. */
export class LabelBook {
  readonly #ordinals = new Map<string, number>()
  readonly #labels = new Map<number, string>()
  /** By user, or by group behind an `@`. */
  readonly #auths = new Map<string, Set<number>>()
  readonly nextOrdinal: number

  /** `cells`: of the table. */
  constructor(cells: readonly Pick<CellParts, 'row' | 'qualifier' | 'value'>[]) {
    let last = 0
    for (const { row, qualifier, value } of cells) {
      const ordinal = ordinalOfRow(row)
      if (ordinal === undefined) continue
      if (qualifier.equals(LABEL_QUALIFIER)) {
        const label = value.toString()
        this.#ordinals.set(label, ordinal)
        this.#labels.set(ordinal, label)
        last = Math.max(last, ordinal)
      } else {
        const user = qualifier.toString()
        const auths = this.#auths.get(user)
        if (auths === undefined) this.#auths.set(user, new Set([ordinal]))
        else auths.add(ordinal)
      }
    }
    this.nextOrdinal = last + 1
  }

  get labels(): readonly string[] {
    return [...this.#ordinals.keys()]
  }

  ordinalOf(label: string): number | undefined {
    return this.#ordinals.get(label)
  }

  labelOf(ordinal: number): string | undefined {
    return this.#labels.get(ordinal)
  }

  /** Of one user or group, without the groups that a user is in. */
  authsOf(name: string): readonly number[] {
    return [...(this.#auths.get(name) ?? [])]
  }

  /** Of a user and his groups. */
  ordinalsOf({ names }: Subject): ReadonlySet<number> {
    return new Set(names.flatMap((name) => this.authsOf(name)))
  }

  /** Whether the user sees everything. HBase: havingSystemAuth. */
  hasSystemLabel(subject: Subject): boolean {
    if (subject.isSuperuser) return true
    const ordinal = this.#ordinals.get(SYSTEM_LABEL)
    return ordinal !== undefined && this.ordinalsOf(subject).has(ordinal)
  }

  /** Everybody who may see anything, without labels that are gone: for the console and tests. */
  get users(): readonly string[] {
    return [...this.#auths.keys()].filter((name) => name !== GROUP_PREFIX)
  }
}
