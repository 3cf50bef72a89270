import { type PatternNode, REPEAT_MAX, type RepeatNode } from './pattern-node.ts'

/**
 * What Java finds out about a part of a pattern before it matches: how long it is, which a look-behind needs, and
 * whether it can match in one way only, by which Java chooses how a repeated group is matched. Both decide what a
 * pattern means, so they are counted as Java counts: in 32 bits, that overflow. HBase's clients see the difference.
 */
export interface Study {
  min: number
  max: number
  hasMax: boolean
  isDeterministic: boolean
}

const LARGE = 0xfffffff

/** Each node is looked at once, however deep repetitions nest. */
const studies: WeakMap<PatternNode, Study> = new WeakMap()

export function study(node: PatternNode): Readonly<Study> {
  const known = studies.get(node)
  if (known !== undefined) return known
  const result = newStudy()
  visit(node, result)
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

function newStudy(): Study {
  return { min: 0, max: 0, hasMax: true, isDeterministic: true }
}

function add(result: Study, min: number, max: number): void {
  result.min = (result.min + min) | 0
  result.max = (result.max + max) | 0
}

function visit(node: PatternNode, result: Study): void {
  switch (node.kind) {
    case 'sequence':
      for (const item of node.items) visit(item, result)
      return
    case 'alternatives':
      visitAlternatives(node.items, result)
      return
    case 'characters':
      add(result, 1, 1)
      return
    case 'lineBreak':
      add(result, 1, 2)
      return
    case 'graphemeCluster':
      add(result, 1, 0)
      result.isDeterministic = false
      return
    case 'group':
    case 'atomic':
      visit(node.item, result)
      return
    case 'repeat':
      visitRepeat(node, result)
      return
    case 'backReference':
      result.hasMax = false
      return
    case 'lookAhead':
    case 'lookBehind':
    case 'assertion':
  }
}

function visitAlternatives(items: readonly (PatternNode | undefined)[], result: Study): void {
  let min = REPEAT_MAX
  let max = -1
  for (const item of items) {
    const alternative = newStudy()
    if (item !== undefined) visit(item, alternative)
    min = Math.min(min, alternative.min)
    max = Math.max(max, alternative.max)
    result.hasMax &&= alternative.hasMax
  }
  add(result, min, max)
  result.isDeterministic = false
}

function visitRepeat(node: RepeatNode, result: Study): void {
  if (isOptional(node)) {
    if (node.item.kind === 'group' && node.mode !== 'possessive')
      return visitAlternatives([node.item, undefined], result)
    const { min } = result
    visit(node.item, result)
    result.min = min
    result.isDeterministic = false
  } else if (node.item.kind === 'characters' && node.mode === 'greedy' && node.max === REPEAT_MAX) {
    add(result, node.min, result.hasMax ? REPEAT_MAX : 0)
    result.isDeterministic = false
  } else if (isRepeatedOnce(node)) {
    visitCounted(node, result)
  } else {
    result.hasMax = false
    result.isDeterministic = false
  }
}

function visitCounted(node: RepeatNode, result: Study): void {
  const item = study(node.item)
  const min = (Math.imul(item.min, node.min) + result.min) | 0
  result.min = min < result.min ? LARGE : min
  const max = (Math.imul(item.max, node.max) + result.max) | 0
  result.hasMax = result.hasMax && item.hasMax && max >= result.max
  result.max = max
  result.isDeterministic &&= item.isDeterministic && node.min === node.max
}
