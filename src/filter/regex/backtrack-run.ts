import { Turn } from '../turns/turn.ts'
import { STEPS_A_LOOK, stepsFor, TAKEN_A_LOOK, tooLong, UNITS_A_STEP } from './backtrack-limits.ts'
import { type BacktrackProgram, type Instruction, Op } from './backtrack-program.ts'
import { ChoiceStack, PLAIN } from './choice-stack.ts'
import type { CodePointSet } from './code-point-set.ts'
import type { BackReferenceNode, LookBehindNode } from './pattern-node.ts'
import type { SearchBudget } from './search-budget.ts'
import { graphemeEnd, holds, isRepeated, positionBefore, positionsBefore } from './text-assertion.ts'

/**
 * Runs a program on a text from one position on, by trying one choice after the other, without recursion and with a limit of steps.
 * Captures that a look-around or an atomic group has set stay set after it, as in Java.
 */
export class BacktrackRun {
  readonly #program: BacktrackProgram
  readonly #slots: Int32Array
  readonly #choices = new ChoiceStack()
  #text = ''
  #position = 0
  #next = 0
  /** Steps that the search may take; the row's other searches may have left it less than a text has. */
  #steps = 0
  #stepsLeft = 0
  #turn = new Turn()
  /** The steps left at which the turn is looked at again. */
  #lookAt = 0
  /** How far a TakeMany had come when it paused. */
  #takenOfMany = 0
  #leastOfMany = 0

  constructor(program: BacktrackProgram) {
    this.#program = program
    this.#slots = new Int32Array(program.slotCount)
  }

  /** Before the runs of a search. */
  begin(text: string, budget: SearchBudget): void {
    this.#text = text
    this.#turn = budget.turn
    this.#slots.fill(-1)
    this.#steps = Math.min(stepsFor(text), budget.stepsFor(text))
    this.#stepsLeft = this.#steps
    this.#lookAt = this.#steps - STEPS_A_LOOK
    this.#takenOfMany = 0
  }

  /** Before a run. */
  beginAt(position: number): void {
    this.#position = position
    this.#next = 0
    this.#choices.height = 0
  }

  /** After the runs of a search. */
  end(budget: SearchBudget): void {
    budget.spend(this.#steps - this.#stepsLeft)
    this.#text = ''
    this.#choices.shrink()
  }

  /** After a run that has matched: where the match ends. */
  get position(): number {
    return this.#position
  }

  /** After a run that has matched: begin and end of each group, from the second pair on; -1 where a group took no part. */
  captures(): Int32Array {
    return this.#slots.slice(0, this.#program.captureSlotCount)
  }

  /** Pauses where the turn is over: the search goes on with the next instruction. */
  look(): void {
    if (this.#stepsLeft >= this.#lookAt) return
    this.#lookAt = this.#stepsLeft - STEPS_A_LOOK
    this.#turn.spend(STEPS_A_LOOK * UNITS_A_STEP)
  }

  /** Whether the text matches at the position. */
  run(whole: boolean): boolean {
    const { instructions } = this.#program
    for (;;) {
      this.look()
      this.spend(1)
      const instruction = instructions[this.#next++]!
      if (instruction.op === Op.Match) {
        if (!whole || this.#position === this.#text.length) return true
      } else if (this.#execute(instruction)) {
        continue
      }
      if (!this.#backtrack()) return false
    }
  }

  /** Throws DO_NOT_RETRY where the search takes too many. */
  spend(steps: number): void {
    this.#stepsLeft -= steps
    if (this.#stepsLeft >= 0) return
    throw tooLong('steps', this.#steps, this.#steps < stepsFor(this.#text) ? 'row' : 'text')
  }

  /** Executes one instruction; false: it fails. */
  #execute(it: Instruction): boolean {
    switch (it.op) {
      case Op.Take:
        return this.#take(it.set)
      case Op.TakeMany:
        return this.#takeMany(it)
      case Op.Jump:
        this.#next = it.target
        return true
      case Op.Try:
        this.#choices.push(it.target, this.#position, PLAIN)
        return true
      case Op.TryLater:
        this.#choices.push(this.#next, this.#position, PLAIN)
        this.#next = it.target
        return true
      case Op.Mark:
        this.#set(it.slot, this.#position)
        return true
      case Op.Capture:
        this.#set(2 * it.min, this.#slots[it.slot]!)
        this.#set(2 * it.min + 1, this.#position)
        return true
      case Op.Assert:
        return holds(it.assertion!, this.#text, this.#position)
      case Op.BackReference:
        return this.#takeReference(it.backReference!)
      case Op.GraphemeCluster:
        return this.#takeGrapheme()
      case Op.Behind:
        return this.#tryBehind(it.lookBehind!)
      case Op.BehindEnd:
        return this.#position === this.#slots[it.slot + 1]
      default:
        return this.#control(it)
    }
  }

  #control(it: Instruction): boolean {
    switch (it.op) {
      case Op.Fence:
        // Not undone: it is set again before it is looked at.
        this.#slots[it.slot] = this.#choices.height
        return true
      case Op.Cut:
        this.#choices.height = this.#slots[it.slot]!
        return true
      case Op.CutBack:
        this.#choices.height = this.#slots[it.slot]!
        this.#position = this.#slots[it.slot + 1]!
        return true
      case Op.CutFail:
        this.#choices.height = this.#slots[it.slot]!
        return false
      case Op.Zero:
        this.#set(it.slot, 0)
        return true
      case Op.Enter:
        this.#set(it.slot, this.#slots[it.slot]! + 1)
        this.#set(it.slot + 1, this.#position)
        return true
      case Op.Loop:
        return this.#loop(it)
      case Op.Round:
        return this.#round(it)
      case Op.RoundEnd:
        return this.#roundEnd(it)
      default:
        throw new Error(`no such instruction: ${it.op}`)
    }
  }

  #take(set: CodePointSet): boolean {
    const codePoint = this.#text.codePointAt(this.#position)
    if (codePoint === undefined || !set.has(codePoint)) return false
    this.#position += codePoint > 0xffff ? 2 : 1
    return true
  }

  #takeMany(it: Instruction): boolean {
    const wanted = it.mode === 'reluctant' ? it.min : it.max
    const pc = this.#next - 1
    let count = this.#takenOfMany
    let least = count === 0 ? this.#position : this.#leastOfMany
    while (count < wanted && this.#take(it.set)) {
      if (++count <= it.min) least = this.#position
      if (count % TAKEN_A_LOOK === 0) {
        this.#takenOfMany = count
        this.#leastOfMany = least
        this.#next = pc
        this.#turn.spendBytes(TAKEN_A_LOOK)
        this.#next = pc + 1
      }
    }
    this.#takenOfMany = 0
    this.spend(count)
    if (count < it.min) return false
    if (it.mode === 'reluctant') {
      if (count < it.max) this.#choices.push(pc, this.#position, count)
    } else if (it.mode === 'greedy' && this.#position > least) {
      this.#choices.push(pc, this.#position, least)
    }
    return true
  }

  /** Another choice of a TakeMany: one less, or where it is reluctant one more. */
  #retakeMany(it: Instruction, progress: number): boolean {
    const pc = this.#next
    this.#next++
    if (it.mode === 'reluctant') {
      if (!this.#take(it.set)) return false
      if (progress + 1 < it.max) this.#choices.push(pc, this.#position, progress + 1)
    } else {
      this.#position = positionBefore(this.#text, this.#position)
      if (this.#position > progress) this.#choices.push(pc, this.#position, progress)
    }
    return true
  }

  #takeReference(node: BackReferenceNode): boolean {
    const begin = this.#slots[2 * node.group] ?? -1
    const end = this.#slots[2 * node.group + 1] ?? -1
    const length = end - begin
    if (begin < 0 || node.group * 2 >= this.#program.captureSlotCount) return false
    if (this.#position + length > this.#text.length) return false
    this.spend(length)
    if (!isRepeated(this.#text, begin, this.#position, length, node.ignoreCase)) return false
    this.#position += length
    return true
  }

  #takeGrapheme(): boolean {
    if (this.#position === this.#text.length) return false
    const end = graphemeEnd(this.#text, this.#position)
    this.spend(end - this.#position)
    this.#position = end
    return true
  }

  #tryBehind(node: LookBehindNode): boolean {
    const here = this.#position
    const text = this.#text
    const isAware = node.isSurrogateAware
    const least = isAware ? positionsBefore(text, here, node.max) : Math.max(0, (here - node.max) | 0)
    const most = isAware ? positionsBefore(text, here, node.min) : here - node.min
    if (most < least) return false
    this.spend(most - least)
    for (let begin = least; begin < most; begin++) this.#choices.push(this.#next, begin, PLAIN)
    this.#position = most
    return true
  }

  #loop(it: Instruction): boolean {
    const count = this.#slots[it.slot]!
    // A round that took nothing ends the loop, even below its minimum.
    if (this.#position === this.#slots[it.slot + 1] || count >= it.max) return true
    if (count < it.min) this.#next = it.target
    else this.#choose(it.target, this.#next, it)
    return true
  }

  /** Tries one more round first, unless the loop is reluctant. */
  #choose(inside: number, outside: number, { mode }: Instruction): void {
    const isReluctant = mode === 'reluctant'
    this.#choices.push(isReluctant ? inside : outside, this.#position, PLAIN)
    this.#next = isReluctant ? outside : inside
  }

  #round(it: Instruction): boolean {
    const count = this.#slots[it.slot]!
    if (count < it.min) return true
    if (count >= it.max) this.#next = it.target
    else this.#choose(this.#next, it.target, it)
    return true
  }

  /**
   * A round that took nothing ends the loop; it fails instead if the round was not required, so that the loop ends
   * without it.
   */
  #roundEnd(it: Instruction): boolean {
    if (this.#position === this.#slots[it.slot + 1])
      return it.mode === 'possessive' || this.#slots[it.slot]! <= it.min
    this.#next = it.target
    return true
  }

  #set(slot: number, value: number): void {
    this.#choices.push(~slot, this.#slots[slot]!, 0)
    this.#slots[slot] = value
  }

  /** Goes back to the last open choice; false: there is none. */
  #backtrack(): boolean {
    const choices = this.#choices
    while (choices.pop()) {
      const { what, value, progress } = choices
      if (what < 0) {
        this.#slots[~what] = value
        continue
      }
      this.#position = value
      this.#next = what
      if (progress === PLAIN || this.#retakeMany(this.#program.instructions[what]!, progress)) return true
    }
    return false
  }
}
