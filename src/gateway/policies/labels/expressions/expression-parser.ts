/**
 * Reads visibility expressions: labels joined by `&` and `|` from left to right without precedence, `!` before a label or a
 * parenthesis, and double quotes around labels of any characters. HBase: ExpressionParser, with the same stack, which decides
 * which faults are found, and where.
 */

import { HBaseError } from '../../../../model/errors.ts'
import { javaTrim } from '../../../../wire/text/java-trim.ts'
import type { LabelExpression } from './label-expression.ts'

/** The most labels in one expression. HBase has no limit, and may overflow its stack. */
export const EXPRESSION_LABELS_MAX = 1000

const [OPEN, CLOSE, AND, OR, NOT, SPACE, QUOTE, ESCAPE] = [0x28, 0x29, 0x26, 0x7c, 0x21, 0x20, 0x22, 0x5c]
/** The bytes of labels without quotes. HBase: VisibilityLabelsValidator. */
const LABEL_BYTES: ReadonlySet<number> = new Set(
  Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-:./'),
)
const ENDS_LABEL: ReadonlySet<number> = new Set([OPEN, CLOSE, AND, OR, NOT, SPACE])

interface Leaf {
  readonly kind: 'label'
  readonly label: string
}

interface Branch {
  readonly kind: 'not' | 'and' | 'or'
  readonly members: Node[]
}

interface Parenthesis {
  readonly kind: 'open'
}

type Node = Leaf | Branch
type Entry = Node | Parenthesis

/**
 * Throws DO_NOT_RETRY with HBase's message. HBase wraps its ParseException in a plain IOException, for which clients retry in vain.
 */
export function parseExpression(text: string): LabelExpression {
  return new ExpressionParser(javaTrim(text)).parse()
}

class ExpressionParser {
  readonly #text: string
  readonly #bytes: Buffer
  readonly #stack: Entry[] = []
  #at = 0
  #labels = 0

  constructor(text: string) {
    this.#text = text
    this.#bytes = Buffer.from(text)
  }

  parse(): LabelExpression {
    while (this.#at < this.#bytes.length) {
      this.#step()
      this.#at++
    }
    const [top] = this.#stack
    if (this.#stack.length !== 1 || top === undefined || top.kind === 'open' || !isWhole(top))
      throw parseError(`Error parsing expression ${this.#text}`)
    return expressionOf(top)
  }

  /** Reads a token. Ends at its last byte. */
  #step(): void {
    const byte = this.#bytes[this.#at]!
    switch (byte) {
      case OPEN:
        this.#open()
        break
      case CLOSE:
        this.#close()
        break
      case AND:
      case OR:
        this.#join(byte === AND ? 'and' : 'or')
        break
      case NOT:
        // No space may follow.
        this.#negate()
        return
      case QUOTE:
        this.#label(this.#quotedLabel())
        break
      default:
        this.#label(this.#plainLabel())
        this.#at--
    }
    while (this.#bytes[this.#at + 1] === SPACE) this.#at++
  }

  #quotedLabel(): string {
    const bytes = this.#bytes
    const label: number[] = []
    for (this.#at++; this.#at < bytes.length && bytes[this.#at] !== QUOTE; this.#at++) {
      if (bytes[this.#at] === ESCAPE) {
        const escaped = bytes[++this.#at]
        if (escaped !== ESCAPE && escaped !== QUOTE)
          throw parseError(`invalid escaping with quotes ${this.#text} at column : ${this.#at}`)
      }
      label.push(bytes[this.#at]!)
    }
    if (this.#at >= bytes.length)
      throw parseError(`No terminating quotes ${this.#text} at column : ${this.#at}`)
    return javaTrim(Buffer.from(label).toString())
  }

  #plainLabel(): string {
    const bytes = this.#bytes
    const start = this.#at
    do {
      if (!LABEL_BYTES.has(bytes[this.#at]!)) throw this.#fault()
      this.#at++
    } while (this.#at < bytes.length && !ENDS_LABEL.has(bytes[this.#at]!))
    return bytes.toString('latin1', start, this.#at)
  }

  #label(label: string): void {
    if (label === '') throw this.#fault()
    if (++this.#labels > EXPRESSION_LABELS_MAX)
      throw new HBaseError(
        'TOO_LARGE',
        `a visibility expression names more than ${EXPRESSION_LABELS_MAX} labels`,
      )
    const leaf: Leaf = { kind: 'label', label }
    const top = this.#stack.at(-1)
    if (top === undefined || top.kind === 'open') this.#stack.push(leaf)
    else if (top.kind === 'label') throw this.#fault()
    else {
      top.members.push(leaf)
      if (top.kind === 'not') this.#takeNegation()
    }
  }

  /** A negation that has its member becomes a member of the node below it. */
  #takeNegation(): void {
    const below = this.#stack.at(-2)
    if (below === undefined || below.kind === 'open' || below.kind === 'label') return
    below.members.push(this.#stack.pop() as Branch)
  }

  #negate(): void {
    const top = this.#stack.at(-1)
    const isBad =
      top !== undefined && top.kind !== 'open' && (isSingle(top) || (top as Branch).members.length !== 1)
    if (isBad) throw this.#fault()
    this.#stack.push({ kind: 'not', members: [] })
  }

  #join(kind: 'and' | 'or'): void {
    const top = this.#stack.pop()
    if (top === undefined || top.kind === 'open' || !isWhole(top)) throw this.#fault()
    this.#stack.push({ kind, members: [top] })
  }

  #open(): void {
    const top = this.#stack.at(-1)
    if (top?.kind === 'label') throw this.#fault()
    if (top !== undefined && top.kind !== 'open' && top.members.length !== (top.kind === 'not' ? 0 : 1))
      throw this.#fault()
    this.#stack.push({ kind: 'open' })
  }

  #close(): void {
    // HBase's exception has no message in this case.
    if (this.#stack.length < 2) throw parseError()
    const top = this.#stack.pop()!
    const below = this.#stack.pop()!
    if (top.kind === 'open' || below.kind !== 'open' || !isWhole(top)) throw this.#fault()
    const outer = this.#stack.at(-1)
    if (outer === undefined || outer.kind === 'open' || outer.kind === 'label') {
      this.#stack.push(top)
      return
    }
    outer.members.push(top)
    if (outer.kind === 'not') this.#takeNegation()
  }

  #fault(): HBaseError {
    return parseError(`Error parsing expression ${this.#text} at column : ${this.#at}`)
  }
}

function isSingle({ kind }: Node): boolean {
  return kind === 'label' || kind === 'not'
}

/** Whether the node has all its members. */
function isWhole(node: Node): boolean {
  if (node.kind === 'label') return true
  return node.members.length === (node.kind === 'not' ? 1 : 2)
}

function expressionOf(node: Node): LabelExpression {
  if (node.kind === 'label') return node
  const members = node.members.map(expressionOf)
  return node.kind === 'not' ? { kind: 'not', member: members[0]! } : { kind: node.kind, members }
}

function parseError(message?: string): HBaseError {
  const javaClass = 'org.apache.hadoop.hbase.security.visibility.ParseException'
  return new HBaseError('DO_NOT_RETRY', message === undefined ? javaClass : `${javaClass}: ${message}`)
}
