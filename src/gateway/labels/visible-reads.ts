import { LABELS_TABLE } from '../../model/label-rows.ts'
import { changedRead, type Get, type Scan } from '../../model/query.ts'
import { isSystemTable } from '../../model/table-name.ts'
import type { Call } from '../../store/call.ts'
import { type Target, targetTable } from '../../store/target.ts'
import type { Subject, Subjects } from '../access/subject.ts'
import type { CurrentLabels } from './current-labels.ts'
import { authorizationsIn } from './label-attributes.ts'
import type { LabelBook } from './label-book.ts'
import { generatedLabels, type LabelSettings } from './label-settings.ts'

export interface VisibleReadsParts {
  readonly subjects: Subjects
  readonly current: CurrentLabels
  readonly settings: LabelSettings
}

/** HBase's filter of labels must see every family, and so none is read on demand. */
type Seen = Pick<Scan, 'visibility' | 'familiesOnDemand'>

/** Reads that find what the labels of their users show. HBase: VisibilityController, as an observer of regions. */
export class VisibleReads {
  readonly #parts: VisibleReadsParts
  /**
   * What reads see that name no labels; `everything` for users with the label `system`. Another book comes with each change of labels, and
   * another subject with each change of groups, so that nothing here outlives a change.
   */
  readonly #known = new WeakMap<LabelBook, WeakMap<Subject, Seen | 'everything'>>()

  constructor(parts: VisibleReadsParts) {
    this.#parts = parts
  }

  /** At once where the labels need not be read. Throws, or rejects, as authorizationsIn. */
  of<Read extends Get | Scan>(
    target: Target,
    reads: readonly Read[],
    call: Call,
  ): readonly Read[] | Promise<readonly Read[]> {
    const table = targetTable(target)
    if (call.isOwn) return reads
    // Everybody must be able to find regions.
    const isOpen = isSystemTable(table) && table !== LABELS_TABLE
    if (isOpen && reads.every(({ attributes }) => authorizationsIn(attributes) === undefined)) return reads
    const { subjects, current } = this.#parts
    const subject = subjects.of(call.principal?.user)
    if (subject.isSuperuser) return reads
    const narrowed = (book: LabelBook): readonly Read[] => {
      const ofAll = this.#seenBy(subject, book)
      if (ofAll === 'everything') return reads
      return reads.map((read) => {
        const asked = authorizationsIn(read.attributes)
        if (asked === undefined) return isOpen ? read : changedRead(read, ofAll)
        return changedRead(read, this.#seenWith(asked, subject, book))
      })
    }
    const book = current.get()
    return book instanceof Promise ? book.then(narrowed) : narrowed(book)
  }

  #seenBy(subject: Subject, book: LabelBook): Seen | 'everything' {
    let ofBook = this.#known.get(book)
    if (ofBook === undefined) {
      ofBook = new WeakMap()
      this.#known.set(book, ofBook)
    }
    let seen = ofBook.get(subject)
    if (seen === undefined) {
      seen = book.hasSystemLabel(subject) ? 'everything' : this.#seenWith(undefined, subject, book)
      ofBook.set(subject, seen)
    }
    return seen
  }

  /** `asked`: as in generatedLabels. */
  #seenWith(asked: readonly string[] | undefined, subject: Subject, book: LabelBook): Seen {
    const auths = [...book.ordinalsOf(subject)].flatMap((ordinal) => book.labelOf(ordinal) ?? [])
    const labels = generatedLabels(this.#parts.settings.generators, asked, auths)
    const ordinals = labels.flatMap((label) => book.ordinalOf(label) ?? [])
    return { visibility: { kind: 'labels', ordinals: [...new Set(ordinals)] }, familiesOnDemand: false }
  }
}
