import { expect, test } from 'vitest'
import { isBefore, ThreadWords } from '../../../../adapters/native/platform/thread-words.ts'

function words(readers: number): ThreadWords {
  return new ThreadWords(ThreadWords.memoryFor(readers))
}

test('a read point is exact, whatever its size, and belongs to one epoch', () => {
  const writer = words(1)
  const reader = new ThreadWords(writer.memory)
  for (const readPoint of [1, 2 ** 32 - 1000, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 48 - 2]) {
    const before = reader.epoch
    writer.publish(readPoint)
    expect(isBefore(before, reader.epoch)).toBe(true)
    expect(reader.readPointOf(reader.epoch)).toBe(readPoint)
    writer.setReadPoints(0, readPoint, readPoint)
    expect([writer.oldestReader, writer.newestReader]).toEqual([readPoint, readPoint])
  }
})

test('epochs wrap around', () => {
  const writer = words(2)
  const ints = new Int32Array(writer.memory)
  ints[0] = 2 ** 31 - 4
  writer.pin(0, writer.epoch)
  const first = writer.epoch
  writer.publish(7)
  writer.pin(1, writer.epoch)
  writer.publish(8)
  writer.publish(9)
  expect(writer.epoch).toBeLessThan(0)
  expect(writer.readPointOf(writer.epoch)).toBe(9)
  expect(writer.oldestPin).toBe(first)
  writer.unpin(0)
  expect(isBefore(first, writer.oldestPin)).toBe(true)
  expect(isBefore(writer.oldestPin, writer.epoch)).toBe(true)
  writer.end(1)
  expect(writer.oldestPin).toBe(writer.epoch)
})

test('the least and the greatest read point of all readers count', () => {
  const writer = words(3)
  expect([writer.oldestReader, writer.newestReader]).toEqual([Number.POSITIVE_INFINITY, -1])
  writer.setReadPoints(0, 5, 9)
  writer.setReadPoints(2, 3, 4)
  expect([writer.oldestReader, writer.newestReader]).toEqual([3, 9])
  writer.end(0)
  expect([writer.oldestReader, writer.newestReader]).toEqual([3, 4])
})
