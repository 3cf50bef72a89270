import { HBaseError } from '../../../../model/errors.ts'
import type { MutationOptions } from '../../../../model/mutation.ts'
import { visibilityTags } from '../../../../model/visibility.ts'
import { accessDenied } from '../../access/denials.ts'
import type { Subject } from '../../access/permissions/subject.ts'
import type { LabelBook } from '../label-book.ts'
import { termsOf } from './expand-expression.ts'
import { parseExpression } from './expression-parser.ts'

const INVALID_LABEL = 'org.apache.hadoop.hbase.security.visibility.InvalidLabelException'

/** The most bytes of tags for one request: short expressions may make large tags. */
const REQUEST_BYTES_MAX = 4 * 1024 * 1024

/** Makes the tags of expressions, once for each expression. HBase: VisibilityUtils.createVisibilityExpTags. */
export class ExpressionTags {
  readonly #book: LabelBook
  readonly #subject: Subject | undefined
  readonly #auths: ReadonlySet<number>
  readonly #known = new Map<string, Buffer>()
  readonly #knownOptions = new Map<MutationOptions, MutationOptions>()
  #bytes = 0

  /** `checked`: the user who must be allowed to see the labels; undefined: any label may be written. */
  constructor(book: LabelBook, checked: Subject | undefined) {
    this.#book = book
    this.#subject = checked
    this.#auths = checked === undefined ? new Set() : book.ordinalsOf(checked)
  }

  /** Bytes of the tags so far. */
  get bytes(): number {
    return this.#bytes
  }

  /** The options with the tags of an expression. Mutations with shared options still share them. Throws like tagsOf. */
  added(options: MutationOptions, expression: string): MutationOptions {
    const known = this.#knownOptions.get(options)
    if (known !== undefined) return known
    const added = this.tagsOf(expression)
    let { tags } = options
    if (tags === undefined) tags = added
    else {
      this.#take(tags.length + added.length)
      tags = Buffer.concat([tags, added])
    }
    const made = { ...options, tags }
    this.#knownOptions.set(options, made)
    return made
  }

  /** Counts bytes of tags: a hundred letters may make 64 KB of tags. Throws TOO_LARGE. */
  #take(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes <= REQUEST_BYTES_MAX) return
    throw new HBaseError(
      'TOO_LARGE',
      `the tags of the visibility expressions of one request exceed ${REQUEST_BYTES_MAX} bytes: ` +
        'send fewer mutations together, or shorter expressions',
    )
  }

  /** The tags of an expression. Throws DO_NOT_RETRY for an unknown label and for bytes that are no expression, ACCESS_DENIED, TOO_LARGE. */
  tagsOf(expression: string): Buffer {
    const known = this.#known.get(expression)
    if (known !== undefined) return known
    const terms = termsOf(parseExpression(expression)).map((term) =>
      term.map(({ label, isNegated }) => (isNegated ? -this.#ordinal(label) : this.#ordinal(label))),
    )
    const tags = visibilityTags(terms)
    this.#take(tags.length)
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
