import { HBaseError } from '../../model/errors.ts'
import { visibilityTags } from '../../model/visibility.ts'
import { accessDenied } from '../access/denials.ts'
import type { Subject } from '../access/subject.ts'
import { termsOf } from './expand-expression.ts'
import { parseExpression } from './expression-parser.ts'
import type { LabelBook } from './label-book.ts'

const INVALID_LABEL = 'org.apache.hadoop.hbase.security.visibility.InvalidLabelException'

/** Makes tags of expressions, each once. HBase: VisibilityUtils.createVisibilityExpTags. */
export class ExpressionTags {
  readonly #book: LabelBook
  readonly #subject: Subject | undefined
  readonly #auths: ReadonlySet<number>
  readonly #known = new Map<string, Buffer>()

  /** `checked`: he must be allowed to see the labels; undefined: anybody may write any of them. */
  constructor(book: LabelBook, checked: Subject | undefined) {
    this.#book = book
    this.#subject = checked
    this.#auths = checked === undefined ? new Set() : book.ordinalsOf(checked)
  }

  /** Throws DO_NOT_RETRY for an unknown label and for bytes that are no expression, ACCESS_DENIED, TOO_LARGE. */
  of(expression: string): Buffer {
    const known = this.#known.get(expression)
    if (known !== undefined) return known
    const terms = termsOf(parseExpression(expression)).map((term) =>
      term.map(({ label, isNegated }) => (isNegated ? -this.#ordinal(label) : this.#ordinal(label))),
    )
    const tags = visibilityTags(terms)
    this.#known.set(expression, tags)
    return tags
  }

  #ordinal(label: string): number {
    const ordinal = this.#book.ordinalOf(label)
    const subject = this.#subject
    if (subject !== undefined && (ordinal === undefined || !this.#auths.has(ordinal)))
      throw accessDenied(`Visibility label ${label} not authorized for the user ${subject.user ?? 'null'}`)
    if (ordinal !== undefined) return ordinal
    throw new HBaseError('DO_NOT_RETRY', `Invalid visibility label ${label}`, { javaClass: INVALID_LABEL })
  }
}
