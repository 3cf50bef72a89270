import { CODE_POINT_MAX, type CodePointSet } from './code-point-set.ts'
import type { AssertionNode, PatternNode, RepeatNode } from './pattern-node.ts'
import { REPEAT_MAX } from './pattern-node.ts'
import { isRepeatedOnce } from './pattern-study.ts'
import { VERTICAL_SPACE } from './predefined-classes.ts'

/** A pattern in RE2's syntax that finds what the Java pattern finds; captures are left out. */
export interface LinearPattern {
  readonly text: string
  /** Whether the pattern holds for US-ASCII text only: RE2's words are made of US-ASCII, Java's of all letters. */
  readonly asciiOnly: boolean
  /** The line terminators at the text's end without which the text must be tried too. */
  readonly finalTerminator: 'none' | 'any' | 'lineFeed'
}

/** RE2 repeats no more often. */
const LINEAR_REPEAT_MAX = 1000
/** Characters of a pattern, and ten for each class: longer patterns are left to backtracking. */
export const LINEAR_SIZE_MAX = 100_000
const CLASS_SIZE = 10
/** Characters and classes that repetitions write out: each slows RE2 down on every text, but backtracking not at all. */
export const LINEAR_REPEATED_MAX = 1000

/** undefined: RE2 cannot express the pattern, or not within these bounds. */
export function linearPattern(root: PatternNode): LinearPattern | undefined {
  const printer = new LinearPrinter()
  const text = printer.print(root, true)
  if (text === undefined || printer.size > LINEAR_SIZE_MAX) return undefined
  if (printer.repeated > LINEAR_REPEATED_MAX) return undefined
  // Without the final terminator \z would hold too early.
  const { hasEnd, finalTerminators, asciiOnly } = printer
  if (finalTerminators.size > 1 || (finalTerminators.size === 1 && hasEnd)) return undefined
  const [finalTerminator = 'none'] = finalTerminators
  return { text, asciiOnly, finalTerminator }
}

class LinearPrinter {
  asciiOnly = false
  hasEnd = false
  size = 0
  repeated = 0
  readonly finalTerminators: Set<'any' | 'lineFeed'> = new Set()
  #repetitions = 1

  /** `isLast`: nothing that takes characters follows. undefined: RE2 has nothing like it. */
  print(node: PatternNode, isLast: boolean): string | undefined {
    switch (node.kind) {
      case 'characters':
        return this.#characters(node.set)
      case 'lineBreak':
        return `(?:\\r\\n|${this.#characters(VERTICAL_SPACE)})`
      case 'sequence':
        return this.#sequence(node.items, isLast)
      case 'alternatives':
        return this.#alternatives(node.items, isLast)
      case 'group':
        return this.print(node.item, isLast)
      case 'repeat':
        return this.#repeat(node, isLast)
      case 'assertion':
        return this.#assertion(node, isLast)
      case 'atomic':
      case 'backReference':
      case 'graphemeCluster':
      case 'lookAhead':
      case 'lookBehind':
        return undefined
    }
  }

  #characters(set: CodePointSet): string {
    const { ranges } = set
    const isSingle = ranges.length === 2 && ranges[0] === ranges[1]
    this.size += this.#repetitions * (isSingle ? 1 : CLASS_SIZE)
    if (this.#repetitions > 1) this.repeated += this.#repetitions
    if (ranges.length === 0) return `[^\\x{0}-\\x{${CODE_POINT_MAX.toString(16)}}]`
    if (ranges.length === 2 && ranges[0] === 0 && ranges[1] === CODE_POINT_MAX) return '(?s:.)'
    if (isSingle) return codePointText(ranges[0]!)
    let text = ''
    for (let at = 0; at < ranges.length; at += 2)
      text += `${codePointText(ranges[at]!)}-${codePointText(ranges[at + 1]!)}`
    return `[${text}]`
  }

  #sequence(items: readonly PatternNode[], isLast: boolean): string | undefined {
    let lastTaking = items.length - 1
    while (lastTaking >= 0 && items[lastTaking]!.kind === 'assertion') lastTaking--
    let text = ''
    for (const [at, item] of items.entries()) {
      const printed = this.print(item, isLast && at >= lastTaking)
      if (printed === undefined) return undefined
      text += printed
    }
    return text
  }

  #alternatives(items: readonly PatternNode[], isLast: boolean): string | undefined {
    const texts: string[] = []
    for (const item of items) {
      const printed = this.print(item, isLast)
      if (printed === undefined) return undefined
      texts.push(printed)
    }
    return `(?:${texts.join('|')})`
  }

  #repeat(node: RepeatNode, isLast: boolean): string | undefined {
    const { item, min, max } = node
    if (node.mode === 'possessive' || min > LINEAR_REPEAT_MAX) return undefined
    if (max !== REPEAT_MAX && max > LINEAR_REPEAT_MAX) return undefined
    // Java does not go back into a line break that is repeated.
    if (contains(item, 'lineBreak')) return undefined
    // Java ends a loop at an iteration that takes nothing, even below its minimum.
    if (min > 1 && contains(item, 'assertion') && !isRepeatedOnce(node)) return undefined
    const outer = this.#repetitions
    this.#repetitions *= Math.max(min, max === REPEAT_MAX ? 1 : max)
    const printed = this.print(item, isLast && max === 1)
    this.#repetitions = outer
    if (printed === undefined || printed === '') return printed
    return `(?:${printed})${quantifier(min, max)}`
  }

  #assertion(node: AssertionNode, isLast: boolean): string | undefined {
    switch (node.assertion) {
      case 'begin':
        return '\\A'
      case 'end':
        this.hasEnd = true
        return '\\z'
      case 'endOrFinalTerminator':
        this.finalTerminators.add(node.unixLines ? 'lineFeed' : 'any')
        return isLast ? '\\z' : undefined
      case 'lineEnd':
        return node.unixLines ? '(?m:$)' : undefined
      case 'wordBoundary':
        this.asciiOnly = true
        return '\\b'
      case 'notWordBoundary':
        this.asciiOnly = true
        return '\\B'
      case 'lineBegin':
      case 'graphemeBoundary':
        return undefined
    }
  }
}

function contains(node: PatternNode, kind: PatternNode['kind']): boolean {
  if (node.kind === kind) return true
  if ('items' in node) return node.items.some((item) => contains(item, kind))
  return 'item' in node && contains(node.item, kind)
}

function codePointText(codePoint: number): string {
  const character = String.fromCodePoint(codePoint)
  return /^[0-9A-Za-z]$/.test(character) ? character : `\\x{${codePoint.toString(16)}}`
}

function quantifier(min: number, max: number): string {
  if (max !== REPEAT_MAX) return `{${min},${max}}`
  return min === 0 ? '*' : `{${min},}`
}
