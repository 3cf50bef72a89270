import { expect, test } from 'vitest'
import { AwakeScanners } from '../../../../adapters/native/read/awake-scanners.ts'

/** A scanner that holds so many bytes until it is made to let go. */
class Held {
  heldBytes: number

  constructor(bytes: number) {
    this.heldBytes = bytes
  }

  rest(): void {
    this.heldBytes = 0
  }
}

test('beyond the limit those let go that were used least', () => {
  const awake = new AwakeScanners(100)
  const [a, b, c] = [new Held(40), new Held(40), new Held(40)]
  awake.used(a)
  awake.used(b)
  awake.used(a)
  awake.used(c)
  expect([a, b, c].map(({ heldBytes }) => heldBytes)).toEqual([40, 0, 40])
  expect(awake.bytes).toBe(80)
})

test('one that holds more than the limit lets go at once', () => {
  const awake = new AwakeScanners(100)
  const large = new Held(1000)
  awake.used(large)
  expect(large.heldBytes).toBe(0)
  expect(awake.bytes).toBe(0)
})

test('a scanner that reads or was closed does not count', () => {
  const awake = new AwakeScanners(100)
  const [a, b] = [new Held(90), new Held(90)]
  awake.used(a)
  awake.forget(a)
  awake.used(b)
  expect([a.heldBytes, b.heldBytes]).toEqual([90, 90])
  expect(awake.bytes).toBe(90)
})
