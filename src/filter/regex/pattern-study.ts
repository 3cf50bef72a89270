import { type PatternNode, REPEAT_MAX, type RepeatNode } from './pattern-node.ts'

/**
 * Facts about a part of a pattern that Java works out before it matches. A look-behind needs its length. Whether it can match in one way
 * only decides how Java matches a repeated group. Both decide the meaning of a pattern, so they are counted as Java counts: in 32 bits,
 * which overflow. HBase's clients see the difference.
 */
export interface Study {
  readonly min: number
  readonly max: number
  readonly hasMax: boolean
  readonly isDeterministic: boolean
}

const LARGE = 0xfffffff
const NOTHING: Study = { min: 0, max: 0, hasMax: true, isDeterministic: true }

/** Each node is looked at once, however deep repetitions nest. */
const studies: WeakMap<PatternNode, Study> = new WeakMap()

export function study(node: PatternNode): Study {
  const known = studies.get(node)
  if (known !== undefined) return known
  const tally = new Tally()
  tally.visit(node)
  const result = tally.total
  studies.set(node, result)
  return result
}

/** Whether Java matches each repetition of a group once, without going back into it. */
export function isRepeatedOnce(node: RepeatNode): boolean {
  return node.item.kind !== 'group' || node.mode === 'possessive' || study(node.item).isDeterministic
}

/** Whether a quantifier makes a choice of two: by `?` or {0,1}. */
export function isOptional(node: RepeatNode): boolean {
  return node.min === 0 && node.max === 1
}

class Tally {
  /** The count up to the last alternatives: after them Java counts from zero, and adds this at the end. */
  #before: Study = NOTHING
  #min = 0
  #max = 0
  #hasMax = true
  #isDeterministic = true

  get total(): Study {
    return {
      min: (this.#before.min + this.#min) | 0,
      max: (this.#before.max + this.#max) | 0,
      hasMax: this.#before.hasMax && this.#hasMax,
      isDeterministic: this.#before.isDeterministic && this.#isDeterministic,
    }
  }

  visit(node: PatternNode): void {
    switch (node.kind) {
      case 'sequence':
        for (const item of node.items) this.visit(item)
        return
      case 'alternatives':
        return this.#alternatives(node.items.map(study))
      case 'characters':
        return this.#add(1, 1)
      case 'lineBreak':
        return this.#add(1, 2)
      case 'graphemeCluster':
        this.#add(1, 0)
        this.#isDeterministic = false
        return
      case 'group':
        return this.visit(node.item)
      case 'atomic':
        return this.#apart(node.item)
      case 'repeat':
        return this.#repeat(node)
      case 'backReference':
        this.#hasMax = false
        return
      case 'lookAhead':
      case 'lookBehind':
      case 'assertion':
    }
  }

  #add(min: number, max: number): void {
    this.#min = (this.#min + min) | 0
    this.#max = (this.#max + max) | 0
  }

  #alternatives(items: readonly Study[]): void {
    // One after the other: a pattern may have more alternatives than a call may have arguments.
    const min = items.reduce((least, item) => Math.min(least, item.min), REPEAT_MAX)
    const max = items.reduce((most, item) => Math.max(most, item.max), -1)
    this.#add(min, max)
    this.#hasMax &&= items.every(({ hasMax }) => hasMax)
    this.#before = { ...this.total, isDeterministic: false }
    this.#min = 0
    this.#max = 0
    this.#hasMax = true
    this.#isDeterministic = true
  }

  /** Visits an item that Java studies by itself: alternatives in it do not end the running count. */
  #apart(item: PatternNode): void {
    const before = this.#before
    this.#before = NOTHING
    this.visit(item)
    const { min, max, hasMax, isDeterministic } = this.total
    this.#before = before
    this.#min = min
    this.#max = max
    this.#hasMax = hasMax
    this.#isDeterministic = isDeterministic
  }

  #repeat(node: RepeatNode): void {
    if (isOptional(node)) {
      if (node.item.kind === 'group' && node.mode !== 'possessive')
        return this.#alternatives([study(node.item), NOTHING])
      const min = this.#min
      this.#apart(node.item)
      this.#min = min
      this.#isDeterministic = false
    } else if (node.item.kind === 'characters' && node.mode === 'greedy' && node.max === REPEAT_MAX) {
      this.#add(node.min, this.#hasMax ? REPEAT_MAX : 0)
      this.#isDeterministic = false
    } else if (isRepeatedOnce(node)) {
      this.#counted(node)
    } else {
      this.#hasMax = false
      this.#isDeterministic = false
    }
  }

  #counted(node: RepeatNode): void {
    const item = study(node.item)
    const min = (Math.imul(item.min, node.min) + this.#min) | 0
    const max = (Math.imul(item.max, node.max) + this.#max) | 0
    this.#min = min < this.#min ? LARGE : min
    this.#hasMax &&= item.hasMax && max >= this.#max
    this.#max = max
    this.#isDeterministic &&= item.isDeterministic && node.min === node.max
  }
}
