/** Deletes: which cells tombstones hide, by their expressions and by that of the delete. */

import type { MutationBatch } from '../../../src/model/mutation.ts'
import { TABLE } from './ask-questions.ts'
import { answerOf, FAMILY, NEW_FAMILY, type Question, Row } from './asking.ts'

const Q = Buffer.from('q')

type Fill = (batch: MutationBatch, row: Buffer, family: Buffer) => void

const DELETES: Readonly<Record<string, Fill>> = {
  row: (batch, row) => batch.deleteRow(row, 9n),
  family: (batch, row, family) => batch.deleteFamily(row, family, 9n),
  'family version': (batch, row, family) => batch.deleteFamilyVersion(row, family, 8n),
  column: (batch, row, family) => batch.deleteColumn(row, family, Q, 9n),
  version: (batch, row, family) => batch.deleteVersion(row, family, Q, 8n),
  'newest version': (batch, row, family) => batch.deleteVersion(row, family, Q),
  'two newest versions': (batch, row, family) => {
    batch.deleteVersion(row, family, Q)
    batch.deleteVersion(row, family, Q)
  },
}

const EXPRESSIONS = [
  undefined,
  'secret',
  'topsecret',
  'secret&topsecret',
  'topsecret&secret',
  'public|secret',
  'confidential',
] as const

/** Versions 10 to 6 of a column. */
const CELLS = ['secret', undefined, 'topsecret&secret', 'secret', 'secret|public'] as const

/** The same with more of cells without labels. */
const PLAIN_CELLS = ['secret', undefined, undefined, 'secret', undefined] as const

/** By when and with which labels two tombstones of a kind are. */
const TIMES = [
  [undefined, 9n, 'secret', 9n],
  [undefined, 9n, 'secret', 8n],
  [undefined, 8n, 'secret', 9n],
  ['secret', 8n, undefined, 6n],
  ['public', 9n, undefined, 8n],
  ['public', 8n, 'public', 7n],
] as const

const TIMED: Readonly<Record<string, (batch: MutationBatch, row: Buffer, time: bigint) => void>> = {
  family: (batch, row, time) => batch.deleteFamily(row, FAMILY, time),
  'family version': (batch, row, time) => batch.deleteFamilyVersion(row, FAMILY, time),
  column: (batch, row, time) => batch.deleteColumn(row, FAMILY, Q, time),
  version: (batch, row, time) => batch.deleteVersion(row, FAMILY, Q, time),
}

function timed(): [string, Question][] {
  const kinds = Object.keys(TIMED)
  return kinds.flatMap((first) =>
    kinds.flatMap((second) =>
      TIMES.map(([one, at, other, then]): [string, Question] => {
        const name = `${first} at ${at} (${one ?? 'none'}), ${second} at ${then} (${other ?? 'none'})`
        const ask: Question = (as) =>
          answerOf(async () => {
            const row = new Row(as, TABLE, name)
            for (const [index, each] of PLAIN_CELLS.entries()) await row.put(each, { time: 10 - index })
            await row.apply((batch) => TIMED[first]!(batch, row.key, at), one)
            await row.apply((batch) => TIMED[second]!(batch, row.key, then), other)
            return row.seenBy('super')
          })
        return [name, ask]
      }),
    ),
  )
}

function deletions(family: Buffer): [string, Question][] {
  return Object.entries(DELETES).flatMap(([kind, fill]) =>
    EXPRESSIONS.map((expression): [string, Question] => {
      const name = `delete of ${kind} in ${family.toString()} with ${expression ?? 'no expression'}`
      const ask: Question = (as) =>
        answerOf(async () => {
          const row = new Row(as, TABLE, name)
          for (const [index, each] of CELLS.entries()) await row.put(each, { time: 10 - index, family })
          await row.apply((batch) => fill(batch, row.key, family), expression)
          return row.seenBy('super')
        })
      return [name, ask]
    }),
  )
}

/** Tombstones of the same place with and without expressions. */
function mixtures(family: Buffer): [string, Question][] {
  const kinds: readonly [string, Fill][] = [
    ['column', DELETES['column']!],
    ['family', DELETES['family']!],
    ['version', DELETES['version']!],
    ['family version', DELETES['family version']!],
    ['older version', (batch, row, of) => batch.deleteVersion(row, of, Q, 7n)],
  ]
  const pairs = [
    [undefined, 'secret'],
    ['secret', undefined],
    ['secret', 'topsecret&secret'],
  ] as const
  return kinds.flatMap(([first, fillFirst]) =>
    kinds.flatMap(([second, fillSecond]) =>
      pairs.map(([one, other]): [string, Question] => {
        const name = `deletes of ${first} (${one ?? 'none'}) and ${second} (${other ?? 'none'}) in ${family.toString()}`
        const ask: Question = (as) =>
          answerOf(async () => {
            const row = new Row(as, TABLE, name)
            for (const [index, each] of CELLS.entries()) await row.put(each, { time: 10 - index, family })
            await row.apply((batch) => fillFirst(batch, row.key, family), one)
            await row.apply((batch) => fillSecond(batch, row.key, family), other)
            return row.seenBy('super')
          })
        return [name, ask]
      }),
    ),
  )
}

export const DELETE_QUESTIONS: Readonly<Record<string, Question>> = {
  ...Object.fromEntries([...deletions(FAMILY), ...deletions(NEW_FAMILY), ...mixtures(FAMILY), ...timed()]),
  'delete with an unknown label': (as) =>
    answerOf(async () => {
      const row = new Row(as, TABLE, 'delete with an unknown label')
      await row.put('secret')
      await row.apply((batch) => batch.deleteColumn(row.key, FAMILY, Q), 'unknown')
      return row.seenBy('super')
    }),
  'delete of the newest version with an unknown label': (as) =>
    answerOf(async () => {
      const row = new Row(as, TABLE, 'delete of the newest with an unknown label')
      await row.put('secret')
      await row.apply((batch) => batch.deleteVersion(row.key, FAMILY, Q), 'unknown')
      return row.seenBy('super')
    }),
  'delete by somebody who does not see the cell': (as) =>
    answerOf(async () => {
      const row = new Row(as, TABLE, 'delete by eve')
      await row.put('secret')
      await row.apply((batch) => batch.deleteRow(row.key), undefined, 'eve')
      return row.seenBy('super')
    }),
}
