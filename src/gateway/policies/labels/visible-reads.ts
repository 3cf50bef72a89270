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

/** The changed parts of a read. HBase's label filter sees every family, so that no family is read on demand. */
type Seen = Pick<Scan, 'visibility' | 'familiesOnDemand'>

/** The labels by which one user sees cells. */
interface Sight {
  /** The labels of reads that name none; `everything`: the user has the label `system`. */
  readonly own: Seen | 'everything'
  /** The labels of reads that name some, by the bytes of their attribute as latin1 text: decoding these would take longer than reading a row. */
  readonly asked: Map<string, Seen>
}

const ASKED_MAX = 100
const ASKED_BYTES_MAX = 1024

/** Limits reads to cells that the labels of their user show. HBase: VisibilityController, as an observer of regions. */
export class VisibleReads {
  readonly #parts: VisibleReadsParts
  /** The sights by book and subject. Each change of labels makes another book, and each change of groups other subjects, so that no entry is outdated. */
  readonly #known = new WeakMap<LabelBook, WeakMap<Subject, Sight>>()

  constructor(parts: VisibleReadsParts) {
    this.#parts = parts
  }

  /** The limited reads: at once where the labels need not be read. Throws or rejects like authorizationsIn. */
  limited<Read extends Get | Scan>(
    target: Target,
    reads: readonly Read[],
    call: Call,
  ): readonly Read[] | Promise<readonly Read[]> {
    const table = targetTable(target)
    if (call.isOwn) return reads
    // All users must be able to find regions.
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

  /** `asked`: see generatedLabels. */
  #seenWith(asked: readonly string[] | undefined, subject: Subject, book: LabelBook): Seen {
    const auths = [...book.ordinalsOf(subject)].flatMap((ordinal) => book.labelOf(ordinal) ?? [])
    const labels = generatedLabels(this.#parts.settings.generators, asked, auths)
    const ordinals = labels.flatMap((label) => book.ordinalOf(label) ?? [])
    return { visibility: { kind: 'labels', ordinals: [...new Set(ordinals)] }, familiesOnDemand: false }
  }
}
