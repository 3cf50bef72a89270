import { CodePointSet, NO_CODE_POINTS } from './code-point-set.ts'
import type {
  AssertionNode,
  BackReferenceNode,
  GroupNode,
  LookBehindNode,
  PatternNode,
  RepeatNode,
} from './pattern-node.ts'
import type { ParsedPattern } from './pattern-parser.ts'
import { isOptional, isRepeatedOnce } from './pattern-study.ts'
import { VERTICAL_SPACE } from './predefined-classes.ts'

/**
 * The kinds of instructions; `slot` and the like are their operands. The next instruction follows unless the kind says
 * otherwise.
 */
export const Op = {
  /** The pattern has matched. */
  Match: 0,
  /** Takes one code point of `set`. */
  Take: 1,
  /** Takes `min` to `max` code points of `set`, in the way of `mode`. */
  TakeMany: 2,
  Jump: 3,
  /** Goes on; `target` is the second choice. */
  Try: 4,
  /** Goes to `target`; going on is the second choice. */
  TryLater: 5,
  /** slots[slot] = the position. */
  Mark: 6,
  /** The group that began at slots[slot] ends: capture number `min` is set. */
  Capture: 7,
  Assert: 8,
  BackReference: 9,
  GraphemeCluster: 10,
  /** slots[slot] = the height of the stack. */
  Fence: 11,
  /** Forgets all choices since the fence. */
  Cut: 12,
  /** Cut, and back to the position at slots[slot + 1]. */
  CutBack: 13,
  /** Forgets all choices since the fence, and fails. */
  CutFail: 14,
  /** Tries the positions before this one that a look-behind may begin at. */
  Behind: 15,
  /** Fails elsewhere than at the position at slots[slot + 1]. */
  BehindEnd: 16,
  /** slots[slot] = 0. */
  Zero: 17,
  /** A loop's body begins: counts in slots[slot], position to slots[slot + 1]. */
  Enter: 18,
  /** A loop's body has matched: goes round to `target`, or on. */
  Loop: 19,
  /** Decides whether a loop of which each round matches in one way only goes another round or to `target`. */
  Round: 20,
  /** The end of such a round: back to `target`; on where it took nothing. */
  RoundEnd: 21,
} as const

export interface Instruction {
  readonly op: number
  readonly set: CodePointSet
  readonly slot: number
  readonly min: number
  readonly max: number
  readonly mode: RepeatNode['mode']
  target: number
  readonly assertion: AssertionNode | undefined
  readonly backReference: BackReferenceNode | undefined
  readonly lookBehind: LookBehindNode | undefined
}

/** Slots 2n and 2n + 1 are begin and end of capture n; the others are the matcher's own. */
export interface BacktrackProgram {
  readonly instructions: readonly Instruction[]
  readonly slotCount: number
  /** How many slots, the first ones, belong to captures. */
  readonly captureSlotCount: number
}

export function compileProgram(pattern: ParsedPattern): BacktrackProgram {
  const captureSlotCount = 2 * (pattern.captureCount + 1)
  const compiler = new ProgramCompiler(captureSlotCount)
  compiler.compile(pattern.root)
  compiler.emit(Op.Match)
  return { instructions: compiler.instructions, slotCount: compiler.slotCount, captureSlotCount }
}

type Operands = Partial<Omit<Instruction, 'op'>>

class ProgramCompiler {
  readonly instructions: Instruction[] = []
  slotCount: number

  constructor(slotCount: number) {
    this.slotCount = slotCount
  }

  emit(op: number, operands: Operands = {}): Instruction {
    // One shape for all instructions keeps the matcher fast.
    const instruction: Instruction = {
      op,
      set: operands.set ?? NO_CODE_POINTS,
      slot: operands.slot ?? 0,
      min: operands.min ?? 0,
      max: operands.max ?? 0,
      mode: operands.mode ?? 'greedy',
      target: operands.target ?? 0,
      assertion: operands.assertion,
      backReference: operands.backReference,
      lookBehind: operands.lookBehind,
    }
    this.instructions.push(instruction)
    return instruction
  }

  compile(node: PatternNode): void {
    switch (node.kind) {
      case 'characters':
        this.emit(Op.Take, { set: node.set })
        return
      case 'sequence':
        for (const item of node.items) this.compile(item)
        return
      case 'alternatives':
        return this.#alternatives(node.items)
      case 'group':
        return this.#group(node)
      case 'repeat':
        return this.#repeat(node)
      case 'atomic':
        return this.#once(() => this.compile(node.item))
      case 'lookAhead':
        return this.#lookAhead(node.item, node.negative)
      case 'lookBehind':
        return this.#lookBehind(node)
      case 'backReference':
        this.emit(Op.BackReference, { backReference: node })
        return
      case 'assertion':
        this.emit(Op.Assert, { assertion: node })
        return
      case 'lineBreak':
        return this.#alternatives([CARRIAGE_RETURN_LINE_FEED, { kind: 'characters', set: VERTICAL_SPACE }])
      case 'graphemeCluster':
        this.emit(Op.GraphemeCluster)
    }
  }

  get #here(): number {
    return this.instructions.length
  }

  #slots(count: number): number {
    this.slotCount += count
    return this.slotCount - count
  }

  #alternatives(items: readonly PatternNode[]): void {
    const jumps: Instruction[] = []
    for (const [at, item] of items.entries()) {
      if (at === items.length - 1) {
        this.compile(item)
        break
      }
      const choice = this.emit(Op.Try)
      this.compile(item)
      jumps.push(this.emit(Op.Jump))
      choice.target = this.#here
    }
    for (const jump of jumps) jump.target = this.#here
  }

  #group(node: GroupNode): void {
    this.#captured(node.capture, () => this.compile(node.item))
  }

  #captured(capture: number | undefined, compileItem: () => void): void {
    if (capture === undefined) return compileItem()
    const slot = this.#slots(1)
    this.emit(Op.Mark, { slot })
    compileItem()
    this.emit(Op.Capture, { slot, min: capture })
  }

  /** Compiles an item that matches in one way only: the matcher does not go back into it. */
  #once(compileItem: () => void): void {
    const slot = this.#slots(1)
    this.emit(Op.Fence, { slot })
    compileItem()
    this.emit(Op.Cut, { slot })
  }

  #lookAhead(item: PatternNode, negative: boolean): void {
    const slot = this.#slots(2)
    this.emit(Op.Fence, { slot })
    if (negative) {
      const choice = this.emit(Op.Try)
      this.compile(item)
      this.emit(Op.CutFail, { slot })
      choice.target = this.#here
    } else {
      this.emit(Op.Mark, { slot: slot + 1 })
      this.compile(item)
      this.emit(Op.CutBack, { slot })
    }
  }

  #lookBehind(node: LookBehindNode): void {
    const slot = this.#slots(2)
    this.emit(Op.Fence, { slot })
    this.emit(Op.Mark, { slot: slot + 1 })
    const choice = node.negative ? this.emit(Op.Try) : undefined
    this.emit(Op.Behind, { lookBehind: node })
    this.compile(node.item)
    this.emit(Op.BehindEnd, { slot })
    this.emit(node.negative ? Op.CutFail : Op.Cut, { slot })
    if (choice !== undefined) choice.target = this.#here
  }

  #repeat(node: RepeatNode): void {
    if (node.item.kind === 'characters') {
      const { min, max, mode } = node
      this.emit(Op.TakeMany, { set: node.item.set, min, max, mode })
    } else if (node.item.kind === 'group' && isOptional(node) && node.mode !== 'possessive') {
      const choice = this.emit(node.mode === 'greedy' ? Op.Try : Op.TryLater)
      this.compile(node.item)
      choice.target = this.#here
    } else if (node.mode === 'possessive') {
      this.#once(() => this.#rounds(node))
    } else if (isRepeatedOnce(node)) {
      this.#rounds(node)
    } else {
      this.#loop(node)
    }
  }

  #rounds(node: RepeatNode): void {
    const { item, min, max, mode } = node
    const slot = this.#slots(2)
    this.emit(Op.Zero, { slot })
    const begin = this.#here
    const round = this.emit(Op.Round, { slot, min, max, mode })
    this.emit(Op.Enter, { slot })
    const compileItem = (): void => this.#once(() => this.compile(item.kind === 'group' ? item.item : item))
    this.#captured(item.kind === 'group' ? item.capture : undefined, compileItem)
    this.emit(Op.RoundEnd, { slot, min, mode, target: begin })
    round.target = this.#here
  }

  #loop(node: RepeatNode): void {
    const { item, min, max, mode } = node
    const slot = this.#slots(2)
    this.emit(Op.Zero, { slot })
    const isLazy = mode === 'reluctant'
    const first = max === 0 ? Op.Jump : isLazy ? Op.TryLater : Op.Try
    const choice = min === 0 ? this.emit(first) : undefined
    const enter = this.#here
    this.emit(Op.Enter, { slot })
    this.compile(item)
    this.emit(Op.Loop, { slot, min, max, mode, target: enter })
    if (choice !== undefined) choice.target = this.#here
  }
}

const CARRIAGE_RETURN_LINE_FEED: PatternNode = {
  kind: 'sequence',
  items: [0x0d, 0x0a].map((codePoint) => ({ kind: 'characters', set: CodePointSet.of(codePoint) })),
}
