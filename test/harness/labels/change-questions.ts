/** Changes: who may write which labels, and what becomes of labels of counters and under conditions. */

import { CellType } from '../../../src/model/cell.ts'
import { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { MutationBatch, type RowOperation, valueCondition } from '../../../src/model/mutation.ts'
import { LATEST_TIMESTAMP, timestampHigh, timestampLow } from '../../../src/model/timestamp.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { TABLE } from './ask-questions.ts'
import { answerOf, FAMILY, type Question, Row, visibility } from './asking.ts'
import { PEOPLE, type Person, SUPERUSER } from './people.ts'

const Q = Buffer.from('q')
const ONE = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1])

function addition(row: Buffer, kind: 'increment' | 'append', expression?: string): RowOperation {
  const cells = new CellBlockBuilder()
  const [high, low] = [timestampHigh(LATEST_TIMESTAMP), timestampLow(LATEST_TIMESTAMP)]
  cells.append(row, FAMILY, Q, high, low, CellType.Put, kind === 'increment' ? ONE : Buffer.from('x'))
  return { kind, cells: cells.block(), ...(expression !== undefined && { options: visibility(expression) }) }
}

async function add(
  row: Row,
  kind: 'increment' | 'append',
  expression?: string,
  person: Person = SUPERUSER,
): Promise<string> {
  const operation = addition(row.key, kind, expression)
  const options = expression === undefined ? { durability: 'USE_DEFAULT' as const } : visibility(expression)
  const { rows } = row.as[person]
  await rows.mutateRow(TABLE, { row: row.key, operations: [operation], options }, OWN_CALL)
  return viewers(row)
}

/** Who sees any cell of the row. */
async function viewers(row: Row): Promise<string> {
  const seeing: string[] = []
  for (const person of PEOPLE) if ((await row.seenBy(person)) !== 'nothing') seeing.push(person)
  return `seen by ${seeing.join(' ')}`
}

function additions(kind: 'increment' | 'append'): [string, Question][] {
  const first = [undefined, 'secret', 'public|secret'] as const
  const then = [undefined, 'secret', 'confidential', 'unknown', 'secret&'] as const
  return first.flatMap((before) =>
    then.map((after): [string, Question] => {
      const name = `${kind} with ${after ?? 'nothing'} of a cell with ${before ?? 'nothing'}`
      const ask: Question = (as) =>
        answerOf(async () => {
          const row = new Row(as, TABLE, name)
          await row.apply((batch) => batch.put(row.key, FAMILY, Q, ONE, 5n), before)
          return add(row, kind, after)
        })
      return [name, ask]
    }),
  )
}

function writers(): [string, Question][] {
  return PEOPLE.flatMap((person) =>
    [
      'secret',
      'public',
      'confidential',
      'secret&confidential',
      '!secret',
      '!public',
      'unknown',
      'secret&',
      undefined,
    ].map((expression): [string, Question] => {
      const name = `put by ${person} with ${expression ?? 'nothing'}`
      return [
        name,
        (as) =>
          answerOf(async () => {
            const row = new Row(as, TABLE, name)
            await row.put(expression, { value: 'v' }, person)
            return viewers(row)
          }),
      ]
    }),
  )
}

export const CHANGE_QUESTIONS: Readonly<Record<string, Question>> = {
  ...Object.fromEntries([...writers(), ...additions('increment'), ...additions('append')]),
  'increment of a new cell with secret': (as) =>
    answerOf(() => add(new Row(as, TABLE, 'increment of a new cell'), 'increment', 'secret')),
  'increment by bob with confidential': (as) =>
    answerOf(() => add(new Row(as, TABLE, 'increment by bob'), 'increment', 'confidential', 'bob')),
  'increment by eve of a cell that she does not see': (as) =>
    answerOf(async () => {
      const row = new Row(as, TABLE, 'increment by eve')
      await row.apply((batch) => batch.put(row.key, FAMILY, Q, ONE, 5n), 'secret')
      return add(row, 'increment', undefined, 'eve')
    }),
  'condition by eve on a cell that she does not see': (as) =>
    answerOf(async () => {
      const row = new Row(as, TABLE, 'condition by eve')
      await row.put('secret', { value: 'v' })
      const batch = new MutationBatch().put(row.key, FAMILY, Buffer.from('p'), ONE, 5n)
      batch.endMutation()
      const operations: RowOperation[] = [{ kind: 'mutate', cells: batch.blockOf(0) }]
      const condition = valueCondition(FAMILY, Q, 'EQUAL', Buffer.from('v'))
      const options = { durability: 'USE_DEFAULT' as const }
      const change = { row: row.key, operations, options, condition }
      const { applied } = await as.eve.rows.mutateRow(TABLE, change, OWN_CALL)
      return `${applied}`
    }),
  'put under a condition with labels': (as) =>
    answerOf(async () => {
      const row = new Row(as, TABLE, 'put under a condition')
      const batch = new MutationBatch().put(row.key, FAMILY, Q, ONE, 5n)
      batch.endMutation()
      const operations: RowOperation[] = [{ kind: 'mutate', cells: batch.blockOf(0) }]
      const condition = valueCondition(FAMILY, Q, 'EQUAL', undefined)
      const change = { row: row.key, operations, options: visibility('secret'), condition }
      await as.super.rows.mutateRow(TABLE, change, OWN_CALL)
      return viewers(row)
    }),
  'put under a condition with an unknown label': (as) =>
    answerOf(async () => {
      const row = new Row(as, TABLE, 'put under a condition with an unknown label')
      const batch = new MutationBatch().put(row.key, FAMILY, Q, ONE, 5n)
      batch.endMutation()
      const operations: RowOperation[] = [{ kind: 'mutate', cells: batch.blockOf(0) }]
      const condition = valueCondition(FAMILY, Q, 'EQUAL', undefined)
      const change = { row: row.key, operations, options: visibility('unknown'), condition }
      const { applied } = await as.super.rows.mutateRow(TABLE, change, OWN_CALL)
      return `${applied}`
    }),
  'batch of which one has an unknown label': (as) =>
    answerOf(async () => {
      const row = new Row(as, TABLE, 'batch')
      const batch = new MutationBatch()
      for (const [index, expression] of ['secret', 'unknown', 'public'].entries()) {
        batch.put(row.key, FAMILY, Buffer.from(`${index}`), ONE, 5n)
        batch.endMutation(visibility(expression))
      }
      const failures = await as.super.rows.mutate(TABLE, batch, OWN_CALL)
      const texts = failures.map(
        ({ index, error }) => `${index} ${error.javaClass} ${error.message.split('\n')[0]}`,
      )
      return `${texts.join(' ')} ${await row.seenBy('super', {}, [])}`.replaceAll(/=\S*/g, '')
    }),
  'an attribute that is no CellVisibility': (as) =>
    answerOf(async () => {
      const row = new Row(as, TABLE, 'bad attribute')
      const batch = new MutationBatch().put(row.key, FAMILY, Q, ONE, 5n)
      const attributes = new Map([['VISIBILITY', Buffer.from([0xff, 0xff])]])
      batch.endMutation({ durability: 'USE_DEFAULT', attributes })
      const [failure] = await as.super.rows.mutate(TABLE, batch, OWN_CALL)
      if (failure !== undefined) throw failure.error
      return viewers(row)
    }),
}
