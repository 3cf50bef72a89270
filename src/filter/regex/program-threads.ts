import type { Program } from './re2-internals.ts'

/** RE2's instructions. */
const Op = {
  Alt: 1,
  AltMatch: 2,
  Capture: 3,
  EmptyWidth: 4,
  Match: 6,
  Nop: 7,
  Rune: 8,
  Rune1: 9,
  RuneAny: 10,
  RuneAnyNotNewLine: 11,
} as const

/** RE2's flags of a position. */
const BEGIN_LINE = 1
const END_LINE = 2
const BEGIN_TEXT = 4
const END_TEXT = 8
const WORD_BOUNDARY = 16
const NO_WORD_BOUNDARY = 32

const LINE_FEED = 10
const NO_RUNE = -1

/** Follows all ways through a program at once, without captures. */
export class ProgramThreads {
  /** Undefined until the search is over. */
  found: boolean | undefined
  readonly #program: Program
  /** The instructions' fields, as an array of objects takes twice as long to read. */
  readonly #ops: Uint8Array
  readonly #outs: Uint32Array
  readonly #args: Int32Array
  readonly #text: string
  readonly #whole: boolean
  #position = 0
  #before = NO_RUNE
  /** Instructions that follow the last code point, in any order. */
  readonly #targets: number[] = []
  /** Instructions that take the next code point, or match. */
  readonly #closed: number[] = []
  /** For each instruction, the last generation that met it. */
  readonly #met: Uint32Array
  #generation = 0
  readonly #stack: number[] = []

  constructor(program: Program, text: string, whole: boolean) {
    this.#program = program
    this.#text = text
    this.#whole = whole
    const count = program.numInst()
    this.#met = new Uint32Array(count)
    this.#ops = Uint8Array.from({ length: count }, (_, pc) => program.getInst(pc).op)
    this.#outs = Uint32Array.from({ length: count }, (_, pc) => program.getInst(pc).out)
    this.#args = Int32Array.from({ length: count }, (_, pc) => program.getInst(pc).arg)
  }

  /** Takes one code point. Returns how many instructions it looked at. */
  step(): number {
    const here = this.#text.codePointAt(this.#position) ?? NO_RUNE
    const flags = flagsBetween(this.#before, here)
    const targets = this.#targets
    const closed = this.#closed
    let looked = 1
    this.#generation++
    closed.length = 0
    for (const pc of targets) looked += this.#close(pc, flags)
    if (!this.#whole || this.#position === 0) looked += this.#close(this.#program.start, flags)
    targets.length = 0
    looked += this.#take(here)
    const isOver = here === NO_RUNE || (this.#whole && targets.length === 0)
    if (isOver) this.found ??= false
    this.#before = here
    this.#position += here > 0xffff ? 2 : 1
    return looked
  }

  /** Finds the instructions that take a code point, or match, and that an instruction leads to without one. */
  #close(from: number, flags: number): number {
    const stack = this.#stack
    let looked = 0
    stack.push(from)
    while (stack.length > 0) {
      const pc = stack.pop()!
      if (pc === 0 || this.#met[pc] === this.#generation) continue
      this.#met[pc] = this.#generation
      looked++
      const op = this.#ops[pc]!
      const out = this.#outs[pc]!
      const arg = this.#args[pc]!
      if (op === Op.Alt || op === Op.AltMatch) stack.push(arg, out)
      else if (op === Op.Nop || op === Op.Capture) stack.push(out)
      else if (op === Op.EmptyWidth) {
        if ((arg & ~flags) === 0) stack.push(out)
      } else if (op >= Op.Match) this.#closed.push(pc)
    }
    return looked
  }

  #take(here: number): number {
    for (const pc of this.#closed) {
      const op = this.#ops[pc]!
      if (op === Op.Match) {
        if (!this.#whole || here === NO_RUNE) this.found = true
      } else if (here !== NO_RUNE && this.#takes(pc, op, here)) this.#targets.push(this.#outs[pc]!)
    }
    return this.#closed.length
  }

  #takes(pc: number, op: number, rune: number): boolean {
    if (op === Op.RuneAny) return true
    if (op === Op.RuneAnyNotNewLine) return rune !== LINE_FEED
    return this.#program.getInst(pc).matchRune(rune)
  }
}

function flagsBetween(before: number, here: number): number {
  let flags = isWord(before) === isWord(here) ? NO_WORD_BOUNDARY : WORD_BOUNDARY
  if (before === NO_RUNE) flags |= BEGIN_TEXT | BEGIN_LINE
  else if (before === LINE_FEED) flags |= BEGIN_LINE
  if (here === NO_RUNE) flags |= END_TEXT | END_LINE
  else if (here === LINE_FEED) flags |= END_LINE
  return flags
}

function isWord(rune: number): boolean {
  const isLetter = (rune >= 0x61 && rune <= 0x7a) || (rune >= 0x41 && rune <= 0x5a)
  return isLetter || (rune >= 0x30 && rune <= 0x39) || rune === 0x5f
}
