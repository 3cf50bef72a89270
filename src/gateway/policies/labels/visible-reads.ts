import { LABELS_TABLE } from '../../../model/label-rows.ts'
import { changedRead, type Get, type Scan } from '../../../model/query.ts'
import { isSystemTable } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import { type Target, targetTable } from '../../../store/target.ts'
import { VISIBILITY_ATTRIBUTE } from '../../../wire/rpc/label-messages.ts'
import type { Subject, Subjects } from '../access/permissions/subject.ts'
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

/** The labels by which one user sees cells. */
interface Sight {
  /** In reads that name no labels; `everything`: the user has the label `system`. */
  readonly own: Seen | 'everything'
  /** In reads that name some, by the bytes of the attribute that names them, as latin1: reading it would take longer than a row. */
  readonly asked: Map<string, Seen>
}

const ASKED_MAX = 100
const ASKED_BYTES_MAX = 1024

/** Reads that find what the labels of their users show. HBase: VisibilityController, as an observer of regions. */
export class VisibleReads {
  readonly #parts: VisibleReadsParts
  /** Another book comes with each change of labels, and another subject with each change of groups: nothing here outlives a change. */
  readonly #known = new WeakMap<LabelBook, WeakMap<Subject, Sight>>()

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
      const { own, asked } = this.#sightOf(subject, book)
      if (own === 'everything') return reads
      return reads.map((read) => {
        const named = read.attributes?.get(VISIBILITY_ATTRIBUTE)
        if (named === undefined) return isOpen ? read : changedRead(read, own)
        const key = named.toString('latin1')
        const known = asked.get(key)
        if (known !== undefined) return changedRead(read, known)
        const seen = this.#seenWith(authorizationsIn(read.attributes), subject, book)
        if (asked.size >= ASKED_MAX) asked.clear()
        if (named.length <= ASKED_BYTES_MAX) asked.set(key, seen)
        return changedRead(read, seen)
      })
    }
    const book = current.get()
    return book instanceof Promise ? book.then(narrowed) : narrowed(book)
  }

  #sightOf(subject: Subject, book: LabelBook): Sight {
    let ofBook = this.#known.get(book)
    if (ofBook === undefined) {
      ofBook = new WeakMap()
      this.#known.set(book, ofBook)
    }
    let sight = ofBook.get(subject)
    if (sight === undefined) {
      const own = book.hasSystemLabel(subject) ? 'everything' : this.#seenWith(undefined, subject, book)
      sight = { own, asked: new Map() }
      ofBook.set(subject, sight)
    }
    return sight
  }

  /** `asked`: as in generatedLabels. */
  #seenWith(asked: readonly string[] | undefined, subject: Subject, book: LabelBook): Seen {
    const auths = [...book.ordinalsOf(subject)].flatMap((ordinal) => book.labelOf(ordinal) ?? [])
    const labels = generatedLabels(this.#parts.settings.generators, asked, auths)
    const ordinals = labels.flatMap((label) => book.ordinalOf(label) ?? [])
    return { visibility: { kind: 'labels', ordinals: [...new Set(ordinals)] }, familiesOnDemand: false }
  }
}
