import { ALL_CODE_POINTS, CodePointSet, NO_CODE_POINTS } from './code-point-set.ts'
import type { PatternNode } from './pattern-node.ts'

/** The first code points of a match, and whether it can be empty. */
interface Start {
  readonly set: CodePointSet
  readonly canBeEmpty: boolean
}

const EMPTY: Start = { set: NO_CODE_POINTS, canBeEmpty: true }

/** The first code points that a match can have; undefined: it can be empty, or begin with anything. */
export function startSet(root: PatternNode): CodePointSet | undefined {
  const { set, canBeEmpty } = nodeStart(root)
  return canBeEmpty || set === ALL_CODE_POINTS ? undefined : set
}

/** Whether a match can begin at the text's begin only. */
export function isAnchored(node: PatternNode): boolean {
  if (node.kind === 'assertion') return node.assertion === 'begin'
  if (node.kind === 'sequence') return node.items.length > 0 && isAnchored(node.items[0]!)
  if (node.kind === 'alternatives') return node.items.every(isAnchored)
  return (node.kind === 'group' || node.kind === 'atomic') && isAnchored(node.item)
}

function nodeStart(node: PatternNode): Start {
  switch (node.kind) {
    case 'characters':
      return { set: node.set, canBeEmpty: false }
    case 'sequence':
      return sequenceStart(node.items)
    case 'alternatives': {
      const starts = node.items.map(nodeStart)
      return { set: union(starts), canBeEmpty: starts.some((start) => start.canBeEmpty) }
    }
    case 'group':
    case 'atomic':
      return nodeStart(node.item)
    case 'repeat': {
      const { set, canBeEmpty } = nodeStart(node.item)
      return { set, canBeEmpty: canBeEmpty || node.min === 0 }
    }
    case 'assertion':
    case 'lookAhead':
    case 'lookBehind':
      return EMPTY
    case 'backReference':
    case 'lineBreak':
    case 'graphemeCluster':
      return { set: ALL_CODE_POINTS, canBeEmpty: true }
  }
}

function sequenceStart(items: readonly PatternNode[]): Start {
  const starts: Start[] = []
  for (const item of items) {
    const start = nodeStart(item)
    starts.push(start)
    if (!start.canBeEmpty) return { set: union(starts), canBeEmpty: false }
  }
  return { set: union(starts), canBeEmpty: true }
}

function union(starts: readonly Start[]): CodePointSet {
  return CodePointSet.union(starts.map(({ set }) => set))
}
