/** Histories that are known to be linearizable, and such that are known not to be. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  DONE,
  ROW_MODEL,
  type RowInput,
  type RowOperation,
  type RowOutput,
} from '../harness/linearizability/cell-model.ts'
import { checkLinearizable } from '../harness/linearizability/check-linearizable.ts'

const NEVER = Number.POSITIVE_INFINITY
const READ: RowInput = { kind: 'read' }
const write = (value: string): RowInput => ({ kind: 'write', value })
const compareAndSet = (from: string, to: string): RowInput => ({ kind: 'compareAndSet', from, to })
const INCREMENT: RowInput = { kind: 'increment' }

type Line = readonly [begin: number, end: number, input: RowInput, output?: RowOutput]

function verdict(lines: readonly Line[], statesMax?: number): string {
  const history = lines.map(([begin, end, input, output]) => ({ input, output, begin, end }))
  return checkLinearizable(ROW_MODEL, history, statesMax).verdict
}

test.each<[string, readonly Line[]]>([
  ['nothing', []],
  ['a read of nothing', [[0, 1, READ, '']]],
  [
    'reads that overlap with a write and see it in turn',
    [
      [0, 9, write('a'), DONE],
      [1, 2, READ, ''],
      [3, 4, READ, 'a'],
    ],
  ],
  [
    'two writes at the same time, the first one last',
    [
      [0, 8, write('a'), DONE],
      [1, 7, write('b'), DONE],
      [9, 10, READ, 'a'],
    ],
  ],
  [
    'a write of unknown outcome that is seen late',
    [
      [0, NEVER, write('a')],
      [1, 2, write('b'), DONE],
      [3, 4, READ, 'b'],
      [5, 6, READ, 'a'],
    ],
  ],
  [
    'a write of unknown outcome that is never seen',
    [
      [0, NEVER, write('a')],
      [1, 2, READ, ''],
      [3, 4, READ, ''],
    ],
  ],
  [
    'of two comparisons at the same time the one that holds',
    [
      [0, 1, write('a'), DONE],
      [2, 5, compareAndSet('a', 'b'), false],
      [3, 4, compareAndSet('a', 'c'), true],
      [6, 7, READ, 'c'],
    ],
  ],
  [
    'increments of which one is unknown and happened',
    [
      [0, 1, INCREMENT, DONE],
      [2, NEVER, INCREMENT],
      [3, 4, INCREMENT, DONE],
      [5, 6, READ, '3'],
    ],
  ],
])('%s: linearizable', (_, lines) => {
  expect(verdict(lines)).toBe('linearizable')
})

test.each<[string, readonly Line[]]>([
  [
    'a stale read',
    [
      [0, 1, write('a'), DONE],
      [2, 3, write('b'), DONE],
      [4, 5, READ, 'a'],
    ],
  ],
  [
    'a lost write',
    [
      [0, 1, write('a'), DONE],
      [2, 3, READ, ''],
    ],
  ],
  [
    'a write that is seen and then not',
    [
      [0, 9, write('a'), DONE],
      [1, 2, READ, 'a'],
      [3, 4, READ, ''],
    ],
  ],
  [
    'two comparisons that both hold',
    [
      [0, 1, write('a'), DONE],
      [2, 5, compareAndSet('a', 'b'), true],
      [3, 4, compareAndSet('a', 'c'), true],
    ],
  ],
  [
    'a comparison that does not hold and changes the row',
    [
      [0, 1, write('a'), DONE],
      [2, 3, compareAndSet('x', 'b'), false],
      [4, 5, READ, 'b'],
    ],
  ],
  [
    'a lost increment',
    [
      [0, 3, INCREMENT, DONE],
      [1, 2, INCREMENT, DONE],
      [4, 5, READ, '1'],
    ],
  ],
  [
    'an increment that happened twice',
    [
      [0, 1, INCREMENT, DONE],
      [2, 3, READ, '2'],
    ],
  ],
  [
    'an append before one that had ended',
    [
      [0, 1, { kind: 'append', text: 'a' }, DONE],
      [2, 3, { kind: 'append', text: 'b' }, DONE],
      [4, 5, READ, 'ba'],
    ],
  ],
  ['a torn row', [[0, 1, READ, 'torn: a and b']]],
  [
    'a write of unknown outcome that is seen, gone and seen again',
    [
      [0, NEVER, write('a')],
      [1, 2, READ, 'a'],
      [3, 4, write('b'), DONE],
      [5, 6, READ, 'a'],
    ],
  ],
])('%s: not linearizable', (_, lines) => {
  expect(verdict(lines)).toBe('not linearizable')
})

const INPUTS = fc.oneof(
  fc.constant(READ),
  fc.constantFrom('a', 'b').map(write),
  fc.constantFrom('', 'a', 'b').map((from) => compareAndSet(from, 'c')),
)

/** A history of an object that does each operation at a moment between its begin and its end. */
const LINEARIZABLE = fc
  .array(fc.record({ input: INPUTS, before: fc.nat(20), after: fc.nat(20) }), { maxLength: 25 })
  .map((steps) => {
    let state: string = ROW_MODEL.initial
    return steps.map(({ input, before, after }, index): RowOperation => {
      const holds = input.kind === 'compareAndSet' ? state === input.from : DONE
      const next = ROW_MODEL.step(state, input, undefined)!
      const output = input.kind === 'read' ? state : holds
      state = next
      // Each time is used once: the moments are far apart, and begins and ends between them.
      const moment = index * 100
      return {
        input,
        output,
        begin: moment - before * 20 - 1 - index / 1000,
        end: moment + after * 20 + 1 + index / 1000,
      }
    })
  })

test('every history of one object is linearizable, whatever overlaps', () => {
  fc.assert(
    fc.property(LINEARIZABLE, (history) => {
      expect(checkLinearizable(ROW_MODEL, history).verdict).toBe('linearizable')
    }),
    { numRuns: 300 },
  )
})

test('a search by all orders has the same answers, on short histories with any answers', () => {
  const outputs = fc.constantFrom<RowOutput>('', 'a', 'b', 'c', true, false)
  const operation = fc.record({
    input: INPUTS,
    output: outputs,
    begin: fc.nat(12),
    length: fc.integer({ min: 1, max: 8 }),
  })
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 6 }), (steps) => {
      const history = steps.map(
        ({ input, output, begin, length }, index): RowOperation => ({
          input,
          output:
            input.kind === 'read' ? String(output) : input.kind === 'compareAndSet' ? output === true : DONE,
          begin: begin + index / 100,
          end: begin + length + index / 100 + 0.001,
        }),
      )
      const isOne = hasOrder(history, ROW_MODEL.initial)
      expect(checkLinearizable(ROW_MODEL, history).verdict).toBe(isOne ? 'linearizable' : 'not linearizable')
    }),
    { numRuns: 1000 },
  )
})

/** Tries each operation that may be first, and then the others. */
function hasOrder(left: readonly RowOperation[], state: string): boolean {
  if (left.length === 0) return true
  const firstEnd = Math.min(...left.map(({ end }) => end))
  return left.some((each) => {
    if (each.begin > firstEnd) return false
    const next = ROW_MODEL.step(state, each.input, each.output)
    return (
      next !== undefined &&
      hasOrder(
        left.filter((other) => other !== each),
        next,
      )
    )
  })
}

test('a search that takes too long is given up', () => {
  const writes = Array.from({ length: 20 }, (_, i): Line => [i, 100 + i, write(String(i)), DONE])
  expect(verdict([...writes, [200, 201, READ, 'none']], 1000)).toBe('too long')
})
