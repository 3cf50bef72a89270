import { expect, test } from 'vitest'
import { inSlices } from '../../src/gateway/in-slices.ts'

test('all elements are done in order, and the event loop turns in between', async () => {
  const list = Array.from({ length: 10_000 }, (_, number) => number)
  const done: number[] = []
  let turns = 0
  const count = (): void => {
    turns++
    if (done.length < list.length) setImmediate(count)
  }
  setImmediate(count)
  await inSlices(list, (number) => done.push(number))
  expect(done).toEqual(list)
  expect(turns).toBeGreaterThanOrEqual(9)
})

test('an element that is refused ends it', async () => {
  const done: number[] = []
  const refuse = (number: number): void => {
    if (number === 3) throw new RangeError('three')
    done.push(number)
  }
  await expect(inSlices([1, 2, 3, 4], refuse)).rejects.toThrow('three')
  expect(done).toEqual([1, 2])
})
