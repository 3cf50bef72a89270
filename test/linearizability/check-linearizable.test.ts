/** Histories that are known to be linearizable, and such that are known not to be. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  DONE,
  modelOf,
  ROW_MODEL,
  type RowInput,
  type RowOperation,
  type RowOutput,
} from '../harness/linearizability/cell-model.ts'
import { checkLinearizable } from '../harness/linearizability/check-linearizable.ts'
import { SimRandom } from '../harness/simulation/sim-random.ts'

const NEVER = Number.POSITIVE_INFINITY
const READ: RowInput = { kind: 'read' }
const write = (value: string): RowInput => ({ kind: 'write', value })
const compareAndSet = (from: string, to: string): RowInput => ({ kind: 'compareAndSet', from, to })
const INCREMENT: RowInput = { kind: 'increment' }
const append = (text: string): RowInput => ({ kind: 'append', text })

type Line = readonly [begin: number, end: number, input: RowInput, output?: RowOutput]

function verdict(lines: readonly Line[], statesMax?: number): string {
  const history = lines.map(([begin, end, input, output]) => ({ input, output, begin, end }))
  return checkLinearizable(modelOf(history), history, statesMax).verdict
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
      [0, 1, append('a'), DONE],
      [2, 3, append('b'), DONE],
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
const COUNTED = fc.constantFrom(READ, INCREMENT, INCREMENT)
const APPENDED = fc.constantFrom(READ, append('a'), append('b'))

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

test.each([
  ['written', INPUTS, ['', 'a', 'b', 'c', true, false]],
  ['counted', COUNTED, ['', '1', '2', '3']],
  ['appended to', APPENDED, ['', 'a', 'ab', 'ba', 'aba', 'bb']],
] as const)(
  'a search by all orders has the same answers, on short histories of a row that is %s, with any answers or none',
  (_, inputs, outputs) => {
    const operation = fc.record({
      input: inputs,
      output: fc.constantFrom<RowOutput>(...outputs),
      isUnknown: fc.nat(3).map((number) => number === 0),
      begin: fc.nat(12),
      length: fc.integer({ min: 1, max: 8 }),
    })
    let found = 0
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 7 }), (steps) => {
        const history = steps.map(({ input, output, isUnknown, begin, length }, index): RowOperation => {
          if (isUnknown && input.kind !== 'read')
            return { input, output: undefined, begin: begin + index / 100, end: NEVER }
          const known = input.kind === 'compareAndSet' ? output === true : DONE
          const end = begin + length + index / 100 + 0.001
          return {
            input,
            output: input.kind === 'read' ? String(output) : known,
            begin: begin + index / 100,
            end,
          }
        })
        const isOne = hasOrder(history, ROW_MODEL.initial)
        if (isOne) found++
        expect(checkLinearizable(modelOf(history), history).verdict).toBe(
          isOne ? 'linearizable' : 'not linearizable',
        )
      }),
      { numRuns: 2000 },
    )
    expect(found).toBeGreaterThan(100)
  },
)

/** Tries each operation that may be first, and then the others. One of unknown outcome may never come. */
function hasOrder(left: readonly RowOperation[], state: string): boolean {
  if (left.every(({ end }) => end === NEVER)) return true
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

/** So many clients of one row, of whose changes some have no answer. `inputOf`: by the number of the operation. */
function crowded(inputOf: (number: number) => RowInput, clients = 24, operations = 600): RowOperation[] {
  const random = new SimRandom(7)
  const free = Array.from({ length: clients }, () => random.next() * 10)
  const moments = Array.from({ length: operations }, (_, number) => {
    const client = Math.floor(random.next() * clients)
    const begin = free[client]!
    const moment = begin + random.next() * 10
    const end = moment + random.next() * 10
    free[client] = end + random.next()
    return { input: inputOf(number), begin: begin + number / 1e6, moment, end: end + number / 1e6 }
  })
  let state: string = ROW_MODEL.initial
  const history: RowOperation[] = []
  for (const { input, begin, moment, end } of moments.sort((a, b) => a.moment - b.moment)) {
    const isUnknown = input.kind !== 'read' && random.next() < 0.04
    const isMade = !isUnknown || random.next() < 0.5
    const holds = input.kind === 'compareAndSet' ? state === input.from : DONE
    const output = input.kind === 'read' ? state : holds
    if (isMade) state = ROW_MODEL.step(state, input, undefined)!
    history.push({
      input,
      begin,
      output: isUnknown ? undefined : output,
      end: isUnknown ? NEVER : Math.max(end, moment),
    })
  }
  return history
}

test.each<[string, (number: number) => RowInput]>([
  ['writes', (number) => (number % 2 === 0 ? READ : write(`v${number}`))],
  [
    'comparisons',
    (number) => [READ, write(`v${number}`), compareAndSet(`v${number - 4}`, `v${number}`)][number % 3]!,
  ],
  ['increments', (number) => (number % 2 === 0 ? READ : INCREMENT)],
  ['appends', (number) => (number % 2 === 0 ? READ : append(`${number},`))],
])('a search is short among %s of many clients, and so is one with a stale read', (_, inputOf) => {
  const history = crowded(inputOf)
  const sound = checkLinearizable(modelOf(history), history, 20_000)
  expect(sound.verdict).toBe('linearizable')
  const reads = history.flatMap(({ input, output }, place) =>
    input.kind === 'read' && output !== undefined ? [place] : [],
  )
  const [stale, late] = [reads[5]!, reads.at(-5)!]
  const planted = history.map((each, place) =>
    place === late ? { ...each, output: history[stale]!.output } : each,
  )
  expect(checkLinearizable(modelOf(planted), planted, 400_000).verdict).toBe('not linearizable')
})

test('a search that takes too long is given up', () => {
  const writes = Array.from({ length: 20 }, (_, i): Line => [i, 100 + i, write(String(i)), DONE])
  expect(verdict([...writes, [200, 201, READ, 'none']], 1000)).toBe('too long')
})
