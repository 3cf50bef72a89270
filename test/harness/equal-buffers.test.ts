import { expect, test } from 'vitest'

test('buffers are equal where their bytes are, alone and within', () => {
  const [some, same, other] = ['abc', 'abc', 'abd'].map((text) => Buffer.from(text)) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  expect(some).toEqual(same)
  expect(some).not.toEqual(other)
  expect(some).not.toEqual(some.subarray(1))
  expect({ rows: [some] }).toEqual({ rows: [same] })
  expect({ rows: [some] }).not.toEqual({ rows: [other] })
  expect({ rows: [some] }).not.toMatchObject({ rows: [other] })
})
