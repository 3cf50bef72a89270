import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ThreadWords } from '../../../../adapters/native/platform/thread-words.ts'
import { ReaderTurn } from '../../../../adapters/native/reader/reader-turn.ts'
import type { MessageToWriter } from '../../../../adapters/native/threads/reader-messages.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'

const TABLE = parseTableName('t')

function begun(): { words: ThreadWords; turn: ReaderTurn; posted: MessageToWriter[] } {
  const words = new ThreadWords(ThreadWords.memoryFor(1))
  words.publish(10)
  const posted: MessageToWriter[] = []
  const turn = new ReaderTurn({ words, reader: 0, post: (message) => posted.push(message) })
  turn.begin()
  return { words, turn, posted }
}

test('a turn pins its epoch and its read points, and gives them up at its end', async () => {
  const { words, turn, posted } = begun()
  const { epoch } = words
  words.publish(11)
  expect(words.oldestPin).toBe(epoch)
  expect(turn.readPoint).toBe(10)
  turn.begin()
  expect(turn.readPoint).toBe(11)
  expect([words.oldestReader, words.newestReader]).toEqual([10, 11])
  await nextTurn()
  expect(words.oldestPin).toBe(words.epoch)
  expect(words.oldestReader).toBe(Number.POSITIVE_INFINITY)
  expect(posted).toEqual([])
})

test('what ends within a turn is not asked for', async () => {
  const { turn, posted } = begun()
  turn.requests.keepReadPoint(TABLE, 3, 10)()
  turn.requests.hold([1, 2])()
  await nextTurn()
  expect(posted).toEqual([])
})

test('what is needed for longer stays pinned until the writer has the message', async () => {
  const { words, turn, posted } = begun()
  const { epoch } = words
  const giveUp = turn.requests.keepReadPoint(TABLE, undefined, 10)
  await nextTurn()
  expect(posted).toEqual([
    { message: 1, list: [{ kind: 'keep', keep: 1, table: TABLE, region: undefined, readPoint: 10 }] },
  ])
  words.publish(11)
  // A later turn, which needs less.
  turn.begin()
  await nextTurn()
  expect([words.oldestPin, words.oldestReader, words.newestReader]).toEqual([epoch, 10, 10])
  turn.kept(1)
  expect([words.oldestPin, words.oldestReader]).toEqual([words.epoch, Number.POSITIVE_INFINITY])
  giveUp()
  giveUp()
  await nextTurn()
  expect(posted.slice(1)).toEqual([{ message: 2, list: [{ kind: 'giveUp', keep: 1 }] }])
})
