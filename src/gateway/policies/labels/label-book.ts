import type { CellParts } from '../../../model/cell.ts'
import { LABEL_QUALIFIER, ordinalOfRow, SYSTEM_LABEL } from '../../../model/label-rows.ts'
import { GROUP_PREFIX } from '../../../model/permission.ts'
import type { Subject } from '../access/permissions/subject.ts'

/** The contents of hbase:labels: the labels, and the users who may see each. HBase: VisibilityLabelsCache. */
export class LabelBook {
  readonly #ordinals = new Map<string, number>()
  readonly #labels = new Map<number, string>()
  /** Ordinals by the name of a user, or of a group with `@`. */
  readonly #auths = new Map<string, Set<number>>()
  readonly nextOrdinal: number

  /** `cells`: all cells of hbase:labels. */
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

  /** The ordinals of one user or group, without those of the groups of a user. */
  authsOf(name: string): readonly number[] {
    return [...(this.#auths.get(name) ?? [])]
  }

  /** The ordinals of a user and of the groups of the user. */
  ordinalsOf({ names }: Subject): ReadonlySet<number> {
    return new Set(names.flatMap((name) => this.authsOf(name)))
  }

  /** Whether the user sees all cells. HBase: havingSystemAuth. */
  hasSystemLabel(subject: Subject): boolean {
    if (subject.isSuperuser) return true
    const ordinal = this.#ordinals.get(SYSTEM_LABEL)
    return ordinal !== undefined && this.ordinalsOf(subject).has(ordinal)
  }

  /** The users and groups with labels, for the console and tests. */
  get users(): readonly string[] {
    return [...this.#auths.keys()].filter((name) => name !== GROUP_PREFIX)
  }
}
