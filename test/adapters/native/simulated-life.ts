/** The life of a simulated store between two starts: changes in bursts, flushes, and its end. */

import fc from 'fast-check'
import type { Durability } from '../../../src/model/mutation.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'

export interface Column {
  readonly row: string
  readonly family: string
  readonly qualifier: string
}

export type Change =
  | { kind: 'put' | 'delete-version' | 'delete-column'; at: Column; time: bigint; durability: Durability }
  | { kind: 'delete-row'; at: Column; time: bigint; durability: Durability }
  | { kind: 'increment' | 'append'; at: Column; time: bigint; durability: Durability }
  | { kind: 'batch'; rows: string[]; time: bigint; durability: Durability }

type Ending = 'kill' | 'power' | 'full disk' | 'close'

export interface Life {
  /** Changes that are made without waiting for one another. */
  readonly bursts: Change[][]
  /** After which bursts the table is flushed. */
  readonly flushes: number[]
  /** After which bursts the table is compacted, whether the rest waits for it or not. */
  readonly compactions: { readonly burst: number; readonly isAwaited: boolean }[]
  readonly last: Change[]
  /** Turns of the event loop between the last burst and the end. */
  readonly turns: number
  readonly ending: Ending
  readonly failAfter: number
  readonly random: number
}

export const anyColumn: fc.Arbitrary<Column> = fc.record({
  row: fc.constantFrom('a', 'b', 'm', 'z'),
  family: fc.constantFrom('f', 'g'),
  qualifier: fc.constantFrom('p', 'q'),
})

export function anyChange(durabilities: readonly Durability[]): fc.Arbitrary<Change> {
  const time = fc.constantFrom(1n, 2n, 3n, LATEST_TIMESTAMP)
  const durability = fc.constantFrom(...durabilities)
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('put' as const), at: anyColumn, time, durability }),
    },
    fc.record({
      kind: fc.constantFrom('delete-version' as const, 'delete-column' as const, 'delete-row' as const),
      at: anyColumn,
      time,
      durability,
    }),
    fc.record({
      kind: fc.constantFrom('increment' as const, 'append' as const),
      at: anyColumn,
      time,
      durability,
    }),
    fc.record({
      kind: fc.constant('batch' as const),
      rows: fc.uniqueArray(fc.constantFrom('a', 'b', 'l', 'm', 'z'), { minLength: 1 }),
      time,
      durability,
    }),
  )
}

export function anyLife(endings: readonly Ending[], durabilities: readonly Durability[]): fc.Arbitrary<Life> {
  const burst = fc.array(anyChange(durabilities), { minLength: 1, maxLength: 4 })
  return fc.record({
    bursts: fc.array(burst, { maxLength: 5 }),
    flushes: fc.array(fc.nat({ max: 4 }), { maxLength: 4 }),
    compactions: fc.array(fc.record({ burst: fc.nat({ max: 4 }), isAwaited: fc.boolean() }), {
      maxLength: 2,
    }),
    last: fc.array(anyChange(durabilities), { maxLength: 4 }),
    turns: fc.nat({ max: 6 }),
    ending: fc.constantFrom(...endings),
    failAfter: fc.nat({ max: 3 }),
    random: fc.double({ min: 0, max: 0.999, noNaN: true }),
  })
}
