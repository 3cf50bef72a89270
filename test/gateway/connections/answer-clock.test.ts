import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { ANSWER_PART_BYTES, AnswerClock, takenBytes } from '../../../src/gateway/connections/answer-clock.ts'

/** A connection of which the test says what its client has taken. */
class Taken extends Duplex {
  waiting = 0
  readonly _handle = { bytesWritten: 0, writeQueueSize: 0 }

  constructor() {
    super()
    Object.defineProperty(this, 'writableLength', { get: () => this.waiting })
  }

  /** `sent` bytes are with the system, `unsent` of them are not with the client. */
  is(sent: number, unsent: number): void {
    this.waiting = unsent
    this._handle.bytesWritten = sent
    this._handle.writeQueueSize = unsent
  }
}

const LARGE = 100 * ANSWER_PART_BYTES

test('a client is late that takes less than its part in the time', () => {
  const connection = new Taken()
  const clock = new AnswerClock()
  connection.is(LARGE, LARGE)
  expect(clock.isLate(0, connection, 1000)).toBe(false)
  for (let ms = 100; ms < 1000; ms += 100) {
    connection.is(LARGE, LARGE - ms)
    expect(clock.isLate(ms, connection, 1000)).toBe(false)
  }
  expect(clock.isLate(1000, connection, 1000)).toBe(true)
})

test('a client that takes a part in each time is not late, however large the piece', () => {
  const connection = new Taken()
  const clock = new AnswerClock()
  for (let part = 0; part <= 50; part++) {
    connection.is(LARGE, LARGE - part * ANSWER_PART_BYTES)
    expect(clock.isLate(part * 999, connection, 1000)).toBe(false)
  }
})

test('the time begins anew where nothing has waited', () => {
  const connection = new Taken()
  const clock = new AnswerClock()
  connection.is(10, 10)
  expect(clock.isLate(0, connection, 1000)).toBe(false)
  connection.is(10, 0)
  expect(clock.isLate(900, connection, 1000)).toBe(false)
  connection.is(20, 10)
  expect(clock.isLate(1800, connection, 1000)).toBe(false)
  expect(clock.isLate(2799, connection, 1000)).toBe(false)
  expect(clock.isLate(2800, connection, 1000)).toBe(true)
})

test('of a connection without a handle, whole pieces count', () => {
  const connection = new Taken()
  Object.assign(connection, { _handle: null, bytesWritten: 100 })
  connection.waiting = 30
  expect(takenBytes(connection)).toBe(70)
})
